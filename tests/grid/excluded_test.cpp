// A core sends to a rectangle without a part of it: an L, which Blackhole's NoC can.
#include "grid/audited.h"

namespace lanewise::grid {
namespace excluded {

enum Mistake : std::uint32_t {
  kNone,
  kCountsAll, ///< counts the excluded core, too
  kNoL        ///< excludes a whole column
};

/// All fill their page by themselves; then core (0, 0) sends its own to the L.
constexpr std::string_view kText = R"(#include <cstdint>
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t mistake = get_arg_val<uint32_t>(0), own = get_arg_val<uint32_t>(2);
  const uint32_t x = get_arg_val<uint32_t>(3), y = get_arg_val<uint32_t>(4);
  const uint32_t last_x = get_arg_val<uint32_t>(5), last_y = get_arg_val<uint32_t>(6);
  const auto to = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(1), 1024);
  const uint32_t page = get_write_ptr(0);
  auto* const words = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(page);
  auto* const ready = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(0));
  auto* const go = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(1));
  for (uint32_t i = 0; i < 256; ++i) words[i] = 100 + own;
  if (own == 0) {
    noc_semaphore_wait(ready, 5);
    const bool is_first = noc_index == 0;
    const auto all = [&](uint32_t at) {
      return is_first ? get_noc_multicast_addr(x, y, last_x, last_y, at)
                      : get_noc_multicast_addr(last_x, last_y, x, y, at);
    };
    const uint32_t part = get_noc_exclude_region(last_x, mistake == 2 ? y : last_y, 1, 1);
    noc_async_write_multicast_exclude_region(page, all(page), 1024, mistake == 1 ? 5 : 4, part); // line 21
    if (mistake != 1) noc_async_write_barrier();
    noc_async_write_multicast(page, all(page + 1024), 64, 5); // line 23
    if (mistake != 1) noc_async_write_barrier();
    noc_semaphore_inc_multicast(all(get_semaphore(1)), 1, 5);
  } else {
    noc_semaphore_inc(get_noc_addr(x, y, get_semaphore(0)), 1);
    noc_semaphore_wait(go, 1);
  }
  noc_async_atomic_barrier();
  noc_async_write_page(own, to, page);
  if (mistake != 1) noc_async_write_barrier();
}
)";

class ExcludedPart : public Audited {
 protected:
  void build(unsigned noc) {
    std::string each;
    for (int core = 0; core < 6; ++core)
      each += fmt::format(R"({}{{"core": [{}, {}], "args": [0, {{"buffer": "to"}}, {},
                              {{"core_x": [0, 0]}}, {{"core_y": [0, 0]}},
                              {{"core_x": [2, 1]}}, {{"core_y": [2, 1]}}]}})",
                          core == 0 ? "" : ", ", core % 3, core / 3, core);
    make(fmt::format(R"({{
      "grid": [3, 2],
      "buffers": [{{"name": "to", "memory": "dram", "bytes": 6144, "page_bytes": 1024,
                   "format": "UInt32", "layout": "rows"}}],
      "circular_buffers": [{{"index": 0, "format": "UInt32", "pages": 2, "page_bytes": 1024,
                            "cores": [[0, 0, 2, 1]]}}],
      "semaphores": [{{"id": 0, "cores": [[0, 0, 2, 1]]}}, {{"id": 1, "cores": [[0, 0, 2, 1]]}}],
      "kernels": [{{"file": "l.cpp", "processor": "riscv_0", "noc": {}, "cores": [[0, 0, 2, 1]],
                   "compile_args": [{{"accessor": "to"}}], "runtime_args_at": [{}]}}]}})",
                     noc, each),
         {kText});
  }
};

TEST_F(ExcludedPart, TheRestReceives) {
  for (const unsigned noc : {0U, 1U}) {
    build(noc);
    EXPECT_EQ(run_with(kNone, three_orders()[noc]), "") << noc;
    EXPECT_TRUE(is_done);
    ASSERT_EQ(words.size(), 6U * 256);
    for (unsigned core = 0; core < 6; ++core)
      for (unsigned i : {0U, 255U})
        EXPECT_EQ(words[core * 256 + i], core == 5 ? 105U : 100U) << "core " << core << ", " << noc;
  }
}

TEST_F(ExcludedPart, WhoCountsTheExcludedIsFound) {
  build(0);
  EXPECT_NE(run_with(kCountsAll, three_orders().front())
                .find(":21: UndefinedBehavior: core (0, 0): brisc: sends to 4 cores and counts 5 "
                      "answers: its barrier waits for ever"),
            std::string::npos);
}

TEST_F(ExcludedPart, WhatLeavesNoLIsRefused) {
  build(0);
  const std::string text = run_with(kNoL, three_orders().front());
  EXPECT_NE(text.find("excludes the part from (3, 2) on, right and down, of a rectangle of cores, "
                      "which leaves no L"),
            std::string::npos)
      << text;
}

// The error of g++ says why.
TEST_F(ExcludedPart, WormholeHasNone) {
  arch = Arch::Wormhole;
  parse(R"({"buffers": [], "circular_buffers": [{"index": 0, "format": "UInt32", "pages": 1}],
            "kernels": [{"text": "-", "processor": "riscv_0"}]})");
  program().kernels[0].text = R"(#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  noc_async_write_multicast_exclude_region(get_write_ptr(0), 0, 64, 1, 0);
}
)";
  const auto objects = compile();
  ASSERT_FALSE(objects.has_value());
  EXPECT_NE(to_string(objects.error()).find("this chip's NoC cannot exclude a part of a rectangle"),
            std::string::npos)
      << to_string(objects.error());
}

} // namespace excluded
} // namespace lanewise::grid
