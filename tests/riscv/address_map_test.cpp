// Where an address lies (ISA BabyRISCV, memory maps).
#include "chip/riscv/address_map.h"

#include <gtest/gtest.h>

namespace lanewise::riscv {
namespace {

class AddressMap : public testing::TestWithParam<Arch> {};

TEST_P(AddressMap, RegionsHoldBothOfTheirEndsAndNoMore) {
  unsigned known = 0;
  for (std::uint8_t number = 0; Region{number} != Region::Unmapped; ++number) {
    const Region r{number};
    const AddressRange range = range_of(GetParam(), r);
    if (range.region == Region::Unmapped) continue; // the chip lacks it
    ++known;
    EXPECT_EQ(range.region, r);
    for (const std::uint32_t inside :
         {range.first, range.first + (range.last - range.first) / 2, range.last})
      EXPECT_EQ(find_region(GetParam(), inside).region, r) << range.text;
    for (const std::uint32_t outside : {range.first - 1, range.last + 1})
      EXPECT_NE(find_region(GetParam(), outside).region, r) << range.text;
  }
  EXPECT_GT(known, 15U);
}

TEST_P(AddressMap, WhatLiesBetweenRegionsIsMappedNowhere) {
  for (const std::uint32_t address :
       {0x0018'0000U, 0x8000'0000U, 0xFFAF'FFFFU, 0xFFB1'0FFFU, 0xFFED'0000U}) {
    const AddressRange range = find_region(GetParam(), address);
    EXPECT_EQ(range.region, Region::Unmapped) << std::hex << address;
    EXPECT_TRUE(range.holds(0) && range.holds(0xFFFF'FFFF));
  }
}

INSTANTIATE_TEST_SUITE_P(Chip, AddressMap, testing::Values(Arch::Blackhole, Arch::Wormhole));

TEST(AddressMapOfWormhole, HasNoPcSnapshots) {
  constexpr std::uint32_t kPcSnapshot = 0xFFB1'3138;
  EXPECT_EQ(find_region(Arch::Blackhole, kPcSnapshot).region, Region::PcSnapshot);
  EXPECT_EQ(find_region(Arch::Wormhole, kPcSnapshot).region, Region::Pic);
}

} // namespace
} // namespace lanewise::riscv
