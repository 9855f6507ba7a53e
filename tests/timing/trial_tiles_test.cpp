// Changed programs on random tiles: what is executed around a change alone says the same as
// executing all of both programs.
#include "chip/timing/hazards/trial_tiles.h"

#include <algorithm>

#include "chip/isa/encoding.h"
#include "chip/timing/hazards/random_tile.h"
#include "machine/random_state.h"
#include "timing/clock_fixture.h"

namespace lanewise::test {
namespace {

using isa::Op;
using timing::TrialTiles;

class TrialTilesOnBothChips : public ::testing::TestWithParam<Arch> {
 protected:
  MicroProgram prepared(const Program& program) const {
    return FrontEnd(GetParam()).expand(program);
  }
  MicroProgram prepared(std::string_view source) const { return prepared(rig.assemble(source)); }

  /// By executing all of both.
  bool leaves_same_slowly(unsigned tile, const MicroProgram& original,
                          const MicroProgram& changed) {
    const MachineState start = timing::random_tile(rig.state(), tile);
    return timing::same_values(timing::left_on(start, original), timing::left_on(start, changed));
  }

  /// On every tile, and the same again: what is kept of a change before must not matter.
  void expect(bool same, std::string_view original, std::string_view changed) {
    const MicroProgram program = prepared(original), other = prepared(changed);
    TrialTiles tiles(rig.state(), program);
    for (unsigned tile = 0; tile < TrialTiles::kTiles; ++tile) {
      EXPECT_EQ(leaves_same_slowly(tile, program, other), same) << original << "\n->\n" << changed;
      EXPECT_EQ(tiles.leaves_same(tile, other), same) << original << "\n->\n" << changed;
    }
  }

  ClockRig rig{GetParam()};
};
LANEWISE_ON_BOTH_CHIPS(TrialTilesOnBothChips);

TEST_P(TrialTilesOnBothChips, AnInsertedNopChangesNothing) {
  expect(true, "SFPMAD L0, L1, L2, L3, 0\nSFPABS L3, L4, 1\n",
         "SFPMAD L0, L1, L2, L3, 0\nSFPNOP\nSFPABS L3, L4, 1\n");
  expect(false, "SFPMAD L0, L1, L2, L3, 0\nSFPABS L3, L4, 1\n",
         "SFPMAD L0, L1, L2, L3, 0\nSFPABS L4, L5, 1\nSFPABS L3, L4, 1\n");
}

TEST_P(TrialTilesOnBothChips, AnIndependentInstructionMayMove) {
  expect(true, "SFPABS L0, L1, 1\nSFPABS L2, L3, 1\nSFPABS L1, L4, 1\n",
         "SFPABS L2, L3, 1\nSFPABS L0, L1, 1\nSFPABS L1, L4, 1\n");
  expect(false, "SFPABS L0, L1, 1\nSFPMOV L1, L2, 0\nSFPABS L4, L5, 1\n",
         "SFPMOV L1, L2, 0\nSFPABS L0, L1, 1\nSFPABS L4, L5, 1\n");
}

/// What differs behind the change may be gone at the end.
TEST_P(TrialTilesOnBothChips, ADifferenceThatIsOverwrittenCounts) {
  expect(true, "SFPABS L0, L1, 1\nSFPMOV L1, L2, 0\nSFPLOADI L1, 2, 5\nSFPLOADI L2, 2, 5\n",
         "SFPMOV L1, L2, 0\nSFPABS L0, L1, 1\nSFPLOADI L1, 2, 5\nSFPLOADI L2, 2, 5\n");
}

/// Counters are no values, but later instructions go by them.
TEST_P(TrialTilesOnBothChips, WhatOnlyMovesCountersCounts) {
  const std::string_view behind = "SFPABS L1, L2, 1\nSFPSTORE L0, FP32, 3, 0\n";
  expect(false, fmt::format("INCRWC DstInc=8\n{}", behind),
         fmt::format("INCRWC DstInc=4\n{}", behind));
}

TEST_P(TrialTilesOnBothChips, WhatMacrosScheduleIsExecuted) {
  rig.set_template(0, "SFPABS L0, L0, 1");
  rig.set_sequence(0, sequence({4}, {}, {}, {}));
  const std::string macro = "SFPLOADMACRO 0, 0, FP32, 3, 0, 0\nSFPNOP\n";
  const MicroProgram program = prepared(macro);
  TrialTiles tiles(rig.state(), program);
  MachineState expected = tiles.tile(0);
  execute(expected, timing::schedule(expected, program).ops(program));
  EXPECT_TRUE(timing::same_values(tiles.left_by_original(0), expected));
  MachineState loaded = tiles.tile(0);
  execute(loaded, prepared("SFPLOAD L0, FP32, 3, 0\n").ops);
  EXPECT_FALSE(timing::same_values(loaded, expected)) << "the absolute value is taken besides";
  EXPECT_TRUE(tiles.leaves_same(0, prepared(macro + "SFPNOP\n")));
  EXPECT_FALSE(tiles.leaves_same(0, prepared("SFPLOAD L0, FP32, 3, 0\n")));
}

/// Random words, with some of them moved or SFPNOPs between them, twice behind each other.
TEST_P(TrialTilesOnBothChips, RandomChangesOfRandomPrograms) {
  const std::size_t programs = fuzz_words(60'000) / 200;
  RandomMachine random(GetParam(), 77);
  unsigned same = 0, other = 0;
  for (std::size_t i = 0; i < programs; ++i) {
    Program once;
    while (once.words.size() < 40) {
      const std::uint32_t word = random.word();
      // With it, all is executed in any case.
      if (isa::opcode_of(word) != isa::opcode_of(*isa::encode(GetParam(), Op::SFPLOADMACRO, {})))
        once.words.push_back({word, static_cast<std::uint32_t>(once.words.size() + 1)});
    }
    const auto twice = [](const Program& each) {
      Program program = each;
      program.words.insert(program.words.end(), each.words.begin(), each.words.end());
      return program;
    };
    const MicroProgram original = prepared(twice(once));
    TrialTiles tiles(rig.state(), original);
    for (unsigned change = 0; change < 5; ++change) {
      Program changed = once;
      const auto at = [&](std::size_t n) { return changed.words.begin() + std::ptrdiff_t(n); };
      const std::size_t to = random.bits() % 36, from = to + 1 + random.bits() % 3;
      if (random.one_in(3)) {
        changed.words.insert(at(to), {*isa::encode(GetParam(), Op::SFPNOP, {}), 0});
      } else {
        std::rotate(at(to), at(from), at(from + 1));
      }
      const MicroProgram micro = prepared(twice(changed));
      const unsigned tile = random.bits() % TrialTiles::kTiles;
      const bool expected = leaves_same_slowly(tile, original, micro);
      ASSERT_EQ(tiles.leaves_same(tile, micro), expected) << "program " << i;
      ++(expected ? same : other);
    }
  }
  EXPECT_GT(same, programs) << "most changes should do no harm";
  EXPECT_GT(other, programs / 4) << "some must";
}

} // namespace
} // namespace lanewise::test
