// Threads that take the parts of a piece of work.
#include "base/workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace lanewise {
namespace {

TEST(WorkersTest, EachPartIsDoneOnceBeforeTheyReturn) {
  for (const unsigned threads : {1U, 2U, 5U}) {
    Workers workers(threads);
    for (std::size_t parts = 0; parts < 40; ++parts) {
      std::vector<int> done(parts, 0);
      workers.run(parts, [&](std::size_t i) { ++done[i]; });
      EXPECT_EQ(done, std::vector<int>(parts, 1)) << threads << " threads";
    }
  }
}

TEST(WorkersTest, PartsRunSideBySide) {
  Workers workers(2);
  std::atomic<int> here = 0;
  // Each waits for the other.
  workers.run(2, [&](std::size_t) {
    ++here;
    while (here != 2) std::this_thread::yield();
  });
  EXPECT_EQ(here, 2);
}

} // namespace
} // namespace lanewise
