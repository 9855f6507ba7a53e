// A buffer that is moved by one page within itself: two cores read a page each, a third lets them
// go on once both have, and they write. The second then adds up what both have written. And what
// threads on tt-metal describe that such kernels leave behind at their end, or do too early.
#include "grid/audited.h"

namespace lanewise::grid {
namespace exits {

enum Mistake : std::uint32_t {
  kNone,
  kAtomicAtExit,    ///< ends behind an increment that nobody has answered
  kMulticastAtExit, ///< ends behind a word to many cores
  kWrongAtExit,     ///< the same, behind a barrier of atomics
  kWriteAtExit,     ///< ends behind a write to DRAM
  kReadAtExit,      ///< ends behind a read
  kNoBarrier,       ///< data to DRAM, and a word to who reads them there
  kFlushOnly,       ///< the same, with a flush in between
  kNoWait,          ///< reads DRAM without a word
  kNoGo,            ///< writes before all have read
  kTooFew,          ///< lets them go on once one has
  kBothWrite,       ///< both write to one page
  kBeyondEnd,       ///< writes to a page that the buffer does not have
  kFlushedAtExit,   ///< none: what has left may come after the end
  kAnswered         ///< ends behind an increment that another signal has answered
};

constexpr std::string_view kControl = R"(#include <cstdint>
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t mistake = get_arg_val<uint32_t>(0), y = get_arg_val<uint32_t>(3);
  auto* const ready = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(0));
  auto* const go = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(1));
  noc_semaphore_wait_min(ready, mistake == 10 ? 1 : 2);
  noc_semaphore_set(go, 1);
  const uint64_t both = get_noc_multicast_addr(get_arg_val<uint32_t>(2), y, get_arg_val<uint32_t>(1), y, get_semaphore(1));
  noc_semaphore_set_multicast(get_semaphore(1), both, 2); // line 10
  if (mistake == 3) noc_async_atomic_barrier();
  else if (mistake == 13) noc_async_writes_flushed();
  else if (mistake != 2) noc_async_write_barrier();
}
)";

constexpr std::string_view kMove = R"(#include <cstdint>
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t mistake = get_arg_val<uint32_t>(0), own = get_arg_val<uint32_t>(2);
  const uint32_t x = get_arg_val<uint32_t>(3), y = get_arg_val<uint32_t>(4), last = get_arg_val<uint32_t>(5);
  constexpr auto all_args = TensorAccessorArgs<0>();
  const auto all = TensorAccessor(all_args, get_arg_val<uint32_t>(1), 1024);
  const uint32_t page = get_write_ptr(0), other = page + 1024;
  auto* const words = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(page);
  auto* const go = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(1));
  auto* const done = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(2));
  noc_async_read_page(own, all, page); // line 12
  noc_async_read_barrier();
  noc_semaphore_inc(get_noc_addr(x, y, get_semaphore(0)), 1); // line 14
  if (mistake != 14) noc_async_atomic_barrier();
  if (mistake != 9) noc_semaphore_wait(go, 1);
  if (mistake == 5 && own == 0) noc_async_read_page(0, all, other); // line 17
  const uint32_t to = mistake == 11 ? 1 : mistake == 12 ? own + 3 : own + 1;
  noc_async_write_page(to, all, page); // line 19
  if (own == 0) {
    if (mistake == 7) noc_async_writes_flushed();
    else if (mistake != 6) noc_async_write_barrier();
    noc_semaphore_inc(get_noc_addr(last, y, get_semaphore(2)), 1); // line 23
    if (mistake != 1) noc_async_atomic_barrier();
    noc_async_write_barrier();
    return;
  }
  noc_async_write_barrier();
  if (mistake != 8) noc_semaphore_wait(done, 1);
  noc_async_read_page(1, all, other); // line 30
  noc_async_read_barrier();
  auto* const others = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(other);
  for (uint32_t i = 0; i < 256; ++i) others[i] = words[i] + others[i]; (void)others[255];
  noc_async_write_page(3, all, other); // line 34
  if (mistake != 4) noc_async_write_barrier();
}
)";

class AuditedExits : public Audited {
 protected:
  void SetUp() override {
    Audited::SetUp();
    make(R"({
      "grid": [3, 1],
      "buffers": [{"name": "all", "memory": "dram", "bytes": 4096, "page_bytes": 1024,
                   "format": "UInt32", "layout": "rows"}],
      "circular_buffers": [{"index": 0, "format": "UInt32", "pages": 2, "page_bytes": 1024,
                            "cores": [[1, 0, 2, 0]]}],
      "semaphores": [{"id": 0, "cores": [[0, 0, 2, 0]]}, {"id": 1, "cores": [[0, 0, 2, 0]]},
                     {"id": 2, "cores": [[0, 0, 2, 0]]}],
      "kernels": [
        {"file": "control.cpp", "processor": "riscv_0", "cores": [[0, 0]],
         "runtime_args": [0, {"core_x": [1, 0]}, {"core_x": [2, 0]}, {"core_y": [0, 0]}]},
        {"file": "move.cpp", "processor": "riscv_0", "cores": [[1, 0, 2, 0]],
         "compile_args": [{"accessor": "all"}],
         "runtime_args_at": [
           {"core": [1, 0], "args": [0, {"buffer": "all"}, 0, {"core_x": [0, 0]},
                                     {"core_y": [0, 0]}, {"core_x": [2, 0]}]},
           {"core": [2, 0], "args": [0, {"buffer": "all"}, 1, {"core_x": [0, 0]},
                                     {"core_y": [0, 0]}, {"core_x": [2, 0]}]}]}]})",
         {kControl, kMove});
  }
};

TEST_F(AuditedExits, WhatIsDoneInOrderHasNoFinding) {
  for (const std::uint32_t version : {kNone, kFlushedAtExit}) {
    expect_right(version, {7});
    EXPECT_EQ(words[768], 14U) << version;
  }
}

// 40879, 40877, 52462: a count, or a baton, is passed on as the last thing.
TEST_F(AuditedExits, AnIncrementAtTheEndIsFound) {
  expect_found(kAtomicAtExit,
               {":23: NonContractual: core (1, 0): brisc: the kernel ends and has not "
                "waited for an increment of ",
                "call noc_async_atomic_barrier() before the end", "[programs 3]"});
}

// 50996, 51003: whoever was told has answered by a signal of his own; the NoC may not have, yet.
TEST_F(AuditedExits, AnIncrementThatOnlyASignalHasAnsweredIsFound) {
  expect_found(kAnswered, {":14: NonContractual: core (2, 0): brisc: the kernel ends and has not "
                           "waited for an increment of ",
                           "call noc_async_atomic_barrier() before the end", "[programs 3]"});
}

// 32489: a layernorm hangs when it is repeated from a trace. 33805: others have the same.
TEST_F(AuditedExits, AWordToManyAtTheEndIsFound) {
  expect_found(kMulticastAtExit, {":10: UndefinedBehavior: core (0, 0): brisc: the kernel ends and "
                                  "has not waited for a write of 4 bytes",
                                  "call noc_async_write_barrier() before the end", "[programs 3]"});
}

// 33805: there, some had the barrier of atomics.
TEST_F(AuditedExits, ABarrierOfAtomicsIsNoneOfWords) {
  expect_found(kWrongAtExit, {":10: ", "the kernel ends and has not waited for a write of 4 bytes",
                              "call noc_async_write_barrier() before the end", "[programs 3]"});
}

// 9523, 36585: a kernel ends, and its data are still under way to DRAM.
TEST_F(AuditedExits, AWriteAtTheEndIsFound) {
  expect_found(kWriteAtExit, {":34: UndefinedBehavior: core (2, 0): brisc: the kernel ends and has "
                              "not waited for a write of 1024 bytes",
                              "call noc_async_write_barrier() before the end", "[programs 3]"});
}

// 36585: the same of a read, which fills memory of whoever comes next.
TEST_F(AuditedExits, AReadAtTheEndIsFound) {
  expect_found(kReadAtExit, {":17: ", "has not waited for a read of 1024 bytes",
                             "call noc_async_read_barrier() before the end", "[programs 3]"});
}

// 43976: data to DRAM, which take longer than the count of them to a core.
TEST_F(AuditedExits, AWordThatOvertakesDataToDramIsFound) {
  expect_found(kNoBarrier, {":30: UndefinedBehavior: core (2, 0): brisc: has the NoC read from 0x",
                            ":19 of brisc of core (1, 0) may still be under way",
                            "call noc_async_write_barrier() between ", "[programs 13]"});
}

// 55555: that a write has left says nothing of its end.
TEST_F(AuditedExits, AFlushIsNotEnoughForDataToDram) {
  expect_found(kFlushOnly, {":30: ", ":19 of brisc of core (1, 0) may still be under way",
                            "call noc_async_write_barrier() between ", "[programs 13]"});
}

TEST_F(AuditedExits, DataOfAnotherCoreThatNobodyWaitsForAreFound) {
  expect_found(kNoWait,
               {":30: UndefinedBehavior: core (2, 0): brisc: has the NoC read from 0x",
                ":19 of brisc of core (1, 0) comes there before or after", "[programs 13]"});
}

// 51003: what the signals of a move within a buffer are for.
TEST_F(AuditedExits, AMoveThatDoesNotWaitForReadersIsFound) {
  expect_found(kNoGo,
               {"kernel.cpp:12", "kernel.cpp:19", "core (1, 0)", "core (2, 0)", "[programs 13]"});
}

// 20039: a halo within a buffer waits for fewer cores than there are.
TEST_F(AuditedExits, AMoveThatWaitsForTooFewIsFound) {
  expect_found(kTooFew, {"kernel.cpp:12", "kernel.cpp:19", "[programs 13]"});
}

TEST_F(AuditedExits, TwoThatWriteOnePageAreFound) {
  expect_found(kBothWrite, {":19: UndefinedBehavior: core (", "nothing says whose data stay",
                            "give each a place of its own", "[programs 13]"});
}

// 57231: cores that have no part of a sharded tensor write behind the end of the buffer.
TEST_F(AuditedExits, APageBehindTheEndIsFound) {
  expect_found(kBeyondEnd, {":19: UndefinedBehavior: core (2, 0): brisc: asks for the address of "
                            "page 4 of buffer 'all'",
                            "which has 4", "[programs 9]"});
}

} // namespace exits
} // namespace lanewise::grid
