// What a step of a thread knows of a word does not keep it from what it has to say or do each time.
#include <algorithm>

#include "chip/isa/encoding.h"
#include "chip/machine/simd_level.h"
#include "tile/tile_fixture.h"

namespace lanewise::test {
namespace {

class StepMemo : public TileOnBothChips {};
LANEWISE_ON_BOTH_CHIPS(StepMemo);

TEST_P(StepMemo, WhatIsWrongWithAWordIsSaidOfEachLine) {
  constexpr std::uint32_t kImmediate = 0x7FF; // of 12 bits, where 8 are used
  const std::uint32_t word =
      static_cast<std::uint32_t>(isa::find_row(GetParam(), isa::Op::SFPDIVP2)->opcode) << 24 |
      kImmediate << 12;
  for (std::uint32_t line = 1; line <= 3; ++line)
    ASSERT_TRUE(rig.tile.push(kMathThread, {.word = word, .line = line}));
  while (rig.tile.step(kMathThread)) {
  }
  const auto faults = rig.tile.faults();
  EXPECT_EQ(std::ranges::count_if(faults,
                                  [](const Fault& f) {
                                    return f.message.find("more than 8 bits") != f.message.npos;
                                  }),
            3);
}

// More words than there are places, in turns, with a level that changes.
TEST_P(StepMemo, WordsThatTakeEachOthersPlacesDoWhatTheySay) {
  constexpr unsigned kRegisters = 64, kRounds = 40;
  const SimdLevel before = simd_level();
  for (unsigned round = 0; round < kRounds; ++round) {
    const auto levels = available_simd_levels();
    set_simd_level(levels[round % levels.size()]);
    std::string text;
    for (unsigned i = 0; i < kRegisters; ++i)
      text += fmt::format("SETDMAREG 0, {}, 0, {}\n", (round * kRegisters + i) & 0x3FFF, 2 * i);
    rig.run(kMathThread, text);
    for (unsigned i = 0; i < kRegisters; ++i)
      ASSERT_EQ(rig.machine().gpr_of(kMathThread)[i] & 0xFFFF, (round * kRegisters + i) & 0x3FFF);
  }
  set_simd_level(before);
}

} // namespace
} // namespace lanewise::test
