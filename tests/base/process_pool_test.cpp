// Work in processes of their own.
#include "base/process_pool.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <string>

namespace lanewise {
namespace {

TEST(ProcessPool, DoEverythingOnceAndInOrder) {
  std::size_t last = 0;
  const auto results = run_in_processes(
      20, 3, [](std::size_t i) { return std::to_string(i * i); },
      [&](std::size_t done) {
        EXPECT_LE(last, done);
        last = done;
        return true;
      });
  ASSERT_TRUE(results.has_value());
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ((*results)[i], std::to_string(i * i));
  EXPECT_EQ(last, 20U);
}

TEST(ProcessPool, KeepWhatTheyHaveWhenTheyAreStopped) {
  const auto results = run_in_processes(
      1000, 1,
      [](std::size_t) {
        ::usleep(20'000);
        return std::string("done");
      },
      [](std::size_t done) { return done < 3; });
  ASSERT_TRUE(results.has_value());
  EXPECT_EQ((*results)[0], "done");
  EXPECT_FALSE((*results)[999].has_value());
}

TEST(ProcessPool, LoseOnlyTheWorkThatEndsThem) {
  const auto results = run_in_processes(
      8, 2,
      [](std::size_t i) {
        if (i == 1) std::raise(SIGKILL);
        return std::string("done");
      },
      [](std::size_t) { return true; });
  ASSERT_TRUE(results.has_value());
  EXPECT_EQ((*results)[0], "done");
  EXPECT_FALSE((*results)[1].has_value());
  EXPECT_EQ((*results)[7], "done");
}

} // namespace
} // namespace lanewise
