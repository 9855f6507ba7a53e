// The examples of a whole tile: what they leave in L1, and that no order of the threads changes it.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "chip/tile/program_run.h"
#include "chip/tile/races.h"
#include "number/tensors/l1_image.h"
#include "number/tensors/pattern.h"
#include "project.h"
#include "source/assembly/assembly.h"

namespace lanewise::cli {
namespace {

using tensors::L1Order;

class TileExamples : public testing::TestWithParam<Arch> {
 protected:
  TileProgram example(const std::string& name) const {
    const std::string path = in_project("examples/tile/") + name + "_" +
                             std::string(arch_params(GetParam()).names.id) + ".tt";
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    auto program = assembly::assemble_tile(GetParam(), text.str(), path);
    EXPECT_TRUE(program.has_value()) << (program ? "" : to_string(program.error()));
    return program ? *program : TileProgram();
  }

  static void put(tile::TileState& tile, std::uint32_t address, const tensors::Tensor& values) {
    const auto bytes = tensors::to_l1(*tensors::parse_l1_format("bf16"), L1Order::Tiles, values);
    std::ranges::copy(*bytes, tile.l1.bytes().begin() + address);
  }

  static tensors::Tensor take(const tile::TileState& tile, std::uint32_t address) {
    return *tensors::from_l1(*tensors::parse_l1_format("bf16"), L1Order::Tiles,
                             tile.l1.bytes().subspan(address, 2 * tensors::kTileElements),
                             {tensors::kTileEdge, tensors::kTileEdge});
  }

  tile::TileState run(const TileProgram& program, const tile::TileState& start) const {
    tile::Tile tile(GetParam());
    tile.state() = start;
    const auto result = tile::run_program(tile, program);
    EXPECT_TRUE(result.has_value() && result->blocked.empty());
    for (const Fault& fault : tile.faults()) ADD_FAILURE() << to_string(fault);
    return tile.state();
  }
};
INSTANTIATE_TEST_SUITE_P(BothChips, TileExamples, testing::ValuesIn(kArchs), [](const auto& each) {
  return std::string(arch_params(each.param).names.id);
});

TEST_P(TileExamples, ACopyIsTheSame) {
  const TileProgram program = example("datacopy");
  tile::TileState start = *tile::start_state(GetParam(), program);
  const tensors::Tensor values = *tensors::make_input("random:5", formats::Format::BF16);
  put(start, 0x20000, values);
  EXPECT_EQ(take(run(program, start), 0x30000), values);
}

/// [32, 2048] x [2048, 32]: every product is exact, sums are rounded in FP32, the result to BF16.
TEST_P(TileExamples, AProductOf64PairsOfTiles) {
  constexpr unsigned kInner = 2048, kEdge = tensors::kTileEdge;
  const TileProgram program = example("matmul");
  tile::TileState start = *tile::start_state(GetParam(), program);
  tensors::Tensor left{{kEdge, kInner}, {}, formats::Format::BF16},
      right{{kInner, kEdge}, {}, left.format};
  tensors::SplitMix64 random(3);
  for (unsigned i = 0; i < kEdge * kInner; ++i) {
    for (tensors::Tensor* each : {&left, &right}) {
      const double number = static_cast<double>(random() >> 40) / 0x1p23 - 1;
      each->bits.push_back(formats::round_to_bits(left.format, number));
    }
  }
  put(start, 0x20000, left);
  put(start, 0x60000, right);
  const tensors::Tensor found = take(run(program, start), 0xa0000);
  const auto number = [](const tensors::Tensor& tensor, unsigned i) {
    return formats::value_of_bits(tensor.format, tensor.bits[i]);
  };
  for (unsigned row = 0; row < kEdge; ++row) {
    for (unsigned column = 0; column < kEdge; ++column) {
      double sum = 0;
      for (unsigned k = 0; k < kInner; ++k)
        sum += number(left, row * kInner + k) * number(right, k * kEdge + column);
      EXPECT_NEAR(number(found, row * kEdge + column), sum, 0.1 + std::fabs(sum) / 128)
          << row << ", " << column;
    }
  }
}

TEST_P(TileExamples, NoOrderOfTheThreadsChangesThem) {
  for (const char* name : {"datacopy", "matmul"}) {
    const TileProgram program = example(name);
    tile::TileState start = *tile::start_state(GetParam(), program);
    put(start, 0x20000, *tensors::make_input("random:5", formats::Format::BF16));
    put(start, 0x60000, *tensors::make_input("random:6", formats::Format::BF16));
    const auto races = tile::find_races(start, program, {.orders = 100});
    ASSERT_TRUE(races.has_value());
    EXPECT_FALSE(races->differs.has_value()) << name;
  }
}

} // namespace
} // namespace lanewise::cli
