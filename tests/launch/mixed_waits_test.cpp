// A core that waits for pages looks at their counters only once in a while. One that looks at
// something else meanwhile sees that, too.
#include <gtest/gtest.h>

#include "launch/own_programs.h"

namespace lanewise::launch {
namespace {

constexpr std::string_view kWait = R"(#include <cstdint>
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t rings = get_arg_val<uint32_t>(0);
  auto* const flag = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(0));
  while (*flag == 0) {
    if (cb_pages_available_at_front(0, 1)) return cb_pop_front(0, 1);
    if (rings == 2 && cb_pages_available_at_front(1, 1)) return cb_pop_front(1, 1);
  }
}
)";

constexpr std::string_view kTell = R"(#include <cstdint>
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t ring = get_arg_val<uint32_t>(0);
  constexpr auto from_args = TensorAccessorArgs<0>();
  const auto from = TensorAccessor(from_args, get_arg_val<uint32_t>(2), 1024);
  for (uint32_t i = 0; i < get_arg_val<uint32_t>(1); ++i) {
    noc_async_read_page(0, from, get_write_ptr(0));
    noc_async_read_barrier();
  }
  if (ring == 2) {
    *reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(0)) = 1;
  } else {
    cb_reserve_back(ring, 1);
    cb_push_back(ring, 1);
  }
}
)";

class MixedWaits : public OwnHeadersTest {
 protected:
  void SetUp() override {
    OwnHeadersTest::SetUp();
    parse(R"({
      "buffers": [{"name": "from", "memory": "dram", "bytes": 1024, "page_bytes": 1024,
                   "format": "UInt32", "layout": "rows", "input": "ramp:1:256"}],
      "circular_buffers": [{"index": 0, "format": "UInt32", "pages": 2, "page_bytes": 1024},
                           {"index": 1, "format": "UInt32", "pages": 2, "page_bytes": 1024}],
      "semaphores": [{"id": 0}],
      "kernels": [
        {"text": "-", "processor": "riscv_0", "runtime_args": [0]},
        {"text": "-", "processor": "riscv_1", "compile_args": [{"accessor": "from"}],
         "runtime_args": [0, 0, {"buffer": "from"}]}]})");
    program().kernels[0].text = kWait;
    program().kernels[1].text = kTell;
  }

  /// One core looks at so many rings and at a flag; the other one pushes to `ring`, or raises the
  /// flag, 2, once it has read as many pages.
  void run_with(unsigned rings, unsigned ring, unsigned pages, tile::Order order) {
    program().kernels[0].runtime_args[0] = rings;
    program().kernels[1].runtime_args[0] = ring;
    program().kernels[1].runtime_args[1] = pages;
    const LaunchOutcome outcome = run({.schedule = {.order = order, .seed = 3}});
    EXPECT_TRUE(outcome.is_done()) << rings << " rings, " << ring << ", " << pages << "\n"
                                   << text_of(outcome);
  }
};

TEST_F(MixedWaits, AFlagAndPagesOfTwoRingsAreSeenWhicheverComes) {
  for (const tile::Order order : {tile::Order::RoundRobin, tile::Order::Random,
                                  tile::Order::Adversarial, tile::Order::Priority}) {
    for (const unsigned pages : {0U, 1U, 20U}) {
      run_with(1, 0, pages, order);
      run_with(2, 1, pages, order);
      run_with(1, 2, pages, order);
      run_with(2, 2, pages, order);
    }
  }
}

TEST_F(MixedWaits, WhoWaitsForEverIsToldWhatFor) {
  program().kernels[1].runtime_args[0] = 1U;
  program().kernels[0].runtime_args[0] = 1U; // and does not look at ring 1
  const LaunchOutcome outcome = run();
  EXPECT_FALSE(outcome.is_done());
  EXPECT_NE(text_of(outcome).find(" c_0, into which 0 pages were pushed"), std::string::npos)
      << text_of(outcome);
}

} // namespace
} // namespace lanewise::launch
