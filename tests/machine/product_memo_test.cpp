// Products that are remembered are those that are computed.
#include "chip/machine/matrix/product_memo.h"

#include <gtest/gtest.h>

#include <cstring>

#include "chip/isa/encoding.h"
#include "chip/machine/executor.h"
#include "chip/machine/simd_level.h"
#include "machine/matrix_reference.h"

namespace lanewise::test {
namespace {

using isa::Op;

MicroOp product(Arch arch, Op op, std::uint32_t dst) {
  MicroOp result;
  result.op = op;
  result.word = *isa::encode(arch, op, {{"DstRow", dst}});
  result.kernel = result.instruction = level_kernels().matrix(arch, op);
  return result;
}

std::vector<MatrixSetting> settings() {
  std::vector<MatrixSetting> all;
  for (const bool wide : {false, true}) {
    for (std::uint8_t phase = 0; phase < 4; ++phase) {
      for (const std::uint8_t format : std::to_array<std::uint8_t>({1, 4, 5, 10}))
        all.push_back({.srca = format, .srcb = format, .wide = wide, .phase = phase});
    }
    all.push_back({.srca = 5, .srcb = 4, .wide = wide});
    all.push_back({.srca = 14, .srcb = 14, .wide = wide, .int8 = true});
  }
  return all;
}

class ProductMemoTest : public testing::TestWithParam<Arch> {
 protected:
  /// Executes it on a copy, without what is remembered and with it.
  void expect_same(const MachineState& state, const MicroOp& op) {
    MachineState computed = state, remembered = state;
    {
      const ProductMemo::Scope none; // which knows nothing yet
      execute(computed, std::span(&op, 1));
    }
    execute(remembered, std::span(&op, 1));
    EXPECT_EQ(std::memcmp(computed.dst.cell, remembered.dst.cell, sizeof computed.dst.cell), 0);
    EXPECT_EQ(computed.dst.valid_bits, remembered.dst.valid_bits);
    EXPECT_EQ(computed.rwc.dst, remembered.rwc.dst);
  }

  static std::uint64_t found() { return ProductMemo::current()->found(); }
};

TEST_P(ProductMemoTest, WhatIsRememberedIsWhatIsComputed) {
  const ProductMemo::Scope products;
  RandomOperands random(11);
  MachineState state(GetParam());
  const std::uint64_t before = found();
  for (const MatrixSetting& setting : settings()) {
    for (const Profile profile : kProfiles) {
      random.fill(state, setting, profile);
      for (const Op op : {Op::MVMUL, Op::DOTPV, Op::GAPOOL}) {
        for (const std::uint32_t dst : {0U, 8U, 0U, 8U, 0U, 64U, 8U})
          expect_same(state, product(GetParam(), op, dst));
      }
    }
  }
  EXPECT_GT(found(), before);
}

/// Of all that the result depends on, whatever changes alone makes another product.
TEST_P(ProductMemoTest, WhateverChangesMakesAnotherProduct) {
  const ProductMemo::Scope products;
  RandomOperands random(5);
  MachineState state(GetParam());
  random.fill(state, {.srca = 5, .srcb = 5, .wide = false, .phase = 0}, Profile::Near1);
  state.rwc = {};
  state.dst.valid_bits.fill(~std::uint64_t{0});
  const MicroOp op = product(GetParam(), Op::MVMUL, 0);
  expect_same(state, op);
  expect_same(state, op);
  const std::uint64_t before = found();
  expect_same(state, op);
  EXPECT_EQ(found(), before + 1);
  const auto expect_another = [&](MachineState changed) {
    const std::uint64_t so_far = found();
    expect_same(changed, op);
    EXPECT_EQ(found(), so_far);
    expect_same(state, op);
  };
  for (unsigned row = 0; row < ProductMemo::kRowsOfA; ++row) {
    MachineState changed = state;
    changed.srca.rows()[row][row] ^= 0x00400000U;
    expect_another(changed);
  }
  for (unsigned row = 0; row < kMatrixRows; ++row) {
    MachineState changed = state;
    changed.srcb.rows()[row][15 - row] ^= 0x00400000U;
    expect_another(changed);
    changed = state;
    changed.dst.cell[row][row] ^= 0x0100U;
    expect_another(changed);
    changed = state;
    changed.dst.set_valid(row, false);
    expect_another(changed);
  }
  for (unsigned phase = 1; phase < 4; ++phase) {
    MachineState changed = state;
    changed.config.set(isa::ConfigField::FIDELITY_BASE_Phase, phase);
    expect_another(changed);
  }
}

/// The same upper halves, and other lower ones.
TEST_P(ProductMemoTest, LowerHalvesCount) {
  const ProductMemo::Scope products;
  RandomOperands random(6);
  MachineState state(GetParam());
  random.fill(state, {.srca = 5, .srcb = 5, .wide = true, .phase = 0}, Profile::Near1);
  state.rwc = {};
  state.dst.valid_bits.fill(~std::uint64_t{0});
  const MicroOp op = product(GetParam(), Op::MVMUL, 0);
  expect_same(state, op);
  expect_same(state, op);
  for (unsigned row = 0; row < kMatrixRows; ++row) {
    MachineState changed = state;
    changed.dst.cell[row + kDstLowHalf][row] ^= 0x4000U;
    expect_same(changed, op);
  }
}

TEST_P(ProductMemoTest, RestsWhereNothingComesAgain) {
  const ProductMemo::Scope products;
  RandomOperands random(3);
  MachineState state(GetParam());
  random.fill(state, {.srca = 5, .srcb = 5, .wide = false, .phase = 0}, Profile::Near1);
  state.rwc = {};
  const MicroOp op = product(GetParam(), Op::MVMUL, 0);
  for (std::uint32_t i = 0; i < 40'000; ++i) {
    state.srcb.rows()[0][0] = 0x3F800000U + (i << 13);
    execute(state, std::span(&op, 1));
  }
  EXPECT_EQ(ProductMemo::current(), nullptr);
  state.srcb.rows()[0][0] = 0x3F800000U;
  expect_same(state, op);
}

INSTANTIATE_TEST_SUITE_P(Chip, ProductMemoTest, testing::Values(Arch::Blackhole, Arch::Wormhole));

} // namespace
} // namespace lanewise::test
