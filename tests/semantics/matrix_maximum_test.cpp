// GMPOOL's order, scaling and indices (MU 7, GMPOOL; beyond SrcB = 1.0 from the documentation
// alone).
#include "chip/semantics/matrix_maximum_lanes.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace lanewise::semantics {
namespace {

constexpr std::uint32_t kScale1 = 127U << 23;

std::int32_t dst_order(std::uint32_t pattern) {
  return read_pool_dst(shuffle_32(pattern), PoolFormat::Tf32).order();
}
std::int32_t source_order(std::uint32_t pattern) {
  return scale_pool_source(pattern, kScale1, PoolFormat::Tf32, 0).order();
}

// The total order of sign-magnitude patterns, on both sides alike.
TEST(PoolMaximum, OrderIsThatOfPatterns) {
  constexpr std::uint32_t kAscending[] = {0xFFFFE000U, 0xFF800000U, 0xBF800000U,
                                          0x80800000U, 0x00800000U, 0x3F800000U,
                                          0x3F802000U, 0x7F800000U, 0x7FFFE000U};
  for (std::size_t i = 1; i < std::size(kAscending); ++i) {
    EXPECT_LT(dst_order(kAscending[i - 1]), dst_order(kAscending[i]));
    EXPECT_LT(source_order(kAscending[i - 1]), source_order(kAscending[i]));
    EXPECT_EQ(dst_order(kAscending[i]), source_order(kAscending[i]));
  }
}

// Denormals of SrcA are +0; those of Dst count, and survive if they win.
TEST(PoolMaximum, DenormalsOfDstSurvive) {
  constexpr std::uint32_t kDenormal = 0x00002000U;
  const std::uint32_t stored = shuffle_32(kDenormal);
  PoolMaximum maximum = start_pool_maximum(stored, PoolFormat::Tf32);
  maximum.visit(8, scale_pool_source(0x007FE000U, kScale1, PoolFormat::Tf32, 0));
  EXPECT_EQ(write_pool_dst(maximum.datum, PoolFormat::Tf32), stored);
  maximum = start_pool_maximum(shuffle_32(kDenormal | 0x80000000U), PoolFormat::Tf32);
  maximum.visit(8, scale_pool_source(0x807FE000U, kScale1, PoolFormat::Tf32, 0));
  EXPECT_EQ(write_pool_dst(maximum.datum, PoolFormat::Tf32), 0U);
}

// Reading and writing are inverse, to the bits that a format has.
TEST(PoolMaximum, DstRoundTrips) {
  for (std::uint32_t x = 0; x < 0x10000; ++x) {
    const std::uint32_t high = x << 16;
    EXPECT_EQ(write_pool_dst(read_pool_dst(high, PoolFormat::Bf16), PoolFormat::Bf16), high);
    EXPECT_EQ(write_pool_dst(read_pool_dst(high, PoolFormat::Fp16), PoolFormat::Fp16), high);
    EXPECT_EQ(write_pool_dst(read_pool_dst(high | 0xFFFF, PoolFormat::Tf32), PoolFormat::Tf32),
              high | 0xE000);
  }
  EXPECT_EQ(write_pool_dst(read_pool_dst(0x87FF1234U, PoolFormat::Integer), PoolFormat::Integer),
            0x80001234U);
}

// SrcB's exponent is added; without one, the row is minus infinity.
TEST(PoolMaximum, SrcBScalesRows) {
  const std::uint32_t three = 0x40400000U;
  const PoolDatum scaled = scale_pool_source(three, 130U << 23 | 0x7FE000U, PoolFormat::Bf16, 0);
  EXPECT_EQ(write_pool_dst(scaled, PoolFormat::Bf16), shuffle_32(0x41C00000U)); // 24
  EXPECT_EQ(scale_pool_source(three, 0x7FE000U, PoolFormat::Bf16, 0).order(),
            kPoolMinusInfinity.order());
  const std::uint32_t fp16_three = 16U << 23 | 0x200U << 13;
  const PoolDatum half = scale_pool_source(fp16_three, 14U << 23, PoolFormat::Fp16, 0);
  EXPECT_EQ(write_pool_dst(half, PoolFormat::Fp16), (0x200U << 5 | 15U) << 16); // 1.5
}

// Integers are not scaled: SrcB only says whether a row counts.
TEST(PoolMaximum, IntegersAreNotScaled) {
  const std::uint32_t minus_5 = 0x80000000U | 16U << 23 | 5U << 13;
  EXPECT_EQ(scale_pool_source(minus_5, 1U << 23, PoolFormat::Integer, 0).order(), -5);
}

// FP16 into TF32 keeps its value.
TEST(PoolMaximum, Fp16BecomesTf32) {
  const PoolDatum one = scale_pool_source(15U << 23, 15U << 23, PoolFormat::Fp16, 112);
  EXPECT_EQ(write_pool_dst(one, PoolFormat::Tf32), shuffle_32(0x3F800000U));
}

// Rows 4..7, 0..3, 8..15; the last of equal ones wins; rows 8..15 leave the index.
TEST(PoolMaximum, IndexFollowsTheOrderOfVisits) {
  constexpr unsigned kOrder[] = {4, 5, 6, 7, 0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15};
  constexpr std::uint32_t kCode[] = {0, 3, 6, 1, 4, 7, 2, 5};
  for (unsigned step = 0; step < kPoolRows; ++step) EXPECT_EQ(pool_row(step), kOrder[step]);
  PoolMaximum maximum = start_pool_maximum(0xFFFFFFFFU, PoolFormat::Bf16);
  for (unsigned step = 0; step < 8; ++step) {
    const unsigned row = pool_row(step);
    maximum.visit(row, {.negative = false, .magnitude = 100});
    EXPECT_EQ(maximum.index, kCode[row]);
  }
  maximum.visit(9, {.negative = false, .magnitude = 101});
  EXPECT_EQ(maximum.index, kCode[3]);
}

// The phase counts in bits 11:8 of old Dst; the index code is added to a sixteenth of it.
TEST(PoolMaximum, PhaseCountsCalls) {
  EXPECT_EQ(next_pool_phase(0x12345F67U), 0x000U);
  PoolMaximum maximum = start_pool_maximum(0x00000123U, PoolFormat::Integer);
  EXPECT_EQ(maximum.phase, 0x200U);
  EXPECT_EQ(maximum.index, 0x23U);
  maximum.visit(1, {.negative = false, .magnitude = 0x7FFFF});
  EXPECT_EQ(maximum.index, 0x23U);
}

// What the kernels compute is this reference, whatever the bits.
TEST(PoolMaximum, LanesAreTheReference) {
  constexpr std::array kFormats{PoolFormat::Bf16, PoolFormat::Fp16, PoolFormat::Tf32,
                                PoolFormat::Integer};
  std::mt19937 random(3);
  const auto bits = [&] { return static_cast<std::uint32_t>(random()); };
  const auto cell = [&] { return bits() & (bits() % 4 == 0 ? 0x807FE000U : 0xFFFFE000U); };
  for (unsigned round = 0; round < 20'000; ++round) {
    const PoolFormat source = kFormats[bits() % 4], dst = kFormats[bits() % 4];
    const std::uint32_t stored = bits(), to_dst = bits() % 2 == 0 ? 0 : 112;
    PoolMaximum expected = start_pool_maximum(stored, dst);
    PoolMaximumLanes<Lane> found(stored, dst);
    for (unsigned step = 0; step < kPoolRows; ++step) {
      const std::uint32_t a = cell(), scale = cell();
      const unsigned row = pool_row(step);
      expected.visit(row, scale_pool_source(a, scale, source, to_dst));
      found.visit(row, scale_pool_source_lanes<Lane>(a, scale, source, to_dst));
      ASSERT_EQ(found.datum.sign != 0, expected.datum.negative);
      ASSERT_EQ(found.datum.magnitude, expected.datum.magnitude);
    }
    EXPECT_EQ(found.index, expected.index);
    EXPECT_EQ(found.phase, expected.phase);
    EXPECT_EQ(write_pool_dst_lanes<Lane>(found.datum, dst), write_pool_dst(expected.datum, dst));
  }
}

} // namespace
} // namespace lanewise::semantics
