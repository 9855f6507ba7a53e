// Processes that this one starts, while its other threads go on.
#include "base/process.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <vector>

namespace lanewise {
namespace {

/// Takes memory and gives it back, in all sizes, until told to stop.
void use_memory(const std::atomic<bool>& is_over) {
  std::vector<std::unique_ptr<char[]>> blocks(256); // NOLINT(modernize-avoid-c-arrays)
  for (std::size_t i = 0; !is_over; ++i) {
    blocks[i % blocks.size()].reset(new char[(i * 977) % (1 << 16) + 1]);
  }
}

// A fork() copies the locks of whatever the other threads are in the middle of: nothing between it
// and the exec() may wait for one. The address sanitizer's allocator does not free its own.
TEST(Process, RunsWhileOtherThreadsAllocate) {
  constexpr int kRuns = 300;
  std::atomic<bool> is_over{false};
  std::vector<std::future<void>> others;
  for (int i = 0; i < 3; ++i) {
    others.push_back(std::async(std::launch::async, [&is_over] { use_memory(is_over); }));
  }
  int failed = 0;
  for (int i = 0; i < kRuns; ++i) {
    const auto result = run_process({"true"});
    if (!result || !result->succeeded()) ++failed;
  }
  is_over = true;
  EXPECT_EQ(failed, 0);
}

} // namespace
} // namespace lanewise
