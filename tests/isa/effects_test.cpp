// chip/isa/effects.h as far as no machine is needed. tests/machine/effects_test.cpp holds it
// against one.
#include "chip/isa/effects.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "chip/isa/def_use.h"
#include "chip/isa/fields.h"

namespace lanewise::isa {
namespace {

constexpr unsigned kModes = 16;

/// Calls check(arch, row, mode) for each instruction of the Vector Unit in each mode.
template <class Check>
void for_each_mode(Check check) {
  for (const Arch arch : kArchs) {
    for (const Row& row : rows()) {
      if (!includes(row.chips, arch) || row.unit != Unit::Vector) continue;
      for (unsigned mode = 0; mode < kModes; ++mode) {
        SCOPED_TRACE(fmt::format("{} {} mode {}", arch_params(arch).names.id, row.mnemonic, mode));
        check(arch, row, mode);
      }
    }
  }
}

TEST(Effects, ReservedBitsOfAModifierChangeNothing) { // VU 6: silicon is known to ignore them
  for_each_mode([](Arch arch, const Row& row, unsigned mode) {
    const Effects with(arch, row.op, mode);
    const Effects without(arch, row.op, mode & ~with.reserved_modifier_bits());
    EXPECT_EQ(with.lregs_read(), without.lregs_read());
    EXPECT_EQ(with.lregs_written(), without.lregs_written());
    EXPECT_EQ(with.lane_change(), without.lane_change());
    EXPECT_EQ(with.stack_use(), without.stack_use());
    EXPECT_EQ(with.random_use(), without.random_use());
    EXPECT_EQ(with.lane_scope(), without.lane_scope());
    EXPECT_EQ(with.movement(), without.movement());
    EXPECT_EQ(with.result(), without.result());
    EXPECT_EQ(with.written_half(), without.written_half());
    EXPECT_EQ(with.pace(), without.pace());
    EXPECT_EQ(with.needs_writable_vd(), without.needs_writable_vd());
  });
}

TEST(Effects, TheLatencyOfTheTableIsTheLongest) {
  for (const Arch arch : kArchs) {
    for (const Row& row : rows()) {
      if (!includes(row.chips, arch) || row.unit != Unit::Vector) continue;
      unsigned longest = 0;
      for (unsigned mode = 0; mode < kModes; ++mode)
        longest = std::max(longest, latency(arch, Effects(arch, row.op, mode).decoded().word));
      EXPECT_EQ(longest, row.latency) << row.mnemonic;
      const bool is_mad = row.sub_unit == SubUnit::Mad;
      EXPECT_EQ(is_mad, Effects(arch, row.op, 0).pace() == Pace::Pipelined) << row.mnemonic;
    }
  }
}

TEST(Effects, OpcodesThatAChipLacksTouchNothing) {
  const Effects effects(Arch::Wormhole, Op::SFPGT, 1);
  EXPECT_EQ(effects.row(), nullptr);
  EXPECT_EQ(effects.lregs_read() | effects.lregs_written(), 0U);
  EXPECT_EQ(effects.lane_change(), LaneChange::None);
}

TEST(NamedFields, StandWhereTheTableHasThem) {
  constexpr std::uint32_t kWord = 0x91ABCDE3;
  static_assert(field<"Imm16", Op::SFPCONFIG>(kWord) == 0xABCD);
  static_assert(field<"VC", Op::SFPABS, Op::SFPMOV>(0x00000300) == 3);
  EXPECT_EQ((field<"UseDst32b", Op::ZEROACC>(Arch::Blackhole, 1U << 18)), 1U);
  EXPECT_EQ((field<"UseDst32b", Op::ZEROACC>(Arch::Wormhole, 1U << 18)), 0U);
}

TEST(NamedModes, ApplyAsModifiersDefSays) {
  static_assert(kMode<Op::SFPIADD, "CC_NONE"> == 4);
  static_assert(has_mode<Op::SFPMOV, "ALL_LANES_ENABLED">(6), "bit 2 is dropped (VU C30)");
  static_assert(!has_mode<Op::SFPMOV, "ALL_LANES_ENABLED">(3));
  EXPECT_TRUE((has_mode<Op::SFPSHFT, "ARITHMETIC">(Arch::Blackhole, 2)));
  EXPECT_FALSE((has_mode<Op::SFPSHFT, "ARITHMETIC">(Arch::Wormhole, 2)));
}

} // namespace
} // namespace lanewise::isa
