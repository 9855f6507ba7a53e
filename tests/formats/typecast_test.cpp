// Conversions between 16-bit and 32-bit formats in place, over all elements of a tile: in 32-bit
// Dst a 16-bit datum is the high half of a 32-bit one (ISA Dst, DBG_FEATURE_DISABLE bit 11).
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "number/tensors/tile_cells.h"
#include "run/execution/tile_machine.h"
#include "run/execution/tile_runner.h"
#include "sweep/sweep_doubles.h"

namespace lanewise::formats {
namespace {

/// A tile in which every element is another number.
tensors::Tensor every_element(Format format, std::uint32_t step) {
  tensors::Tensor tensor{
      .shape = {tensors::kTileEdge, tensors::kTileEdge}, .bits = {}, .format = format};
  for (std::uint32_t i = 0; i < tensors::kTileElements; ++i) tensor.bits.push_back(i * step);
  return tensor;
}

std::vector<std::uint32_t> converted(Arch arch, const std::string& source,
                                     const tensors::Tensor& input, Format dst, Format output) {
  const auto run =
      execution::run_on_tiles(arch, sweep::assembled(arch, source), std::span(&input, 1),
                              {.format = dst, .output_format = output});
  EXPECT_TRUE(run.has_value()) << (run ? "" : to_string(run.error()));
  if (!run) return {};
  EXPECT_TRUE(run->faults.empty());
  return run->output.bits;
}

class Typecast : public testing::TestWithParam<Arch> {};
INSTANTIATE_TEST_SUITE_P(Chips, Typecast, testing::ValuesIn(kArchs));

TEST_P(Typecast, Uint16To32Bits) {
  const tensors::Tensor input = every_element(Format::UINT16, 63);
  EXPECT_EQ(converted(GetParam(), sweep::tile_kernel("", "UINT16", "INT32"), input, Format::UINT32,
                      Format::UINT32),
            input.bits);
  std::vector<std::uint32_t> floats;
  for (const std::uint32_t x : input.bits)
    floats.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(x)));
  EXPECT_EQ(converted(GetParam(), sweep::tile_kernel("SFPCAST L0, L0, 0", "UINT16", "FP32"), input,
                      Format::FP32, Format::FP32),
            floats);
}

TEST_P(Typecast, Uint32To16Bits) {
  const tensors::Tensor input = every_element(Format::UINT32, 0x10003);
  std::vector<std::uint32_t> low;
  for (const std::uint32_t x : input.bits) low.push_back(x & 0xFFFF);
  EXPECT_EQ(converted(GetParam(), sweep::tile_kernel("", "INT32", "UINT16"), input, Format::UINT32,
                      Format::UINT16),
            low);
}

TEST_P(Typecast, HighHalvesAreReadAs16Bits) { // the upper half of an FP32 is a BF16
  const tensors::Tensor input = every_element(Format::UINT32, 0x30003);
  std::vector<std::uint32_t> high;
  for (const std::uint32_t x : input.bits)
    high.push_back((x >> 23 & 0xFF) == 0 ? 0 : x >> 16); // denormals are flushed
  EXPECT_EQ(
      converted(GetParam(), sweep::tile_kernel("", "BF16"), input, Format::UINT32, Format::BF16),
      high);
}

TEST_P(Typecast, AProgramCanSwitchItOff) { // then 16-bit rows lie elsewhere behind row 8
  const tensors::Tensor input = every_element(Format::UINT16, 63);
  const std::string off = ".cfg RISCV_DEBUG_REG_DBG_FEATURE_DISABLE 0\n";
  const auto found = converted(GetParam(), off + sweep::tile_kernel("", "UINT16", "INT32"), input,
                               Format::UINT32, Format::UINT32);
  ASSERT_EQ(found.size(), input.bits.size());
  EXPECT_TRUE(std::equal(found.begin(), found.begin() + tensors::kFaceEdge, input.bits.begin()));
  EXPECT_NE(found, input.bits);
}

TEST_P(Typecast, SweepsOfEitherKind) {
  const auto same = sweep::identity_reference();
  const auto narrowed = sweep::swept(
      std::vector{sweep::sweep_program(GetParam(), sweep::tile_kernel("", "INT32", "UINT16"))},
      same,
      {.format = Format::UINT32,
       .output_format = Format::UINT16,
       .space = {.range = sweep::SweepRange{0, 65535}}});
  EXPECT_EQ(narrowed.chips.at(0).error.largest, 0);
  const auto widened = sweep::swept(
      std::vector{sweep::sweep_program(GetParam(), sweep::tile_kernel("", "UINT16", "INT32"))},
      same, {.format = Format::UINT16, .output_format = Format::UINT32});
  EXPECT_EQ(widened.chips.at(0).error.largest, 0);
}

/// What configure() sets.
Dst16View view_for(const execution::TileRunOptions& options) {
  const auto machine = execution::TileMachine::prepare(Arch::Blackhole, Program{}, options);
  return machine.value()->state().config.dst16_view();
}

TEST(Dst16Views, AreWhatTheLibrarySets) { // docs/configuration.md
  for (const Format format : kFormats) {
    const auto expected = is_32bit(format) ? Dst16View::HighHalves : Dst16View::Rows;
    EXPECT_EQ(view_for({.format = format}), expected) << format_name(format);
    EXPECT_EQ(view_for({.format = Format::BF16, .output_format = format}), expected);
  }
  const auto source = [](DataFormat format) {
    return tensors::SourceInput{every_element(Format::FP32, 0), format};
  };
  EXPECT_EQ(view_for({.format = Format::FP32, .srca = source(DataFormat::Bf16)}), Dst16View::Rows);
  EXPECT_EQ(view_for({.format = Format::INT32, .srcb = source(DataFormat::Int8)}),
            Dst16View::HighHalves);
}

TEST(Dst16Views, HighHalvesLeaveRoomForEightTiles) {
  for (const Format format : kFormats)
    EXPECT_EQ(execution::dst_tiles(format, Dst16View::HighHalves), 8U);
  const tensors::Tensor input = every_element(Format::UINT16, 1);
  const std::vector<tensors::Tensor> nine(9, input);
  const auto run =
      execution::run_on_tiles(Arch::Blackhole, Program{}, nine, {.format = Format::UINT32});
  ASSERT_FALSE(run.has_value());
  EXPECT_NE(run.error().message.find("Dst holds 8 uint16 tiles"), std::string::npos);
}

TEST(Dst16Views, TilesAndCellsAgree) {
  for (const Format format : kFormats) {
    std::array<std::uint32_t, tensors::kTileElements> bits{}, back{};
    std::iota(bits.begin(), bits.end(), 0U);
    Dst dst;
    dst.reset();
    tensors::load_cells(dst, format, 3, bits, Dst16View::HighHalves);
    tensors::read_cells(dst, format, 3, back, Dst16View::HighHalves);
    EXPECT_EQ(back, bits) << format_name(format);
    const tensors::Tile tile = execution::read_tile(dst, format, 3, Dst16View::HighHalves);
    EXPECT_EQ(tile[tensors::kTileEdge + 1], bits[tensors::kFaceEdge + 1])
        << "the second row of the first face";
    Dst other;
    other.reset();
    execution::load_tile(other, format, 3, tile, Dst16View::HighHalves);
    EXPECT_TRUE(std::ranges::equal(std::span(&other.cell[0][0], kDstRows * kDstColumns),
                                   std::span(&dst.cell[0][0], kDstRows * kDstColumns)))
        << format_name(format);
    dst.set_valid(adjust_row_32(3 * tensors::kTileDstRows + 9), false);
    tensors::read_cells(dst, format, 3, back, Dst16View::HighHalves);
    EXPECT_EQ(back[9 * kDstColumns + 4], 0U) << format_name(format);
  }
}

} // namespace
} // namespace lanewise::formats
