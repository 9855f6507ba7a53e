#include "source/compiler/replay.h"

#include <algorithm>
#include <bitset>
#include <optional>
#include <span>

#include "base/source_line.h"
#include "chip/isa/encoding.h"
#include "chip/isa/replay.h"

namespace lanewise::compiler {

namespace {

using isa::Op;

constexpr unsigned kShortest = 2;

struct Run {
  std::size_t first = 0;
  unsigned length = 0;
  std::int64_t saved = 0; ///< words
};

std::uint32_t replay_word(Arch arch, unsigned slot, unsigned length, bool record) {
  return *isa::encode(
      arch, Op::REPLAY,
      {{"Index", slot}, {"Count", length}, {"Exec", record ? 1U : 0U}, {"Load", record ? 1U : 0U}});
}

/// Words that the kernel's own REPLAY records: they stay as they are and where they are.
void keep_recorded_words(std::vector<ReplayWord>& words) {
  isa::RecordedWords recorded;
  for (ReplayWord& each : words) {
    if (recorded.records(each.word.word)) each.may_replay = false;
  }
}

/// The longest free stretch of the replay buffer: [first, first + count).
std::pair<unsigned, unsigned> free_slots(Arch arch, std::span<const ReplayWord> words) {
  const unsigned slots = arch_params(arch).front_end.replay_slots;
  if (slots == 0) return {0, 0};
  std::bitset<64> taken;
  for (const ReplayWord& each : words) {
    const auto command = isa::replay_command(each.word.word);
    if (!command) continue;
    for (unsigned i = 0; i < command->count; ++i) taken.set((command->index + i) % slots);
  }
  std::pair<unsigned, unsigned> best{0, 0};
  for (unsigned first = 0; first < slots; ++first) {
    unsigned count = 0;
    while (first + count < slots && !taken.test(first + count)) ++count;
    if (count > best.second) best = {first, count};
  }
  return best;
}

class Compressor {
 public:
  Compressor(Arch arch, std::vector<ReplayWord> words) : arch_(arch), words_(std::move(words)) {
    std::tie(slot_, room_) = free_slots(arch, words_);
    first_slot_ = slot_;
    keep_recorded_words(words_);
  }

  std::vector<ReplayWord> run() {
    while (room_ >= kShortest) {
      const auto best = best_run();
      if (!best) break;
      apply(*best);
      slot_ += best->length;
      room_ -= best->length;
    }
    reuse_parts();
    return std::move(words_);
  }

 private:
  /// The content of the slots that are recorded here, as the program goes by.
  using Buffer = std::vector<std::optional<std::uint32_t>>;

  /// Also parts of recorded runs can be replayed, such as all but the end of the last iteration.
  void reuse_parts() {
    Buffer buffer(arch_params(arch_).front_end.replay_slots);
    std::vector<ReplayWord> result;
    for (std::size_t i = 0; i < words_.size();) {
      const auto [slot, length] = longest_match(buffer, i);
      if (length >= kShortest) {
        const ReplayWord& first = words_[i];
        result.push_back({{replay_word(arch_, slot, length, false), first.word.line}, first.site});
        i += length;
        continue;
      }
      note_recording(buffer, i);
      result.push_back(words_[i++]);
    }
    words_ = std::move(result);
  }

  void note_recording(Buffer& buffer, std::size_t at) const {
    const auto command = isa::replay_command(words_[at].word.word);
    if (!command || !command->load) return;
    if (command->index < first_slot_ || command->index >= slot_) return; // the kernel's own
    for (unsigned i = 0; i < command->count; ++i)
      buffer[command->index + i] = words_[at + 1 + i].word.word;
  }

  /// The slots whose content is what comes next: the first of them, and how many.
  std::pair<unsigned, unsigned> longest_match(const Buffer& buffer, std::size_t at) const {
    std::pair<unsigned, unsigned> best{0, 0};
    for (unsigned slot = first_slot_; slot < slot_; ++slot) {
      unsigned length = 0;
      while (slot + length < slot_ && at + length < words_.size() &&
             words_[at + length].may_replay &&
             buffer[slot + length] == words_[at + length].word.word &&
             (length == 0 || !starts_part(at + length)))
        ++length;
      if (length > best.second) best = {slot, length};
    }
    return best;
  }

  /// Where a run begins, and a number that equal runs of a length have in common.
  struct Start {
    std::uint64_t key;
    std::size_t first;

    friend auto operator<=>(const Start&, const Start&) = default;
  };

  /// Runs that occur once save nothing, and longer ones do not, either: only the others are looked
  /// at with one more word.
  std::optional<Run> best_run() const {
    const std::vector<unsigned> usable = usable_words();
    std::vector<Start> starts, longer;
    for (std::size_t i = 0; i < words_.size(); ++i)
      if (usable[i] != 0) starts.push_back({words_[i].word.word, i});
    std::optional<Run> best;
    for (unsigned length = 1; length <= room_ && !starts.empty(); ++length) {
      std::ranges::sort(starts);
      longer.clear();
      std::uint64_t number = 0;
      for (auto rest = std::span<const Start>(starts); !rest.empty(); ++number) {
        const auto end = std::ranges::find_if(
            rest, [&](const Start& each) { return each.key != rest.front().key; });
        const auto equal = rest.first(static_cast<std::size_t>(end - rest.begin()));
        rest = rest.subspan(equal.size());
        if (equal.size() == 1) continue;
        if (length >= kShortest) take_better(equal, length, best);
        for (const Start& each : equal) {
          if (usable[each.first] <= length) continue;
          longer.push_back({number << 32 | words_[each.first + length].word.word, each.first});
        }
      }
      std::swap(starts, longer);
    }
    return best;
  }

  /// `equal`: where the run occurs, in order; what overlaps is taken once.
  static void take_better(std::span<const Start> equal, unsigned length, std::optional<Run>& best) {
    const std::size_t first = equal.front().first;
    std::int64_t repeats = 0;
    std::size_t end = first + length;
    for (const Start& each : equal) {
      if (each.first < end) continue;
      ++repeats;
      end = each.first + length;
    }
    const std::int64_t saved = repeats * (length - 1) - 1;
    if (saved <= 0) return;
    if (!best || saved > best->saved || (saved == best->saved && first < best->first))
      best = Run{first, length, saved};
  }

  /// Of each word: how many from it on may be one run.
  std::vector<unsigned> usable_words() const {
    std::vector<unsigned> usable(words_.size());
    for (std::size_t i = words_.size(); i-- > 0;) {
      if (!words_[i].may_replay) continue;
      const bool goes_on = i + 1 < words_.size() && !starts_part(i + 1);
      usable[i] = goes_on ? usable[i + 1] + 1 : 1;
    }
    return usable;
  }

  void apply(const Run& run) {
    std::vector<std::uint32_t> text;
    for (unsigned i = 0; i < run.length; ++i) text.push_back(words_[run.first + i].word.word);
    std::vector<ReplayWord> result;
    unsigned usable = 0;
    bool recorded = false;
    for (std::size_t at = 0; at < words_.size(); ++at) {
      result.push_back(words_[at]);
      if (starts_part(at)) usable = 0;
      usable = words_[at].may_replay ? usable + 1 : 0;
      if (usable < run.length || !ends_with(result, text)) continue;
      const std::uint32_t site = result[result.size() - run.length].site;
      const std::uint32_t line = result[result.size() - run.length].word.line;
      const ReplayWord mark{{replay_word(arch_, slot_, run.length, !recorded), line}, site, false};
      if (recorded) {
        result.resize(result.size() - run.length);
        result.push_back(mark);
      } else {
        result.insert(result.end() - run.length, mark);
        for (unsigned i = 1; i <= run.length; ++i) result[result.size() - i].may_replay = false;
      }
      recorded = true;
      usable = 0;
    }
    words_ = std::move(result);
  }

  /// A run has one part: what runs once is not replayed for a tile.
  bool starts_part(std::size_t at) const {
    return at != 0 && part_of_line(words_[at].word.line) != part_of_line(words_[at - 1].word.line);
  }

  static bool ends_with(const std::vector<ReplayWord>& words,
                        const std::vector<std::uint32_t>& text) {
    return std::equal(
        text.rbegin(), text.rend(), words.rbegin(),
        [](std::uint32_t word, const ReplayWord& each) { return each.word.word == word; });
  }

  Arch arch_;
  std::vector<ReplayWord> words_;
  unsigned first_slot_ = 0;      ///< of those that are recorded here
  unsigned slot_ = 0, room_ = 0; ///< the next that is free, and how many are
};

} // namespace

std::vector<ReplayWord> compress(Arch arch, std::vector<ReplayWord> words) {
  return Compressor(arch, std::move(words)).run();
}

} // namespace lanewise::compiler
