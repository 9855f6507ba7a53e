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
  const auto from = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(1), 1024);
  const auto to = TensorAccessor(TensorAccessorArgs<1>(), get_arg_val<uint32_t>(2), 1024);
  const uint32_t place = get_write_ptr(0), copy = place + 1024;
  auto* const come = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(0));
  auto* const room = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(1));
  auto* const words = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(copy);
  const bool resets = mistake == 5 || mistake == 9;
  const bool is_elsewhere = mistake == 7 || mistake == 8;
  uint32_t sum = 0;
  if (mistake == 6 && own == 1) noc_semaphore_set(come, 0); // line 16
  for (uint32_t round = 1; round <= (is_elsewhere ? 1 : 3); ++round) {
    if (own == 0) {
      noc_async_read_page(0, from, copy);
      noc_async_read_barrier();
    } else if (!is_elsewhere || own == 2) {
      noc_semaphore_wait_min(come, resets ? 1 : round);
      if (mistake == 9) noc_semaphore_set(come, 0);
      noc_async_read(get_noc_addr(is_elsewhere ? last : third - 2 + own, y, place), copy, 1024); // line 24
      if (mistake != 3) noc_async_read_barrier();
      if (mistake != 3) for (uint32_t i = 0; i < 256; ++i) sum += words[i];
      noc_semaphore_inc(get_noc_addr(last, y, get_semaphore(1)), 1); // line 27
      if (mistake == 5) noc_semaphore_set(come, 0); // line 28
    }
    if (own == 2 || (is_elsewhere && own == 1)) continue;
    if (mistake != 4) noc_semaphore_wait_min(room, round - 1);
    noc_async_write(copy, get_noc_addr(next, y, place), 1024); // line 32
    if (mistake == 2) noc_async_writes_flushed();
    if (mistake == 8 || mistake == 10) noc_async_write_barrier();
    const uint32_t noc = mistake == 1 || mistake == 2 || mistake == 10 ? 1 - noc_index : noc_index;
    noc_semaphore_inc(get_noc_addr(is_elsewhere ? third : next, y, get_semaphore(0)), 1, noc); // line 36
    noc_async_atomic_barrier(noc);
    noc_async_write_barrier();
  }
  noc_async_full_barrier();
  for (uint32_t i = 0; i < 256; ++i) words[i] = sum;
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

TEST_F(AuditedCredits, WhatIsCountedInOrderHasNoFinding) {
  for (const std::uint32_t version : {kNone, kResetInTime, kAnswered}) {
    expect_right(version, {0});
    EXPECT_EQ(words[256], 3U * 256 * 7) << version;
    EXPECT_EQ(words[512], 3U * 256 * 7) << version;
  }
  expect_right(kElsewhereRight, {0});
  EXPECT_EQ(words[512], 256U * 7);
}

TEST_F(AuditedCredits, All) {
  for (std::uint32_t m = 1; m <= 7; ++m) {
    for (const auto& order : three_orders()) {
      std::printf("== %u\n%s", m, run_with(m, order).c_str());
    }
  }
}

} // namespace credits
} // namespace lanewise::grid
