// A semaphore and a wait for it, where they are what is missing, are tried, and made in the text of
// the kernels as they are printed.
#include "chips_by_day.h"
#include "grid/audited.h"
#include "grid/kernel_text.h"

namespace lanewise::grid {
namespace awaited_mends {

enum Mistake : std::uint32_t {
  kNone,
  kNotAwaited, ///< nobody waits for the data
  kOfMany,     ///< the same of four writes that are looked at together
  kNotFree,    ///< data are written over what is still read, round after round
  kFilled,     ///< nobody waits for what the core before has read from DRAM
  kDeadlock    ///< the writer waits for what its reader says between two looks
};

constexpr std::string_view kSender = R"(#include <cstdint>
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t mistake = get_arg_val<uint32_t>(0), y = get_arg_val<uint32_t>(1);
  const uint32_t x = get_arg_val<uint32_t>(2), dram = get_arg_val<uint32_t>(3);
  const uint32_t from = get_write_ptr(1), to = get_write_ptr(0);
  const uint64_t there = get_noc_addr(x, y, to), told = get_noc_addr(x, y, get_semaphore(0));
  auto* const ready = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(1));
  auto* const added = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(3));
  const uint64_t raised = get_noc_addr(x, y, get_semaphore(3));
  uint32_t times = 0;
  for (uint32_t i = 0; i < 128; ++i) reinterpret_cast<volatile uint32_t*>(from)[i] = i;
  (void)*reinterpret_cast<volatile uint32_t*>(from);
  if (mistake == 1 || mistake == 5) {
    if (mistake == 5) noc_semaphore_wait_min(ready, 1);
    noc_async_write(from, there, 512);
  }
  if (mistake == 2) {
    for (uint32_t i = 0; i < 4; ++i) {
      noc_async_write(from + 128 * i, there + 128 * i, 128);
    }
  }
  if (mistake == 3) {
    for (uint32_t i = 0; i < 4; ++i) {
      noc_async_write(from, there, 512);
      noc_semaphore_inc(told, 1);
      noc_async_full_barrier();
    }
  }
  if (mistake == 4) {
    noc_async_read(get_noc_addr_from_bank_id<true>(0, dram), to, 64);
    noc_async_read_barrier();
  }
  noc_async_full_barrier();
}
)";

constexpr std::string_view kReceiver = R"(#include <cstdint>
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t mistake = get_arg_val<uint32_t>(0), y = get_arg_val<uint32_t>(1);
  const uint32_t x = get_arg_val<uint32_t>(2);
  const uint64_t ready = get_noc_addr(x, y, get_semaphore(1));
  const uint64_t raised = get_noc_addr(x, y, get_semaphore(3));
  auto* const told = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(0));
  auto* const added = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(3));
  const uint32_t* const data = reinterpret_cast<const uint32_t*>(get_write_ptr(0));
  uint32_t sum = 0, times = 0;
  if (mistake == 5) {
    for (uint32_t i = 0; i < 2; ++i) {
      sum += data[0];
      noc_semaphore_inc(ready, 1);
      noc_async_atomic_barrier();
    }
  }
  if (mistake == 1) {
    noc_semaphore_set(told, 5); // which no wait for another one may find
    for (uint32_t i = 0; i < 128; ++i) sum += data[i];
  }
  if (mistake == 2) {
    for (uint32_t i = 0; i < 128; ++i) sum += data[i];
  }
  if (mistake == 3) {
    for (uint32_t round = 0; round < 4; ++round) {
      noc_semaphore_wait_min(told, round + 1);
      for (uint32_t i = 0; i < 128; ++i) sum += data[i];
    }
  }
  if (mistake == 4) {
    noc_async_read(get_noc_addr(x, y, get_write_ptr(0)), get_write_ptr(1) + 256, 64);
    noc_async_read_barrier();
  }
  *reinterpret_cast<volatile uint32_t*>(get_write_ptr(1)) = sum;
}
)";

class AwaitedMends : public Audited, public ::testing::WithParamInterface<Arch> {
 protected:
  AwaitedMends() { arch = GetParam(); }

  void build() {
    make(R"({
      "grid": [2, 1],
      "buffers": [{"name": "seven", "memory": "dram", "bytes": 64, "page_bytes": 64,
                   "format": "UInt32", "layout": "rows"}],
      "circular_buffers": [
        {"index": 0, "format": "UInt32", "pages": 1, "page_bytes": 512, "cores": [[0, 0, 1, 0]]},
        {"index": 1, "format": "UInt32", "pages": 1, "page_bytes": 512, "cores": [[0, 0, 1, 0]]}],
      "semaphores": [{"id": 0, "cores": [[0, 0, 1, 0]]}, {"id": 1, "cores": [[0, 0, 1, 0]]},
                     {"id": 3, "cores": [[0, 0, 1, 0]]}],
      "kernels": [
        {"file": "sender.cpp", "processor": "riscv_0", "noc": 1, "cores": [[0, 0]],
         "runtime_args": [0, {"core_y": [0, 0]}, {"core_x": [1, 0]}, {"buffer": "seven"}]},
        {"file": "receiver.cpp", "processor": "riscv_1", "noc": 0, "cores": [[1, 0]],
         "runtime_args": [0, {"core_y": [0, 0]}, {"core_x": [0, 0]}]}]})",
         {sender, receiver});
  }

  /// Makes what is printed.
  void mend(std::uint32_t mistake, const std::string& told) {
    ASSERT_NE(told.find(" (tried: with it, this is gone)"), std::string::npos) << told;
    std::smatch found;
    ASSERT_TRUE(std::regex_search(
        told, found,
        std::regex(R"(raise a semaphore of core \((\d), 0\) behind [^:]*:(\d+)( and (\w+)\(\))?, )"
                   R"(and wait (?:for it|until it is (\d+)) before [^:]*:(\d+))"
                   R"((, but for its first time)?)")))
        << told;
    const bool is_of_sender = found[1] == "1";
    const std::string barrier = found[3].matched ? found[4].str() + "(); " : "";
    change_line(is_of_sender ? sender : receiver, std::stoul(found[2]), std::regex("^(.*)$"),
                "{ $1 " + barrier + "noc_semaphore_inc(raised, 1); noc_async_atomic_barrier(); }");
    const std::string least = found[5].matched   ? found[5].str()
                              : found[7].matched ? "times++"
                                                 : "++times";
    change_line(is_of_sender ? receiver : sender, std::stoul(found[6]), std::regex("^(.*)$"),
                "{ noc_semaphore_wait_min(added, " + least + "); $1 }");
    EXPECT_EQ(found[5].matched, mistake == kOfMany) << told;
    EXPECT_EQ(found[7].matched, mistake == kNotFree) << told;
    EXPECT_EQ(found[3].matched, mistake != kNotFree) << told;
  }

  std::string sender{kSender}, receiver{kReceiver};
};
INSTANTIATE_TEST_SUITE_P(Chips, AwaitedMends, ::testing::ValuesIn(chips_by_day(1)),
                         [](const auto& chip) {
                           return std::string(arch_params(chip.param).names.id);
                         });

TEST_P(AwaitedMends, WhatIsPrintedMendsTheKernels) {
  build();
  for (const auto& order : three_orders()) EXPECT_EQ(run_with(kNone, order), "");
  for (std::uint32_t mistake = kNotAwaited; mistake <= kFilled; ++mistake) {
    const std::string told = run_with(mistake, three_orders().front());
    ASSERT_NE(told, "") << mistake;
    mend(mistake, told);
  }
  build();
  for (std::uint32_t mistake = kNone; mistake <= kFilled; ++mistake) {
    for (const auto& order : three_orders()) {
      EXPECT_EQ(run_with(mistake, order), "") << mistake << "\n" << sender << receiver;
      EXPECT_TRUE(is_done) << mistake;
    }
  }
}

TEST_P(AwaitedMends, AWaitThatNeverEndsIsNotEnough) {
  build();
  const std::string told = run_with(kDeadlock, three_orders().front());
  EXPECT_NE(told.find("(tried: by itself, it is not enough)"), std::string::npos) << told;
  EXPECT_EQ(told.find("with it, this is gone"), std::string::npos) << told;
}

} // namespace awaited_mends
} // namespace lanewise::grid
