// Multicasts of programs in time: what is linked holds its way, and kernels wait for their command
// buffers (docs/noc.md, docs/programs.md, "Time").
#include <algorithm>
#include <vector>

#include "launch/own_programs.h"
#include "run/grid/timed_grid.h"
#include "source/sfpi/host_compiler.h"

namespace lanewise::grid {
namespace timed_multicasts {

constexpr std::size_t kEach = 5; ///< multicasts of a sender

/// Sends a page of 4 KiB to all cores of the second row, five times.
constexpr std::string_view kSender = R"(#include <cstdint>
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t page = get_write_ptr(0) + get_arg_val<uint32_t>(1), zeros = get_write_ptr(1);
  const uint64_t all = get_noc_multicast_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(4),
                                              get_arg_val<uint32_t>(3), get_arg_val<uint32_t>(4), page);
  for (uint32_t i = 0; i < 1024; ++i) reinterpret_cast<volatile uint32_t*>(zeros)[i] = i;
  (void)*reinterpret_cast<volatile uint32_t*>(zeros);
  for (uint32_t i = 0; i < 5; ++i)
    noc_async_write_multicast(zeros, all, 4096, 4, get_arg_val<uint32_t>(0) != 0 && i != 4);
  noc_async_write_barrier();
}
)";

class TimedMulticasts : public launch::OnEachChip {
 protected:
  void SetUp() override {
    launch::OnEachChip::SetUp();
    if (!sfpi::find_core_compiler()) GTEST_SKIP() << "there is no compiler for RV32";
    parse(R"({
      "grid": [4, 2],
      "circular_buffers": [
        {"index": 0, "format": "UInt32", "pages": 2, "page_bytes": 4096, "cores": [[0, 0, 3, 1]]},
        {"index": 1, "format": "UInt32", "pages": 1, "page_bytes": 4096, "cores": [[0, 0, 3, 1]]}],
      "kernels": [
        {"file": "sender.cpp", "processor": "riscv_0", "noc": 0, "cores": [[1, 0, 2, 0]],
         "runtime_args_at": [
           {"core": [1, 0], "args": [0, 0, {"core_x": [0, 1]}, {"core_x": [3, 1]}, {"core_y": [0, 1]}]},
           {"core": [2, 0], "args": [0, 4096, {"core_x": [0, 1]}, {"core_x": [3, 1]}, {"core_y": [0, 1]}]}
         ]}]})");
    program().kernels[0].file.clear();
    program().kernels[0].text = kSender;
  }

  /// What each of the two has sent, in the order in which it has left.
  std::vector<std::vector<noc::NocSpan>> senders(bool are_linked) {
    for (auto& [core, arguments] : program().kernels[0].runtime_args_at)
      arguments[0] = are_linked ? 1U : 0U;
    const auto prepared = prepare(program(), {});
    if (!prepared) return told(prepared.error());
    const auto host = grid::run(*prepared, {});
    if (!host) return told(host.error());
    EXPECT_EQ(launch::text_of(*host), "");
    const auto objects = programs::compile_groups_for_cores(prepared->cores, {});
    if (!objects) return told(objects.error());
    const auto timed = launch_in_time(*prepared, *objects, *host, {.keeps_timeline = true});
    if (!timed) return told(timed.error());
    std::vector<std::vector<noc::NocSpan>> all;
    for (const CoreInTime& core : timed->cores) {
      all.push_back(core.spans);
      std::ranges::sort(all.back(), {}, &noc::NocSpan::left);
      EXPECT_EQ(core.spans.size(), kEach);
      if (core.spans.size() != kEach) return told({});
    }
    EXPECT_EQ(all.size(), 2U);
    return all;
  }
  static std::vector<std::vector<noc::NocSpan>> told(const Fault& fault) {
    ADD_FAILURE() << to_string(fault);
    return {{}, {}};
  }
};
INSTANTIATE_TEST_SUITE_P(OnBothChips, TimedMulticasts, ::testing::ValuesIn(kArchs),
                         [](const auto& chip) {
                           return std::string(arch_params(chip.param).names.id);
                         });

// Both ways go along the same links of the second row.
TEST_P(TimedMulticasts, ALinkedChainHoldsItsWayToItsEnd) {
  auto all = senders(true);
  if (all[1].empty()) return;
  if (all[0].front().left > all[1].front().left) std::swap(all[0], all[1]);
  EXPECT_LT(all[0].back().left, all[1].front().left);
}

TEST_P(TimedMulticasts, AKernelAsksForTheNextButOneOnceOneHasLeft) {
  for (const bool are_linked : {false, true})
    for (const auto& spans : senders(are_linked))
      for (std::size_t i = 2; i < spans.size(); ++i)
        EXPECT_GE(spans[i].asked, spans[i - 2].left) << i;
}

} // namespace timed_multicasts
} // namespace lanewise::grid
