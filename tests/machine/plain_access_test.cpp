// SFPLOAD and SFPSTORE by their kernels of one mode each (chip/machine/kernels/plain_access.h):
// what the general kernel does, bit for bit, on every level.
#include <bit>

#include "chip/isa/disassembler.h"
#include "chip/machine/frontend/kernel_table.h"
#include "chip/machine/simd_level.h"
#include "machine/machine_fixture.h"
#include "machine/random_state.h"

namespace lanewise::test {
namespace {

class PlainAccess : public ::testing::TestWithParam<Arch> {
 protected:
  void TearDown() override { set_simd_level(usual_); }

  MicroOp decode(std::uint32_t word) const { return decode_micro_op(GetParam(), word, 1).value(); }

  /// The kernel that finds out the mode when it executes.
  Kernel general_kernel(MicroOp op) const {
    op.mod = static_cast<std::uint8_t>(DstMode::Srcb);
    return find_kernel(GetParam(), op);
  }

  /// A state in which most accesses are plain, and each of the reasons for which one is not occurs.
  MachineState mostly_plain(RandomMachine& random) const {
    MachineState s = random.state();
    VectorState& v = s.vector;
    if (!random.one_in(3)) v.use_flags = 0;
    constexpr std::uint32_t kLanesOfARow = 0xFF;
    if (random.one_in(3)) v.flags &= ~(kLanesOfARow << 8 * (random.bits() % 4));
    constexpr std::uint32_t kCaptures =
        lane_config::kEnableDestIndex | lane_config::kCaptureDefaultDestIndex;
    const std::uint32_t chosen = random.one_in(4) ? kCaptures : 1U << random.bits() % 12;
    std::array<std::uint32_t, kColumns> columns{};
    for (std::uint32_t& column : columns)
      if (random.one_in(8)) column = chosen;
    v.set_lane_config(random.one_in(2) ? columns : std::array<std::uint32_t, kColumns>{});
    if (!random.one_in(4)) s.dst.valid_bits.fill(~std::uint64_t{0});
    for (unsigned section = 0; section < 8; ++section)
      if (!random.one_in(8)) s.config.set_addr_mod(section, {});
    using isa::ConfigField;
    for (const ConfigField field :
         {ConfigField::DEST_ACCESS_CFG_remap_addrs, ConfigField::DEST_ACCESS_CFG_swizzle_32b})
      s.config.set(field, random.one_in(8) ? 1 : 0);
    return s;
  }

 private:
  const SimdLevel usual_ = simd_level();
};
LANEWISE_ON_BOTH_CHIPS(PlainAccess);

TEST_P(PlainAccess, DoesWhatTheGeneralKernelDoes) {
  RandomMachine random(GetParam(), 7);
  for (std::size_t i = 0; i < fuzz_words(8'000); ++i) {
    const isa::Op access = random.one_in(2) ? isa::Op::SFPLOAD : isa::Op::SFPSTORE;
    MicroOp op = decode(random.word_of(*isa::find_row(GetParam(), access)));
    if (op.op != access || op.vd >= kWritableLRegs) continue;
    const MachineState start = mostly_plain(random);
    set_simd_level(SimdLevel::Baseline);
    MachineState expected = start;
    general_kernel(op)(expected, op);
    for (const SimdLevel level : available_simd_levels()) {
      set_simd_level(level);
      MachineState state = start;
      find_kernel(GetParam(), op)(state, op);
      ASSERT_TRUE(same_beside_lregs(state, expected) && same_lregs(state, expected))
          << simd_level_name(level) << ": " << isa::disassemble(GetParam(), op.word);
    }
  }
}

TEST_P(PlainAccess, EveryModeButTwoHasItsOwnKernel) {
  for (const isa::Op access : {isa::Op::SFPLOAD, isa::Op::SFPSTORE}) {
    MicroOp op;
    op.op = access;
    const Kernel general = general_kernel(op);
    for (unsigned mode = 0; mode < 16; ++mode) {
      op.mod = static_cast<std::uint8_t>(mode);
      const auto is = static_cast<DstMode>(mode);
      EXPECT_EQ(find_kernel(GetParam(), op) == general,
                is == DstMode::Srcb || is == DstMode::Int32All)
          << mode;
    }
  }
}

} // namespace
} // namespace lanewise::test
