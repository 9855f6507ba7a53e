// Whether a core polls is seen from its loads alone.
#include "run/section/polling.h"

#include <gtest/gtest.h>

namespace lanewise::section {
namespace {

/// Loads in a row that find nothing new before a core is taken to poll.
constexpr unsigned kPatience = 64;

TEST(Polling, ALoopThatFindsNothingNewPolls) {
  Polling polling;
  EXPECT_FALSE(polling.loaded(0x100, 0x20, 7));
  for (unsigned i = 0; i < kPatience; ++i) EXPECT_FALSE(polling.loaded(0x100, 0x20, 7)) << i;
  EXPECT_FALSE(polling.is_patient() && polling.loaded(0x100, 0x20, 8)) << "another value";
  for (unsigned i = 0; i < kPatience; ++i) EXPECT_FALSE(polling.loaded(0x100, 0x20, 8)) << i;
  EXPECT_TRUE(polling.loaded(0x100, 0x20, 8));
  EXPECT_TRUE(polling.finds_again(0x100, 0x20, 8));
  EXPECT_FALSE(polling.finds_again(0x100, 0x20, 7));
  EXPECT_FALSE(polling.finds_again(0x104, 0x20, 8));
  EXPECT_FALSE(polling.finds_again(0x100, 0x24, 8));
}

TEST(Polling, WhatACoreDoesElseBeginsAnew) {
  Polling polling;
  for (unsigned i = 0; i < 3; ++i) polling.loaded(0x100, 0x20, 7);
  EXPECT_TRUE(polling.repeats());
  EXPECT_EQ(polling.places(), 1U);
  polling.acted();
  EXPECT_FALSE(polling.repeats());
  EXPECT_EQ(polling.places(), 0U);
  polling.loaded(0x100, 0x20, 7);
  EXPECT_FALSE(polling.repeats()) << "nothing was seen since";
}

/// A loop may look at many places: each is one of its own, whatever comes between.
TEST(Polling, EachPlaceIsOneOfItsOwn) {
  constexpr std::uint32_t kPlaces = 1000;
  Polling polling;
  for (unsigned round = 0; round < 3; ++round) {
    for (std::uint32_t i = 0; i < kPlaces; ++i) {
      polling.loaded(0x100 + 4 * (i % 3), 4 * i, i);
      EXPECT_EQ(polling.repeats(), round > 0) << i;
    }
    EXPECT_EQ(polling.places(), kPlaces);
  }
  polling.loaded(0x100, 0, 1);
  EXPECT_FALSE(polling.repeats()) << "place 0 holds another value now";
  EXPECT_EQ(polling.places(), kPlaces);
}

} // namespace
} // namespace lanewise::section
