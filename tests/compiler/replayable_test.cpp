// What the author wrote, and what lies between it while macros are in flight, is not replayed.
#include "source/compiler/replayable.h"

#include <algorithm>

#include "chip/isa/encoding.h"
#include "compiler/code_fixture.h"
#include "machine/machine_fixture.h"
#include "run/oracle/kernel_writer.h"
#include "source/compiler/compiler.h"

namespace lanewise::compiler {
namespace {

using namespace test;
using oracle::KernelWriter;

class Replayable : public ::testing::TestWithParam<Arch> {
 protected:
  Instr author(Op op, std::initializer_list<isa::FieldValue> fields = {}) {
    Instr made = raw(*isa::encode(GetParam(), op, fields));
    made.is_authors = true;
    return made;
  }
  Instr macro() { return author(Op::SFPLOADMACRO); }
  std::vector<bool> free(std::vector<Instr> instrs) {
    return replayable(code(GetParam(), std::move(instrs)));
  }
};
LANEWISE_ON_BOTH_CHIPS(Replayable);

TEST_P(Replayable, WordsOfTheAuthorAreNot) {
  const Instr own = raw(*isa::encode(GetParam(), Op::INCRWC, {{"DstInc", 2}}));
  EXPECT_EQ(free({load(l(0)), author(Op::SFPNOP), author(Op::INCRWC), own, store(l(0))}),
            (std::vector<bool>{true, false, false, true, true}));
}

// VU 5.5: the longest delay is 7; what it schedules executes in the eighth cycle and, if its result
// takes two, meets the ninth.
TEST_P(Replayable, NothingIsNearAMacro) {
  std::vector<Instr> instrs{load(l(0)), macro()};
  constexpr std::size_t kReach = 9;
  for (std::size_t i = 0; i < kReach + 1; ++i) instrs.push_back(load(l(1)));
  const std::vector<bool> found = free(instrs);
  EXPECT_TRUE(found[0]) << "before it";
  for (std::size_t i = 1; i <= 1 + kReach; ++i) EXPECT_FALSE(found[i]) << i;
  EXPECT_TRUE(found[1 + kReach + 1]) << "nothing is scheduled any more";
}

TEST_P(Replayable, OtherUnitsCountNoDelayDown) {
  std::vector<Instr> instrs{macro()};
  const Instr own = raw(*isa::encode(GetParam(), Op::INCRWC, {}));
  instrs.insert(instrs.end(), 20, own);
  const std::vector<bool> found = free(instrs);
  EXPECT_TRUE(std::none_of(found.begin(), found.end(), [](bool each) { return each; }));
}

TEST_P(Replayable, WhatIsReplayedMayEndInAMacro) {
  const Instr play = author(Op::REPLAY, {{"Count", 2}});
  EXPECT_TRUE(free({play, load(l(0))})[1]) << "a program without macros";
  std::vector<Instr> instrs{macro()};
  instrs.insert(instrs.end(), 20, load(l(0)));
  instrs.insert(instrs.end(), {play, load(l(0))});
  const std::vector<bool> found = free(instrs);
  EXPECT_TRUE(found[20]);
  EXPECT_FALSE(found[22]);
}

/// The words of a compiled kernel.
std::vector<std::uint32_t> words(const Recording& recording) {
  const Compiled compiled = compile(recording, {});
  EXPECT_TRUE(compiled.ok);
  std::vector<std::uint32_t> found;
  for (const ProgramWord& each : compiled.program.words) found.push_back(each.word);
  return found;
}

/// Whether `part` stands in `all` without anything between.
bool contains(const std::vector<std::uint32_t>& all, const std::vector<std::uint32_t>& part) {
  return std::search(all.begin(), all.end(), part.begin(), part.end()) != all.end();
}

// A recording takes a cycle, and SFPNOP one more: both would shift what is scheduled (VU 5.5).
TEST_P(Replayable, StretchesOfTheAuthorComeOutAsTheyAre) {
  KernelWriter k(GetParam());
  std::vector<std::uint32_t> written;
  const auto raw_word = [&](Op op, std::initializer_list<isa::FieldValue> fields) {
    written.push_back(*isa::encode(GetParam(), op, fields));
    k.raw(written.back());
  };
  for (unsigned row = 0; row < 8; ++row) {
    raw_word(Op::SFPLOADMACRO, {{"AddrMod", 3}});
    raw_word(Op::SFPMAD, {{"VA", 0}, {"VB", 1}, {"VC", 9}, {"VD", 2}});
    raw_word(Op::SFPMOV,
             {{"VC", 2}, {"VD", 3}}); // reads it too early on Wormhole: not ours to mend
    raw_word(Op::INCRWC, {{"DstInc", 2}});
  }
  EXPECT_EQ(words(k.take()), written);
}

TEST_P(Replayable, RepetitionOfSfpiIsReplayedAllTheSame) {
  KernelWriter k(GetParam());
  for (unsigned row = 0; row < 8; ++row) {
    k.store(k.load(0), 0);
    k.advance(2);
  }
  const auto found = words(k.take());
  EXPECT_LT(found.size(), 24U);
}

TEST_P(Replayable, SfpiBetweenMacrosStaysWithThem) {
  KernelWriter k(GetParam());
  const std::uint32_t macro_word = *isa::encode(GetParam(), Op::SFPLOADMACRO, {{"AddrMod", 3}});
  for (unsigned row = 0; row < 8; ++row) {
    k.raw(macro_word);
    k.store(k.load(0), 0);
    k.advance(2);
  }
  const auto found = words(k.take());
  EXPECT_EQ(found.size(), 32U);
  for (const std::uint32_t each : found)
    EXPECT_NE(isa::decode(GetParam(), each).row->op, Op::REPLAY);
}

// The author's own REPLAY, what it records, and where it plays.
TEST_P(Replayable, ReplayOfTheAuthorStays) {
  KernelWriter k(GetParam());
  std::vector<std::uint32_t> written;
  const auto raw_word = [&](Op op, std::initializer_list<isa::FieldValue> fields) {
    written.push_back(*isa::encode(GetParam(), op, fields));
    k.raw(written.back());
  };
  raw_word(Op::REPLAY, {{"Count", 2}, {"Load", 1}});
  raw_word(Op::SFPLOADMACRO, {{"AddrMod", 3}});
  raw_word(Op::SFPNOP, {});
  for (unsigned row = 0; row < 8; ++row) raw_word(Op::REPLAY, {{"Count", 2}});
  for (unsigned row = 0; row < 8; ++row) {
    k.store(k.load(0), 0);
    k.advance(2);
  }
  EXPECT_TRUE(contains(words(k.take()), written));
}

} // namespace
} // namespace lanewise::compiler
