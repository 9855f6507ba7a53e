// The kernels of the Matrix Unit compute what the scalar reference says, at every x86-64 level, in
// every mode, for operands of every profile. (MU 9: MVMUL's broadcast, DOTPV, BFPxa and others that
// the vectors do not reach are among them.)
#include <gtest/gtest.h>

#include <cstring>

#include "chip/isa/encoding.h"
#include "chip/machine/executor.h"
#include "chip/machine/simd_level.h"
#include "machine/matrix_reference.h"

namespace lanewise::test {
namespace {

using isa::Op;
using Element = MatrixReference::Element;

MicroOp micro_op(Arch arch, Op op, std::uint32_t dst, std::uint32_t switches) {
  MicroOp result;
  result.op = op;
  result.word = *isa::encode(arch, op, {{"DstRow", dst}}) | switches;
  result.kernel = result.instruction = level_kernels().matrix(arch, op);
  return result;
}

std::vector<MatrixSetting> settings() {
  std::vector<MatrixSetting> all;
  for (std::uint8_t phase = 0; phase < 4; ++phase) {
    for (bool wide : {false, true}) {
      for (std::uint8_t format : std::to_array<std::uint8_t>({0, 1, 2, 4, 5, 10, 15}))
        all.push_back({.srca = format, .srcb = format, .wide = wide, .phase = phase});
      all.push_back({.srca = 5, .srcb = 4, .wide = wide, .phase = phase});
      all.push_back({.srca = 1, .srcb = 5, .wide = wide, .phase = phase});
    }
    for (bool keeps : {false, true})
      all.push_back(
          {.srca = 14, .srcb = 14, .int8 = true, .phase = phase, .keeps_denormals = keeps});
  }
  return all;
}

/// Runs `check(state, operands, setting)` for every setting and profile.
template <class Check>
void for_all_settings(Arch arch, Check&& check) {
  RandomOperands random(7);
  MachineState state(arch);
  for (const MatrixSetting& setting : settings()) {
    for (Profile profile : kProfiles) {
      SCOPED_TRACE(testing::Message()
                   << "SrcA " << int{setting.srca} << ", SrcB " << int{setting.srcb} << ", wide "
                   << setting.wide << ", int8 " << setting.int8 << ", phase " << int{setting.phase}
                   << ", profile " << static_cast<int>(profile));
      random.fill(state, setting, profile);
      check(state, random, setting);
      if (testing::Test::HasFailure()) return;
    }
  }
}

/// The instruction from `state` gives the Dst of `expected` at every level.
void expect_dst(const MachineState& state, Op op, std::uint32_t dst, std::uint32_t switches,
                const Dst& expected) {
  const SimdLevel before = simd_level();
  for (SimdLevel level : available_simd_levels()) {
    set_simd_level(level);
    MachineState s = state;
    const MicroOp micro = micro_op(s.config.arch(), op, dst, switches);
    execute(s, {&micro, 1});
    EXPECT_EQ(s.dst.valid_bits, expected.valid_bits) << simd_level_name(level);
    for (unsigned row = 0; row < kDstRows; ++row) {
      for (unsigned column = 0; column < kDstColumns; ++column) {
        ASSERT_EQ(s.dst.cell[row][column], expected.cell[row][column])
            << simd_level_name(level) << ", row " << row << ", column " << column << std::hex
            << ", before " << state.dst.cell[row][column];
      }
    }
  }
  set_simd_level(before);
}

class MatrixKernels : public testing::TestWithParam<Arch> {};

TEST_P(MatrixKernels, MvmulAndDotpvMultiplyEightRows) {
  for_all_settings(GetParam(), [](MachineState& state, RandomOperands& random, auto&) {
    MachineState expected = state;
    const std::uint32_t field = random.bits() & 0x3FF;
    MatrixReference(expected).multiply_rows((field + state.rwc.dst) & 0x3F8, state.rwc.srca,
                                            state.rwc.srcb & 0x38, 8);
    expect_dst(state, Op::MVMUL, field, 0, expected.dst);
    expect_dst(state, Op::DOTPV, field, 0, expected.dst);
  });
}

// What the kernels sum as floats of the host, in every mode and often: products that are half a
// unit of their group, that vanish beside it, and of every sign.
TEST_P(MatrixKernels, SumsOfFloatsAreExact) {
  constexpr unsigned kRounds = 1500;
  constexpr auto kFormats = std::to_array<std::uint8_t>({0, 1, 2, 4, 5});
  constexpr std::array kOrdinary{Profile::Near1,     Profile::OneExponent, Profile::Moderate,
                                 Profile::Limit,     Profile::Sparse,      Profile::NothingInA,
                                 Profile::NothingInB};
  RandomOperands random(8);
  MachineState state(GetParam());
  for (unsigned round = 0; round < kRounds && !HasFailure(); ++round) {
    const std::uint8_t format = kFormats[random.bits() % kFormats.size()];
    const MatrixSetting setting{.srca = format,
                                .srcb = format,
                                .wide = random.bits() % 2 != 0,
                                .phase = static_cast<std::uint8_t>(random.bits() % 4)};
    random.fill(state, setting, kOrdinary[random.bits() % kOrdinary.size()]);
    MachineState expected = state;
    const std::uint32_t field = random.bits() & 0x3FF;
    MatrixReference(expected).multiply_rows((field + state.rwc.dst) & 0x3F8, state.rwc.srca,
                                            state.rwc.srcb & 0x38, 8);
    expect_dst(state, Op::MVMUL, field, 0, expected.dst);
  }
}

// MU 7, MVMUL: one row of SrcB, added to Dst rows dst, dst + 2, dst + 4, dst + 6; dst keeps bit 0.
TEST_P(MatrixKernels, MvmulBroadcastsOneRowToEveryOther) {
  for_all_settings(GetParam(), [](MachineState& state, RandomOperands& random, auto&) {
    MachineState expected = state;
    const std::uint32_t field = random.bits() & 0x3FF;
    const unsigned dst = (field + state.rwc.dst) & 0x3F9;
    MatrixReference reference(expected);
    for (unsigned i = 0; i < 4; ++i)
      reference.multiply_row(dst + 2 * i, state.rwc.srca, state.rwc.srcb);
    expect_dst(state, Op::MVMUL, field, 1U << 19, expected.dst);
  });
}

TEST_P(MatrixKernels, GapoolMultipliesTheFirstFourOfEightRows) {
  for_all_settings(GetParam(), [](MachineState& state, RandomOperands& random, auto&) {
    MachineState expected = state;
    const std::uint32_t field = random.bits() & 0x3FF;
    MatrixReference(expected).multiply_rows((field + state.rwc.dst) & 0x3FC, state.rwc.srca,
                                            state.rwc.srcb & 0x38, 4);
    expect_dst(state, Op::GAPOOL, field, 1U << 19, expected.dst);
  });
}

/// An element-wise instruction with every combination of its switches.
void check_elementwise(Arch arch, Op op, Element what) {
  for_all_settings(arch, [&](MachineState& state, RandomOperands& random, auto& setting) {
    const bool keeps = random.bits() % 4 == 0;
    if (!setting.int8)
      state.config.set(isa::ConfigField::ALU_ACC_CTRL_Zero_Flag_disabled_src, keeps ? 1 : 0);
    const bool adds_dst = random.bits() % 2 == 0 && what != Element::Multiply;
    const bool one_row = random.bits() % 3 == 0, one_column = random.bits() % 3 == 0;
    MachineState expected = state;
    const std::uint32_t field = random.bits() & 0x3FF;
    const unsigned dst = (field + state.rwc.dst) & 0x3F8;
    const unsigned srcb = one_row ? state.rwc.srcb : state.rwc.srcb & 0x38;
    MatrixReference reference(expected);
    for (unsigned i = 0; i < 8; ++i) {
      for (unsigned j = 0; j < kDstColumns; ++j) {
        reference.element(what, adds_dst || what == Element::Multiply, dst + i, j,
                          reference.a((state.rwc.srca & 0x38) + i, j),
                          reference.b(srcb + (one_row ? 0 : i), one_column ? 0 : j));
      }
      reference.set_valid(dst + i);
    }
    const std::uint32_t switches =
        (adds_dst ? 1U << 21 : 0) | (one_row ? 1U << 20 : 0) | (one_column ? 1U << 19 : 0);
    expect_dst(state, op, field, switches, expected.dst);
  });
}

TEST_P(MatrixKernels, Elwmul) {
  check_elementwise(GetParam(), Op::ELWMUL, Element::Multiply);
}
TEST_P(MatrixKernels, Elwadd) {
  check_elementwise(GetParam(), Op::ELWADD, Element::Add);
}
TEST_P(MatrixKernels, Elwsub) {
  check_elementwise(GetParam(), Op::ELWSUB, Element::Subtract);
}

INSTANTIATE_TEST_SUITE_P(Chip, MatrixKernels, testing::ValuesIn(kArchs), [](const auto& chip) {
  return std::string(arch_params(chip.param).names.id);
});

} // namespace
} // namespace lanewise::test
