// Repetition becomes REPLAY: pass "replay" (SFPI 2.5).
#include "source/compiler/replay.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <random>

#include "base/source_line.h"
#include "chip/isa/encoding.h"
#include "chip/isa/replay.h"
#include "source/compiler/replay_contents.h"

namespace lanewise::compiler {
namespace {

using isa::Op;

constexpr Arch kReplayChip = Arch::Wormhole;

/// A different word for each number.
std::uint32_t word(unsigned number) {
  return *isa::encode(kReplayChip, Op::SFPLOADI, {{"VD", 0}, {"Mod0", 2}, {"Imm16", number}});
}
std::uint32_t replay(unsigned slot, unsigned count, bool record = false, bool execute = true) {
  return *isa::encode(kReplayChip, Op::REPLAY,
                      {{"Index", slot},
                       {"Count", count},
                       {"Load", record ? 1U : 0U},
                       {"Exec", record && execute ? 1U : 0U}});
}

std::vector<ReplayWord> program(std::initializer_list<std::uint32_t> words) {
  std::vector<ReplayWord> made;
  for (const std::uint32_t each : words) {
    const isa::Decoded d = isa::decode(kReplayChip, each);
    made.push_back({{each, 0}, 0, d.row->op != Op::REPLAY});
  }
  return made;
}
std::vector<std::uint32_t> compressed(std::vector<ReplayWord> words) {
  std::vector<std::uint32_t> result;
  for (const ReplayWord& each : compress(kReplayChip, std::move(words)))
    result.push_back(each.word.word);
  return result;
}
std::vector<ReplayWord> repeated(unsigned length, unsigned times) {
  std::vector<ReplayWord> words;
  for (unsigned i = 0; i < length * times; ++i) words.push_back({{word(i % length), 0}, 0, true});
  return words;
}

TEST(ReplayContents, ACountOfZeroRecords64Words) {
  ReplayContents contents;
  ASSERT_EQ(contents.executed(replay(0, 0, true, false)), std::vector<std::uint32_t>{});
  for (unsigned i = 0; i < 64; ++i)
    EXPECT_EQ(contents.executed(word(i)), std::vector<std::uint32_t>{}) << i << " is only recorded";
  EXPECT_EQ(contents.executed(word(64)), std::vector{word(64)});
  EXPECT_EQ(contents.executed(replay(3, 1)), std::vector{word(32 + 3)})
      << "the buffer has 32 slots";
}

TEST(Replay, FirstOccurrenceIsExecutedAsItIsRecorded) {
  EXPECT_EQ(compressed(repeated(3, 4)),
            (std::vector<std::uint32_t>{replay(0, 3, true), word(0), word(1), word(2), replay(0, 3),
                                        replay(0, 3), replay(0, 3)}));
}

TEST(Replay, ShortIterationsAreRecordedTwoAtOnceIfThatSavesMore) {
  const auto words = compressed(repeated(3, 12));
  EXPECT_EQ(words.size(), 12U);
  EXPECT_EQ(words.front(), replay(0, 6, true));
}

TEST(Replay, RepetitionMustPayForTheRecording) {
  // Twice two words: REPLAY, 2 words, REPLAY is no less, and the recording takes a cycle.
  EXPECT_EQ(compressed(program({word(0), word(1), word(0), word(1)})),
            (std::vector<std::uint32_t>{word(0), word(1), word(0), word(1)}));
  EXPECT_EQ(compressed(repeated(2, 3)).size(), 5U);
  EXPECT_EQ(compressed(repeated(1, 2)).size(), 2U);
}

TEST(Replay, RecordsNoMoreThanTheBufferHolds) {
  const auto words = compressed(repeated(40, 2));
  EXPECT_LT(words.size(), 80U);
  for (const std::uint32_t each : words) {
    const isa::Decoded d = isa::decode(kReplayChip, each);
    if (d.row->op == Op::REPLAY) {
      EXPECT_LE(d["Index"] + d["Count"], 32U);
    }
  }
}

TEST(Replay, PartOfARecordedRunIsReplayed) {
  std::vector<ReplayWord> words = repeated(4, 4);
  words.pop_back(); // the last iteration lacks its end
  EXPECT_EQ(compressed(words).back(), replay(0, 3));
}

TEST(Replay, SlotsOfTheKernelAreLeftAlone) {
  std::vector<ReplayWord> words = program({replay(0, 2, true), word(7), word(8)});
  for (const ReplayWord& each : repeated(3, 4)) words.push_back(each);
  words.push_back(program({replay(0, 2)}).front());
  const auto result = compressed(words);
  EXPECT_EQ(result[3], replay(2, 3, true));
}

TEST(Replay, WordsThatTheKernelRecordsStay) {
  // A REPLAY among them would be recorded itself.
  std::vector<ReplayWord> words;
  for (unsigned i = 0; i < 4; ++i) {
    for (const ReplayWord& each : program({replay(8 * i, 3, true, false)})) words.push_back(each);
    for (const ReplayWord& each : repeated(3, 1)) words.push_back(each);
  }
  EXPECT_EQ(compressed(words).size(), 16U);
}

/// Words of which few are different, so that much repeats; some may not be replayed, and a part may
/// end anywhere.
std::vector<ReplayWord> random_words(std::mt19937& random) {
  constexpr unsigned kWords = 60, kDifferent = 3, kPart = 20;
  const unsigned barred = 4 + static_cast<unsigned>(random() % 60);
  std::vector<ReplayWord> words;
  for (unsigned i = 0; i < kWords; ++i) {
    const auto part = i / kPart % 2 == 0 ? ProgramPart::Init : ProgramPart::Tile;
    const std::uint32_t line = line_number({.file = "", .line = 1, .part = part});
    words.push_back(
        {{word(static_cast<unsigned>(random() % kDifferent)), line}, 0, random() % barred != 0});
  }
  return words;
}

struct Saving {
  std::size_t first = 0;
  unsigned length = 0;
  std::int64_t words = 0;
};

/// What recording the run that begins there saves; nothing for one that cannot be replayed.
Saving saving_of(const std::vector<ReplayWord>& words, std::size_t first, unsigned length) {
  const auto may_replay = [&](std::size_t at) {
    for (std::size_t i = at; i < at + length; ++i) {
      const bool is_split = i > at && words[i].word.line != words[at].word.line;
      if (!words[i].may_replay || is_split) return false;
    }
    return true;
  };
  const auto is_same = [&](std::size_t at) {
    for (unsigned i = 0; i < length; ++i)
      if (words[at + i].word.word != words[first + i].word.word) return false;
    return true;
  };
  if (!may_replay(first)) return {};
  std::int64_t repeats = 0;
  for (std::size_t at = first + length; at + length <= words.size(); ++at) {
    if (!may_replay(at) || !is_same(at)) continue;
    ++repeats;
    at += length - 1;
  }
  return {first, length, repeats * (length - 1) - 1};
}

TEST(Replay, TheRunThatSavesTheMostIsRecordedFirst) {
  std::mt19937 random(1);
  constexpr unsigned kSlots = 32, kPrograms = 200;
  unsigned recorded = 0;
  for (unsigned p = 0; p < kPrograms; ++p) {
    const std::vector<ReplayWord> words = random_words(random);
    Saving best;
    for (unsigned length = 2; length <= kSlots; ++length) {
      for (std::size_t first = 0; first + length <= words.size(); ++first) {
        const Saving found = saving_of(words, first, length);
        const bool is_earlier = found.words == best.words && found.first < best.first;
        if (found.words > best.words || (found.words > 0 && is_earlier)) best = found;
      }
    }
    if (best.words == 0) continue;
    ++recorded;
    std::size_t executed = 0; // before the recording
    for (const std::uint32_t each : compressed(words)) {
      if (each == replay(0, best.length, true)) break;
      const auto command = isa::replay_command(each);
      executed += !command ? 1 : command->load ? 0 : command->count;
    }
    EXPECT_EQ(executed, best.first) << "program " << p << ", " << best.length << " words";
  }
  EXPECT_GT(recorded, kPrograms / 2);
}

TEST(Replay, WordsThatMayNotBeReplayedEndARun) {
  std::vector<ReplayWord> words = repeated(4, 3);
  for (std::size_t i = 1; i < words.size(); i += 2) words[i].may_replay = false;
  EXPECT_EQ(compressed(words).size(), 12U);
}

} // namespace
} // namespace lanewise::compiler
