// Command buffers of multicasts in time: a program waits for them as the loops do that were
// measured (study/traffic/loops.h; ISA NoC/MemoryMap, NOC_CMD_CTRL), and links are carried to the
// network.
#include <gtest/gtest.h>

#include "noc/in_time.h"

namespace lanewise::noc {
namespace kept_buffers {

constexpr std::uint32_t kBytes = 4096;
constexpr std::uint32_t kWrite = 1U << 1, kAnswered = 1U << 4, kMulticast = 1U << 5,
                        kLinked = 1U << 6;
constexpr unsigned kColumns = 4;

class KeptBuffers : public ::testing::TestWithParam<Arch> {
 protected:
  KeptBuffers() : rig(GetParam(), {}, NocPlace{kColumns, 1}) {
    for (unsigned x = 1; x < kColumns; ++x) l1.emplace_back(rig.l1.size());
  }

  /// To the cores right of the sender.
  void multicast(unsigned buffer, bool is_linked = false) {
    const auto word = [this](unsigned x) {
      const NocPlace place = *worker_place(rig.arch, x, 0);
      return std::uint32_t{place.y} << 6 | place.x;
    };
    rig.place(buffer, false, rig.own, 0x1000);
    ASSERT_TRUE(rig.set(buffer, 0xC, 0x2000));
    ASSERT_TRUE(rig.set(buffer, rig.record.return_place,
                        (word(1) << 12 | word(kColumns - 1)) << rig.record.place_bit));
    const std::uint32_t more = is_linked ? kLinked : 0;
    ASSERT_TRUE(rig.send(buffer, kWrite | kAnswered | kMulticast | more, kBytes));
  }
  bool is_kept(unsigned buffer, unsigned niu = 0) {
    const std::uint32_t offset = (buffer << rig.record.buffer_bits) + rig.record.send;
    return rig.noc.load(tile::kBrisc, niu, offset).value() != 0;
  }
  std::vector<NocSpan> spans() {
    std::map<unsigned, std::span<std::uint8_t>> others;
    for (unsigned x = 1; x < kColumns; ++x) others.emplace(core_number(x, 0), l1[x - 1]);
    std::vector<NocSpan> all = in_time(rig, mover, std::move(others)).spans;
    std::ranges::stable_sort(all, {}, &NocSpan::left);
    return all;
  }
  /// Cycles from where one has left to where the next one has.
  std::vector<std::uint64_t> between_three(bool are_linked) {
    mover.in(0, [&, are_linked] {
      multicast(0, are_linked);
      multicast(0, are_linked);
      multicast(0);
    });
    const std::vector<NocSpan> all = spans();
    EXPECT_EQ(all.size(), 3U);
    if (all.size() != 3) return {0, 0};
    return {all[1].left - all[0].left, all[2].left - all[1].left};
  }

  NocRig rig;
  Mover mover;
  std::vector<std::vector<std::uint8_t>> l1;
};
INSTANTIATE_TEST_SUITE_P(OnBothChips, KeptBuffers, ::testing::ValuesIn(kArchs),
                         [](const auto& chip) {
                           return std::string(arch_params(chip.param).names.id);
                         });

TEST_P(KeptBuffers, AMulticastKeepsItsBufferUntilTheOneBeforeHasLeft) {
  constexpr std::uint64_t kSecond = 10;
  mover.in(0, [&] { multicast(0); });
  mover.in(kSecond - 1,
           [&] { EXPECT_FALSE(is_kept(0)) << "the first of them has nobody before it"; });
  mover.in(kSecond, [&] { multicast(0); });
  std::uint64_t last = 0;
  for (std::uint64_t cycle = kSecond + 1; cycle < 800; ++cycle)
    mover.in(cycle, [&, cycle] {
      if (is_kept(0)) last = cycle;
      EXPECT_FALSE(is_kept(1));
      EXPECT_FALSE(is_kept(0, 1)) << "another NoC";
    });
  const std::vector<NocSpan> all = spans();
  ASSERT_EQ(all.size(), 2U);
  ASSERT_GT(all[0].left, kSecond);
  EXPECT_EQ(last, all[0].left - 1);
  EXPECT_GT(all[1].left, all[0].left);
}

// A word behind data goes by another buffer.
TEST_P(KeptBuffers, TheBufferIsThatOfTheMulticastThatWaits) {
  mover.in(0, [&] { multicast(0); });
  mover.in(1, [&] { multicast(2); });
  mover.in(2, [&] {
    EXPECT_FALSE(is_kept(0)) << "the next one may be written into it";
    EXPECT_TRUE(is_kept(2));
  });
  EXPECT_EQ(spans().size(), 2U);
}

TEST_P(KeptBuffers, OtherTransactionsKeepNone) {
  mover.in(0, [&] {
    for (unsigned i = 0; i < 3; ++i) ASSERT_TRUE(rig.write(0, 0x1000, 0x100, 64));
    EXPECT_FALSE(is_kept(0));
    multicast(0);
    EXPECT_FALSE(is_kept(0));
  });
  EXPECT_EQ(spans().size(), 4U);
}

// The way of linked ones is reserved once: 8 cycles and 16 a hop (docs/noc.md).
TEST_P(KeptBuffers, LinkedOnesLeaveWithoutAReservationOfTheirOwn) {
  const std::uint64_t takes = (kBytes + rig.record.clock.flit) * 10 / rig.record.clock.rate;
  for (const std::uint64_t cycles : between_three(true))
    EXPECT_NEAR(static_cast<double>(cycles), static_cast<double>(takes), 1);
}
TEST_P(KeptBuffers, OthersReserveTheirWayEachTime) {
  const std::uint64_t takes = (kBytes + rig.record.clock.flit) * 10 / rig.record.clock.rate;
  const std::uint64_t reserves = rig.record.clock.reserve + 3U * rig.record.clock.reserve_hop;
  for (const std::uint64_t cycles : between_three(false))
    EXPECT_NEAR(static_cast<double>(cycles), static_cast<double>(takes + reserves), 1);
}

// On the host there is no time: nobody waits.
TEST_P(KeptBuffers, WithoutTimeABufferIsFreeAsSoonAsItHasSent) {
  multicast(0);
  multicast(0);
  EXPECT_FALSE(is_kept(0));
}

} // namespace kept_buffers
} // namespace lanewise::noc
