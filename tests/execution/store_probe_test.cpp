#include "run/execution/store_probe.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "number/tensors/tile_cells.h"
#include "run/execution/tile_machine.h"
#include "sweep/sweep_doubles.h"

namespace lanewise::execution {
namespace {

using formats::Format;

RC_GTEST_PROP(RoundRegister, IsRoundToBits, (std::uint32_t fp32)) {
  for (const Format format : {Format::BF16, Format::FP16})
    RC_ASSERT(round_register(format, fp32) ==
              formats::round_to_bits(format, formats::value_of_bits(Format::FP32, fp32)));
}

TEST(RoundRegister, TiesGoToEvenAndDenormalsToZero) {
  EXPECT_EQ(round_register(Format::BF16, 0x3F80'8000), 0x3F80u);
  EXPECT_EQ(round_register(Format::BF16, 0x3F81'8000), 0x3F82u);
  EXPECT_EQ(round_register(Format::BF16, 0x7F7F'FFFF), 0x7F80u);
  EXPECT_EQ(round_register(Format::BF16, 0x8001'0000), 0x8000u);
  EXPECT_EQ(round_register(Format::BF16, 0x007F'FFFF), 0x0080u) << "rounded, then flushed";
  EXPECT_EQ(round_register(Format::BF16, 0x7F80'0001), 0x7FC0u);
}

/// A tile of `input` on one chip: what is found, and what rounding before the store would have
/// left.
struct Probed {
  std::array<std::uint32_t, tensors::kTileElements> found{}, rounded{};
};

Probed probe(Arch arch, std::string_view source, Format format, std::uint32_t input) {
  const Program program = sweep::assembled(arch, source);
  const auto machine =
      TileMachine::prepare(arch, program, {.format = format, .as_kernel = true}).value();
  StoreProbe probe(format, 0);
  std::array<std::uint32_t, tensors::kTileElements> inputs{};
  inputs.fill(input);
  machine->run(
      [&](MachineState& state) { tensors::load_cells(state.dst, format, 0, inputs); },
      [&](MachineState& state, std::span<const MicroOp> ops) { probe.execute(state, ops); });
  Probed result;
  tensors::read_cells(machine->state().dst, format, 0, result.found);
  probe.round_before_store(result.found, result.rounded);
  return result;
}

/// x * (1 + 3/4 ULP of BF16): 1 becomes 0x3F80'C000.
constexpr std::string_view kThreeQuarters =
    "SFPLOADI L1, UPPER, 0x3F80\nSFPLOADI L1, LOWER, 0xC000\nSFPMUL L0, L1, L9, L0, 0\nSFPNOP";

TEST(StoreProbe, RoundsWhatTheStoreTruncates) {
  for (const Arch arch : {Arch::Blackhole, Arch::Wormhole}) {
    const Probed result = probe(arch, sweep::tile_kernel(kThreeQuarters), Format::BF16, 0x3F80);
    for (unsigned i = 0; i < tensors::kTileElements; ++i) {
      ASSERT_EQ(result.found[i], 0x3F80u);
      ASSERT_EQ(result.rounded[i], 0x3F81u);
    }
  }
}

TEST(StoreProbe, SweepsTellTheErrorOfTheStore) {
  const auto reference =
      sweep::function_of_x("x*(1+3/4*2^-7)", [](double x) { return x * (1 + 0.75 * 0x1p-7); });
  const auto result = sweep::swept(sweep::on_both_chips(sweep::tile_kernel(kThreeQuarters)),
                                   reference, {.space = {.range = sweep::SweepRange{1, 1}}});
  for (const sweep::SweepStatistics& chip : result.chips) {
    EXPECT_EQ(chip.error.largest, 1);
    EXPECT_EQ(chip.error.largest_exact, 0.75);
    EXPECT_EQ(chip.before_store->largest, 0);
    EXPECT_EQ(chip.before_store->largest_exact, 0.25);
  }
}

TEST(StoreProbe, LanesThatDoNotStoreHaveNoNote) {
  // Lanes with an even index store; the others keep x, which needs no rounding.
  const std::string source = sweep::tile_kernel(fmt::format(R"({}
SFPMOV L15, L2, 0
SFPLOADI L3, SHORT, 2
SFPAND VC=L3, VD=L2
SFPSETCC VC=L2, Mod1=LREG_EQ0)",
                                                            kThreeQuarters)) +
                             "SFPENCC 3, Mod1=EI_RI\n";
  // The predicate stays until the end, so only one access is made.
  std::string once = source;
  once.replace(once.find(".repeat 32"), 10, ".repeat 1");
  const Probed result = probe(Arch::Blackhole, once, Format::BF16, 0x3F80);
  unsigned rounded = 0;
  for (unsigned i = 0; i < tensors::kTileElements; ++i)
    rounded += result.rounded[i] == 0x3F81 ? 1 : 0;
  EXPECT_EQ(rounded, 16u) << "LReg[15] is twice the lane, so bit 1 is that of odd lanes";
  EXPECT_EQ(result.rounded[0], 0x3F81u);
  EXPECT_EQ(result.rounded[1], 0x3F80u) << "an odd column is not accessed";
  EXPECT_EQ(result.rounded[2], 0x3F80u) << "lane 1";
  EXPECT_EQ(result.rounded[4], 0x3F81u) << "lane 2";
}

TEST(StoreProbe, OddColumnsAreTheirOwn) {
  const std::string source = fmt::format(R"(
SFPLOAD L0, SRCB, ADDR_MOD_3, 2
{}
SFPSTORE L0, SRCB, ADDR_MOD_3, 2
)",
                                         kThreeQuarters);
  const Probed result = probe(Arch::Wormhole, source, Format::BF16, 0x3F80);
  for (unsigned i = 0; i < tensors::kTileElements; ++i)
    ASSERT_EQ(result.rounded[i], i < 64 && i % 2 == 1 ? 0x3F81u : 0x3F80u) << i;
}

TEST(StoreProbe, AStoreInAnotherModeTakesTheNoteAway) {
  const std::string source = fmt::format(R"(
SFPLOAD L0, BF16, ADDR_MOD_3, 0
{}
SFPSTORE L0, BF16, ADDR_MOD_3, 0
SFPSTORE L1, UINT16, ADDR_MOD_3, 4
SFPSTORE L0, BF16, ADDR_MOD_3, 4
SFPSTORE L0, BF16, ADDR_MOD_3, 8
SFPLOAD L2, UINT16, ADDR_MOD_3, 8
SFPSTORE L2, UINT16, ADDR_MOD_3, 8
)",
                                         kThreeQuarters);
  const Probed result = probe(Arch::Blackhole, source, Format::BF16, 0x3F80);
  EXPECT_EQ(result.rounded[0], 0x3F81u);
  EXPECT_EQ(result.rounded[64], 0x3F81u) << "the last store counts";
  EXPECT_EQ(result.rounded[128], 0x3F80u) << "the same bits, but stored as an integer";
}

// Rows 8 to 11 are the low halves of rows 0 to 3. The low half 0x007F is what the cell of 1.0 in
// BF16 is, mantissa in front of exponent, so that the bits there stay as they were.
TEST(StoreProbe, AStoreOf32BitsTakesTheNotesOfItsLowHalvesAway) {
  const std::string source = fmt::format(R"(
SFPLOAD L0, BF16, ADDR_MOD_3, 0
{}
SFPSTORE L0, BF16, ADDR_MOD_3, 8
SFPLOADI L2, UPPER, 0x3F80
SFPLOADI L2, LOWER, 0x007F
SFPSTORE L2, FP32, ADDR_MOD_3, 0
)",
                                         kThreeQuarters);
  const Probed result = probe(Arch::Blackhole, source, Format::BF16, 0x3F80);
  EXPECT_EQ(result.found[128], 0x3F80u);
  EXPECT_EQ(result.rounded[128], 0x3F80u);
}

TEST(StoreProbe, ScheduledStoresAreNoted) {
  // Macro 0: a product into LReg[VD] after the load, then a store of it.
  constexpr std::string_view kMacros = R"(
SFPLOADI  L1, UPPER, 0x3F80
SFPLOADI  L1, LOWER, 0xC000
SFPMAD    L1, L0, L9, L13, 0              // template 1: L1 * VB + 0
SFPLOADI  L0, LOWER, 0x8500
SFPLOADI  L0, UPPER, 0x1B00
SFPCONFIG 0, 4, 0
SFPCONFIG 0x010, 8, 1                     // stores in the mode of the load
SFPNOP
SFPLOADMACRO 0, 0, SRCB, ADDR_MOD_3, 0, 0
SFPNOP
SFPNOP
SFPNOP
SFPNOP
SFPNOP
SFPNOP
)";
  const Probed result = probe(Arch::Blackhole, kMacros, Format::BF16, 0x3F80);
  EXPECT_EQ(result.found[0], 0x3F80u);
  EXPECT_EQ(result.rounded[0], 0x3F81u);
  EXPECT_EQ(result.rounded[64], 0x3F80u) << "not accessed";
}

// Passes over runs against the conversion of one number, signs included.
TEST(TileCells, AreThoseOfEachNumber) {
  for (const Format format : formats::kFormats) {
    std::array<std::uint32_t, tensors::kTileElements> bits{}, back{};
    const std::uint32_t width = formats::is_32bit(format) ? 0xFFFFFFFF : 0xFFFF;
    for (unsigned i = 0; i < tensors::kTileElements; ++i)
      bits[i] = (i * 0x9E3779B1U ^ (i % 3 == 0 ? 0x80000000U : 0)) & width;
    Dst dst;
    dst.reset();
    tensors::load_cells(dst, format, 1, bits);
    tensors::read_cells(dst, format, 1, back);
    const bool wide = formats::is_32bit(format);
    for (unsigned i = 0; i < tensors::kTileElements; ++i) {
      const unsigned row =
          physical_dst_row(tensors::kTileDstRows + i / kDstColumns, wide, Dst16View::Rows);
      const std::uint32_t high = dst.cell[row][i % kDstColumns];
      const std::uint32_t stored = formats::from_value_bits(format, bits[i]);
      const std::uint32_t found =
          wide ? high << 16 | dst.cell[row + kDstLowHalf][i % kDstColumns] : high;
      ASSERT_EQ(found, stored) << formats::format_name(format) << " " << bits[i];
      ASSERT_EQ(back[i], formats::value_bits(format, stored)) << formats::format_name(format);
    }
  }
}

TEST(TileCells, OfRowsWithoutDataAreZeros) {
  for (const Format format : {Format::BF16, Format::FP32}) {
    std::array<std::uint32_t, tensors::kTileElements> bits{}, back{};
    bits.fill(0x3F80);
    Dst dst;
    dst.reset();
    dst.valid_bits.fill(~std::uint64_t{0});
    tensors::load_cells(dst, format, 1, bits);
    const bool wide = formats::is_32bit(format);
    for (unsigned row = 0; row < tensors::kTileDstRows; ++row) {
      const unsigned physical =
          physical_dst_row(tensors::kTileDstRows + row, wide, Dst16View::Rows);
      dst.set_valid(physical, false);
      tensors::read_cells(dst, format, 1, back);
      dst.set_valid(physical, true);
      for (unsigned i = 0; i < tensors::kTileElements; ++i)
        ASSERT_EQ(back[i], i / kDstColumns == row ? 0U : bits[i]) << row << " " << i;
    }
  }
}

TEST(TileCells, AreThoseOfTheMatrixOrderElsewhere) {
  for (const Format format : formats::kFormats) {
    std::array<std::uint32_t, tensors::kTileElements> bits{}, back{};
    for (unsigned i = 0; i < tensors::kTileElements; ++i) bits[i] = i; // a pattern of every format
    Dst dst;
    dst.reset();
    tensors::load_cells(dst, format, 2, bits);
    const tensors::Tile tile = read_tile(dst, format, 2);
    for (unsigned row = 0; row < tensors::kTileEdge; ++row) {
      for (unsigned column = 0; column < tensors::kTileEdge; ++column) {
        const tensors::DstPosition place = tensors::dst_position(0, row, column);
        ASSERT_EQ(tile[row * tensors::kTileEdge + column],
                  bits[place.row * kDstColumns + place.column])
            << formats::format_name(format);
      }
    }
    tensors::read_cells(dst, format, 2, back);
    EXPECT_EQ(back, bits) << formats::format_name(format);
    const unsigned last = 3 * tensors::kTileDstRows - 1;
    dst.set_valid(formats::is_32bit(format) ? adjust_row_32(last) : last, false);
    tensors::read_cells(dst, format, 2, back);
    EXPECT_EQ(back[tensors::kTileElements - 1], 0u) << "an invalid row reads as zero";
    EXPECT_EQ(back[tensors::kTileElements - kDstColumns - 1],
              bits[tensors::kTileElements - kDstColumns - 1]);
  }
}

} // namespace
} // namespace lanewise::execution
