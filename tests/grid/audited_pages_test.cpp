// What a reader and a writer of one core do to pages and scratch memory whose transfers are still
// under way, as threads on tt-metal describe it.
#include "grid/audited.h"

namespace lanewise::grid {
namespace pages {

enum Mistake : std::uint32_t {
  kNone,
  kUsedTooEarly,    ///< loads what a read brings, before its barrier
  kWrongBarrier,    ///< waits for writes where it has read
  kFilledFront,     ///< fills the page at the front of the ring
  kReadIntoScratch, ///< reads into scratch from which a read still takes
  kPoppedEarly,     ///< pops a page before the write from it has left
  kPostedFlush,     ///< waits for posted writes, of which it has none
  kScratchStored,   ///< stores to scratch before the write from it has left
  kSentBack,        ///< sends the page at the back of the ring
  kPoppedUnread,    ///< pops a page before the read from it is done
  kNotPopped,       ///< never pops
  kFlushed          ///< none: what has left may be popped
};

/// Four pages of 256 words to the ring. Each goes through scratch, as one that is not aligned must.
constexpr std::string_view kReader = R"(#include <cstdint>
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t mistake = get_arg_val<uint32_t>(0);
  constexpr auto from_args = TensorAccessorArgs<0>();
  const auto from = TensorAccessor(from_args, get_arg_val<uint32_t>(1), 1024);
  const uint32_t scratch = get_write_ptr(1);
  auto* const words = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(scratch);
  for (uint32_t page = 0; page < 4; ++page) {
    cb_reserve_back(0, 1);
    const uint32_t to = mistake == 3 ? get_read_ptr(0) : get_write_ptr(0);
    noc_async_read_page(page, from, scratch); // line 12
    if (mistake == 2) noc_async_write_barrier();
    else if (mistake != 1) noc_async_read_barrier();
    const uint32_t first = words[0]; // line 15
    noc_async_read_barrier();
    noc_async_read(get_noc_addr(scratch), to, 1024); // line 17
    if (mistake == 4) { // the next one is read ahead
      noc_async_read_page(page, from, scratch); // line 19
      noc_async_read_barrier();
    }
    noc_async_read_barrier();
    cb_push_back(0, 1);
    if (first == 0) return;
  }
}
)";

/// Adds the page's number to each of the first two, in scratch, and sends the others as they are.
constexpr std::string_view kWriter = R"(#include <cstdint>
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t mistake = get_arg_val<uint32_t>(0);
  constexpr auto to_args = TensorAccessorArgs<0>();
  const auto to = TensorAccessor(to_args, get_arg_val<uint32_t>(1), 1024);
  const uint32_t scratch = get_write_ptr(2);
  auto* const words = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(scratch);
  for (uint32_t page = 0; page < 4; ++page) {
    cb_wait_front(0, 1);
    if (page >= 2) {
      noc_async_write_page(page, to, mistake == 8 ? get_write_ptr(0) : get_read_ptr(0)); // line 12
      if (mistake == 6) noc_async_posted_writes_flushed();
      else if (mistake == 11) noc_async_writes_flushed();
      else if (mistake != 5) noc_async_write_barrier();
    } else if (page == 1) {
      auto* const page_words = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_read_ptr(0));
      for (uint32_t i = 0; i < 256; ++i) words[i] = page_words[i] + 1; (void)words[255]; // line 18
      noc_async_write_page(page, to, scratch);
      noc_async_writes_flushed();
    } else {
      noc_async_read(get_noc_addr(get_read_ptr(0)), scratch, 1024); // line 22
      if (mistake != 9) noc_async_read_barrier();
    }
    if (mistake != 10) cb_pop_front(0, 1); // line 25
    noc_async_read_barrier();
    if (page == 0) noc_async_write_page(page, to, scratch); // line 27
    if (page == 0 && mistake != 7) noc_async_writes_flushed();
  }
  noc_async_write_barrier();
}
)";

class AuditedPages : public Audited {
 protected:
  void SetUp() override {
    Audited::SetUp();
    make(R"({
      "grid": [1, 1],
      "buffers": [{"name": "from", "memory": "dram", "bytes": 4096, "page_bytes": 1024,
                   "format": "UInt32", "layout": "rows"},
                  {"name": "to", "memory": "dram", "bytes": 4096, "page_bytes": 1024,
                   "format": "UInt32", "layout": "rows"}],
      "circular_buffers": [{"index": 0, "format": "UInt32", "pages": 2, "page_bytes": 1024},
                           {"index": 1, "format": "UInt32", "pages": 1, "page_bytes": 1024},
                           {"index": 2, "format": "UInt32", "pages": 1, "page_bytes": 1024}],
      "kernels": [
        {"file": "reader.cpp", "processor": "riscv_1", "compile_args": [{"accessor": "from"}],
         "runtime_args": [0, {"buffer": "from"}]},
        {"file": "writer.cpp", "processor": "riscv_0", "compile_args": [{"accessor": "to"}],
         "runtime_args": [0, {"buffer": "to"}]}]})",
         {kReader, kWriter});
  }
};

TEST_F(AuditedPages, WhatWaitsHasNoFinding) {
  for (const std::uint32_t version : {kNone, kFlushed}) {
    expect_right(version, {7});
    EXPECT_EQ(words[256], 8U);
  }
}

// 50973, in a bilinear upsample: pixels were weighted before the barrier of the reads.
TEST_F(AuditedPages, WhatIsUsedBeforeItHasComeIsFound) {
  expect_found(kUsedTooEarly, {":15: UndefinedBehavior: ncrisc: loads from 0x",
                               "into which the read of line 12 is still under way",
                               "call noc_async_read_barrier() first", "[programs 1]"});
}

// 24086: zeros were read, and the barrier behind was that of writes.
TEST_F(AuditedPages, ABarrierOfTheOtherKindIsFound) {
  expect_found(kWrongBarrier, {":15: ", "into which the read of line 12 is still under way",
                               "call noc_async_read_barrier() first", "[programs 1]"});
}

// 39432: packet headers were filled by get_read_ptr() behind cb_reserve_back(), all in one page.
TEST_F(AuditedPages, APageAtTheFrontThatIsFilledIsFound) {
  expect_found(kFilledFront, {":17: UndefinedBehavior: ncrisc: has the NoC read into page 0 of c_0",
                              "has reserved 1 from page 1 on", "[programs 5]"});
}

// 50365 (50154, 9): rows of a pad were read out of one scratch row, into which the next one came.
TEST_F(AuditedPages, ScratchThatIsReadIntoWhileItIsReadIsFound) {
  expect_found(kReadIntoScratch, {":19: UndefinedBehavior: ncrisc: asks for a read of 1024 bytes",
                                  "from where the read of line 17 is still under way",
                                  "call noc_async_read_barrier() first", "[programs 2]"});
}

// 50363 (50154, 19), 50317 (50154, 25): a matmul's and a topk's writer pop row by row and flush at
// the end.
TEST_F(AuditedPages, APageThatIsPoppedBeforeItHasLeftIsFound) {
  expect_found(kPoppedEarly, {":25: UndefinedBehavior: brisc: pops a page of c_0",
                              "from which the write of line 12 has not left",
                              "call noc_async_writes_flushed() or a write barrier before "
                              "cb_pop_front()",
                              "[programs 2]"});
}

// 50306 (48586, 6): a prefetcher flushes posted writes; its own are not posted.
TEST_F(AuditedPages, AFlushOfPostedWritesIsNoneOfOthers) {
  expect_found(kPostedFlush, {":25: ", "from which the write of line 12 has not left",
                              "call noc_async_writes_flushed()", "[programs 2]"});
}

// 50784 (50154, 4): a mapping is built in scratch, sent, and built again.
TEST_F(AuditedPages, ScratchThatIsStoredToBeforeItHasLeftIsFound) {
  expect_found(kScratchStored, {":18: UndefinedBehavior: brisc: stores to 0x",
                                "from where the write of line 27 has not left",
                                "call noc_async_writes_flushed()", "[programs 2]"});
}

// 48993: a writer of untilized rows sends from get_write_ptr(), which is right with one page only.
TEST_F(AuditedPages, APageAtTheBackThatIsSentIsFound) {
  expect_found(kSentBack, {":12: UndefinedBehavior: brisc: has the NoC write page 0 of c_0",
                           "has waited for 1 from page 1 on", "[programs 5]"});
}

// 40203: sticks are gathered by reads of a page that is popped without a barrier.
TEST_F(AuditedPages, APageThatIsPoppedBeforeItIsReadIsFound) {
  expect_found(kPoppedUnread,
               {":25: UndefinedBehavior: brisc: pops a page of c_0",
                "from which the read of line 22 is still under way",
                "call noc_async_read_barrier() before cb_pop_front()", "[programs 2]"});
}

// 46658: a writer of a cache never pops what it has waited for.
TEST_F(AuditedPages, PagesThatNobodyPopsAreFound) {
  expect_found(kNotPopped, {"the core ncrisc waits for line 10: room in c_0, into which 2 pages "
                            "were pushed and of which 0 were popped"});
}

} // namespace pages
} // namespace lanewise::grid
