// Kernels and compilers that never end, or that take all the memory there is.
#include "base/limits.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <fstream>

#include "base/process.h"
#include "sfpi/kernel_files.h"

namespace lanewise::sfpi {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

/// The allocator of the address sanitizer ends a process that has no memory left by itself.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool kOwnAllocator = true;
#else
constexpr bool kOwnAllocator = false;
#endif
#else
constexpr bool kOwnAllocator = false;
#endif

/// Enough for g++ to preprocess a kernel that has been compiled before.
constexpr ProcessLimits kShort{seconds(4), kKernelLimits.memory};

class LimitsTest : public KernelTest {
 protected:
  void expect_fault(const std::string& text, std::uint32_t line, const std::string& fragment) {
    const auto start = steady_clock::now();
    const Fault fault = fault_of(text);
    EXPECT_LT(steady_clock::now() - start, seconds(60));
    EXPECT_EQ(fault.kind, FaultKind::BadInput);
    EXPECT_EQ(fault.line, line) << to_string(fault);
    EXPECT_NE(to_string(fault).find(fragment), std::string::npos) << to_string(fault);
  }

  /// A kernel that works, and does not end when the variable is set.
  void expect_late(const std::string& text, std::uint32_t line) {
    ASSERT_TRUE(record_text(text).has_value());
    source_.limits = kShort;
    const Environment endless("LANEWISE_TEST_ENDLESS", "1");
    expect_fault(text, line, "did not end within 4 s");
  }
};

TEST_F(LimitsTest, AKernelThatNeverEndsIsToldItsLine) {
  expect_late(R"(#include <cstdlib>
#include "sfpi.h"
void kernel() {
  const bool endless = std::getenv("LANEWISE_TEST_ENDLESS") != nullptr;
  sfpi::dst_reg[0] = 1.0f;
  while (endless) {
  }
}
)",
              6);
}

TEST_F(LimitsTest, AKernelThatIgnoresSignalsIsKilled) {
  expect_late(R"(#include <sys/stat.h>

#include <csignal>
#include <cstdlib>
#include <unistd.h>
#include "sfpi.h"
void kernel() {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, nullptr);
  while (std::getenv("LANEWISE_TEST_ENDLESS") != nullptr) pause();
  sfpi::dst_reg[0] = 1.0f;
}
)",
              0);
}

TEST_F(LimitsTest, MemoryOfOperatorNew) {
  if (kOwnAllocator) GTEST_SKIP() << "the sanitizer's allocator answers";
  expect_fault(R"(#include <vector>
#include "sfpi.h"
std::vector<std::vector<char>> all;
void kernel() {
  for (;;) {
    all.emplace_back(64 << 20);
  }
}
)",
               6, "more than 2048 MiB of memory");
}

TEST_F(LimitsTest, MemoryOfMalloc) {
  if (kOwnAllocator) GTEST_SKIP() << "the sanitizer's allocator answers";
  expect_fault(R"(#include <cstdlib>
#include "sfpi.h"
void kernel() {
  for (;;) {
    char* block = static_cast<char*>(std::malloc(64 << 20));
    block[0] = 1;
  }
}
)",
               6, "more than 2048 MiB of memory");
}

/// Processes that have left the kernel's session, and hold whatever it had open, end with it.
TEST_F(LimitsTest, NothingThatAKernelStartsOutlivesIt) {
  const std::string number_file = (folder_.path() / "number").string();
  source_.defines = {"NUMBER_FILE=\"" + number_file + "\""};
  const auto recording = record_text(R"(#include <unistd.h>
#include <cstdio>
#include "sfpi.h"
void start_daemon() {
  if (fork() != 0) return;
  setsid();
  if (fork() == 0) {
    std::FILE* file = std::fopen(NUMBER_FILE ".new", "w");
    std::fprintf(file, "%d", getpid());
    std::fclose(file);
    std::rename(NUMBER_FILE ".new", NUMBER_FILE);
  }
  for (;;) sleep(100);
}
void kernel() {
  sfpi::dst_reg[0] = 1.0f;
  start_daemon();
  while (access(NUMBER_FILE, R_OK) != 0) usleep(1000);
}
)");
  ASSERT_TRUE(recording.has_value()) << to_string(recording.error());
  pid_t process = 0;
  std::ifstream(number_file) >> process;
  ASSERT_GT(process, 0);
  EXPECT_EQ(::kill(process, 0), -1);
}

TEST_F(LimitsTest, AKernelThatGoesOnTwiceIsRecordedOnce) {
  const auto recording = record_text(R"(#include <unistd.h>
#include "sfpi.h"
void kernel() {
  fork();
  sfpi::dst_reg[0] = 1.0f;
}
)");
  ASSERT_TRUE(recording.has_value()) << to_string(recording.error());
}

TEST_F(LimitsTest, GppThatNeverEnds) {
  source_.limits = kShort;
  // 2^40 instances.
  expect_fault(R"(#include "sfpi.h"
template <int Depth, long Path> struct Bomb {
  static constexpr long value = Bomb<Depth - 1, 2 * Path>::value + Bomb<Depth - 1, 2 * Path + 1>::value;
};
template <long Path> struct Bomb<0, Path> { static constexpr long value = 1; };
void kernel() { sfpi::dst_reg[0] = float(Bomb<40, 1>::value); }
)",
               0, "g++");
}

TEST_F(LimitsTest, GppThatReadsWithoutEnd) {
  expect_fault("#include \"sfpi.h\"\n#include \"/dev/zero\"\nvoid kernel() {}\n", 0,
               "more than 2048 MiB of memory");
}

TEST_F(LimitsTest, GppThatWaitsForAPipe) {
  const std::string pipe = (folder_.path() / "pipe.h").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  source_.limits = kShort;
  expect_fault("#include \"sfpi.h\"\n#include \"" + pipe + "\"\nvoid kernel() {}\n", 0,
               "was not done with");
}

TEST(ProcessLimits, WhatAProgramHasStartedEndsWithIt) {
  const auto start = steady_clock::now();
  const auto result = run_process({"sh", "-c", "setsid sleep 1000 & echo started"});
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->out, "started\n");
  EXPECT_TRUE(result->succeeded());
  EXPECT_LT(steady_clock::now() - start, seconds(60));
}

TEST(ProcessLimits, TimeAndMemory) {
  const auto late = run_process({"sleep", "1000"}, {}, {milliseconds(100), std::uint64_t{1} << 30});
  ASSERT_TRUE(late.has_value());
  EXPECT_TRUE(late->was_late);
  EXPECT_FALSE(late->succeeded());
  const auto deaf = run_process({"sh", "-c", "trap '' TERM; while :; do sleep 1; done"}, {},
                                {milliseconds(100), std::uint64_t{1} << 30});
  ASSERT_TRUE(deaf.has_value());
  EXPECT_TRUE(deaf->was_late);
  const auto large = run_process({"sh", "-c", "yes"}, {}, {seconds(60), std::uint64_t{16} << 20});
  ASSERT_TRUE(large.has_value());
  EXPECT_FALSE(large->succeeded());
  EXPECT_LE(large->out.size(), std::size_t{16} << 20);
}

} // namespace
} // namespace lanewise::sfpi
