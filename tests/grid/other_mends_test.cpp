// What is printed as a mend of data and signals that go different ways, of counts that are lost and
// of places that many write to, is made in the text of the kernels as it is printed.
#include "chips_by_day.h"
#include "grid/audited.h"
#include "grid/kernel_text.h"

namespace lanewise::grid {
namespace other_mends {

enum Mistake : std::uint32_t {
  kNone,
  kForeignData,   ///< by the NoC of the other core of the tile
  kForeignSignal, ///< the same, of the signal
  kChannel,       ///< the signal by a channel of its own
  kForeignMany,   ///< data to both by the other NoC, and a word to both
  kSingly,        ///< data to both, and a signal to each
  kToBoth,        ///< data to each, and a word to both
  kCleared,       ///< a count is cleared once others may go on with it
  kAtStart,       ///< a count is cleared that others may have raised
  kSet,           ///< two set what is counted
  kOnePlace       ///< two write to one place
};

constexpr std::string_view kSender = R"(#include <cstdint>
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t mistake = get_arg_val<uint32_t>(0), y = get_arg_val<uint32_t>(1);
  const uint32_t first = get_arg_val<uint32_t>(2), last = get_arg_val<uint32_t>(3);
  const uint32_t from = get_write_ptr(1), to = get_write_ptr(0), word = get_semaphore(1);
  auto* const ready = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(0));
  if (mistake == 8)
    noc_semaphore_set(ready, 0);
  *reinterpret_cast<volatile tt_l1_ptr uint32_t*>(word) = 1;
  for (uint32_t i = 0; i < 128; ++i) reinterpret_cast<volatile uint32_t*>(from)[i] = i;
  (void)*reinterpret_cast<volatile uint32_t*>(from);
  noc_semaphore_wait_min(ready, 2);
  if (mistake != 7) noc_semaphore_set(ready, 0);
  const uint64_t words = get_noc_multicast_addr(last, y, first, y, word);
  if (mistake == 4)
    noc_async_write_multicast(from, get_noc_multicast_addr(first, y, last, y, to), 512, 2, false, 0);
  else if (mistake == 5)
    noc_async_write_multicast(from, get_noc_multicast_addr(last, y, first, y, to), 512, 2);
  for (uint32_t x = first; x <= last; ++x) {
    const uint64_t there = get_noc_addr(x, y, to), signal = get_noc_addr(x, y, word);
    if (mistake == 1)
      noc_async_write(from, there, 512, 0);
    else if (mistake == 6)
      noc_async_write(from, get_noc_addr(x, y, to), 512);
    else if (mistake != 4 && mistake != 5)
      noc_async_write(from, there, 512);
    if (mistake == 2)
      noc_semaphore_inc(signal, 1, 0);
    else if (mistake == 3)
      noc_semaphore_inc(signal, 1, noc_index, 2);
    else if (mistake == 5)
      noc_semaphore_inc(get_noc_addr(x, y, word), 1);
    else if (mistake != 4 && mistake != 6)
      noc_semaphore_inc(signal, 1);
  }
  if (mistake == 4 || mistake == 6) noc_semaphore_set_multicast(word, words, 2);
  if (mistake == 7)
    noc_semaphore_set(ready, 0);
  noc_semaphore_wait_min(ready, 2);
  noc_async_full_barrier();
  noc_async_write_barrier(0);
  noc_async_atomic_barrier(0);
}
)";

constexpr std::string_view kReceiver = R"(#include <cstdint>
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t mistake = get_arg_val<uint32_t>(0), y = get_arg_val<uint32_t>(1);
  const uint32_t sender = get_arg_val<uint32_t>(2), own = get_arg_val<uint32_t>(3);
  const uint64_t ready = get_noc_addr(sender, y, get_semaphore(0));
  auto* const one = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(2));
  *one = 1;
  (void)*one;
  if (mistake == 9)
    noc_semaphore_set_remote(get_semaphore(2), ready);
  else
    noc_semaphore_inc(ready, 1);
  noc_async_full_barrier();
  noc_semaphore_wait_min(reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(1)), 1);
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 128; ++i) sum += reinterpret_cast<volatile uint32_t*>(get_write_ptr(0))[i];
  *reinterpret_cast<volatile uint32_t*>(get_write_ptr(1)) = sum;
  (void)*reinterpret_cast<volatile uint32_t*>(get_write_ptr(1));
  if (mistake == 10)
    noc_async_write(get_write_ptr(1), get_noc_addr(sender, y, get_write_ptr(2)), 16);
  noc_async_write_barrier();
  noc_semaphore_inc(ready, 1);
  noc_async_atomic_barrier();
}
)";

class OtherMends : public Audited, public ::testing::WithParamInterface<Arch> {
 protected:
  OtherMends() { arch = GetParam(); }

  void build() {
    make(R"({
      "grid": [3, 1],
      "buffers": [{"name": "none", "memory": "dram", "bytes": 64, "page_bytes": 64,
                   "format": "UInt32", "layout": "rows"}],
      "circular_buffers": [
        {"index": 0, "format": "UInt32", "pages": 1, "page_bytes": 512, "cores": [[0, 0, 2, 0]]},
        {"index": 1, "format": "UInt32", "pages": 1, "page_bytes": 512, "cores": [[0, 0, 2, 0]]},
        {"index": 2, "format": "UInt32", "pages": 2, "page_bytes": 16, "cores": [[0, 0, 2, 0]]}],
      "semaphores": [{"id": 0, "cores": [[0, 0, 2, 0]]}, {"id": 1, "cores": [[0, 0, 2, 0]]},
                     {"id": 2, "cores": [[0, 0, 2, 0]]}],
      "kernels": [
        {"file": "sender.cpp", "processor": "riscv_0", "noc": 1, "cores": [[0, 0]],
         "runtime_args": [0, {"core_y": [0, 0]}, {"core_x": [1, 0]}, {"core_x": [2, 0]}]},
        {"file": "receiver.cpp", "processor": "riscv_0", "noc": 1, "cores": [[1, 0, 2, 0]],
         "runtime_args_at": [
           {"core": [1, 0], "args": [0, {"core_y": [0, 0]}, {"core_x": [0, 0]}, 0]},
           {"core": [2, 0], "args": [0, {"core_y": [0, 0]}, {"core_x": [0, 0]}, 1]}]}]})",
         {sender, receiver});
  }

  /// Makes what is said behind "let both go the same way", at each line that it names.
  void go_the_same_way(const std::string& told) {
    const std::size_t begin = told.find("let both go the same way: ");
    ASSERT_NE(begin, std::string::npos) << told;
    const std::size_t end = told.find(" (tried: with it, this is gone)", begin);
    ASSERT_NE(end, std::string::npos) << told;
    const std::string said = told.substr(begin, end - begin);
    const std::size_t at = line_behind(said, " in ");
    std::smatch found;
    if (said.find("_multicast(), to a rectangle of its one receiver,") != std::string::npos) {
      change_line(sender, at, std::regex(R"((\w+)\((.*)get_noc_addr\((\w+), (\w+), (.*)\);)"),
                  "$1_multicast($2get_noc_multicast_addr($3, $4, $3, $4, $5, 1);");
    } else if (std::regex_search(said, found, std::regex(R"((?:noc|vc) = (\d))"))) {
      change_line(sender, at, std::regex(R"(\d\);)"), found[1].str() + ");");
    }
    if (said.find("and the corners the other way around") != std::string::npos)
      change_line(sender, at, std::regex(R"(addr\((\w+), (\w+), (\w+), (\w+),)"),
                  "addr($3, $4, $1, $2,");
  }

  void mend(std::uint32_t mistake, const std::string& told) {
    if (mistake <= kToBoth) return go_the_same_way(told);
    ASSERT_NE(told.find(" (tried: with it, this is gone)"), std::string::npos) << told;
    const std::size_t at = line_behind(told, "^[^ ]*?");
    std::smatch found;
    if (mistake == kCleared) {
      ASSERT_TRUE(std::regex_search(told, found,
                                    std::regex("call (noc_semaphore_inc.*) and "
                                               "(noc_async_atomic_barrier..) in place of")))
          << told;
      change_line(sender, at, std::regex("noc_semaphore_set.*"),
                  fmt::format("{{ {}; {}; }}", found[1].str(), found[2].str()));
    } else if (mistake == kAtStart) {
      ASSERT_NE(told.find("; leave kernel.cpp:"), std::string::npos) << told;
      change_line(sender, at, std::regex("noc_semaphore_set.*"), "{}");
    } else if (mistake == kSet) {
      ASSERT_NE(told.find("; let all of them increment it (tried"), std::string::npos) << told;
      change_line(receiver, at, std::regex("noc_semaphore_set_remote.*"),
                  "noc_semaphore_inc(ready, *one);");
    } else {
      ASSERT_TRUE(std::regex_search(told, found,
                                    std::regex("give each a place of its own, (\\d+) bytes apart")))
          << told;
      change_line(receiver, at, std::regex("get_write_ptr\\(2\\)"),
                  fmt::format("get_write_ptr(2) + {} * own", found[1].str()));
    }
  }

  std::string sender{kSender}, receiver{kReceiver};
};
INSTANTIATE_TEST_SUITE_P(Chips, OtherMends, ::testing::ValuesIn(chips_by_day(1)),
                         [](const auto& chip) {
                           return std::string(arch_params(chip.param).names.id);
                         });

TEST_P(OtherMends, WhatIsPrintedMendsTheKernels) {
  build();
  for (const auto& order : three_orders()) EXPECT_EQ(run_with(kNone, order), "");
  for (std::uint32_t mistake = kForeignData; mistake <= kOnePlace; ++mistake) {
    const std::string told = run_with(mistake, three_orders().front());
    ASSERT_NE(told, "") << mistake;
    mend(mistake, told);
  }
  build();
  for (std::uint32_t mistake = kNone; mistake <= kOnePlace; ++mistake) {
    for (const auto& order : three_orders()) {
      EXPECT_EQ(run_with(mistake, order), "") << mistake << "\n" << sender << receiver;
      EXPECT_TRUE(is_done) << mistake;
    }
  }
}

} // namespace other_mends
} // namespace lanewise::grid
