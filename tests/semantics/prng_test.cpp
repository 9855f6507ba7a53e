// The pseudo-random generator (VU 3.8).
#include "chip/semantics/prng.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>

namespace lanewise::semantics {
namespace {

TEST(Prng, FirstStatesFromZero) {
  Lane state = 0;
  for (Lane expected : {0x80000000U, 0x40000000U, 0xA0000000U, 0x50000000U, 0xA8000000U}) {
    state = prng_next(state);
    EXPECT_EQ(state, expected);
  }
}

TEST(Prng, AllOnesIsAFixedPoint) {
  EXPECT_EQ(prng_next(~Lane{0}), ~Lane{0});
}

TEST(Prng, InvertedParityOfFourBitsEntersAtTheTop) {
  std::mt19937 random(1);
  for (int i = 0; i < 100'000; ++i) {
    const auto old = static_cast<Lane>(random());
    const Lane parity = static_cast<Lane>(std::popcount(old & 0x80200003U)) & 1;
    ASSERT_EQ(prng_next(old), (1 - parity) << 31 | old >> 1);
  }
}

TEST(Prng, Seeding) {
  const auto zero = prng_seeded(0);
  EXPECT_EQ(zero[31], 0x02233355U);
  EXPECT_EQ(zero[30], 0xC088CCD5U);
  EXPECT_EQ(zero[1], 0x173CC27AU);
  EXPECT_EQ(zero[0], 0xC5CF309EU);
  const auto one = prng_seeded(1);
  EXPECT_EQ(one[31], 0x044666AAU);
  EXPECT_EQ(one[0], 0x8B9E613DU);
}

TEST(Prng, NeighboursAreTwoStepsApart) { // VU C65
  const auto lanes = prng_seeded(12345);
  for (std::size_t lane = 0; lane < 31; ++lane) {
    EXPECT_EQ(lanes[lane], prng_next(prng_next(lanes[lane + 1]))) << lane;
  }
}

} // namespace
} // namespace lanewise::semantics
