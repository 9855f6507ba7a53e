// A chain of three cores: what comes is copied, added up, passed on, and its place given back. And
// what threads on tt-metal describe of counts that say too early that data have come.
#include "grid/audited.h"

namespace lanewise::grid {
namespace credits {

enum Mistake : std::uint32_t {
  kNone,
  kOtherNoc,       ///< counts by the other NoC than the data
  kFlushed,        ///< the same, once the data have left
  kForwardedEarly, ///< passes on what it reads before it has come
  kNoRoom,         ///< sends before the place is free
  kResetLate,      ///< clears its count once others may raise it
  kResetFirst,     ///< clears its count at its start
  kElsewhere,      ///< data to one core, and a count to another that reads them there
  kElsewhereRight, ///< none: with a barrier in between
  kResetInTime,    ///< none: clears its count before others may raise it
  kAnswered        ///< none: a barrier, and then the other NoC
};

constexpr std::string_view kChain = R"(#include <cstdint>
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t mistake = get_arg_val<uint32_t>(0), own = get_arg_val<uint32_t>(3);
  const uint32_t last = get_arg_val<uint32_t>(4), next = get_arg_val<uint32_t>(5);
  const uint32_t y = get_arg_val<uint32_t>(6), third = get_arg_val<uint32_t>(7);
  constexpr auto from_args = TensorAccessorArgs<0>();
  constexpr auto to_args = TensorAccessorArgs<from_args.next_compile_time_args_offset()>();
  const auto from = TensorAccessor(from_args, get_arg_val<uint32_t>(1), 1024);
  const auto to = TensorAccessor(to_args, get_arg_val<uint32_t>(2), 1024);
  const uint32_t place = get_write_ptr(0), copy = place + 1024;
  auto* const come = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(0));
  auto* const room = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(1));
  auto* const words = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(copy);
  const bool resets = mistake == 5 || mistake == 9;
  const bool is_elsewhere = mistake == 7 || mistake == 8;
  uint32_t sum = 0;
  if (mistake == 6 && own == 1) noc_semaphore_set(come, 0); // line 18
  for (uint32_t round = 1; round <= (is_elsewhere ? 1 : 3); ++round) {
    if (own == 0) {
      noc_async_read_page(0, from, copy);
      noc_async_read_barrier();
    } else if (!is_elsewhere || own == 2) {
      noc_semaphore_wait_min(come, resets ? 1 : round);
      if (mistake == 9) noc_semaphore_set(come, 0);
      noc_async_read(get_noc_addr(is_elsewhere ? last : third - 2 + own, y, place), copy, 1024); // line 26
      if (mistake != 3) noc_async_read_barrier();
      if (mistake != 3) for (uint32_t i = 0; i < 256; ++i) sum += words[i];
      noc_semaphore_inc(get_noc_addr(last, y, get_semaphore(1)), 1); // line 29
      if (mistake == 5) noc_semaphore_set(come, 0); // line 30
    }
    if (own == 2 || (is_elsewhere && own == 1)) continue;
    if (mistake != 4) noc_semaphore_wait_min(room, round - 1);
    noc_async_write(copy, get_noc_addr(next, y, place), 1024); // line 34
    if (mistake == 2) noc_async_writes_flushed();
    if (mistake == 8 || mistake == 10) noc_async_write_barrier();
    const uint32_t noc = mistake == 1 || mistake == 2 || mistake == 10 ? 1 - noc_index : noc_index;
    noc_semaphore_inc(get_noc_addr(is_elsewhere ? third : next, y, get_semaphore(0)), 1, noc); // line 38
    noc_async_atomic_barrier(noc);
    noc_async_write_barrier();
  }
  noc_async_full_barrier();
  for (uint32_t i = 0; i < 256; ++i) words[i] = sum; (void)words[255];
  noc_async_write_page(own, to, copy);
  noc_async_write_barrier();
}
)";

class AuditedCredits : public Audited {
 protected:
  void SetUp() override {
    Audited::SetUp();
    const auto args = [](int own, int last, int next) {
      return fmt::format(
          R"({{"core": [{}, 0], "args": [0, {{"buffer": "from"}}, {{"buffer": "to"}}, {},
                             {{"core_x": [{}, 0]}}, {{"core_x": [{}, 0]}}, {{"core_y": [0, 0]}},
                             {{"core_x": [2, 0]}}]}})",
          own, own, last, next);
    };
    make(fmt::format(R"({{
      "grid": [3, 1],
      "buffers": [{{"name": "from", "memory": "dram", "bytes": 1024, "page_bytes": 1024,
                   "format": "UInt32", "layout": "rows"}},
                  {{"name": "to", "memory": "dram", "bytes": 3072, "page_bytes": 1024,
                   "format": "UInt32", "layout": "rows"}}],
      "circular_buffers": [{{"index": 0, "format": "UInt32", "pages": 2, "page_bytes": 1024,
                            "cores": [[0, 0, 2, 0]]}}],
      "semaphores": [{{"id": 0, "cores": [[0, 0, 2, 0]]}}, {{"id": 1, "cores": [[0, 0, 2, 0]]}}],
      "kernels": [{{"file": "chain.cpp", "processor": "riscv_0", "cores": [[0, 0, 2, 0]],
                   "compile_args": [{{"accessor": "from"}}, {{"accessor": "to"}}],
                   "runtime_args_at": [{}, {}, {}]}}]}})",
                     args(0, 0, 1), args(1, 0, 2), args(2, 1, 2)),
         {kChain});
  }
};

// 50812, 48478: a count behind data, by the same NoC and channel to the same core, is in order.
TEST_F(AuditedCredits, WhatIsCountedInOrderHasNoFinding) {
  for (const std::uint32_t version : {kNone, kResetInTime, kAnswered}) {
    expect_right(version, {0});
    EXPECT_EQ(words[256], 3U * 256 * 7) << version;
    EXPECT_EQ(words[512], 3U * 256 * 7) << version;
  }
  expect_right(kElsewhereRight, {0});
  EXPECT_EQ(words[512], 256U * 7);
}

// 50154 (the first of it): a count leaves by another way than the data that it stands for.
TEST_F(AuditedCredits, ACountByTheOtherNocIsFound) {
  expect_found(kOtherNoc, {":26: UndefinedBehavior: core (1, 0): brisc: has the NoC read from 0x",
                           ":34 of brisc of core (0, 0) may still be under way",
                           "goes by channel 1 of NoC 0", "call noc_async_write_barrier() between ",
                           "tried: with it, this is gone", "[programs 13]"});
}

// 55555: a flush says that data have left, not that they are there.
TEST_F(AuditedCredits, AFlushInBetweenIsNotEnough) {
  expect_found(kFlushed, {":26: ", ":34 of brisc of core (0, 0) may still be under way",
                          "call noc_async_write_barrier() between ", "[programs 13]"});
}

// 50973: what a read brings is sent on.
TEST_F(AuditedCredits, WhatIsForwardedBeforeItHasComeIsFound) {
  expect_found(kForwardedEarly, {":34: UndefinedBehavior: core (1, 0): brisc: asks for a write",
                                 "while the read of line 26 into it is still under way",
                                 "call noc_async_read_barrier() first", "[programs 1]"});
}

TEST_F(AuditedCredits, APlaceThatIsNotFreeIsFound) {
  expect_found(kNoRoom, {":34: UndefinedBehavior: core (0, 0): brisc: writes to 0x",
                         ":26 of brisc of core (1, 0) may still need what is there",
                         "raise a semaphore of core (0, 0) behind ", "[programs 13]"});
}

// 50793 (50154, 15): a reduce-scatter clears its count at the end of each batch.
TEST_F(AuditedCredits, ACountThatIsClearedTooLateIsFound) {
  expect_found(kResetLate,
               {":30: UndefinedBehavior: core (1, 0): brisc: stores to semaphore 0",
                "the increment of ", "one of the two is lost", "in place of ",
                "(tried: with it, this is gone), or raise a semaphore of core (0, 0) behind ",
                ", but for its first time (tried: with it, this is gone) [programs 12]"});
}

// 48534: an argmax clears its count at its start, when others may be ahead.
TEST_F(AuditedCredits, ACountThatIsClearedAtTheStartIsFound) {
  expect_found(kResetFirst, {":18: UndefinedBehavior: core (1, 0): brisc: stores to semaphore 0",
                             "one of the two is lost", "[programs 12]"});
}

// 19777: data to one core, and a signal to another that reads them there.
TEST_F(AuditedCredits, DataElsewhereThanTheirCountAreFound) {
  expect_found(kElsewhere,
               {":26: UndefinedBehavior: core (2, 0): brisc: has the NoC read from 0x",
                "of L1 of core (1, 0)", ":34 of brisc of core (0, 0) may still be under way",
                "call noc_async_write_barrier() between ", "[programs 13]"});
}

} // namespace credits
} // namespace lanewise::grid
