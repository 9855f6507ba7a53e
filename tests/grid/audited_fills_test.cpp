// A core fills a page by stores, and the NoC takes it from there: to DRAM, or to the rows below.
// What threads on tt-metal describe is the same without a look at what was stored.
#include "grid/audited.h"

namespace lanewise::grid {
namespace fills {

enum Mistake : std::uint32_t {
  kNone,
  kWritten,     ///< writes what it has filled, without a look at it
  kCopied,      ///< copies it to the next page by a read of its own L1
  kLastElement, ///< looks at it before the last word is there
  kBySignal,    ///< none: a semaphore that it looks at comes behind its stores
  kWord,        ///< none: a word that is set and sent, as everybody does
  kElsewhere    ///< none: what is written has come by the NoC, behind the page that was filled
};

constexpr std::string_view kText = R"(#include <cstdint>
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t mistake = get_arg_val<uint32_t>(0), to_address = get_arg_val<uint32_t>(1);
  const uint32_t there = get_semaphore(1);
  const auto to = TensorAccessor(TensorAccessorArgs<0>(), to_address, 1024);
  const uint32_t page = get_write_ptr(0);
  auto* const words = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(page);
  auto* const ready = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(0));
  for (uint32_t i = 0; i < 255; ++i) words[i] = 5; // line 10
  if (mistake == 3) (void)words[254];
  words[255] = 6; // line 12
  if (mistake == 0 || mistake == 5) (void)words[255];
  if (mistake == 4) noc_semaphore_wait(ready, 0);
  if (mistake == 2) {
    noc_async_read(get_noc_addr(page), page + 1024, 1024); // line 16
    noc_async_read_barrier();
    noc_async_write_page(0, to, page + 1024);
  } else if (mistake != 6) {
    noc_async_write_page(0, to, page); // line 20
  } else {
    noc_async_read_page(0, to, page + 1024);
    noc_async_read_barrier();
    noc_async_write_page(0, to, page + 1024);
  }
  noc_semaphore_set(ready, 1);
  if (mistake == 5) noc_semaphore_set_remote(get_semaphore(0), get_noc_addr(there));
  noc_async_write_barrier();
}
)";

class AuditedFills : public Audited {
 protected:
  void SetUp() override {
    Audited::SetUp();
    make(R"({
      "buffers": [{"name": "to", "memory": "dram", "bytes": 1024, "page_bytes": 1024,
                   "format": "UInt32", "layout": "rows"}],
      "circular_buffers": [{"index": 0, "format": "UInt32", "pages": 2, "page_bytes": 1024}],
      "semaphores": [{"id": 0}, {"id": 1}],
      "kernels": [{"file": "fill.cpp", "processor": "riscv_0", "compile_args": [{"accessor": "to"}],
                   "runtime_args": [0, {"buffer": "to"}]}]})",
         {kText});
  }
};

TEST_F(AuditedFills, WhatWasLookedAtHasNoFinding) {
  for (const std::uint32_t version : {kNone, kBySignal, kWord}) {
    expect_right(version, {5});
    EXPECT_EQ(words[255], 6U) << version;
  }
  expect_right(kElsewhere, {7});
}

// 50154 (13), 50369: the pads of a pad. 55142: full, pad, index_fill.
TEST_F(AuditedFills, WhatIsWrittenWithoutALookIsFound) {
  expect_found(kWritten, {":20: NonContractual: brisc: asks for a write of 1024 bytes from 0x",
                          "where stores of line 10 may not have come yet",
                          "load the last word back that was stored there", "[programs 19]"});
}

// 50373: a line is filled, and read by the NoC into the lines below. 50183 is of the same kind.
TEST_F(AuditedFills, WhatIsCopiedWithoutALookIsFound) {
  expect_found(kCopied, {":16: NonContractual: brisc: asks for a read of 1024 bytes from 0x",
                         "where stores of line 10 may not have come yet", "[programs 19]"});
}

TEST_F(AuditedFills, ALookBeforeTheLastStoreIsNotEnough) {
  expect_found(kLastElement,
               {":20: ", "where stores of line 12 may not have come yet", "[programs 19]"});
}

} // namespace fills
} // namespace lanewise::grid
