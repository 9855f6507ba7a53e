// Unpackers and packers in time.
#include "chip/clock/units.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lanewise::clock {
namespace {

/// Cycles in which a packer works on a tile: 16 PACRs of 64 data.
std::uint64_t tile_of(Arch arch, unsigned bits_in, unsigned bits_out, bool accumulates = false) {
  Units units(arch);
  for (unsigned k = 0; k < 16; ++k) {
    const std::uint64_t writes = 64 * bits_out / 128;
    units.pack(2, 0,
               {.read_bits = 64 * bits_in,
                .packed_bits = 64 * bits_out,
                .writes = writes,
                .accumulated = accumulates ? writes : 0,
                .ends = 0},
               0);
  }
  return units.packer_worked(0);
}

TEST(Packers, TakeTheRatioOfTheirFormats) { // CT pack_tile: 16 * max(1, out / in)
  EXPECT_EQ(tile_of(Arch::Blackhole, 16, 16), 16U);
  EXPECT_EQ(tile_of(Arch::Blackhole, 16, 8), 16U);
  EXPECT_EQ(tile_of(Arch::Blackhole, 16, 32), 32U);
  EXPECT_EQ(tile_of(Arch::Blackhole, 8, 16), 32U);
  EXPECT_EQ(tile_of(Arch::Blackhole, 8, 32), 64U);
}

TEST(Packers, TakeHalfAsLongAgainWhereTheyAdd) { // pack_dest_bank_l1acc_slow: 24 for 16
  EXPECT_EQ(tile_of(Arch::Blackhole, 16, 16, true), 24U);
}

/// The cycle in which all is in L1 of `tiles` tiles of 16 PACRs, which come as fast as the packer
/// takes them.
std::uint64_t packed_by(unsigned tiles, bool accumulates) {
  Units units(Arch::Blackhole);
  std::uint64_t cycle = 0;
  for (unsigned k = 0; k < 16 * tiles; ++k) {
    cycle = std::max(cycle + 1, units.packer_takes_from(0));
    units.pack(2, 0,
               {.read_bits = 1024,
                .packed_bits = 1024,
                .writes = 8,
                .accumulated = accumulates ? 8U : 0U,
                .ends = k % 16 == 15 ? 1U : 0U},
               cycle);
  }
  return units.idle_from(2, WaitFor::Packer);
}

TEST(Packers, HideTheEndOfATileBehindWritesThatAdd) { // tt-metal 51901: 24.0 for a tile
  EXPECT_EQ(packed_by(200, true) - packed_by(100, true), 100U * 24);
  EXPECT_EQ(packed_by(200, false) - packed_by(100, false), 100U * (16 + 3));
}

TEST(Packers, DoNotRunFarAheadOfWritesThatAdd) {
  Units units(Arch::Blackhole);
  const PackWork adds{.read_bits = 1024, .packed_bits = 1024, .writes = 8, .accumulated = 8};
  for (unsigned k = 0; k < 100; ++k) units.pack(2, 0, adds, 0);
  EXPECT_GT(units.packer_free_from(0), 140U); // of 150 cycles for the writes
}

TEST(Packers, OfWormholeWriteSixteenBytesACycle) { // core.md 17.1; tt-llk 916: and one cycle more
  Units units(Arch::Wormhole);
  units.pack(2, 3, {.read_bits = 16 * 16, .packed_bits = 16 * 16, .writes = 2}, 0);
  EXPECT_EQ(units.packer_worked(3), 2U + 1);
  units.pack(2, 0, {.read_bits = 16 * 256, .packed_bits = 16 * 256, .writes = 32}, 0);
  EXPECT_EQ(units.packer_worked(0), 32U + 1);
}

constexpr UnpackWork kFaceOfBf16{.fetch_cycles = 4, .data = 256, .narrowed = 0, .bank_from = 0};

TEST(Unpackers, FetchAheadOfTheirBank) { // CT reduce_tile, add_tiles
  Units units(Arch::Blackhole);
  const std::uint64_t free = 1000;
  UnpackWork late = kFaceOfBf16;
  late.bank_from = free;
  const std::uint64_t alone = Units(Arch::Blackhole).unpack(0, 0, kFaceOfBf16, 0);
  EXPECT_LT(units.unpack(0, 0, late, 0), free + alone);
  EXPECT_GT(units.unpack(0, 0, late, 0), free);
}

TEST(Unpackers, TakeTheirBytes) { // 128 bytes a cycle: CT reduce_tile ReduceScalar
  Units units(Arch::Blackhole);
  const std::uint64_t first = units.unpack(0, 0, kFaceOfBf16, 0);
  const std::uint64_t second = units.unpack(0, 0, kFaceOfBf16, 0);
  EXPECT_EQ(second - first, 512U / 128);
  UnpackWork fp32 = kFaceOfBf16;
  fp32.fetch_cycles = 8;
  EXPECT_EQ(units.unpack(0, 0, fp32, 0) - second, 1024U / 128);
}

TEST(Unpackers, TakeThreeBeforeTheFirstIsDone) { // CT add_tiles of Float32
  Units units(Arch::Blackhole);
  UnpackWork late = kFaceOfBf16;
  late.bank_from = 1000;
  for (unsigned k = 0; k < 3; ++k) {
    EXPECT_EQ(units.unpacker_takes_from(0), 0U) << k;
    units.unpack(0, 0, late, 0);
  }
  EXPECT_GT(units.unpacker_takes_from(0), 1000U);
  EXPECT_EQ(units.unpacker_takes_from(1), 0U);
}

// CT reduce_tile ReduceScalar, where nothing is fetched ahead of a clear: a face takes 2, 4 and 9
// cycles beside what all have.
TEST(Unpackers, HaveTheirDataByBytesAndConversions) {
  const auto takes = [](unsigned bytes, unsigned narrowed) {
    const UnpackWork face{.fetch_cycles = bytes / 128, .data = 256, .narrowed = narrowed};
    return Units(Arch::Blackhole).unpack(0, 0, face, 0);
  };
  EXPECT_EQ(takes(512, 0) - takes(256, 0), 2U);
  EXPECT_EQ(takes(1024, 256) - takes(512, 0), 5U);
}

TEST(Unpackers, WaitForBanksOfL1ThatOthersHave) { // ISA L1
  UnpackWork face = kFaceOfBf16;
  face.rows = {.first = 0x21000, .bytes = 512, .stride = 512, .rows = 1};
  face.bytes_per_cycle = 128;
  Units units(Arch::Blackhole), busy(Arch::Blackhole);
  const std::uint64_t alone = units.unpack(0, 0, face, 0);
  EXPECT_EQ(alone, Units(Arch::Blackhole).unpack(0, 0, kFaceOfBf16, 0));
  busy.touch_l1(0x21000, true, 0);
  EXPECT_GT(busy.unpack(0, 0, face, 0), alone);
}

TEST(Packers, WaitForBanksOfL1ThatOthersHave) { // ISA L1
  const PackWork row{
      .read_bits = 64 * 16, .packed_bits = 64 * 16, .writes = 8, .ends = 0, .last_write = 0x31070};
  const auto done = [&](std::uint32_t touched) {
    Units units(Arch::Blackhole);
    units.touch_l1(touched, false, 0);
    units.pack(2, 0, row, 0);
    EXPECT_EQ(units.packer_worked(0), 1U) << "alone";
    return units.idle_from(2, WaitFor::Packer);
  };
  EXPECT_EQ(done(0x31000), done(0x31080) + 1) << "the latter is another bank";
}

TEST(Unpackers, OfWormholeSlowEachOtherDown) { // core.md 17.1: x4 and x4 come to x2 and x2
  UnpackWork face{.fetch_cycles = 8, .data = 256, .narrowed = 0, .bank_from = 0};
  face.bytes_per_cycle = 64;
  const auto both = [&](Arch arch) {
    Units units(arch);
    std::uint64_t last = 0;
    for (unsigned k = 0; k < 8; ++k) {
      for (const unsigned unpacker : {0U, 1U}) {
        face.rows = {
            .first = 0x21000 + 0x8080 * unpacker + 512 * k, .bytes = 512, .stride = 512, .rows = 1};
        last = std::max(last, units.unpack(0, unpacker, face, 0));
      }
    }
    return last;
  };
  EXPECT_GE(both(Arch::Wormhole), 2 * 8 * 8U * 15 / 16) << "64 bytes in a cycle for both";
  EXPECT_LE(both(Arch::Wormhole), 2 * 8 * 8U + 16);
  EXPECT_LE(both(Arch::Blackhole), 8 * 8U + 16);
}

TEST(Units, AreIdleWhenTheLastInstructionOfTheThreadIsDone) {
  Units units(Arch::Blackhole);
  units.work_until(1, WaitFor::MatrixUnit, 20);
  units.work_until(1, WaitFor::MatrixUnit, 10);
  units.work_until(2, WaitFor::ConfigurationUnit, 30);
  EXPECT_EQ(units.idle_from(1, WaitFor::MatrixUnit), 20U);
  EXPECT_EQ(units.idle_from(0, WaitFor::MatrixUnit), 0U);
  EXPECT_EQ(units.idle_from(0, WaitFor::ConfigurationUnit), 30U) << "of any thread";
  EXPECT_EQ(units.all_idle_from(1), 20U);
}

} // namespace
} // namespace lanewise::clock
