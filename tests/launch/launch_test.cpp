// Programs on the five cores of a tile, with kernels of our own that need no checkout: what the
// cores, the NoC and L1 do together.
#include "run/launch/launch.h"

#include <gtest/gtest.h>

#include <cstring>

#include "chips_by_day.h"
#include "launch/launches.h"
#include "run/launch/images.h"

namespace lanewise::launch {
namespace {

INSTANTIATE_TEST_SUITE_P(OnBothChips, Launches, ::testing::ValuesIn(kArchs), [](const auto& chip) {
  return std::string(arch_params(chip.param).names.id);
});

constexpr const char* kCopyPage = R"(
  read(0, argument(0), 0x40000, 64);
  while (status(2) != 1) {}
  for (u32 i = 0; i < 16; ++i) word(0x40000 + 4 * i) += 1;
  write(0, 0x40000, argument(1), 64);
  while (status(1) != 1) {})";

TEST_P(Launches, ACoreReadsComputesAndWrites) {
  add_buffer("in", 1, counting(64));
  add_buffer("out", 1);
  add_kernel(Processor::Riscv0, kCopyPage, {programs::AddressOf{"in"}, programs::AddressOf{"out"}});
  for (const tile::Order order :
       {tile::Order::RoundRobin, tile::Order::Random, tile::Order::Adversarial}) {
    const LaunchOutcome outcome = run({.schedule = {.order = order, .seed = 3}});
    EXPECT_TRUE(outcome.is_done()) << text_of(outcome);
    EXPECT_EQ(text_of(outcome), "");
    EXPECT_EQ(outcome.transactions, 2U);
    auto expected = counting(64);
    for (std::size_t i = 0; i < 64; i += 4) {
      std::uint32_t word = 0;
      std::memcpy(&word, expected.data() + i, 4);
      ++word;
      std::memcpy(expected.data() + i, &word, 4);
    }
    ASSERT_EQ(outcome.buffers.size(), 2U);
    EXPECT_EQ(outcome.buffers[1], expected);
    EXPECT_EQ(outcome.buffers[0], counting(64)) << "what is read stays";
  }
}

// Two cores and a ring of two pages between them: neither can go through at once.
TEST_P(Launches, TwoCoresSharePagesByCounters) {
  add_buffer("out", 1);
  program.circular_buffers = {
      {.origin = "ring",
       .bytes = 32,
       .indices =
           {{.index = 5, .format = programs::DataFormat::UInt32, .page_bytes = 16, .tile = {}}},
       .buffer = {}}};
  add_kernel(Processor::Riscv0, R"(
  const u32 ring = lanewise_launch_data.circular_buffer[5][0];
  for (u32 i = 0; i < 100; ++i) {
    while (i - acked(5) >= 2) {}
    word(ring + i % 2 * 16) = i * i;
    received(5) = i + 1;
  })");
  add_kernel(Processor::Riscv1, R"(
  const u32 ring = lanewise_launch_data.circular_buffer[5][0];
  u32 sum = 0;
  for (u32 i = 0; i < 100; ++i) {
    while (received(5) == i) {}
    sum += word(ring + i % 2 * 16);
    acked(5) = i + 1;
  }
  for (u32 i = 0; i < 16; ++i) word(0x40000 + 4 * i) = sum;
  write(0, 0x40000, argument(0), 64);
  while (status(1) != 1) {})",
             {programs::AddressOf{"out"}});
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const tile::Order order = seed == 0   ? tile::Order::RoundRobin
                              : seed == 1 ? tile::Order::Random
                                          : tile::Order::Adversarial;
    const LaunchOutcome outcome = run({.schedule = {.order = order, .seed = seed}});
    EXPECT_TRUE(outcome.is_done()) << text_of(outcome);
    std::uint32_t sum = 0;
    std::memcpy(&sum, outcome.buffers[0].data(), 4);
    EXPECT_EQ(sum, 328350U) << "0 + 1 + 4 + ... + 99 * 99";
  }
}

// Where tt-metal's movers reach counters of circular buffers, there are calls in the place of
// accesses that trap, and nothing else changes: not what is found, where cores wait, or how far
// they come.
TEST_P(Launches, CountersOfCircularBuffersAreCalled) {
  add_buffer("out", 1);
  program.circular_buffers = {
      {.origin = "ring",
       .bytes = 32,
       .indices =
           {{.index = 5, .format = programs::DataFormat::UInt32, .page_bytes = 16, .tile = {}}},
       .buffer = {}}};
  const std::string counters = R"(
  struct Of { static volatile u32* given(u32 cb) { return &received(cb); }
              static volatile u32* taken(u32 cb) { return &acked(cb); }
  static inline __attribute__((always_inline)) uint32_t reg_read(uint32_t addr) { return word(addr); }
  };
  const auto get_cb_tiles_received_ptr = Of::given;
  const auto get_cb_tiles_acked_ptr = Of::taken;
  const u32 operand = 5;
  volatile u32* pages_received_ptr = get_cb_tiles_received_ptr(operand);
  volatile u32* pages_acked_ptr = get_cb_tiles_acked_ptr(operand);
  const u32 ring = lanewise_launch_data.circular_buffer[5][0];
)";
  const auto address = [](const char* pointer) {
    return fmt::format("Of::reg_read((u32)(std::uintptr_t){})", pointer);
  };
  add_kernel(Processor::Riscv0,
             counters + fmt::format(R"(
  for (u32 i = 0; i < 8; ++i) {{
    while (get_cb_tiles_received_ptr(operand)[0] - {} >= 2) {{}}
    word(ring + i % 2 * 16) = i * i;
    pages_received_ptr[0] += 1;
  }}
  pages_received_ptr[0] += 3;
  while ({} != 99) {{}})",
                                    address("pages_acked_ptr"), address("pages_acked_ptr")));
  add_kernel(Processor::Riscv1,
             counters + fmt::format(R"(
  u32 sum = 0;
  for (u32 i = 0; i < 8; ++i) {{
    while ({} == get_cb_tiles_acked_ptr(operand)[0]) {{}}
    sum += word(ring + i % 2 * 16);
    pages_acked_ptr[0] += 1;
  }}
  word(0x40000) = sum;
  write(0, 0x40000, argument(0), 64);
  while (status(1) != 1) {{}})",
                                    address("pages_received_ptr")),
             {programs::AddressOf{"out"}});
  for (const tile::Order order : {tile::Order::RoundRobin, tile::Order::Adversarial}) {
    const LaunchSettings how{.schedule = {.order = order, .seed = 3}};
    replacements.clear();
    const LaunchOutcome by_traps = run(how);
    EXPECT_GE(by_traps.traps, 8U * (2 + 2) * 2) << "each counter is read and written, by both";
    EXPECT_EQ(by_traps.buffers[0][0], 140) << "0 + 1 + 4 + ... + 49";
    EXPECT_EQ(by_traps.blocked.size(), 1U);
    EXPECT_FALSE(by_traps.faults.empty()) << "more is pushed than there is room for";
    replacements = programs::mover_replacements();
    const LaunchOutcome by_calls = run(how);
    EXPECT_EQ(by_calls.traps, 0U);
    EXPECT_EQ(text_of(by_calls), text_of(by_traps));
    EXPECT_EQ(by_calls.buffers, by_traps.buffers);
    EXPECT_EQ(by_calls.transactions, by_traps.transactions);
  }
}

// A hand-written wait for a word of L1 is seen where it yields.
TEST_P(Launches, ASemaphoreInL1WakesAnotherCore) {
  program.semaphores = {{.origin = "", .id = 2, .initial = 9}};
  add_buffer("out", 1);
  add_kernel(Processor::Riscv0, R"(
  volatile u32& semaphore = word(lanewise_launch_data.semaphores + 2 * 16);
  do { lanewise_yield(); } while (semaphore != 11);
  word(0x40000) = semaphore;
  write(0, 0x40000, argument(0), 64);
  while (status(1) != 1) {})",
             {programs::AddressOf{"out"}});
  add_kernel(Processor::Riscv1, R"(
  volatile u32& semaphore = word(lanewise_launch_data.semaphores + 2 * 16);
  for (u32 i = 0; i < 2; ++i) { for (u32 k = 0; k < 500; ++k) lanewise_yield(); semaphore += 1; })");
  const LaunchOutcome outcome = run();
  EXPECT_TRUE(outcome.is_done()) << text_of(outcome);
  EXPECT_EQ(outcome.buffers[0][0], 11);
}

TEST_P(Launches, WithoutABarrierTheOldDataAreSeen) {
  add_buffer("in", 1, counting(64));
  add_buffer("out", 1);
  add_kernel(Processor::Riscv0, R"(
  word(0x40040) = 0; word(0x40000) = 0x1234;
  read(0, argument(0), 0x40000, 64);
  word(0x40040) = word(0x40000);
  while (status(2) != 1) {}
  word(0x40000) = word(0x40040);
  write(0, 0x40000, argument(1), 64);
  while (status(1) != 1) {})",
             {programs::AddressOf{"in"}, programs::AddressOf{"out"}});
  const LaunchOutcome outcome = run();
  EXPECT_TRUE(outcome.is_done()) << text_of(outcome);
  std::uint32_t seen = 0;
  std::memcpy(&seen, outcome.buffers[1].data(), 4);
  EXPECT_EQ(seen, 0x1234U);
}

TEST_P(Launches, AnArgumentThatIsNotThereIsNamedWithItsLine) {
  add_kernel(Processor::Riscv0, "\n\n  word(0x40000) = argument(0) + argument(2);", {1U, 2U});
  const LaunchOutcome outcome = run();
  EXPECT_TRUE(outcome.is_done());
  EXPECT_NE(
      text_of(outcome).find("riscv_0.cpp:3: UndefinedBehavior: brisc: reads runtime argument 2, "
                            "and the program gives this kernel 2"),
      std::string::npos)
      << text_of(outcome);
}

TEST_P(Launches, ADeadlockSaysWhoWaitsForWhat) {
  program.circular_buffers = {
      {.origin = "ring",
       .bytes = 32,
       .indices =
           {{.index = 7, .format = programs::DataFormat::UInt32, .page_bytes = 16, .tile = {}}},
       .buffer = {}}};
  add_kernel(Processor::Riscv0, "  received(7) = 2;\n  while (acked(7) == 0) {}");
  add_kernel(Processor::Riscv1, "\n\n  while (received(7) != 3) {}");
  const LaunchOutcome outcome = run();
  EXPECT_FALSE(outcome.is_done());
  EXPECT_FALSE(outcome.ran_out);
  const std::string text = text_of(outcome);
  EXPECT_NE(
      text.find("the core brisc waits for line 2: room in c_7, into which 2 pages were pushed "
                "and of which 0 were popped"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("the core ncrisc waits for line 3: more pages of c_7"), std::string::npos)
      << text;
}

TEST_P(Launches, WhatAKernelMustNotDoIsOneMessage) {
  add_kernel(Processor::Riscv0, "\n  *reinterpret_cast<volatile u32*>(0x900000000ull) = 1;");
  LaunchOutcome outcome = run();
  ASSERT_TRUE(outcome.failure.has_value());
  EXPECT_NE(to_string(*outcome.failure).find("riscv_0.cpp:2: error: brisc: the kernel crashed"),
            std::string::npos)
      << to_string(*outcome.failure);
  program.kernels.clear();
  add_buffer("in", 1);
  add_kernel(Processor::Riscv1, "  read(0, argument(0), 0x7FFFFFC0, 64);",
             {programs::AddressOf{"in"}});
  outcome = run();
  ASSERT_TRUE(outcome.failure.has_value());
  EXPECT_NE(outcome.failure->message.find("ncrisc: asks for 64 bytes at 0x7fffffc0 of L1"),
            std::string::npos)
      << outcome.failure->message;
}

/// A program that is wrong in one way, and the same that is right.
struct Pair {
  const char* rule;
  const char* wrong;
  const char* right;
  const char* says;
};

class CheckedLaunches : public Launches {
 protected:
  void check(const Pair& pair) {
    add_buffer("in", 1, counting(64));
    add_buffer("out", 1);
    program.circular_buffers = {
        {.origin = "host.cpp:9",
         .bytes = 192,
         .indices =
             {{.index = 3, .format = programs::DataFormat::UInt32, .page_bytes = 64, .tile = {}}},
         .buffer = {}}};
    const auto run_body = [&](const std::string& body) {
      program.kernels.clear();
      add_kernel(Processor::Riscv0,
                 "const u32 ring = lanewise_launch_data.circular_buffer[3][0];\n" + body,
                 {programs::AddressOf{"in"}, programs::AddressOf{"out"}});
      for (const tile::Order order : {tile::Order::Adversarial, tile::Order::RoundRobin}) {
        last = text_of(run({.schedule = {.order = order, .seed = 1}}));
        texts.push_back(last);
      }
      EXPECT_EQ(texts[texts.size() - 1], texts[texts.size() - 2])
          << "no order changes what is found";
    };
    run_body(pair.right);
    EXPECT_EQ(last, "");
    run_body(pair.wrong);
    EXPECT_NE(last.find(pair.says), std::string::npos) << last;
    EXPECT_NE(last.find(std::string("[") + pair.rule + "]"), std::string::npos) << last;
  }
  std::string last;
  std::vector<std::string> texts;
};
INSTANTIATE_TEST_SUITE_P(Chips, CheckedLaunches, ::testing::ValuesIn(chips_by_day(0)),
                         [](const auto& chip) {
                           return std::string(arch_params(chip.param).names.id);
                         });

TEST_P(CheckedLaunches, APushNeedsTheReadToHaveCome) {
  check({"programs 1",
         "read(0, argument(0), ring, 64);\nreceived(3) = 1;\nwhile (status(2) != 1) {}\nacked(3) = "
         "1;",
         "read(0, argument(0), ring, 64);\nwhile (status(2) != 1) {}\nreceived(3) = 1;\nacked(3) = "
         "1;",
         "riscv_0.cpp:3: UndefinedBehavior: brisc: pushes a page of c_3 (host.cpp:9) into which "
         "the read of "
         "line 2 is still under way"});
}

// Who looks once, and does not find what it would wait for, has not waited.
TEST_P(CheckedLaunches, ALookIsNoWait) {
  add_buffer("in", 1, counting(64));
  program.circular_buffers = {
      {.origin = "",
       .bytes = 64,
       .indices =
           {{.index = 3, .format = programs::DataFormat::UInt32, .page_bytes = 64, .tile = {}}},
       .buffer = {}}};
  add_kernel(
      Processor::Riscv0,
      "read(0, argument(0), lanewise_launch_data.circular_buffer[3][0], 64);\n"
      "word(0x40000) = status(2);\nreceived(3) = 1;\nwhile (status(2) != 1) {}\nacked(3) = 1;",
      {programs::AddressOf{"in"}});
  EXPECT_NE(text_of(run()).find("pushes a page of c_3 into which the read of line 1"),
            std::string::npos);
}

TEST_P(CheckedLaunches, APopNeedsTheWriteToHaveLeft) {
  check({"programs 2",
         "received(3) = 1;\nwrite(0, ring, argument(1), 64);\nacked(3) = 1;\nwhile (status(1) != "
         "1) {}",
         "received(3) = 1;\nwrite(0, ring, argument(1), 64);\nwhile (status(10) != 1) {}\nacked(3) "
         "= 1;",
         "riscv_0.cpp:4: UndefinedBehavior: brisc: pops a page of c_3 (host.cpp:9) from which the "
         "write of line 3"});
}

TEST_P(CheckedLaunches, AKernelWaitsForWhatItHasAskedFor) {
  check({"programs 3", "read(0, argument(0), 0x40000, 64);",
         "read(0, argument(0), 0x40000, 64);\nwhile (status(2) != 1) {}",
         "riscv_0.cpp:2: UndefinedBehavior: brisc: the kernel ends and has not waited for a read "
         "of 64 bytes"});
}

TEST_P(CheckedLaunches, PagesAreReservedAndWaitedFor) {
  check({"programs 6", "received(3) = 4;\nacked(3) = 4;", "received(3) = 3;\nacked(3) = 3;",
         "pushes 4 pages into c_3 (host.cpp:9), of whose 3 pages 0 are still held"});
}

TEST_P(CheckedLaunches, NobodyPopsMoreThanThereIs) {
  check(
      {"programs 6", "received(3) = 1;\nacked(3) = 2;", "received(3) = 2;\nacked(3) = 2;",
       "riscv_0.cpp:3: UndefinedBehavior: brisc: pops 2 pages of c_3 (host.cpp:9), which holds 1"});
}

TEST_P(CheckedLaunches, PagesThatAreLeftAreNamedUnlessNoneIsEverPopped) {
  check({"programs 6", "received(3) = 2;\nreceived(3) = 3;\nacked(3) = 1;",
         "received(3) = 2;\nreceived(3) = 3;",
         "riscv_0.cpp:3: NonContractual: brisc: 2 pages of c_3 (host.cpp:9) are left at the end"});
}

TEST_P(CheckedLaunches, PagesComeOutAtTheEndOfTheRing) {
  check({"programs 6", "received(3) = 2;\nacked(3) = 2;\nreceived(3) = 4;\nacked(3) = 4;",
         "received(3) = 2;\nacked(3) = 2;\nreceived(3) = 3;\nreceived(3) = 4;\nacked(3) = "
         "3;\nacked(3) = 4;",
         "riscv_0.cpp:4: UndefinedBehavior: brisc: pushes 2 of c_3 (host.cpp:9), whose pointer is "
         "1 pages before its end"});
}

TEST_P(CheckedLaunches, ATransferStaysInItsBuffer) {
  check({"programs 9", "read(0, argument(0) + 32, ring + 32, 64);\nwhile (status(2) != 1) {}",
         "read(0, argument(0) + 0, ring + 64, 64);\nwhile (status(2) != 1) {}",
         "which runs 32 bytes past the end of buffer 'in'"});
}

// Below 0x10000 a process has no memory; kernels reach L1 there all the same.
TEST_P(Launches, TheLowestL1IsThere) {
  add_buffer("out", 1);
  add_kernel(Processor::Riscv0, R"(
  for (u32 i = 0; i < 16; ++i) word(0x2000 + 4 * i) = 3 * i;
  word(0x2004) += word(0x2008);
  write(0, 0x2000, argument(0), 64);
  while (status(1) != 1) {})",
             {programs::AddressOf{"out"}});
  const LaunchOutcome outcome = run();
  EXPECT_TRUE(outcome.is_done()) << text_of(outcome);
  EXPECT_EQ(outcome.buffers[0][4], 9);
  EXPECT_EQ(outcome.buffers[0][8], 6);
}

// What a program leaves in L1 and in DRAM, the next one on the device finds, in buffers or not.
TEST_P(Launches, MemoryOutlivesPrograms) {
  auto memory = DeviceMemory::make(GetParam(), 2 << 20);
  ASSERT_TRUE(memory.has_value());
  add_buffer("first", 1);
  add_kernel(Processor::Riscv0, R"(
  for (u32 i = 0; i < 16; ++i) word(0x50000 + 4 * i) = 100 + i;
  write(0, 0x50000, argument(0), 64);
  while (status(1) != 1) {})",
             {programs::AddressOf{"first"}});
  EXPECT_TRUE(run({}, &*memory).is_done());

  program.buffers.clear();
  program.kernels.clear();
  add_buffer("again", 1); // at the same address
  add_buffer("out", 2);
  add_kernel(Processor::Riscv0, R"(
  read(0, argument(0), 0x60000, 64);
  while (status(2) != 1) {}
  for (u32 i = 0; i < 16; ++i) word(0x60000 + 4 * i) += 1000 * word(0x50000 + 4 * i);
  write(0, 0x60000, argument(1), 64);
  while (status(1) != 1) {})",
             {programs::AddressOf{"again"}, programs::AddressOf{"out"}});
  const LaunchOutcome outcome = run({}, &*memory);
  EXPECT_TRUE(outcome.is_done()) << text_of(outcome);
  EXPECT_TRUE(outcome.buffers.empty()) << "they are in the memory";
  const auto layout = programs::lay_out(program);
  const auto contents = buffer_contents(program, *layout, memory->l1_of_cores(), memory->dram());
  std::uint32_t word = 0;
  std::memcpy(&word, contents[1].data() + 8, sizeof word);
  EXPECT_EQ(word, 102102U);
}

// An address of a buffer that is no more, which is no other's by now.
TEST_P(Launches, BuffersThatWereGivenBackAreNamed) {
  auto memory = DeviceMemory::make(GetParam(), 2 << 20);
  ASSERT_TRUE(memory.has_value());
  add_buffer("in", 1, std::vector<std::uint8_t>(64, 9));
  const std::uint32_t gone = static_cast<std::uint32_t>(noc_record(GetParam())->dram_begin) + 64;
  program.freed.push_back({.origin = "host.cpp:5",
                           .given_at = "host.cpp:8",
                           .memory = BufferMemory::Dram,
                           .address = gone,
                           .bank_bytes = 64});
  const std::string kernel = "read(0, argument(0), 0x40000, 64);\nwhile (status(2) != 1) {}";
  add_kernel(Processor::Riscv0, kernel, {gone});
  const std::string says = text_of(run({}, &*memory));
  EXPECT_NE(says.find("riscv_0.cpp:1: UndefinedBehavior: brisc: reads from"), std::string::npos)
      << says;
  EXPECT_NE(says.find("where the buffer of host.cpp:5 lay, which was given back at host.cpp:8"),
            std::string::npos)
      << says;
  EXPECT_EQ(says.find("programs 9"), std::string::npos) << "one finding is enough: " << says;

  program.kernels.clear();
  add_kernel(Processor::Riscv0, kernel, {programs::AddressOf{"in"}});
  EXPECT_EQ(text_of(run({}, &*memory)), "");
  // Another buffer lies there by now.
  program.kernels.clear();
  add_buffer("next", 1, std::vector<std::uint8_t>(64, 9));
  add_kernel(Processor::Riscv0, kernel, {programs::AddressOf{"next"}});
  EXPECT_EQ(text_of(run({}, &*memory)), "");
}

} // namespace
} // namespace lanewise::launch
