// Two cores fill places of a third one, which adds up what is there and releases both at once, by
// an increment to many; in the end it sends them the sum. And what threads on tt-metal describe of
// such increments, and of those that have no answer.
#include "grid/audited.h"

namespace lanewise::grid {
namespace increments {

enum Mistake : std::uint32_t {
  kNone,
  kAtExit,        ///< ends behind an increment to many, which only writes are waited for
  kCountsItself,  ///< counts itself among those that it increments
  kForgetsOne,    ///< counts one receiver too few
  kReleasedEarly, ///< releases places before it has looked at them
  kSingly,        ///< sends data one by one, and says so by an increment to many
  kResetLate,     ///< clears its count once the next release may come
  kPostedMany,    ///< none: to many, increments have an answer whatever is asked for
  kPostedAtExit,  ///< ends behind an increment without an answer, and a barrier of atomics
  kFlushedAtExit, ///< the same, behind a flush of posted writes
  kAnswered,      ///< none: others without an answer are answered by a signal
  kCounted,       ///< none: counts, waits for the answer, and says so by the other NoC
  kCountedPosted  ///< the same without an answer
};

constexpr std::string_view kMaster = R"(#include <cstdint>
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t mistake = get_arg_val<uint32_t>(0), y = get_arg_val<uint32_t>(3);
  const uint32_t second = get_arg_val<uint32_t>(1), last = get_arg_val<uint32_t>(2);
  const uint32_t all = mistake == 2 ? 3 : mistake == 3 ? 1 : 2;
  const uint32_t place = get_write_ptr(0), sums = place + 2048;
  auto* const words = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(place);
  auto* const result = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(sums);
  auto* const filled = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(0));
  auto* const done = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(3));
  auto* const count = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(4));
  const uint64_t release = get_noc_multicast_addr(last, y, second, y, get_semaphore(1));
  uint32_t sum = 0;
  for (uint32_t round = 1; round <= 2; ++round) {
    noc_semaphore_wait_min(filled, 2 * round);
    if (mistake == 4) noc_semaphore_inc_multicast(release, 1, 2); // line 17
    for (uint32_t i = 0; i < 512; ++i) sum += words[i]; // line 18
    if (mistake == 7) noc_semaphore_inc_multicast<true>(release, 1, 2);
    else if (mistake != 4) noc_semaphore_inc_multicast(release, 1, all); // line 20
  }
  for (uint32_t i = 0; i < 256; ++i) result[i] = sum; (void)result[255];
  if (mistake == 5) {
    noc_async_write(sums, get_noc_addr(second, y, sums), 1024); // line 24
    noc_async_write(sums, get_noc_addr(last, y, sums), 1024);
  } else {
    noc_async_write_multicast(sums, get_noc_multicast_addr(last, y, second, y, sums), 1024, 2);
  }
  noc_semaphore_inc_multicast(get_noc_multicast_addr(last, y, second, y, get_semaphore(2)), 1, 2); // line 29
  noc_semaphore_wait_min(done, 2);
  noc_async_write_barrier();
  if (mistake != 1) noc_async_atomic_barrier();
  if (mistake == 11 || mistake == 12) noc_semaphore_set(count, 0); // line 33
}
)";

constexpr std::string_view kWorker = R"(#include <cstdint>
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t mistake = get_arg_val<uint32_t>(0), own = get_arg_val<uint32_t>(3);
  const uint32_t x = get_arg_val<uint32_t>(4), y = get_arg_val<uint32_t>(5);
  constexpr auto from_args = TensorAccessorArgs<0>();
  constexpr auto to_args = TensorAccessorArgs<from_args.next_compile_time_args_offset()>();
  const auto from = TensorAccessor(from_args, get_arg_val<uint32_t>(1), 1024);
  const auto to = TensorAccessor(to_args, get_arg_val<uint32_t>(2), 1024);
  const uint32_t page = get_write_ptr(0), sums = page + 2048;
  auto* const released = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(1));
  auto* const sent = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(2));
  const uint64_t done = get_noc_addr(x, y, get_semaphore(3)), count = get_noc_addr(x, y, get_semaphore(4));
  noc_async_read_page(own, from, page);
  noc_async_read_barrier();
  for (uint32_t round = 1; round <= 2; ++round) {
    noc_async_write(page, get_noc_addr(x, y, page + 1024 * own), 1024); // line 17
    if (mistake == 10) noc_semaphore_inc<true>(get_noc_addr(x, y, get_semaphore(0)), 1);
    else noc_semaphore_inc(get_noc_addr(x, y, get_semaphore(0)), 1); // line 19
    if (mistake == 6 && round == 2) noc_semaphore_set(released, 0); // line 20
    noc_semaphore_wait_min(released, mistake == 6 ? 1 : round);
  }
  if (mistake == 11) noc_semaphore_inc(count, 1);
  if (mistake == 12) noc_semaphore_inc<true>(count, 1); // line 24
  noc_async_atomic_barrier();
  noc_semaphore_wait(sent, 1);
  noc_async_write_page(own, to, sums); // line 27
  noc_async_write_barrier();
  const uint32_t noc = mistake == 11 || mistake == 12 ? 1 - noc_index : noc_index;
  if (mistake == 8 || mistake == 9) noc_semaphore_inc<true>(done, 1); // line 30
  else noc_semaphore_inc(done, 1, noc);
  if (mistake == 9) noc_async_posted_writes_flushed();
  else noc_async_atomic_barrier(noc);
}
)";

class AuditedIncrements : public Audited {
 protected:
  void SetUp() override {
    Audited::SetUp();
    build();
  }

  void build() {
    const auto args = [](int own) {
      return fmt::format(R"({{"core": [{}, 0], "args": [0, {{"buffer": "from"}}, {{"buffer": "to"}},
                                 {}, {{"core_x": [0, 0]}}, {{"core_y": [0, 0]}}]}})",
                         own + 1, own);
    };
    std::string semaphores;
    for (int id = 0; id < 5; ++id)
      semaphores +=
          fmt::format(R"({}{{"id": {}, "cores": [[0, 0, 2, 0]]}})", id == 0 ? "" : ", ", id);
    make(fmt::format(R"({{
      "grid": [3, 1],
      "buffers": [{{"name": "from", "memory": "dram", "bytes": 2048, "page_bytes": 1024,
                   "format": "UInt32", "layout": "rows"}},
                  {{"name": "to", "memory": "dram", "bytes": 2048, "page_bytes": 1024,
                   "format": "UInt32", "layout": "rows"}}],
      "circular_buffers": [{{"index": 0, "format": "UInt32", "pages": 3, "page_bytes": 1024,
                            "cores": [[0, 0, 2, 0]]}}],
      "semaphores": [{}],
      "kernels": [{{"file": "master.cpp", "processor": "riscv_0", "cores": [[0, 0]],
                   "runtime_args": [0, {{"core_x": [1, 0]}}, {{"core_x": [2, 0]}},
                                    {{"core_y": [0, 0]}}]}},
                  {{"file": "worker.cpp", "processor": "riscv_0", "cores": [[1, 0, 2, 0]],
                   "compile_args": [{{"accessor": "from"}}, {{"accessor": "to"}}],
                   "runtime_args_at": [{}, {}]}}]}})",
                     semaphores, args(0), args(1)),
         {kMaster, kWorker});
  }

  void build_for(Arch chip) {
    arch = chip;
    build();
  }

  static constexpr std::uint32_t kSum = 2 * 2 * 256 * 7;
};

TEST_F(AuditedIncrements, WhatIsReleasedInOrderHasNoFinding) {
  const auto expect_sums = [&](std::uint32_t version) {
    expect_right(version, {kSum});
    EXPECT_EQ(words[256], kSum) << version;
  };
  for (const std::uint32_t version : {kNone, kPostedMany}) expect_sums(version);
  build_for(Arch::Wormhole);
  for (const std::uint32_t version : {kPostedMany, kAnswered, kCounted}) expect_sums(version);
}

// 55557: a sender releases its workers by an increment to all of them, and ends.
TEST_F(AuditedIncrements, AnIncrementToManyAtTheEndIsFound) {
  expect_found(kAtExit, {":29: NonContractual: core (0, 0): brisc: the kernel ends and has not "
                         "waited for an increment of ",
                         "of L1 of 2 cores by 1", "call noc_async_atomic_barrier() before the end",
                         "[programs 3]"});
}

TEST_F(AuditedIncrements, ASenderThatCountsItselfIsFound) {
  expect_found(kCountsItself, {":20: UndefinedBehavior: core (0, 0): brisc: sends to 2 cores and "
                               "counts 3 answers: its barrier waits for ever",
                               "the sender not among them", "[programs 11]"});
  EXPECT_FALSE(is_done) << "the barrier of atomics waits for the third answer";
}

TEST_F(AuditedIncrements, ASenderThatForgetsAReceiverIsFound) {
  expect_found(kForgetsOne, {":20: ", "sends to 2 cores and counts 1 answers", "[programs 11]"});
}

TEST_F(AuditedIncrements, PlacesThatAreReleasedTooEarlyAreFound) {
  expect_found(kReleasedEarly,
               {":17: UndefinedBehavior: core (", "brisc: writes to 0x",
                ":18 of brisc of core (0, 0) may still need what is there", "[programs 13]"});
}

// An increment to many has a channel of its own, as every multicast.
TEST_F(AuditedIncrements, AnIncrementToManyByAnotherChannelThanTheDataIsFound) {
  expect_found(kSingly, {":27: UndefinedBehavior: core (", "they go by channel 1 of NoC 1",
                         "the signal of kernel.cpp:29", "goes as a multicast by channel 4 of NoC 1",
                         "call noc_async_write_barrier() between kernel.cpp:2", "[programs 13]"});
}

TEST_F(AuditedIncrements, ACountThatIsClearedTooLateIsFound) {
  expect_found(kResetLate, {":20: UndefinedBehavior: core (", "brisc: stores to semaphore 1",
                            "the increment of kernel.cpp:20 of brisc of core (0, 0)",
                            "one of the two is lost", "[programs 12]"});
}

// 54726: a count without an answer at the end of the kernel. Its mend flushes posted writes, of
// which there are none.
TEST_F(AuditedIncrements, AnIncrementWithoutAnAnswerAtTheEndIsFound) {
  build_for(Arch::Wormhole);
  for (const std::uint32_t mistake : {kPostedAtExit, kFlushedAtExit})
    expect_found(mistake, {":30: NonContractual: 2 cores (1, 0), (2, 0): brisc: the kernel ends "
                           "and has not waited for an increment of ",
                           "which has no answer (posted): no barrier waits for it",
                           "let it have an answer (posted = false), and call "
                           "noc_async_atomic_barrier()",
                           "[programs 3]"});
}

// Blackhole's NoC may hang without: there, all have an answer, and a barrier waits for it.
TEST_F(AuditedIncrements, OnBlackholeAllHaveAnAnswer) {
  expect_right(kPostedAtExit, {kSum});
  expect_right(kCountedPosted, {kSum});
  expect_found(kFlushedAtExit, {":30: NonContractual: 2 cores (1, 0), (2, 0): brisc: ",
                                "call noc_async_atomic_barrier() before the end", "[programs 3]"});
}

TEST_F(AuditedIncrements, ABarrierDoesNotWaitForAnIncrementWithoutAnAnswer) {
  build_for(Arch::Wormhole);
  expect_found(kCountedPosted, {":33: UndefinedBehavior: core (0, 0): brisc: stores to semaphore 4",
                                "the increment of kernel.cpp:24 of brisc of core (",
                                "one of the two is lost", "[programs 12]"});
}

} // namespace increments
} // namespace lanewise::grid
