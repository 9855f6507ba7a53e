#include "source/compiler/replay.h"

#include <algorithm>
#include <bitset>
#include <map>
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
             words_[at + length].may_replay && (length == 0 || !starts_part(at + length)) &&
             buffer[slot + length] == words_[at + length].word.word)
        ++length;
      if (length > best.second) best = {slot, length};
    }
    return best;
  }

  std::optional<Run> best_run() const {
    std::optional<Run> best;
    for (unsigned length = kShortest; length <= room_; ++length) {
      for (const auto& [text, places] : runs_of(length)) {
        const auto repeats = static_cast<std::int64_t>(places.size()) - 1;
        const std::int64_t saved = repeats * (length - 1) - 1;
        if (saved <= 0) continue;
        if (best &&
            (saved < best->saved || (saved == best->saved && places.front() >= best->first)))
          continue;
        best = Run{places.front(), length, saved};
      }
    }
    return best;
  }

  /// Where each run of that length occurs, without overlap.
  std::map<std::vector<std::uint32_t>, std::vector<std::size_t>> runs_of(unsigned length) const {
    std::map<std::vector<std::uint32_t>, std::vector<std::size_t>> runs;
    unsigned usable = 0;
    for (std::size_t end = 0; end < words_.size(); ++end) {
      if (starts_part(end)) usable = 0;
      usable = words_[end].may_replay ? usable + 1 : 0;
      if (usable < length) continue;
      const std::size_t first = end + 1 - length;
      std::vector<std::uint32_t> text;
      for (unsigned i = 0; i < length; ++i) text.push_back(words_[first + i].word.word);
      auto& places = runs[std::move(text)];
      if (places.empty() || places.back() + length <= first) places.push_back(first);
    }
    return runs;
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
