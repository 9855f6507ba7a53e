// Programs of two cores that pass pages on, right, and with one order left out: it is
// found in any run, whatever comes first in it.
#include <gtest/gtest.h>

#include "launch/own_programs.h"
#include "run/grid/grid.h"

namespace lanewise::grid {
namespace {

using launch::LaunchOutcome;
using launch::text_of;
using tile::Order;

/// What a kernel does that is not right, and no other; in the kernels' texts by these numbers.
enum Mistake : std::uint32_t {
  kNone,
  kOtherNoc,   ///< the signal goes by the other NoC, without a barrier
  kPosted,     ///< the same, with a flush of writes that nobody answers
  kBarrier,    ///< none: with a barrier, it may go by the other NoC
  kNoWait,     ///< the receiver does not wait
  kNoRoom,     ///< the sender does not wait until its page is read
  kLostUpdate, ///< the receiver clears its semaphore after it has asked for more
  kTwoWriters  ///< both write to one page of DRAM
};

constexpr std::string_view kSend = R"(#include <cstdint>
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t mistake = get_arg_val<uint32_t>(1), x = get_arg_val<uint32_t>(2), y = get_arg_val<uint32_t>(3);
  constexpr auto to_args = TensorAccessorArgs<0>();
  const auto to = TensorAccessor(to_args, get_arg_val<uint32_t>(0), 1024);
  const uint32_t page = get_write_ptr(0);
  auto* const numbers = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(page);
  auto* const ready = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(0));
  for (uint32_t round = 1; round <= 3; ++round) {
    for (uint32_t i = 0; i < 256; ++i) numbers[i] = round; (void)numbers[255];
    if (mistake != 5 || round == 1) noc_semaphore_wait_min(ready, round);
    if (mistake == 2) {
      noc_async_write<1024, true, true>(page, get_noc_addr(x, y, page + 1024), 1024); // line 14
      noc_async_posted_writes_flushed();
    } else {
      noc_async_write(page, get_noc_addr(x, y, page + 1024), 1024); // line 17
    }
    if (mistake == 3) noc_async_write_barrier();
    const uint32_t noc = mistake >= 1 && mistake <= 3 ? 1 - noc_index : noc_index;
    noc_semaphore_inc(get_noc_addr(x, y, get_semaphore(1)), 1, noc); // line 21
    noc_async_write_barrier();
    noc_async_atomic_barrier(noc);
  }
  if (mistake == 7) noc_async_write_page(0, to, page);
  noc_async_write_barrier();
}
)";

constexpr std::string_view kTake = R"(#include <cstdint>
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t mistake = get_arg_val<uint32_t>(1), x = get_arg_val<uint32_t>(2), y = get_arg_val<uint32_t>(3);
  constexpr auto to_args = TensorAccessorArgs<0>();
  const auto to = TensorAccessor(to_args, get_arg_val<uint32_t>(0), 1024);
  const uint32_t page = get_write_ptr(0);
  auto* const numbers = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(page);
  auto* const sent = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(1));
  uint32_t sum = 0;
  noc_semaphore_inc(get_noc_addr(x, y, get_semaphore(0)), 1);
  for (uint32_t round = 1; round <= 3; ++round) {
    if (mistake != 4) noc_semaphore_wait(sent, 1);
    if (mistake != 6 && mistake != 4) noc_semaphore_set(sent, 0); // line 14
    for (uint32_t i = 0; i < 256; ++i) sum += numbers[256 + i]; // line 15
    if (round < 3) noc_semaphore_inc(get_noc_addr(x, y, get_semaphore(0)), 1);
    if (mistake == 6) noc_semaphore_set(sent, 0); // line 17
  }
  for (uint32_t i = 0; i < 256; ++i) numbers[i] = sum; (void)numbers[255];
  noc_async_write_page(0, to, page); // line 20
  noc_async_write_barrier();
  noc_async_atomic_barrier();
}
)";

class RacingPrograms : public launch::OwnHeadersTest {
 protected:
  void SetUp() override {
    OwnHeadersTest::SetUp();
    parse(R"({
      "grid": [2, 1],
      "buffers": [{"name": "to", "memory": "dram", "bytes": 1024, "page_bytes": 1024,
                   "format": "UInt32", "layout": "rows"}],
      "circular_buffers": [{"index": 0, "format": "UInt32", "pages": 2, "page_bytes": 1024,
                            "cores": [[0, 0, 1, 0]]}],
      "semaphores": [{"id": 0, "cores": [[0, 0, 1, 0]]}, {"id": 1, "cores": [[0, 0, 1, 0]]}],
      "kernels": [
        {"file": "send.cpp", "processor": "riscv_0", "cores": [[0, 0]],
         "compile_args": [{"accessor": "to"}],
         "runtime_args": [{"buffer": "to"}, 0, {"core_x": [1, 0]}, {"core_y": [1, 0]}]},
        {"file": "take.cpp", "processor": "riscv_0", "cores": [[1, 0]],
         "compile_args": [{"accessor": "to"}],
         "runtime_args": [{"buffer": "to"}, 0, {"core_x": [0, 0]}, {"core_y": [0, 0]}]}]})");
    for (programs::Kernel& kernel : program().kernels) kernel.file.clear();
    program().kernels[0].text = kSend;
    program().kernels[1].text = kTake;
    compile();
  }

  void compile() {
    auto ready = prepare(program(), {});
    ASSERT_TRUE(ready.has_value()) << to_string(ready.error());
    prepared = std::move(*ready);
  }

  /// The first place of each text in a kernel becomes another.
  void change(std::size_t kernel,
              const std::vector<std::pair<std::string_view, std::string_view>>& changes) {
    std::string& text = program().kernels[kernel].text;
    for (const auto& [from, to] : changes) {
      const std::size_t at = text.find(from);
      ASSERT_NE(at, std::string::npos) << from;
      text.replace(at, from.size(), to);
    }
    compile();
  }

  std::string run_with(Mistake mistake, const tile::ScheduleChoice& order) {
    for (programs::CoreProgram& core : prepared.cores)
      for (programs::Kernel& kernel : core.program.kernels) kernel.runtime_args[1] = mistake;
    auto outcome = grid::run(prepared, {.schedule = order});
    if (!outcome) return to_string(outcome.error());
    is_done = outcome->is_done();
    if (outcome->buffers[0].size() >= 4)
      std::memcpy(&result, outcome->buffers[0].data(), sizeof result);
    return text_of(*outcome);
  }

  /// In round robin, at random, and late.
  void expect_in_any_order(Mistake mistake, const std::vector<std::string>& parts) {
    for (const auto& [order, seed] :
         {std::pair(Order::RoundRobin, 0), {Order::Random, 1}, {Order::Adversarial, 0}}) {
      const std::string text =
          run_with(mistake, {.order = order, .seed = static_cast<std::uint64_t>(seed)});
      if (parts.empty()) {
        EXPECT_EQ(text, "");
      }
      for (const std::string& part : parts)
        EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
    }
  }

  Prepared prepared;
  bool is_done = false;
  std::uint32_t result = 0;
};

TEST_F(RacingPrograms, WhatIsPassedOnInOrderHasNoFinding) {
  expect_in_any_order(kNone, {});
  EXPECT_TRUE(is_done);
  EXPECT_EQ(result, 256U * (1 + 2 + 3));
  expect_in_any_order(kBarrier, {});
}

// The answer of an increment may still be under way when the receiver has already answered it.
TEST_F(RacingPrograms, AKernelWaitsForTheAnswersOfItsIncrements) {
  change(1, {{"  noc_async_atomic_barrier();\n", ""}});
  expect_in_any_order(kNone, {"has not waited for an increment", "[programs 3]"});
}

// The receiver has said that it has the page: it has left.
TEST_F(RacingPrograms, AnAnswerByASemaphoreSaysThatDataHaveLeft) {
  change(0,
         {{"    for (uint32_t i", "    noc_semaphore_wait_min(ready, round);\n    for (uint32_t i"},
          {"    noc_async_write_barrier();\n    noc", "    noc"}});
  expect_in_any_order(kNone, {});
}

TEST_F(RacingPrograms, ASignalByTheOtherNocIsFound) {
  expect_in_any_order(kOtherNoc, {"core (1, 0): brisc: loads from 0x", "where the data of ",
                                  ":17 of brisc of core (0, 0) may",
                                  "they go by channel 1 of NoC 1, and the signal of ",
                                  ":21 that it has waited for goes by "
                                  "channel 1 of NoC 0",
                                  "call noc_async_write_barrier() between ",
                                  "(tried: with it, this is gone)", "[programs 13]"});
}

TEST_F(RacingPrograms, APostedWriteIsNotThereOnceItHasLeft) {
  expect_in_any_order(kPosted, {":14 of brisc of core (0, 0) may", "without an answer",
                                "write with an answer (posted = false)",
                                "(tried: with it, this is gone)", "[programs 13]"});
}

TEST_F(RacingPrograms, AMissingWaitIsFound) {
  expect_in_any_order(kNoWait, {":15: UndefinedBehavior: core (1, 0): brisc: loads from 0x",
                                "raise a semaphore of core (1, 0) behind ",
                                "(tried: with it, this is gone) [programs 13]"});
}

TEST_F(RacingPrograms, APageThatIsFilledBeforeItIsReadIsFound) {
  expect_in_any_order(kNoRoom, {":17: UndefinedBehavior: core (0, 0): brisc: writes to 0x",
                                "may still need what is there", "[programs 13]"});
}

TEST_F(RacingPrograms, ASemaphoreThatIsClearedTooLateIsFound) {
  expect_in_any_order(kLostUpdate,
                      {":17: UndefinedBehavior: core (1, 0): brisc: stores to semaphore 1, 0x16010 "
                       "of its L1 (4 bytes), and the increment of ",
                       "one of the two is lost", "[programs 12]"});
}

TEST_F(RacingPrograms, TwoWritersToOnePageOfDramAreFound) {
  expect_in_any_order(kTwoWriters, {"writes to 0x",
                                    "of bank 0 of DRAM (1024 bytes), and the write "
                                    "of ",
                                    "nothing says whose data stay", "[programs 13]"});
}

// Another core reads the page that is packed, and writes over one that is unpacked.
TEST_F(RacingPrograms, WhatUnpackersAndPackersTouchIsSeen) {
  read_example("vector_add.json");
  program().grid = programs::Core{2, 1};
  programs::Kernel intruder;
  intruder.text = R"(#include <cstdint>
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t x = get_arg_val<uint32_t>(2), y = get_arg_val<uint32_t>(3);
  noc_async_read(get_noc_addr(x, y, get_arg_val<uint32_t>(0)), 0x100000, 64); // line 5
  noc_async_write(0x110000, get_noc_addr(x, y, get_arg_val<uint32_t>(1)), 64); // line 6
  noc_async_read_barrier();
  noc_async_write_barrier();
}
)";
  intruder.cores = {{.first = {1, 0}, .last = {1, 0}}};
  intruder.runtime_args = {0U, 0U, programs::PlaceOf{.core = {0, 0}},
                           programs::PlaceOf{.core = {0, 0}, .is_row = true}};
  program().kernels.push_back(intruder);
  auto ready = prepare(program(), {});
  ASSERT_TRUE(ready.has_value()) << to_string(ready.error());
  const auto address = [&](unsigned index) {
    const auto& rings = ready->cores[0].layout.circular_buffers;
    return std::ranges::find(rings, index, &programs::CbPlace::index)->address;
  };
  auto& args = ready->cores[1].program.kernels.back().runtime_args;
  args[0] = address(16);
  args[1] = address(0);
  const auto outcome = grid::run(*ready, {});
  ASSERT_TRUE(outcome.has_value()) << to_string(outcome.error());
  const std::string text = text_of(*outcome);
  for (const std::string part :
       {"unpack: unpacks ", "the packer of add.cpp:",
        "kernel.cpp:5: UndefinedBehavior: core (1, 0): brisc: has the NoC read from",
        "kernel.cpp:6 of brisc of core (1, 0)"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

} // namespace
} // namespace lanewise::grid
