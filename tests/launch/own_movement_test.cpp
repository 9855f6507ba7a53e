// Kernels that move data with Lanewise's own headers: reads and writes with a state, transaction
// ids, sharded buffers, multicasts.
#include "launch/own_programs.h"

namespace lanewise::launch {
namespace {

class OwnMovement : public OnEachChip {
 protected:
  /// 8 KiB in DRAM, from one buffer to another, with a sharded buffer of 4 KiB in L1.
  void make_program(const std::string& text) {
    parse(R"({
      "buffers": [
        {"name": "from", "memory": "dram", "bytes": 8192, "page_bytes": 8192, "format": "UInt32", "layout": "rows",
         "input": "ramp:0:1023"},
        {"name": "to", "memory": "dram", "bytes": 8192, "page_bytes": 8192},
        {"name": "shard", "memory": "l1", "bytes": 4096, "page_bytes": 512, "sharded": true}],
      "circular_buffers": [{"index": 4, "format": "UInt32", "pages": 2}],
      "kernels": [{"text": "-", "processor": "riscv_0",
        "compile_args": [{"accessor": "from"}, {"accessor": "shard"}, {"accessor": "to"}],
        "runtime_args": [{"buffer": "from"}, {"buffer": "shard"}, {"buffer": "to"}]}]})");
    program().kernels[0].text = R"(#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  constexpr auto from_args = TensorAccessorArgs<0>();
  constexpr auto shard_args = TensorAccessorArgs<from_args.next_compile_time_args_offset()>();
  constexpr auto to_args = TensorAccessorArgs<shard_args.next_compile_time_args_offset()>();
  const auto shard = TensorAccessor(shard_args, get_arg_val<uint32_t>(1));
  const uint64_t from = TensorAccessor(from_args, get_arg_val<uint32_t>(0)).get_noc_addr(0);
  const uint64_t to = TensorAccessor(to_args, get_arg_val<uint32_t>(2)).get_noc_addr(0);
  const uint32_t there = static_cast<uint32_t>(from), here = static_cast<uint32_t>(to);
  cb_reserve_back(4, 2);
  const uint32_t page = get_write_ptr(4);
)" + text + "\n}\n";
  }
  /// Words of the result.
  std::vector<std::uint32_t> words(const LaunchOutcome& outcome) {
    std::vector<std::uint32_t> result(2048);
    if (outcome.buffers.size() > 1 && outcome.buffers[1].size() == 8192)
      std::memcpy(result.data(), outcome.buffers[1].data(), 8192);
    return result;
  }
};
INSTANTIATE_TEST_SUITE_P(OnBothChips, OwnMovement, ::testing::ValuesIn(kArchs),
                         [](const auto& chip) {
                           return std::string(arch_params(chip.param).names.id);
                         });

// Four reads of 1 KiB in reverse order, and one of 4 KiB; back in the same way, in two parts.
TEST_P(OwnMovement, ReadsAndWritesWithAState) {
  make_program(R"(
  noc_async_read_one_packet_set_state(from, 1024);
  for (uint32_t i = 0; i < 4; ++i)
    noc_async_read_one_packet_with_state(there + 1024 * (3 - i), page + 1024 * i);
  noc_async_read_set_state(from);
  noc_async_read_with_state(there + 4096, page + 4096, 4096);
  noc_async_read_barrier();
  noc_async_write_one_packet_set_state(to, 2048);
  noc_async_write_one_packet_with_state(page, here);
  noc_async_write_one_packet_with_state(page + 2048, here + 2048);
  noc_async_write_barrier();
  noc_async_write_one_packet_set_state<true>(to, 4096);
  noc_async_write_one_packet_with_state<true>(page + 4096, here + 4096);
  noc_async_posted_writes_flushed();)");
  const LaunchOutcome outcome = run({.schedule = {.order = tile::Order::Random, .seed = 7}});
  EXPECT_EQ(text_of(outcome), "");
  EXPECT_EQ(outcome.transactions, 8U);
  const auto result = words(outcome);
  for (std::uint32_t i = 0; i < 2048; ++i) {
    const std::uint32_t source = i < 1024 ? (3 - i / 256) * 256 + i % 256 : i;
    ASSERT_EQ(result[i], source % 1024) << i;
  }
}

// Each transaction id is waited for by itself; what was not waited for is told.
TEST_P(OwnMovement, TransactionIds) {
  make_program(R"(
  noc_async_read_set_trid(3);
  noc_async_read(from, page, 4096);
  noc_async_read_set_trid(4);
  noc_async_read(from + 4096, page + 4096, 4096);
  noc_async_read_barrier_with_trid(3);
  noc_async_write_one_packet_with_trid(page, to, 4096, 5);
  noc_async_read_barrier_with_trid(4);
  noc_async_read_set_trid(0);
  noc_async_write_flushed_with_trid(5);
  noc_async_write_one_packet_with_trid_set_state(to);
  noc_async_write_one_packet_with_trid_with_state(page + 4096, here + 4096, 4096, 6);
  noc_async_write_barrier_with_trid(6);
  noc_async_write_barrier_with_trid(5);
  reset_noc_trid_barrier_counter(1 << 5);
  noc_async_write_set_trid(7);
  noc_async_write(page, to, 64);)");
  const LaunchOutcome outcome = run({.schedule = {.order = tile::Order::Adversarial, .seed = 1}});
  const std::string text = text_of(outcome);
  EXPECT_NE(text.find("[programs 3]"), std::string::npos) << text;
  EXPECT_EQ(outcome.faults.size(), 1U) << text;
  EXPECT_EQ(outcome.faults.front().line, 28U) << text;
  const auto result = words(outcome);
  for (std::uint32_t i = 0; i < 2048; ++i) ASSERT_EQ(result[i], i % 1024) << i;
}

TEST_P(OwnMovement, PagesOfAShardedBuffer) {
  make_program(R"(
  noc_async_read(from, page, 4096);
  noc_async_read_barrier();
  for (uint32_t i = 0; i < 8; ++i)
    noc_async_write_page(7 - i, shard, page + 512 * i);
  noc_async_write_barrier();
  noc_async_write(get_arg_val<uint32_t>(1), to, 4096);
  noc_async_write_barrier();)");
  const LaunchOutcome outcome = run();
  EXPECT_EQ(text_of(outcome), "");
  const auto result = words(outcome);
  for (std::uint32_t i = 0; i < 1024; ++i) ASSERT_EQ(result[i], (7 - i / 128) * 128 + i % 128) << i;
}

// A rectangle that is the sender alone is undefined on silicon: the NoC says that there are no
// more.
TEST_P(OwnMovement, AMulticastIsRefusedWhereItIsSent) {
  make_program(R"(
  const uint64_t all = get_noc_multicast_addr(my_x[0], my_y[0], my_x[0], my_y[0], page);
  noc_async_write_multicast_loopback_src(page, all, 64, 1);)");
  const LaunchOutcome outcome = run();
  ASSERT_TRUE(outcome.failure.has_value());
  EXPECT_NE(outcome.failure->message.find("sends to a rectangle of cores"), std::string::npos)
      << outcome.failure->message;
  EXPECT_EQ(outcome.failure->line, 14U);
}

} // namespace
} // namespace lanewise::launch
