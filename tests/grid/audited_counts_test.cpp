// Two cores say to a third that they are ready, and then that they are done, by one count. And what
// threads on tt-metal describe of counts that are waited for at one value.
#include "grid/audited.h"

namespace lanewise::grid {
namespace counts {

enum Mistake : std::uint32_t {
  kNone,
  kOneCount,    ///< goes on without being told, to the next count of the same word
  kSecondRound, ///< begins its next round before the word was cleared
  kAtLeast,     ///< none: the same as kOneCount, but the third waits for at least so many
  kTwoCounts    ///< none: the same, with a word for each
};

constexpr std::string_view kText = R"(#include <cstdint>
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t mistake = get_arg_val<uint32_t>(0), own = get_arg_val<uint32_t>(2);
  const uint32_t first = get_arg_val<uint32_t>(3), second = get_arg_val<uint32_t>(4);
  const uint32_t third = get_arg_val<uint32_t>(5), y = get_arg_val<uint32_t>(6);
  const auto to = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(1), 64);
  const uint32_t done_id = mistake == 4 ? 2 : 0;
  auto* const ready = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(0));
  auto* const go = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(1));
  auto* const done = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(done_id));
  if (own < 2) {
    noc_semaphore_inc(get_noc_addr(third, y, get_semaphore(0)), 1); // line 13
    for (uint32_t i = 0; i < 8; ++i) { // whatever takes its time
      noc_async_read(get_noc_addr(third, y, get_semaphore(3)), get_write_ptr(0), 16);
      noc_async_read_barrier();
    }
    if (mistake == 0 || mistake == 2) noc_semaphore_wait(go, 1);
    noc_semaphore_inc(get_noc_addr(third, y, get_semaphore(done_id)), 1); // line 19
    if (mistake == 2) noc_semaphore_inc(get_noc_addr(third, y, get_semaphore(0)), 1); // line 20
    noc_async_atomic_barrier();
    return;
  }
  if (mistake == 3) noc_semaphore_wait_min(ready, 2);
  else noc_semaphore_wait(ready, 2); // line 25
  noc_semaphore_inc(get_noc_addr(first, y, get_semaphore(1)), 1);
  noc_semaphore_inc(get_noc_addr(second, y, get_semaphore(1)), 1);
  noc_async_atomic_barrier();
  if (mistake == 3) noc_semaphore_wait_min(done, 4);
  else noc_semaphore_wait(done, mistake == 4 ? 2 : 4); // line 30
  auto* const words = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_write_ptr(0));
  for (uint32_t i = 0; i < 16; ++i) words[i] = *ready + *done; (void)words[15];
  noc_async_write_page(0, to, get_write_ptr(0));
  noc_async_write_barrier();
}
)";

class AuditedCounts : public Audited {
 protected:
  void SetUp() override {
    Audited::SetUp();
    std::string each;
    for (unsigned core = 0; core < 3; ++core)
      each += fmt::format(R"({}{{"core": [{}, 0], "args": [0, {{"buffer": "to"}}, {},
                              {{"core_x": [0, 0]}}, {{"core_x": [1, 0]}}, {{"core_x": [2, 0]}},
                              {{"core_y": [0, 0]}}]}})",
                          core == 0 ? "" : ", ", core, core);
    make(R"({
      "grid": [3, 1],
      "buffers": [{"name": "to", "memory": "dram", "bytes": 64, "page_bytes": 64,
                   "format": "UInt32", "layout": "rows"}],
      "circular_buffers": [{"index": 0, "format": "UInt32", "pages": 1, "page_bytes": 64,
                            "cores": [[0, 0, 2, 0]]}],
      "semaphores": [{"id": 0, "cores": [[0, 0, 2, 0]]}, {"id": 1, "cores": [[0, 0, 2, 0]]},
                     {"id": 2, "cores": [[0, 0, 2, 0]]}, {"id": 3, "cores": [[0, 0, 2, 0]]}],
      "kernels": [{"file": "count.cpp", "processor": "riscv_0", "cores": [[0, 0, 2, 0]],
                   "compile_args": [{"accessor": "to"}], "runtime_args_at": [)" +
             each + "]}]}",
         {kText});
  }
};

TEST_F(AuditedCounts, WhatCannotPassHasNoFinding) {
  for (const std::uint32_t version : {kNone, kAtLeast}) expect_right(version, {8});
  expect_right(kTwoCounts, {4});
}

// 50312 (50154, 6): a sort counts who is ready and who is done in one word, and waits for one
// value.
TEST_F(AuditedCounts, AValueThatMayBePassedIsFound) {
  expect_found(kOneCount,
               {":25: UndefinedBehavior: core (2, 0): brisc: goes on only if semaphore 0",
                "is just 2", ":19 of brisc of core (", "may come before it looks",
                "call noc_semaphore_wait_min()", "[programs 15]"});
}

// 54590: a sort again, of which a value stands there only until the other core goes on.
TEST_F(AuditedCounts, AValueThatIsPassedIsFound) {
  expect_found(kSecondRound,
               {"the core brisc waits for line 30: semaphore 0 to be 4, which is 6: it "
                "has passed that (noc_semaphore_wait_min waits for at least)"});
}

} // namespace counts
} // namespace lanewise::grid
