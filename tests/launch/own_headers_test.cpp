// Programs without a checkout: the examples, and kernels that use what else Lanewise's own headers
// have.
#include <cmath>

#include "launch/own_programs.h"

namespace lanewise::launch {
namespace {

class OwnHeaders : public OnEachChip {};
INSTANTIATE_TEST_SUITE_P(OnBothChips, OwnHeaders, ::testing::ValuesIn(kArchs),
                         [](const auto& chip) {
                           return std::string(arch_params(chip.param).names.id);
                         });

TEST_P(OwnHeaders, SumsOfTiles) {
  read_example("vector_add.json");
  const Matrix x = whole_numbers(128, 32, 3, 100), y = whole_numbers(128, 32, 4, 100);
  program().buffers[0].contents = tiles_of(x);
  program().buffers[1].contents = tiles_of(y);
  Matrix sum(128, 32);
  for (std::size_t i = 0; i < sum.numbers.size(); ++i) sum.numbers[i] = x.numbers[i] + y.numbers[i];
  for (const tile::Order order : {tile::Order::RoundRobin, tile::Order::Adversarial})
    expect_result(run({.schedule = {.order = order, .seed = 3}}), sum);
}

TEST_P(OwnHeaders, ProductsOfMatrices) {
  read_example("matmul.json");
  const Matrix left = whole_numbers(64, 96, 5, 1), right = whole_numbers(96, 64, 6, 2);
  program().buffers[0].contents = tiles_of(left);
  program().buffers[1].contents = tiles_of(right);
  Matrix product(64, 64);
  for (unsigned row = 0; row < 64; ++row)
    for (unsigned column = 0; column < 64; ++column)
      for (unsigned k = 0; k < 96; ++k)
        product.at(row, column) += left.at(row, k) * right.at(k, column);
  expect_result(run(), product);
}

// The function rounds to nearest, so that results are at most half a BF16 off, and its arithmetic
// is FP32's.
TEST_F(OwnHeadersTest, SfpiCodeOfAKernel) {
  read_example("smooth_relu.json");
  Matrix x(64, 32);
  for (std::size_t i = 0; i < x.numbers.size(); ++i)
    x.numbers[i] = -2.0F + static_cast<float>(i / 8) / 64.0F; // BF16s
  program().buffers[0].contents = tiles_of(x);
  const LaunchOutcome outcome = run();
  EXPECT_EQ(text_of(outcome), "");
  ASSERT_EQ(outcome.buffers.size(), 2U);
  Matrix y(64, 32);
  read_tiles(y, outcome.buffers[1]);
  for (std::size_t i = 0; i < x.numbers.size(); ++i) {
    const double in = x.numbers[i];
    const double exact = in < -1 ? 0 : in >= 1 ? in : in * (in + 1) * (in + 1) / 4;
    EXPECT_LE(std::abs(y.numbers[i] - exact), std::abs(exact) / 256 + 1e-7) << in;
  }
}

TEST_P(OwnHeaders, DataMovementAlone) {
  read_example("reverse.json");
  const LaunchOutcome outcome = run();
  EXPECT_EQ(text_of(outcome), "");
  EXPECT_EQ(outcome.prints, std::vector<std::string>{"brisc: first words add up to 828"});
  EXPECT_EQ(outcome.transactions, 16U);
  ASSERT_EQ(outcome.buffers.size(), 2U);
  for (std::uint32_t page = 0; page < 8; ++page) {
    std::array<std::uint32_t, 2> words{};
    std::memcpy(words.data(), outcome.buffers[1].data() + std::size_t{page} * 4096, 8);
    EXPECT_EQ(words[0], 100 + 7 - page);
    EXPECT_EQ(words[1], 100U);
  }
}

// One core reads more than a packet has, by a generator of addresses, and wakes the other, which
// writes it by objects; arguments of all kinds say where.
TEST_P(OwnHeaders, SemaphoresPacketsAndObjects) {
  parse(R"({
    "buffers": [
      {"name": "from", "memory": "dram", "bytes": 40960, "format": "UInt32", "layout": "rows", "input": "ramp:0:1023"},
      {"name": "to", "memory": "dram", "bytes": 40960, "page_bytes": 40960},
      {"name": "words", "memory": "dram", "bytes": 64}
    ],
    "circular_buffers": [{"index": 4, "format": "UInt32", "pages": 10}],
    "semaphores": [{"id": 1, "initial": 5}],
    "kernels": [
      {"text": "-", "processor": "riscv_0", "named_compile_args": {"step": 3},
       "common_runtime_args": [{"buffer": "from"}], "runtime_args": [4]},
      {"text": "-", "processor": "riscv_1", "compile_args": [{"accessor": "to"}],
       "runtime_args": [{"buffer": "to"}, {"buffer": "words"}]}
    ]})");
  program().kernels[0].text = R"(#include "dataflow_api.h"
void kernel_main() {
  const InterleavedAddrGen<true> from = {get_common_arg_val<uint32_t>(0), 40960};
  constexpr uint32_t step = get_named_compile_time_arg_val("step");
  noc_async_read_tile(0, from, get_write_ptr(get_arg_val<int>(0)));
  noc_async_read_barrier();
  noc_semaphore_inc(get_noc_addr(get_semaphore(1)), step);
  noc_async_atomic_barrier();
})";
  program().kernels[1].text = R"(#include "api/dataflow/noc.h"
void kernel_main() {
  auto* const semaphore = reinterpret_cast<volatile uint32_t*>(get_semaphore(1));
  noc_semaphore_wait(semaphore, 8);
  Noc noc;
  CircularBuffer pages(4);
  const auto to = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0));
  noc.async_write(pages, to, 40960, {}, {.page_id = 0});
  noc.async_write_barrier();
  noc_inline_dw_write(get_noc_addr(get_semaphore(1)), 77);
  noc_async_write_barrier();
  noc_async_write(get_semaphore(1), get_noc_addr_from_bank_id<true>(0, get_arg_val<uint32_t>(1)), 64);
  noc_async_full_barrier();
})";
  const LaunchOutcome outcome = run({.schedule = {.order = tile::Order::Random, .seed = 5}});
  EXPECT_TRUE(outcome.is_done()) << text_of(outcome);
  EXPECT_EQ(text_of(outcome), "");
  ASSERT_EQ(outcome.buffers.size(), 3U);
  EXPECT_EQ(outcome.buffers[1], outcome.buffers[0]);
  const auto word = [&](std::size_t buffer, std::size_t index) {
    std::uint32_t value = 0;
    std::memcpy(&value, outcome.buffers[buffer].data() + 4 * index, 4);
    return value;
  };
  // The tile of the pattern, ten times over.
  EXPECT_EQ(word(1, 1023), 1023U);
  EXPECT_EQ(word(1, 5 * 1024 + 7), 7U);
  EXPECT_EQ(word(2, 0), 77U);
  // Packets of 16384 and of 8192 bytes, there and back, and three more.
  EXPECT_EQ(outcome.transactions, GetParam() == Arch::Blackhole ? 2 * 3 + 3U : 2 * 5 + 3U);
}

// Of a row, a column and a transposed tile, in three tiles of a section, and the Vector Unit over
// them; with the older names of headers and of the entry.
TEST_P(OwnHeaders, BroadcastsTranspositionAndTilesOfDst) {
  make_program(R"(
  add_tiles_bcast<BroadcastType::ROW>(0, 1, 0, 0, 0);
  sub_bcast_cols_init_short(0, 1);
  sub_tiles_bcast_cols(0, 1, 0, 0, 1);
  transpose_wh_init_short(1);
  transpose_wh_tile(1, 0, 2);
  mul_binary_tile_init();
  mul_binary_tile(1, 2, 3);
  add_binary_tile_init();
  add_binary_tile(3, 0, 0);)");
  Matrix expected(32, 32);
  for (unsigned row = 0; row < 32; ++row)
    for (unsigned column = 0; column < 32; ++column)
      expected.at(row, column) = a.at(row, column) + b.at(0, column) +
                                 (a.at(row, column) - b.at(row, 0)) * b.at(column, row);
  expect_result(run(), expected);
}

TEST_F(OwnHeadersTest, PagesInGroupsAndInAnyOrder) {
  read_example("vector_add.json");
  const Matrix x = whole_numbers(128, 32, 3, 100);
  program().buffers[0].contents = tiles_of(x);
  for (programs::Kernel& kernel : program().kernels) {
    if (kernel.processor != programs::Processor::Compute) continue;
    kernel.file.clear();
    kernel.text = R"(#include "api/compute/eltwise_unary/eltwise_unary.h"
void kernel_main() {
  init_sfpu(0, 16);
  for (int pair = 0; pair < 2; ++pair) {
    cb_wait_front(0, 2);
    cb_wait_front(1, 2);
    tile_regs_acquire();
    copy_tile(0, 0, 5);
    copy_tile(0, 1, 6);
    tile_regs_commit();
    cb_pop_front(0, 2);
    cb_pop_front(1, 2);
    cb_reserve_back(16, 2);
    tile_regs_wait();
    pack_tile<true>(5, 16, 1);
    pack_tile<true>(6, 16, 0);
    tile_regs_release();
    cb_push_back(16, 2);
  }
})";
  }
  Matrix expected(128, 32); // tiles 1, 0, 3, 2
  for (unsigned row = 0; row < 128; ++row)
    for (unsigned column = 0; column < 32; ++column)
      expected.at(row ^ 32, column) = x.at(row, column);
  expect_result(run(), expected);
}

TEST_F(OwnHeadersTest, TheFidelityIsThatOfTheKernel) {
  make_program("  mul_tiles_init(0, 1);\n  mul_tiles(0, 1, 0, 0, 0);");
  for (float& number : a.numbers) number = 1.0F + 127.0F / 128; // all bits of a mantissa
  program().buffers[0].contents = tiles_of(a);
  Matrix expected(32, 32);
  for (std::size_t i = 0; i < expected.numbers.size(); ++i)
    expected.numbers[i] = a.numbers[i] * b.numbers[i]; // eight bits times three: rounded below
  for (const auto fidelity : {programs::Fidelity::HiFi4, programs::Fidelity::LoFi}) {
    for (programs::Kernel& kernel : program().kernels) kernel.compute.fidelity = fidelity;
    const LaunchOutcome outcome = run();
    EXPECT_EQ(text_of(outcome), "");
    ASSERT_EQ(outcome.buffers.size(), 3U);
    Matrix found(32, 32);
    read_tiles(found, outcome.buffers[2]);
    unsigned off = 0;
    for (std::size_t i = 0; i < expected.numbers.size(); ++i)
      if (std::abs(found.numbers[i] - expected.numbers[i]) > std::abs(expected.numbers[i]) / 128)
        ++off;
    // One phase has five bits of a mantissa in SrcA: 1.9375 in place of 1.9921875.
    if (fidelity == programs::Fidelity::LoFi) {
      EXPECT_GT(off, 900U);
    } else {
      EXPECT_EQ(off, 0U);
    }
  }
}

TEST_F(OwnHeadersTest, WhatIsNotThereIsRefusedByName) {
  make_program("  gcd_tile(0, 1, 2);");
  auto objects = compile();
  ASSERT_FALSE(objects.has_value());
  EXPECT_NE(objects.error().message.find("gcd_tile"), std::string::npos);
  EXPECT_NE(objects.error().remedy.find("give --metal DIR"), std::string::npos);
}

TEST_F(OwnHeadersTest, WhatOnlyARunKnowsIsRefusedAtTheKernelsLine) {
  make_program("  copy_tile_init(0);\n  copy_tile(0, 0, 8);");
  LaunchOutcome outcome = run();
  ASSERT_TRUE(outcome.failure.has_value());
  EXPECT_NE(outcome.failure->message.find("there is no tile of this number in a section of Dst"),
            std::string::npos)
      << outcome.failure->message;
  EXPECT_EQ(outcome.failure->line, 13U);
}

} // namespace
} // namespace lanewise::launch
