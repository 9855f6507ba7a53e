// Compute kernels with Lanewise's own headers: reductions, tiles out of rows and back, blocks of
// matrix products, Dst as a source, integers.
#include "launch/own_programs.h"

namespace lanewise::launch {
namespace {

class OwnCompute : public OnEachChip {
 protected:
  /// A program of so many tiles each of two buffers, whose compute kernel has this body between the
  /// wait for them and their end; it pushes its results itself.
  void make_kernel(const std::string& headers, const std::string& body, unsigned inputs,
                   unsigned outputs) {
    read_example("vector_add.json");
    for (programs::Buffer& buffer : program().buffers) buffer.bytes = std::uint64_t{2048} * inputs;
    program().buffers[2].bytes = std::uint64_t{2048} * outputs;
    for (programs::CircularBuffer& cb : program().circular_buffers)
      cb.bytes = std::uint64_t{2048} * (cb.indices[0].index == 16 ? outputs : inputs);
    for (programs::Kernel& kernel : program().kernels) {
      kernel.runtime_args.back() =
          kernel.processor == programs::Processor::Riscv0 ? outputs : inputs;
      if (kernel.processor != programs::Processor::Compute) continue;
      kernel.file.clear();
      kernel.text = headers + fmt::format(R"(
void kernel_main() {{
  cb_wait_front(0, {0});
  cb_wait_front(1, {0});
  cb_reserve_back(16, {1});
  {2}
  cb_pop_front(0, {0});
  cb_pop_front(1, {0});
}}
)",
                                          inputs, outputs, body);
    }
  }

  /// A matrix of one row of tiles as the bytes of its rows.
  static std::vector<std::uint8_t> rows_of(const Matrix& matrix) {
    std::vector<std::uint8_t> bytes;
    for (const float number : matrix.numbers) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, &number, sizeof bits);
      bytes.push_back(static_cast<std::uint8_t>(bits >> 16));
      bytes.push_back(static_cast<std::uint8_t>(bits >> 24));
    }
    return bytes;
  }
};
INSTANTIATE_TEST_SUITE_P(OnBothChips, OwnCompute, ::testing::ValuesIn(kArchs),
                         [](const auto& chip) {
                           return std::string(arch_params(chip.param).names.id);
                         });

TEST_P(OwnCompute, SumsOfRows) {
  read_example("row_sums.json");
  const Matrix x = whole_numbers(64, 96, 7, 2);
  program().buffers[0].contents = tiles_of(x);
  Matrix sums(64, 32);
  for (unsigned row = 0; row < 64; ++row)
    for (unsigned column = 0; column < 96; ++column) sums.at(row, 0) += x.at(row, column);
  expect_result(run(), sums, 1);
}

// A number by which all are multiplied stands in the scaler's first rows only; of a maximum, what
// Dst holds counts as well.
TEST_P(OwnCompute, SumsOfColumnsAndOfAllAndMaxima) {
  make_kernel(R"(#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/reduce.h")",
              R"(compute_kernel_hw_startup(0, 1, 16);
  tile_regs_acquire();
  reduce_init<PoolType::SUM, ReduceDim::REDUCE_COL>(0, 1, 16);
  reduce_tile<PoolType::SUM, ReduceDim::REDUCE_COL>(0, 1, 0, 0, 0);
  reduce_tile<PoolType::SUM, ReduceDim::REDUCE_COL>(0, 1, 1, 0, 0);
  reduce_init<PoolType::MAX, ReduceDim::REDUCE_COL>(0, 1, 16);
  reduce_tile<PoolType::MAX, ReduceDim::REDUCE_COL>(0, 1, 0, 1, 2);
  reduce_tile<PoolType::MAX, ReduceDim::REDUCE_COL>(0, 1, 1, 1, 2);
  tile_regs_commit();
  tile_regs_wait();
  pack_tile(0, 16);
  pack_tile(2, 16);
  tile_regs_release();
  tile_regs_acquire();
  reduce_init<PoolType::AVG, ReduceDim::REDUCE_SCALAR>(0, 1, 16);
  reduce_tile<PoolType::AVG, ReduceDim::REDUCE_SCALAR>(0, 1, 1, 1, 1);
  tile_regs_commit();
  tile_regs_wait();
  pack_tile(1, 16);
  tile_regs_release();
  reduce_uninit();
  cb_push_back(16, 3);)",
              2, 3);
  Matrix x = whole_numbers(64, 32, 8, 3);
  for (unsigned row = 0; row < 64; ++row) x.at(row, 5) = -static_cast<float>(row % 7) - 1;
  Matrix scaler(64, 32), expected(96, 32);
  for (unsigned tile = 0; tile < 2; ++tile)
    for (unsigned column = 0; column < 32; ++column)
      for (const unsigned row : {0U, 16U}) scaler.at(tile * 32 + row, column) = tile == 0 ? 2 : 1;
  for (unsigned column = 0; column < 32; ++column) {
    expected.at(32, column) = -100;
    for (unsigned row = 0; row < 64; ++row) {
      expected.at(0, column) += 2 * x.at(row, column);
      expected.at(32, column) = std::max(expected.at(32, column), x.at(row, column));
      if (row >= 32) expected.at(64, 0) += x.at(row, column);
    }
  }
  program().buffers[0].contents = tiles_of(x);
  program().buffers[1].contents = tiles_of(scaler);
  expect_result(run(), expected);
}

TEST_P(OwnCompute, TilesOutOfRows) {
  read_example("tilize.json");
  const Matrix x = whole_numbers(64, 64, 9, 100);
  program().buffers[0].contents = rows_of(x);
  expect_result(run(), x, 1);
}

// There and back: by the unpacker, by the packer, and by the packer in two columns.
TEST_P(OwnCompute, RowsOutOfTiles) {
  make_kernel(R"(#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/pack_untilize.h"
#include "api/compute/untilize.h")",
              R"(compute_kernel_hw_startup(0, 16);
  untilize_init(0);
  untilize_block<2>(0, 2, 16);
  untilize_uninit(0);
  cb_push_back(16, 2);
  pack_untilize_init<1, 2>(1, 16);
  tile_regs_acquire();
  copy_tile(1, 0, 1);
  copy_tile(1, 1, 2);
  tile_regs_commit();
  tile_regs_wait();
  pack_untilize_dest<1, 2>(16, 1, 0, 1);
  pack_untilize_dest<1, 2>(16, 1, 1, 2);
  tile_regs_release();
  pack_untilize_uninit(16);
  cb_push_back(16, 2);
  tile_regs_acquire();
  copy_tile(0, 1, 3);
  tile_regs_commit();
  tile_regs_wait();
  pack_tile(3, 16);
  tile_regs_release();
  cb_push_back(16, 1);)",
              2, 5);
  const Matrix x = whole_numbers(32, 64, 10, 100), y = whole_numbers(32, 64, 11, 100);
  program().buffers[0].contents = tiles_of(x);
  program().buffers[1].contents = tiles_of(y);
  const LaunchOutcome outcome = run();
  EXPECT_EQ(text_of(outcome), "");
  ASSERT_EQ(outcome.buffers.size(), 3U);
  std::vector<std::uint8_t> expected = rows_of(x);
  const auto append = [&expected](std::vector<std::uint8_t> more) {
    expected.insert(expected.end(), more.begin(), more.end());
  };
  append(rows_of(y));
  append({program().buffers[0].contents.begin() + 2048, program().buffers[0].contents.end()});
  EXPECT_EQ(outcome.buffers[2], expected);
}

TEST_P(OwnCompute, BlocksOfProductsAndDstAsASource) {
  make_kernel(R"(#include "api/compute/eltwise_binary.h"
#include "api/compute/matmul.h")",
              R"(mm_block_init(0, 1, 16, 0, 2, 1, 2);
  tile_regs_acquire();
  matmul_block(0, 1, 0, 0, 1, 0, 2, 1, 2);
  matmul_block(0, 1, 1, 2, 1, 0, 2, 1, 2);
  binary_dest_reuse_tiles_init<ELWSUB, EltwiseBinaryReuseDestType::DEST_TO_SRCB>(0);
  binary_dest_reuse_tiles<ELWSUB, EltwiseBinaryReuseDestType::DEST_TO_SRCB>(0, 2, 1);
  binary_dest_reuse_tiles_init<ELWMUL, EltwiseBinaryReuseDestType::DEST_TO_SRCA>(0);
  binary_dest_reuse_tiles<ELWMUL, EltwiseBinaryReuseDestType::DEST_TO_SRCA>(0, 3, 2);
  tile_regs_commit();
  tile_regs_wait();
  pack_tile_block(1, 16, 2);
  tile_regs_release();
  cb_push_back(16, 2);)",
              4, 2);
  for (programs::Kernel& kernel : program().kernels) kernel.compute.fp32_dest = true;
  // Tiles one below the other: 0 and 1 of the left factor, 2 and 3 of what comes afterwards; of the
  // right factor 0 and 1 are its upper row, 2 and 3 its lower one.
  Matrix left = whole_numbers(128, 32, 12, 1), right = whole_numbers(128, 32, 13, 1);
  Matrix expected(64, 32);
  for (unsigned tile = 0; tile < 2; ++tile) {
    for (unsigned row = 0; row < 32; ++row) {
      for (unsigned column = 0; column < 32; ++column) {
        float sum = 0;
        for (unsigned k = 0; k < 64; ++k)
          sum += left.at(k / 32 * 32 + row, k % 32) *
                 right.at((k / 32 * 2 + tile) * 32 + k % 32, column);
        const float other = left.at((2 + tile) * 32 + row, column);
        expected.at(tile * 32 + row, column) = tile == 0 ? other - sum : other * sum;
      }
    }
  }
  program().buffers[0].contents = tiles_of(left);
  program().buffers[1].contents = tiles_of(right);
  expect_result(run(), expected);
}

// Integers of 32 bits go straight to Dst, into both of its halves.
TEST_P(OwnCompute, Integers) {
  parse(R"({
    "buffers": [
      {"name": "x", "memory": "dram", "bytes": 12288, "page_bytes": 4096, "format": "Int32"},
      {"name": "y", "memory": "dram", "bytes": 12288, "page_bytes": 4096, "format": "Int32"}],
    "circular_buffers": [{"index": 0, "format": "Int32", "pages": 3}, {"index": 16, "format": "Int32", "pages": 3}],
    "kernels": [
      {"file": "examples/programs/kernels/read_one.cpp", "processor": "riscv_1",
       "compile_args": [{"accessor": "x"}], "runtime_args": [{"buffer": "x"}, 3]},
      {"text": "-", "processor": "compute", "compute": {"fp32_dest_acc_en": true}},
      {"file": "examples/programs/kernels/write.cpp", "processor": "riscv_0",
       "compile_args": [{"accessor": "y"}], "runtime_args": [{"buffer": "y"}, 3]}
    ]})");
  program().kernels[1].text = R"(#include "api/compute/add_int_sfpu.h"
#include "api/compute/binary_bitwise_sfpu.h"
#include "api/compute/eltwise_unary/eltwise_unary.h"
#include "api/compute/eltwise_unary/fill.h"
void kernel_main() {
  init_sfpu(0, 16);
  cb_wait_front(0, 3);
  for (int i = 0; i < 3; ++i) {
    tile_regs_acquire();
    copy_tile(0, i, 2);
    fill_tile_int<DataFormat::Int32>(1, 1000000007);
    add_int_tile<DataFormat::Int32>(1, 2, 1);
    bitwise_xor_binary_tile<DataFormat::Int32>(1, 2, 2);
    tile_regs_commit();
    cb_reserve_back(16, 1);
    tile_regs_wait();
    pack_tile(2, 16);
    tile_regs_release();
    cb_push_back(16, 1);
  }
  cb_pop_front(0, 3);
})";
  std::vector<std::uint32_t> numbers(3072), expected;
  for (std::uint32_t i = 0; i < 3072; ++i) {
    numbers[i] = 2654435761U * i;
    expected.push_back((1000000007U + numbers[i]) ^ numbers[i]);
  }
  const auto bytes_of = [](const std::vector<std::uint32_t>& words) {
    std::vector<std::uint8_t> bytes(4 * words.size());
    std::memcpy(bytes.data(), words.data(), bytes.size());
    return bytes;
  };
  program().buffers[0].contents = bytes_of(numbers);
  const LaunchOutcome outcome = run();
  EXPECT_EQ(text_of(outcome), "");
  ASSERT_EQ(outcome.buffers.size(), 2U);
  EXPECT_EQ(outcome.buffers[1], bytes_of(expected));
}

} // namespace
} // namespace lanewise::launch
