// Kernels and compilers that never end, or that take all the memory there is.
#include "base/limits.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <future>
#include <vector>

#include "base/process.h"
#include "base/processor_time.h"
#include "base/supervisor.h"
#include "sfpi/kernel_files.h"

namespace lanewise::sfpi {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

/// The allocator of the address sanitizer ends a process that has no memory left by itself.
#ifdef LANEWISE_SANITIZED
constexpr bool kOwnAllocator = true;
#else
constexpr bool kOwnAllocator = false;
#endif

/// Enough for g++ to preprocess a kernel that has been compiled before.
constexpr ProcessLimits kShort{seconds(2), kKernelLimits.memory};

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
    expect_fault(text, line, "did not end within 2 s");
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
  expect_late(R"(#include <csignal>
#include <cstdlib>
#include "sfpi.h"
void kernel() {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, nullptr);
  const bool endless = std::getenv("LANEWISE_TEST_ENDLESS") != nullptr;
  while (endless) {
  }
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
  constexpr ProcessLimits kTenth{milliseconds(100), std::uint64_t{1} << 30};
  const auto working = run_process({"sh", "-c", "while :; do :; done"}, {}, kTenth);
  ASSERT_TRUE(working.has_value());
  EXPECT_TRUE(working->was_late);
  EXPECT_FALSE(working->succeeded());
  const auto sleeping = run_process({"sleep", "1000"}, {}, kTenth);
  ASSERT_TRUE(sleeping.has_value());
  EXPECT_TRUE(sleeping->was_late);
  const auto deaf =
      run_process({"sh", "-c", "trap '' TERM; while :; do sleep 1; done"}, {}, kTenth);
  ASSERT_TRUE(deaf.has_value());
  EXPECT_TRUE(deaf->was_late);
  const auto large = run_process({"sh", "-c", "yes"}, {}, {seconds(60), std::uint64_t{16} << 20});
  ASSERT_TRUE(large.has_value());
  EXPECT_FALSE(large->succeeded());
  EXPECT_LE(large->out.size(), std::size_t{16} << 20);
}

/// Time counts wherever it is spent: in a process below, and in those that have ended.
TEST(ProcessLimits, TimeOfWhatAProgramStarts) {
  constexpr ProcessLimits kFifth{milliseconds(200), std::uint64_t{1} << 30};
  const auto below = run_process({"sh", "-c", "sh -c 'while :; do :; done'; echo no"}, {}, kFifth);
  ASSERT_TRUE(below.has_value());
  EXPECT_TRUE(below->was_late);
}

TEST(ProcessLimits, TimeOfWhatHasEndedCounts) {
  constexpr milliseconds kWork{60}, kTick{10};
  const pid_t child = ::fork();
  if (child == 0) {
    if (::fork() == 0) {
      while (own_processor_time() < kWork) {
      }
      ::_exit(EXIT_SUCCESS);
    }
    ::wait(nullptr);
    ::raise(SIGSTOP);
    ::_exit(EXIT_SUCCESS);
  }
  ASSERT_EQ(::waitpid(child, nullptr, WUNTRACED), child);
  const auto work = work_of(child);
  const auto below = work_below();
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  ASSERT_TRUE(work.has_value());
  EXPECT_GE(work->processor_time, kWork - 2 * kTick);
  EXPECT_FALSE(work->is_active);
  ASSERT_TRUE(below.has_value());
  EXPECT_GE(below->processor_time, work->processor_time);
}

/// A busy machine: a process that shares a processor with others has no less time.
TEST(ProcessLimits, WhatOthersDoMeanwhileDoesNotCount) {
  cpu_set_t before, one;
  ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
  CPU_ZERO(&one);
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_COUNT(&one) == 0 && CPU_ISSET(i, &before)) CPU_SET(i, &one);
  }
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  // Three of them on one processor: each takes three quarters of a second for a quarter of work.
  constexpr milliseconds kWork{250};
  constexpr ProcessLimits kLimits{milliseconds(500), std::uint64_t{8} << 30};
  std::vector<std::future<Expected<ProcessEnd>>> all;
  for (int i = 0; i < 3; ++i) {
    all.push_back(std::async(std::launch::async, [&] {
      return run_supervised(beyond_this_process(kLimits), {}, [&]() -> int {
        while (own_processor_time() < kWork) {
        }
        ::_exit(EXIT_SUCCESS);
      });
    }));
  }
  for (auto& each : all) {
    const auto end = each.get();
    ASSERT_TRUE(end.has_value());
    EXPECT_FALSE(end->was_late);
    EXPECT_EQ(end->status, 0);
  }
  ::sched_setaffinity(0, sizeof before, &before);
}

} // namespace
} // namespace lanewise::sfpi
