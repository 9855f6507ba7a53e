#include "study/tune/block_runs.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "chip/machine/state.h"
#include "study/tune/block_words.h"

namespace lanewise::tune {

namespace {

/// Slots of a short part at most.
constexpr std::size_t kLongestShort = 1024;
/// Slots of a long part at least: what moves the counter must be little beside it.
constexpr std::size_t kShortestLong = 64;
/// What repeats less is left as it is.
constexpr std::size_t kLeastRepeated = 8;
/// Strides that are tried for the section.
constexpr std::size_t kTriedStrides = 4;

/// A slot, apart from its place.
struct Kind {
  std::uint32_t word = 0;
  bool is_empty = false, is_access = false;

  bool operator==(const Kind&) const = default;
};

std::size_t repeated(const BlockRun& run) {
  return run.length * (run.times - 1);
}

/// Slots that need not stand in the code.
std::size_t left_out(const std::vector<BlockRun>& runs) {
  std::size_t slots = 0;
  for (const BlockRun& run : runs) slots += repeated(run) + left_out(run.parts);
  return slots;
}

/// Which parts are looked for.
struct PartKind {
  std::size_t shortest = 1, longest = kLongestShort;
  std::function<bool(std::uint32_t)> may_move_by;
};

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

  /// Slots that repeat with each stride, in parts and within them.
  std::map<std::uint32_t, std::size_t> repeated_by_stride() const {
    std::map<std::uint32_t, std::size_t> slots;
    count_strides(0, kinds_.size(), slots);
    return slots;
  }

  std::vector<BlockRun> run(const PartKind& short_ones, bool has_long_ones) const {
    return runs_between(0, kinds_.size(), short_ones, has_long_ones);
  }

 private:
  /// The run that repeats most, with those in front of it, within it, and behind it.
  std::vector<BlockRun> runs_between(std::size_t begin, std::size_t end, const PartKind& short_ones,
                                     bool has_long_ones) const {
    BlockRun best = best_run(begin, end, short_ones);
    if (has_long_ones) {
      static const PartKind kLongOnes{
          .shortest = kShortestLong, .longest = SIZE_MAX, .may_move_by = [](std::uint32_t stride) {
            return stride <= kFarthestCopy;
          }};
      BlockRun other = best_run(begin, end, kLongOnes);
      if (repeated(other) > repeated(best)) {
        best = std::move(other);
        best.is_long = true;
      }
    }
    if (repeated(best) < kLeastRepeated) return {};
    if (best.is_long) add_parts(best, short_ones);
    std::vector<BlockRun> runs = runs_between(begin, best.first, short_ones, has_long_ones);
    const std::size_t behind = best.end();
    runs.push_back(std::move(best));
    std::ranges::move(runs_between(behind, end, short_ones, has_long_ones),
                      std::back_inserter(runs));
    return runs;
  }

  void count_strides(std::size_t begin, std::size_t end,
                     std::map<std::uint32_t, std::size_t>& slots) const {
    const PartKind any{.may_move_by = [](std::uint32_t) { return true; }};
    for (const BlockRun& run : runs_between(begin, end, any, false)) {
      if (run.stride != 0) slots[run.stride] += repeated(run);
      count_strides(run.first, run.first + run.length, slots);
    }
  }

  void add_parts(BlockRun& run, const PartKind& short_ones) const {
    const std::size_t end = run.first + run.length;
    run.parts = runs_between(run.first, end, short_ones, true);
    if (copy_distance(run) > kFarthestCopy)
      run.parts = runs_between(run.first, end, short_ones, false);
  }

  BlockRun best_run(std::size_t begin, std::size_t end, const PartKind& kind) const {
    BlockRun best;
    const std::size_t longest = std::min(kind.longest, (end - begin) / 2);
    for (std::size_t length = kind.shortest; length <= longest; ++length) {
      const BlockRun run = best_of_length(begin, end, length, kind);
      if (repeated(run) > repeated(best)) best = run;
    }
    return best;
  }

  BlockRun best_of_length(std::size_t begin, std::size_t end, std::size_t length,
                          const PartKind& kind) const {
    BlockRun best{.first = begin, .length = length};
    std::optional<std::uint32_t> stride;
    std::size_t same = 0; // slots so far that come again
    for (std::size_t i = begin; i + length < end; ++i) {
      const bool is_access = kinds_[i].is_access;
      const std::uint32_t moved = (places_[i + length] - places_[i]) & kDstAddressMask;
      const bool fits = kinds_[i] == kinds_[i + length] && (!is_access || kind.may_move_by(moved));
      // A run with another stride may begin here.
      const bool goes_on = fits && (!is_access || !stride || moved == *stride);
      if (!goes_on) {
        same = 0;
        stride.reset();
      }
      if (!fits) continue;
      ++same;
      if (is_access) stride = moved;
      const std::size_t times = same / length + 1;
      if (times <= best.times) continue;
      best.first = i + 1 - same;
      best.times = times;
      best.stride = stride.value_or(0);
    }
    return best;
  }

  std::vector<Kind> kinds_;
  std::vector<std::uint32_t> places_;
};

/// Strides with which most is repeated, those first.
std::vector<std::uint32_t> frequent_strides(const RunFinder& finder) {
  std::vector<std::pair<std::size_t, std::uint32_t>> ordered;
  for (const auto& [stride, slots] : finder.repeated_by_stride())
    ordered.emplace_back(slots, stride);
  std::ranges::sort(ordered, std::greater<>());
  std::vector<std::uint32_t> strides;
  strides.reserve(ordered.size());
  for (const auto& each : ordered) strides.push_back(each.second);
  if (strides.size() > kTriedStrides) strides.resize(kTriedStrides);
  return strides;
}

} // namespace

std::uint32_t copy_distance(const BlockRun& run) {
  std::uint32_t moved = 0;
  for (const BlockRun& part : run.parts)
    if (part.is_long) moved += part.stride * static_cast<std::uint32_t>(part.times);
  return (run.stride - moved) & kDstAddressMask;
}

std::vector<BlockRun> find_runs(Arch arch, std::span<const BlockStep> steps,
                                std::span<const std::uint32_t> slots, CounterMoves moves) {
  const RunFinder finder(arch, steps, slots);
  std::vector<std::uint32_t> strides{0};
  if (moves.has_section) std::ranges::copy(frequent_strides(finder), std::back_inserter(strides));
  std::vector<BlockRun> best;
  for (const std::uint32_t stride : strides) {
    const PartKind kind{
        .may_move_by = [stride](std::uint32_t moved) { return moved == 0 || moved == stride; }};
    std::vector<BlockRun> runs = finder.run(kind, moves.has_copy);
    if (left_out(runs) > left_out(best)) best = std::move(runs);
  }
  return best;
}

} // namespace lanewise::tune
