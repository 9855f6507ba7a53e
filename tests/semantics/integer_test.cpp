// Integer helpers against models that share nothing with them.
#include "chip/semantics/integer.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstring>
#include <random>

namespace lanewise::semantics {
namespace {

constexpr int kRandom = 2'000'000;

/// FP32 of a two's complement number, to nearest, ties to even, in integers only.
Lane float_model(std::int64_t value) {
  if (value == 0) return 0;
  const Lane sign = value < 0 ? kSign : 0;
  const auto magnitude = static_cast<std::uint64_t>(value < 0 ? -value : value);
  const int top = 63 - std::countl_zero(magnitude);
  std::uint64_t exponent = 127 + static_cast<std::uint64_t>(top);
  std::uint64_t mantissa = 0;
  if (top <= 23) {
    mantissa = magnitude << (23 - top);
  } else {
    const int dropped = top - 23;
    const std::uint64_t rest = magnitude & ((std::uint64_t{1} << dropped) - 1);
    const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
    mantissa = magnitude >> dropped;
    if (rest > half || (rest == half && (mantissa & 1) != 0)) ++mantissa;
    if (mantissa == std::uint64_t{1} << 24) {
      mantissa >>= 1;
      ++exponent;
    }
  }
  return sign | static_cast<Lane>(exponent << 23) | static_cast<Lane>(mantissa & kMantissaMask);
}

/// Calls check with all numbers within 70 of a power of two, of either sign, and with random ones.
template <class Check>
void for_many_numbers(Check&& check) {
  for (int k = 0; k < 32; ++k) {
    for (int near = -70; near <= 70; ++near) {
      const Lane value = (Lane{1} << k) + static_cast<Lane>(near);
      check(value);
      check(Lane{0} - value);
    }
  }
  // Ties and their neighbours for every number of dropped bits.
  for (unsigned dropped = 1; dropped <= 8; ++dropped) {
    for (Lane odd = 0; odd < 4; ++odd) {
      const Lane tie = (((Lane{1} << 23) + odd) << dropped) + (Lane{1} << (dropped - 1));
      for (Lane near : {tie - 1, tie, tie + 1}) check(near & 0x7FFFFFFFU);
    }
  }
  std::mt19937 random(1);
  for (int i = 0; i < kRandom; ++i) {
    const auto value = static_cast<Lane>(random());
    check(value >> (i % 32));
  }
}

TEST(FloatOfInt, RoundsToNearestEven) {
  for_many_numbers([](Lane value) {
    ASSERT_EQ(float_of_int(value), float_model(static_cast<std::int32_t>(value)))
        << std::hex << value;
  });
}

TEST(LeadingZeros, CountsThem) { // seed 000, 3.17: 32 for zero
  EXPECT_EQ(leading_zeros(Lane{0}), 32U);
  for_many_numbers([](Lane value) {
    ASSERT_EQ(leading_zeros(value), static_cast<Lane>(std::countl_zero(value)))
        << std::hex << value;
  });
}

template <class U>
void expect_vectors_agree() {
  std::mt19937 random(2);
  constexpr unsigned kWidth = sizeof(U) / sizeof(Lane);
  for (int i = 0; i < 100'000; ++i) {
    std::array<Lane, kWidth> lanes{}, zeros{}, floats{};
    for (Lane& lane : lanes) lane = static_cast<Lane>(random()) >> (random() % 32);
    U vector;
    std::memcpy(&vector, lanes.data(), sizeof vector);
    const U counted = leading_zeros(vector);
    const U converted = float_of_int(vector);
    std::memcpy(zeros.data(), &counted, sizeof counted);
    std::memcpy(floats.data(), &converted, sizeof converted);
    for (unsigned lane = 0; lane < kWidth; ++lane) {
      ASSERT_EQ(zeros[lane], static_cast<Lane>(std::countl_zero(lanes[lane])));
      ASSERT_EQ(floats[lane], float_model(static_cast<std::int32_t>(lanes[lane])));
    }
  }
}

TEST(LeadingZeros, Vectors) {
  typedef Lane FourLanes __attribute__((vector_size(16)));
  expect_vectors_agree<FourLanes>();
}

TEST(AbsoluteInteger, KeepsTheSmallestNumber) { // seed 000, 3.15
  EXPECT_EQ(absolute_integer(Lane{5}), 5U);
  EXPECT_EQ(absolute_integer(~Lane{4}), 5U);
  EXPECT_EQ(absolute_integer(Lane{0x80000000}), 0x80000000U);
}

TEST(AbsoluteFloat, KeepsNegativeNansOnly) { // VU C29
  EXPECT_EQ(absolute_float(Lane{0xFF800000}), 0x7F800000U) << "-Inf becomes +Inf";
  EXPECT_EQ(absolute_float(Lane{0xFF800001}), 0xFF800001U);
  EXPECT_EQ(absolute_float(Lane{0xFFFFFFFF}), 0xFFFFFFFFU);
  EXPECT_EQ(absolute_float(Lane{0x80000000}), 0U);
  EXPECT_EQ(absolute_float(Lane{0x7FC00000}), 0x7FC00000U);
}

TEST(Shift, CountsModulo32OfTheMagnitude) { // VU C36
  constexpr Lane kX = 0x80000001U;
  EXPECT_EQ(shift(kX, Lane{1}, false), 2U);
  EXPECT_EQ(shift(kX, Lane{33}, false), 2U);
  EXPECT_EQ(shift(kX, Lane{32}, false), kX);
  EXPECT_EQ(shift(kX, Lane{0} - 1, false), 0x40000000U);
  EXPECT_EQ(shift(kX, Lane{0} - 1, true), 0xC0000000U);
  EXPECT_EQ(shift(kX, Lane{0} - 32, false), kX) << "-32 is a right shift by 0";
  EXPECT_EQ(shift(kX, Lane{0x80000000}, false), kX) << "-2^31 too";
  EXPECT_EQ(shift(kX, Lane{0} - 33, false), 0x40000000U);
  EXPECT_EQ(shift(kX, Lane{0} - 31, false), 1U);
  EXPECT_EQ(shift(kX, Lane{0} - 31, true), 0xFFFFFFFFU);
}

TEST(Multiply24, HalvesOfTheProduct) { // VU 3.7
  EXPECT_EQ(multiply_24(Lane{0x7FFFFF}, Lane{0x7FFFFF}, false), 1U)
      << "(2^23 - 1)^2 = 2^46 - 2^24 + 1";
  EXPECT_EQ(multiply_24(Lane{0x7FFFFF}, Lane{0x7FFFFF}, true), 0x7FFFFEU);
  EXPECT_EQ(multiply_24(Lane{0xFF800003}, Lane{0x80000005}, false), 15U)
      << "bits from 23 on are ignored";
  std::mt19937 random(3);
  for (int i = 0; i < 100'000; ++i) {
    const auto a = static_cast<Lane>(random());
    const auto b = static_cast<Lane>(random());
    const std::uint64_t product = std::uint64_t{a & 0x7FFFFF} * (b & 0x7FFFFF);
    ASSERT_EQ(multiply_24(a, b, false), product & 0x7FFFFF);
    ASSERT_EQ(multiply_24(a, b, true), product >> 23);
  }
}

TEST(Multiply24, AddendThatIsANormalNumber) { // VU 3.7, NonContractual
  EXPECT_EQ(adjust_multiply_24(Lane{123}, Lane{0x80000000}), 123U) << "-0 is inert";
  EXPECT_EQ(adjust_multiply_24(Lane{123}, Lane{0x007FFFFF}), 123U) << "denormals are inert";
  // c = 1.0: ze = 127, re = 129, s = 2, Z = 2^26, w = 2^24; nothing is lost; (123 + 2^24) mod 2^23.
  EXPECT_EQ(adjust_multiply_24(Lane{123}, Lane{0x3F800000}), 123U);
  // c = 4.0: re = ze = 129, w = Z = 2^26: again a multiple of 2^23.
  EXPECT_EQ(adjust_multiply_24(Lane{123}, Lane{0x40800000}), 123U);
  // c = 8.0 = exponent 130: d >> 1, w = 2^26.
  EXPECT_EQ(adjust_multiply_24(Lane{123}, Lane{0x41000000}), 61U);
  // c = 2^-9: ze = 118, s = 11, w = 2^15.
  EXPECT_EQ(adjust_multiply_24(Lane{123}, Lane{0x3B000000}), 123U + 0x8000U);
  // c = 1.5 * 2^-25: ze = 102, s = 27, w = (3 * 2^25) >> 27 = 0: d stays.
  EXPECT_EQ(adjust_multiply_24(Lane{123}, Lane{0x33400000}), 123U);
  // c = 2^-15 * (1 + (2^17 - 1) * 2^-23): ze = 112, s = 17, Z = (2^23 + 2^17 - 1) * 8, w = 2^9 +
  // 2^3 - 1 = 519, lost bits (2^20 - 8) mod 2^17 = 1FFF8 > FFFF: 2^16 is added too.
  EXPECT_EQ(adjust_multiply_24(Lane{123}, Lane{0x3801FFFF}), 123U + 519U + 0x10000U);
}

} // namespace
} // namespace lanewise::semantics
