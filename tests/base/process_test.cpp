// Processes that this one starts, while its other threads go on.
#include "base/process.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <new>

namespace {

/// Only this process may allocate; 0: every one.
pid_t may_allocate = 0;

} // namespace

// The tests of this room use these, too. Inlined, g++ would see a free() of what `new` gave.
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (may_allocate != 0 && ::getpid() != may_allocate) std::raise(SIGKILL);
  if (void* const memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}

// What std::stable_sort() asks, whose memory the operators below give back.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  if (may_allocate != 0 && ::getpid() != may_allocate) std::raise(SIGKILL);
  return std::malloc(size);
}

[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}

[[gnu::noinline]] void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}

namespace lanewise {
namespace {

// A fork() copies the locks of whatever the other threads are in the middle of, and nobody opens
// them in the new process. The address sanitizer's allocator is one that waits then for ever.
TEST(Process, NothingIsAllocatedBetweenTheForkAndTheProgram) {
  may_allocate = ::getpid();
  const auto result = run_process({"sh", "-c", "sleep 60 & echo started"});
  may_allocate = 0;
  ASSERT_TRUE(result);
  EXPECT_EQ(result->signal, 0);
  EXPECT_TRUE(result->succeeded());
  EXPECT_EQ(result->out, "started\n");
}

TEST(Process, TellsHowItHasEnded) {
  const auto status = run_process({"sh", "-c", "exit 7"});
  ASSERT_TRUE(status);
  EXPECT_EQ(status->exit_status, 7);
  EXPECT_EQ(status->signal, 0);
  EXPECT_FALSE(status->succeeded());
  const auto killed = run_process({"sh", "-c", "kill -9 $$"});
  ASSERT_TRUE(killed);
  EXPECT_EQ(killed->signal, SIGKILL);
  EXPECT_FALSE(killed->succeeded());
}

} // namespace
} // namespace lanewise
