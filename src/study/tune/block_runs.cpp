#include "study/tune/block_runs.h"

#include <algorithm>
#include <map>

#include "chip/isa/encoding.h"
#include "chip/machine/state.h"
#include "study/tune/block_words.h"

namespace lanewise::tune {

namespace {

/// Slots of a part that repeats, at most.
constexpr std::size_t kLongestPart = 512;
/// What repeats less is left as it is.
constexpr std::size_t kLeastRepeated = 8;

/// A slot, apart from its place.
struct Kind {
  std::uint32_t word = 0;
  bool is_empty = false, is_access = false;

  bool operator==(const Kind&) const = default;
};

std::size_t repeated(const BlockRun& run) {
  return run.length * (run.times - 1);
}

class RunFinder {
 public:
  RunFinder(Arch arch, std::span<const BlockStep> steps, std::span<const std::uint32_t> slots) {
    for (const std::uint32_t slot : slots) {
      const bool is_empty = slot == kEmptySlot;
      const bool is_access = !is_empty && !steps[slot].cells.empty();
      std::uint32_t word = is_empty ? 0 : steps[slot].word;
      if (is_access) word = with_place(arch, word, 0, 0);
      kinds_.push_back({.word = word, .is_empty = is_empty, .is_access = is_access});
      places_.push_back(is_access ? steps[slot].address : 0);
    }
  }

  /// `only`: the stride of runs whose places move, 0 for none; any if it is not given.
  std::vector<BlockRun> run(std::optional<std::uint32_t> only) {
    only_ = only;
    runs_.clear();
    split(0, kinds_.size());
    return std::move(runs_);
  }

 private:
  /// The run that repeats most, then those in front of it and behind it.
  void split(std::size_t begin, std::size_t end) {
    const BlockRun best = best_run(begin, end);
    if (best.times == 1 || repeated(best) < kLeastRepeated) return;
    split(begin, best.first);
    runs_.push_back(best);
    split(best.end(), end);
  }

  BlockRun best_run(std::size_t begin, std::size_t end) const {
    BlockRun best;
    const std::size_t longest = std::min(kLongestPart, (end - begin) / 2);
    for (std::size_t length = 1; length <= longest; ++length) {
      const BlockRun run = best_of_length(begin, end, length);
      if (repeated(run) > repeated(best)) best = run;
    }
    return best;
  }

  BlockRun best_of_length(std::size_t begin, std::size_t end, std::size_t length) const {
    BlockRun best{.first = begin, .length = length, .times = 1, .stride = 0};
    std::optional<std::uint32_t> stride;
    std::size_t same = 0; // slots so far that come again
    for (std::size_t i = begin; i + length < end; ++i) {
      const std::uint32_t moved = (places_[i + length] - places_[i]) & kDstAddressMask;
      const bool is_access = kinds_[i].is_access;
      const bool fits = kinds_[i] == kinds_[i + length] &&
                        (!is_access || !only_ || moved == 0 || moved == *only_);
      if (is_access && stride && moved != *stride) {
        // A run with another stride may begin here.
        same = 0;
        stride.reset();
      }
      same = fits ? same + 1 : 0;
      if (!fits) stride.reset();
      if (fits && is_access) stride = moved;
      const std::size_t times = same / length + 1;
      if (times > best.times)
        best = {
            .first = i + 1 - same, .length = length, .times = times, .stride = stride.value_or(0)};
    }
    return best;
  }

  std::vector<Kind> kinds_;
  std::vector<std::uint32_t> places_;
  std::optional<std::uint32_t> only_;
  std::vector<BlockRun> runs_;
};

} // namespace

std::vector<BlockRun> find_runs(Arch arch, std::span<const BlockStep> steps,
                                std::span<const std::uint32_t> slots, bool moves) {
  RunFinder finder(arch, steps, slots);
  if (!moves) return finder.run(0);
  std::map<std::uint32_t, std::size_t> repeated_with;
  for (const BlockRun& run : finder.run(std::nullopt))
    if (run.stride != 0) repeated_with[run.stride] += repeated(run);
  if (repeated_with.empty()) return finder.run(0);
  const auto most = std::ranges::max_element(repeated_with, {},
                                             &std::pair<const std::uint32_t, std::size_t>::second);
  return finder.run(most->first);
}

} // namespace lanewise::tune
