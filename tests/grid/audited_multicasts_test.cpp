// Three cores: one sends what it reads to all of them, itself included; each sums it up. And what
// threads on tt-metal describe of multicasts that go wrong.
#include "grid/audited.h"

namespace lanewise::grid {
namespace multicasts {

enum Mistake : std::uint32_t {
  kNone,
  kCountsItself,  ///< counts itself among the receivers of a multicast that it does not get
  kForgetsItself, ///< does not count itself where it receives
  kItselfAlone,   ///< sends to itself alone
  kBetweenLinked, ///< writes to one core between two linked multicasts
  kLinkedAtEnd,   ///< links the last one
  kOtherCorners,  ///< corners in the order of NoC 0 on NoC 1
  kWordTakenBack, ///< clears the word that it sends before it has left
  kNotReady,      ///< does not wait until the receivers are ready
  kNotAwaited,    ///< a receiver does not wait for the data
  kClearedLate,   ///< a receiver clears its word once it is ready for the next
  kCountedSingly, ///< increments words one by one, by another channel than the data
  kReadTooEarly,  ///< reads into scratch before it has left
  kOwnCopy,       ///< pushes its own copy once the data have left
  kOwnWord,       ///< the same, and waits for the word that it has set itself
  kNobody,        ///< counts no receivers
  kFlushed        ///< none: flushes between data and word, which the same way makes needless
};

/// Page c_1 to c_0 of all, twice.
constexpr std::string_view kSender = R"(#include <cstdint>
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t mistake = get_arg_val<uint32_t>(0);
  const uint32_t x = get_arg_val<uint32_t>(2), y = get_arg_val<uint32_t>(3);
  const uint32_t second = get_arg_val<uint32_t>(4), last = get_arg_val<uint32_t>(5);
  constexpr auto from_args = TensorAccessorArgs<0>();
  const auto from = TensorAccessor(from_args, get_arg_val<uint32_t>(1), 1024);
  const uint32_t word = get_semaphore(1), scratch = get_write_ptr(1);
  auto* const ready = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(0));
  auto* const valid = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(word);
  const auto all = [&](uint32_t to) { // NoC 1 begins at the lower right corner
    return mistake == 6 ? get_noc_multicast_addr(x, y, last, y, to)
                        : get_noc_multicast_addr(last, y, x, y, to);
  };
  for (uint32_t round = 0; round < (mistake == 9 ? 1 : 2); ++round) {
    cb_reserve_back(0, 1);
    noc_async_read_page(round, from, scratch);
    noc_async_read_barrier();
    if (mistake != 8 || round == 0) noc_semaphore_wait(ready, 2);
    noc_semaphore_set(ready, 0);
    const uint32_t page = get_write_ptr(0), own = mistake == 2 ? 2 : 3;
    if (mistake == 3)
      noc_async_write_multicast_loopback_src(scratch, get_noc_multicast_addr(x, y, x, y, page), 1024, 1);
    if (mistake == 1 || mistake == 15)
      noc_async_write_multicast(scratch, all(page), 1024, mistake == 1 ? 3 : 0, true); // line 26
    else
      noc_async_write_multicast_loopback_src(scratch, all(page), 1024, own, mistake != 11); // line 28
    if (mistake == 16) noc_async_writes_flushed();
    noc_semaphore_set(valid, 1);
    if (mistake == 4) noc_async_write(scratch, get_noc_addr(second, y, page + 1024), 64); // line 31
    if (mistake == 11) {
      noc_semaphore_inc(get_noc_addr(last, y, word), 1);
      noc_semaphore_inc(get_noc_addr(second, y, word), 1); // line 34
      noc_async_atomic_barrier();
    } else {
      const bool is_linked = mistake == 5 && round == 1;
      noc_semaphore_set_multicast_loopback_src(word, all(word), 3, is_linked); // line 38
    }
    if (mistake == 7) noc_semaphore_set(valid, 0); // line 40
    if (mistake == 12) noc_async_read_page(1, from, scratch); // line 41
    if (mistake == 13 || mistake == 14) noc_async_writes_flushed();
    else noc_async_write_barrier();
    if (mistake == 14) noc_semaphore_wait(valid, 1);
    noc_async_read_barrier();
    cb_push_back(0, 1); // line 46
    noc_async_write_barrier();
    noc_semaphore_set(valid, 0);
  }
}
)";

constexpr std::string_view kReceiver = R"(#include <cstdint>
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t mistake = get_arg_val<uint32_t>(0), x = get_arg_val<uint32_t>(1), y = get_arg_val<uint32_t>(2);
  auto* const valid = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(1));
  for (uint32_t round = 0; round < (mistake == 9 ? 1 : 2); ++round) {
    cb_reserve_back(0, 1);
    if (mistake != 10) noc_semaphore_set(valid, 0);
    noc_semaphore_inc(get_noc_addr(x, y, get_semaphore(0)), 1); // line 9
    if (mistake == 10) noc_semaphore_set(valid, 0); // line 10
    if (mistake != 9) noc_semaphore_wait(valid, 1);
    cb_push_back(0, 1);
  }
  noc_async_atomic_barrier();
}
)";

constexpr std::string_view kSummer = R"(#include <cstdint>
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t mistake = get_arg_val<uint32_t>(0);
  constexpr auto to_args = TensorAccessorArgs<0>();
  const auto to = TensorAccessor(to_args, get_arg_val<uint32_t>(1), 1024);
  auto* const result = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_write_ptr(2));
  uint32_t sum = 0;
  for (uint32_t round = 0; round < (mistake == 9 ? 1 : 2); ++round) {
    cb_wait_front(0, 1);
    auto* const words = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_read_ptr(0));
    for (uint32_t i = 0; i < 256; ++i) sum += words[i]; // line 12
    cb_pop_front(0, 1);
  }
  for (uint32_t i = 0; i < 256; ++i) result[i] = sum; (void)result[255];
  noc_async_write_page(get_arg_val<uint32_t>(2), to, get_write_ptr(2));
  noc_async_write_barrier();
}
)";

class AuditedMulticasts : public Audited {
 protected:
  void SetUp() override {
    Audited::SetUp();
    build();
  }

  void build() {
    make(R"({
      "grid": [3, 1],
      "buffers": [{"name": "from", "memory": "dram", "bytes": 2048, "page_bytes": 1024,
                   "format": "UInt32", "layout": "rows"},
                  {"name": "to", "memory": "dram", "bytes": 3072, "page_bytes": 1024,
                   "format": "UInt32", "layout": "rows"}],
      "circular_buffers": [
        {"index": 0, "format": "UInt32", "pages": 1, "page_bytes": 1024, "cores": [[0, 0, 2, 0]]},
        {"index": 1, "format": "UInt32", "pages": 2, "page_bytes": 1024, "cores": [[0, 0, 2, 0]]},
        {"index": 2, "format": "UInt32", "pages": 1, "page_bytes": 1024, "cores": [[0, 0, 2, 0]]}],
      "semaphores": [{"id": 0, "cores": [[0, 0, 2, 0]]}, {"id": 1, "cores": [[0, 0, 2, 0]]}],
      "kernels": [
        {"file": "sender.cpp", "processor": "riscv_0", "cores": [[0, 0]],
         "compile_args": [{"accessor": "from"}],
         "runtime_args": [0, {"buffer": "from"}, {"core_x": [0, 0]}, {"core_y": [0, 0]},
                          {"core_x": [1, 0]}, {"core_x": [2, 0]}]},
        {"file": "receiver.cpp", "processor": "riscv_0", "cores": [[1, 0, 2, 0]],
         "runtime_args": [0, {"core_x": [0, 0]}, {"core_y": [0, 0]}]},
        {"file": "summer.cpp", "processor": "riscv_1", "cores": [[0, 0, 2, 0]],
         "compile_args": [{"accessor": "to"}],
         "runtime_args_at": [{"core": [0, 0], "args": [0, {"buffer": "to"}, 0]},
                             {"core": [1, 0], "args": [0, {"buffer": "to"}, 1]},
                             {"core": [2, 0], "args": [0, {"buffer": "to"}, 2]}]}]})",
         {kSender, kReceiver, kSummer});
  }
};

// 48480, 48481: a word behind data by multicast, the same way, needs no flush; an audit had asked
// for it.
TEST_F(AuditedMulticasts, WhatIsSentInOrderHasNoFinding) {
  for (const std::uint32_t version : {kNone, kFlushed}) {
    expect_right(version, {2 * 256 * 7});
    EXPECT_EQ(words[256], 2U * 256 * 7);
    EXPECT_EQ(words[512], 2U * 256 * 7);
  }
}

// 41790: chains of attention whose first core lies in the rectangle. 11291: who counts itself when.
TEST_F(AuditedMulticasts, ASenderThatCountsItselfIsFound) {
  expect_found(kCountsItself, {":26: UndefinedBehavior: core (0, 0): brisc: sends to 2 cores and "
                               "counts 3 answers: its barrier waits for ever",
                               "the sender among them only with _loopback_src", "[programs 11]"});
}

TEST_F(AuditedMulticasts, ASenderThatForgetsItselfIsFound) {
  expect_found(kForgetsItself, {":28: UndefinedBehavior: core (0, 0): brisc: sends to 3 cores and "
                                "counts 2 answers",
                                "[programs 11]"});
}

// 12529: a sharded matmul with one column of cores.
TEST_F(AuditedMulticasts, ASenderThatSendsToItselfAloneIsFound) {
  expect_found(kItselfAlone, {"brisc: sends to a rectangle of the sender alone",
                              "copy by noc_async_write()", "[programs 11]"});
}

// 9343: no receivers at all.
TEST_F(AuditedMulticasts, ASenderThatCountsNobodyIsFound) {
  expect_found(kNobody, {":26: ", "sends to 2 cores and counts 0 answers", "[programs 11]"});
}

// 24453, 22578: something else while a multicast is linked, there by the profiler.
TEST_F(AuditedMulticasts, AWriteBetweenLinkedMulticastsIsFound) {
  expect_found(kBetweenLinked,
               {":31: UndefinedBehavior: core (0, 0): brisc: asks for a write of 64",
                "while the multicast of line 28 is linked to a next one", "linked = false first",
                "[programs 11]"});
}

TEST_F(AuditedMulticasts, ALinkThatIsLeftOpenIsFound) {
  expect_found(kLinkedAtEnd, {":38: UndefinedBehavior: core (0, 0): brisc: the kernel ends",
                              "is linked to a next one", "linked = false", "[programs 11]"});
}

// 2977: whose corner is the first. 49710: a cleanup has to do by hand what a helper did.
TEST_F(AuditedMulticasts, CornersOfTheOtherNocAreFound) {
  expect_found(kOtherCorners,
               {":28: UndefinedBehavior: core (0, 0): brisc: sends to the rectangle",
                "on NoC 1, which goes left and up",
                "let the first corner of the address be the other one", "[programs 11]"});
}

// 12678, 41138: the word is the source of the multicast, and is stored to before it has left.
TEST_F(AuditedMulticasts, AWordThatIsTakenBackTooEarlyIsFound) {
  expect_found(kWordTakenBack, {":40: UndefinedBehavior: core (0, 0): brisc: stores to 0x",
                                "from where the write of line 38 has not left",
                                "call noc_async_writes_flushed()", "[programs 2]"});
}

// 41790: what is forwarded to others by multicast is read over.
TEST_F(AuditedMulticasts, ScratchThatIsReadIntoBeforeItHasLeftIsFound) {
  expect_found(kReadTooEarly,
               {":41: UndefinedBehavior: core (0, 0): brisc: asks for a read of 1024",
                "from where the write of line 28 has not left", "call noc_async_writes_flushed()",
                "[programs 2]"});
}

// 55551 (50154, 17): who sends to itself, too, has its own copy once that is answered.
TEST_F(AuditedMulticasts, AnOwnCopyThatIsUsedTooEarlyIsFound) {
  for (const std::uint32_t mistake : {kOwnCopy, kOwnWord})
    expect_found(mistake, {":46: UndefinedBehavior: core (0, 0): brisc: pushes a page of c_0",
                           "into which the write of line 28 is still under way",
                           "call noc_async_write_barrier() before cb_push_back()", "[programs 1]"});
}

TEST_F(AuditedMulticasts, ReceiversThatAreNotReadyAreFound) {
  expect_found(kNotReady, {":28: UndefinedBehavior: core (0, 0): brisc: writes to 0x",
                           "the load of ", "may still need what is there",
                           "raise a semaphore of core (0, 0) behind ", "[programs 13]"});
}

TEST_F(AuditedMulticasts, DataThatNobodyWaitsForAreFound) {
  expect_found(kNotAwaited, {":12: UndefinedBehavior: core (1, 0): ncrisc: loads from 0x",
                             "comes there before or after", "raise a semaphore of core (1, 0)",
                             "[programs 13]"});
}

TEST_F(AuditedMulticasts, AWordThatIsClearedTooLateIsFound) {
  expect_found(kClearedLate, {":10: UndefinedBehavior: core (1, 0): brisc: stores to semaphore 1",
                              "one of the two is lost", "before what lets core (0, 0) go on to ",
                              "[programs 12]"});
}

TEST_F(AuditedMulticasts, WordsByAnotherChannelThanTheDataAreFound) {
  expect_found(kCountedSingly,
               {":12: UndefinedBehavior: core (1, 0): ncrisc: loads from 0x",
                "they go as a multicast by channel 4 of NoC 1", ":34 ",
                "goes by channel 1 of NoC 1", "call noc_async_write_barrier()", "[programs 13]"});
}

// Coordinates and registers are others there.
TEST_F(AuditedMulticasts, TheSameIsFoundOnWormhole) {
  arch = Arch::Wormhole;
  build();
  const tile::ScheduleChoice order = three_orders().front();
  EXPECT_EQ(run_with(kNone, order), "");
  EXPECT_EQ(words[512], 2U * 256 * 7);
  for (std::uint32_t mistake = kCountsItself; mistake <= kNobody; ++mistake)
    EXPECT_NE(run_with(mistake, order).find("[programs "), std::string::npos) << mistake;
}

} // namespace multicasts
} // namespace lanewise::grid
