// The NoC in time: latencies, links and banks of DRAM (chip/isa/noc_record.h; the public table
// noc_latencies.yaml of tt-metal; docs/programs.md, "Time").
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "noc/in_time.h"

namespace lanewise::noc {
namespace {

/// The cycle in which the last byte of so many transactions lands, asked for in cycle 0.
std::uint64_t last(const std::vector<NocSpan>& spans) {
  std::uint64_t cycle = 0;
  for (const NocSpan& span : spans) cycle = std::max(cycle, span.landed);
  return cycle;
}

class TimedNocOf : public ::testing::TestWithParam<Arch> {};
INSTANTIATE_TEST_SUITE_P(OnBothChips, TimedNocOf, ::testing::ValuesIn(kArchs),
                         [](const auto& chip) {
                           return std::string(arch_params(chip.param).names.id);
                         });

/// Of 64 bytes from or to a bank, asked for in cycle 100.
NocSpan one_of_64_bytes(Arch arch, unsigned bank, bool is_read) {
  NocRig rig(arch);
  Mover mover;
  mover.in(100, [&] {
    ASSERT_TRUE(is_read ? rig.read(bank, 0x40, 0x1000, 64) : rig.write(bank, 0x40, 0x1000, 64));
  });
  const InTime got = in_time(rig, mover);
  EXPECT_TRUE(got.time.run.blocked.empty());
  EXPECT_EQ(got.spans.size(), 1U);
  return got.spans.empty() ? NocSpan{} : got.spans[0];
}

// noc_latencies.yaml, one core and one bank, 64 bytes: 481 and 380 cycles on Blackhole, 397 and 425
// on Wormhole, of which a program needs 35, 23, 25 and 22 to ask (silicon-core-clock, L7). Which
// bank it was is not said there: most banks are in no row and no column of the core.
TEST_P(TimedNocOf, OneTransactionTakesWhatTheTableHasWithoutItsProgram) {
  const bool is_bh = GetParam() == Arch::Blackhole;
  const double expected_read = is_bh ? 446 : 372, expected_write = is_bh ? 357 : 403;
  unsigned near_reads = 0, near_writes = 0;
  const auto banks = static_cast<unsigned>(noc_record(GetParam())->banks.size());
  for (unsigned bank = 0; bank < banks; ++bank) {
    const NocSpan read = one_of_64_bytes(GetParam(), bank, true);
    EXPECT_EQ(read.asked, 100U);
    near_reads += std::abs(static_cast<double>(read.landed) - 100 - expected_read) < 20 ? 1 : 0;
    const NocSpan write = one_of_64_bytes(GetParam(), bank, false);
    EXPECT_GE(write.left, 101U) << "its bytes take time on their way out";
    EXPECT_LT(write.left, write.landed);
    near_writes += std::abs(static_cast<double>(write.landed) - 100 - expected_write) < 20 ? 1 : 0;
  }
  EXPECT_GE(near_reads, banks / 2);
  EXPECT_GE(near_writes, banks / 2);
}

// One bank gives 46.3 bytes a cycle on Blackhole, 22.1 on Wormhole; more than one bank, what the
// link takes: 61.7 and 28.7.
TEST_P(TimedNocOf, ManyReadsAreBoundByTheBankOrByTheLink) {
  const bool is_bh = GetParam() == Arch::Blackhole;
  constexpr unsigned kBytes = 2048;
  const auto cycles_of = [&](unsigned reads, unsigned banks) {
    NocRig rig(GetParam());
    Mover mover;
    mover.in(0, [&] {
      for (unsigned i = 0; i < reads; ++i) ASSERT_TRUE(rig.read(i % banks, 0x40, 0x1000, kBytes));
    });
    const InTime got = in_time(rig, mover);
    EXPECT_EQ(got.traffic[0].reads, reads);
    EXPECT_EQ(got.traffic[0].bytes_in, reads * kBytes);
    EXPECT_EQ(got.traffic[0].writes, 0U);
    return static_cast<double>(last(got.spans));
  };
  const auto bytes_a_cycle = [&](unsigned banks) {
    return 64 * kBytes / (cycles_of(96, banks) - cycles_of(32, banks));
  };
  EXPECT_NEAR(bytes_a_cycle(1) / (is_bh ? 46.3 : 22.1), 1, 0.05);
  EXPECT_NEAR(bytes_a_cycle(4) / (is_bh ? 61.7 : 28.7), 1, 0.08);
}

TEST_P(TimedNocOf, WhatIsAskedForWhileOthersAreUnderWayDoesNotWaitForThem) {
  NocRig rig(GetParam());
  Mover mover;
  mover.in(0, [&] { ASSERT_TRUE(rig.read(0, 0x40, 0x1000, 64)); });
  mover.in(70, [&] { ASSERT_TRUE(rig.read(0, 0x40, 0x2000, 64)); });
  const InTime got = in_time(rig, mover);
  ASSERT_EQ(got.spans.size(), 2U);
  EXPECT_EQ(got.spans[1].asked, 70U);
  EXPECT_NEAR(static_cast<double>(got.spans[1].landed - got.spans[0].landed), 70, 1);
}

// ordering.rst: a read behind a write to the same place sees it, whatever their latencies are.
TEST_P(TimedNocOf, AReadBehindAWriteToTheSamePlaceSeesIt) {
  NocRig rig(GetParam());
  rig.dram[0][0x100] = 1;
  rig.l1[0x1000] = 77;
  Mover mover;
  mover.in(0, [&] { ASSERT_TRUE(rig.write(0, 0x1000, 0x100, 64)); });
  mover.in(1, [&] { ASSERT_TRUE(rig.read(0, 0x100, 0x2000, 64)); });
  const InTime got = in_time(rig, mover);
  ASSERT_EQ(got.spans.size(), 2U);
  EXPECT_EQ(rig.l1[0x2000], 77);
}

// What has not landed is not there: the value is that of the moment.
TEST_P(TimedNocOf, DataComeWhenTheTransactionLands) {
  NocRig rig(GetParam());
  rig.dram[0][0x40] = 9;
  rig.l1[0x1000] = 0;
  Mover mover;
  std::uint8_t early = 1, late = 0;
  mover.in(0, [&] { ASSERT_TRUE(rig.read(0, 0x40, 0x1000, 64)); });
  mover.in(300, [&] { early = rig.l1[0x1000]; });
  mover.in(600, [&] { late = rig.l1[0x1000]; });
  in_time(rig, mover);
  EXPECT_EQ(early, 0);
  EXPECT_EQ(late, 9);
}

TEST_P(TimedNocOf, TheOwnL1IsNearerThanDram) {
  NocRig rig(GetParam());
  Mover mover;
  mover.in(0, [&] {
    rig.place(1, false, rig.own, 0x1000);
    rig.place(1, true, rig.own, 0x2000);
    ASSERT_TRUE(rig.send(1, 1U << 4, 64));
  });
  const InTime got = in_time(rig, mover);
  ASSERT_EQ(got.spans.size(), 1U);
  // tt-npe: 65 and 70 cycles from a core to itself.
  EXPECT_NEAR(static_cast<double>(got.spans[0].landed), GetParam() == Arch::Blackhole ? 65 : 70,
              20);
}

} // namespace
} // namespace lanewise::noc
