// What kernels that move data do to memory by themselves, and to pages of circular buffers: each
// mistake once, and the same kernel without it.
#include <gtest/gtest.h>

#include "launch/launches.h"
#include "run/launch/orders.h"

namespace lanewise::launch {
namespace {

/// Kernels that are wrong in one way, and the same that are right. Each body's first line is
/// line 1.
struct Mistake {
  const char* rule;
  std::string wrong, right; ///< of the core brisc
  const char* says;
  std::string consumer = {}; ///< of the core ncrisc
};

class Accesses : public Launches {
 protected:
  void SetUp() override {
    Launches::SetUp();
    tells_accesses = true;
    add_buffer("in", 1, counting(64));
    add_buffer("out", 4);
    add_buffer("empty", 1);
    program.circular_buffers = {
        {.origin = "host.cpp:9",
         .bytes = 192,
         .indices =
             {{.index = 3, .format = programs::DataFormat::UInt32, .page_bytes = 64, .tile = {}}},
         .buffer = {}}};
  }

  void set_kernels(const std::string& brisc, const std::string& ncrisc) {
    program.kernels.clear();
    const std::string ring = "const u32 ring = lanewise_launch_data.circular_buffer[3][0];";
    const std::vector<programs::Argument> arguments{
        programs::AddressOf{"in"}, programs::AddressOf{"out"}, programs::AddressOf{"empty"}, 0U};
    add_kernel(Processor::Riscv0, ring + brisc, arguments);
    if (!ncrisc.empty()) add_kernel(Processor::Riscv1, ring + ncrisc, arguments);
  }

  /// One kernel is both, by its last argument.
  void check(const Mistake& pair) {
    const auto text = [&](bool is_wrong, tile::Order order) {
      set_kernels("if (argument(3)) {" + pair.wrong + "\n} else {" + pair.right + "}",
                  pair.consumer);
      program.kernels[0].runtime_args[3] = is_wrong ? 1U : 0U;
      const LaunchOutcome outcome = run({.schedule = {.order = order, .seed = 1}});
      EXPECT_TRUE(outcome.is_done()) << text_of(outcome);
      return text_of(outcome);
    };
    EXPECT_EQ(text(false, tile::Order::RoundRobin), "");
    EXPECT_EQ(text(false, tile::Order::Adversarial), "");
    const std::string wrong = text(true, tile::Order::RoundRobin);
    EXPECT_NE(wrong.find(pair.says), std::string::npos) << wrong;
    EXPECT_NE(wrong.find(std::string("[programs ") + pair.rule + "]"), std::string::npos) << wrong;
    EXPECT_EQ(text(true, tile::Order::Adversarial), wrong) << "no order changes what is found";
  }
};
// The chips differ in registers of the NoC, which other tests are about.
INSTANTIATE_TEST_SUITE_P(OnOneChip, Accesses, ::testing::Values(kDefaultArch));

TEST_P(Accesses, AReadIsAwaitedBeforeItsDataAreLookedAt) {
  check({.rule = "1",
         .wrong = "\nread(0, argument(0), 0x40000, 64);\nu32 got = word(0x40004);\n"
                  "while (status(2) != 1) {}\nword(0x50000) = got;",
         .right = "\nread(0, argument(0), 0x40000, 64);\nwhile (status(2) != 1) {}\n"
                  "u32 got = word(0x40004); word(0x50000) = got;",
         .says =
             "riscv_0.cpp:3: UndefinedBehavior: brisc: loads from 0x40004 of L1, into which the "
             "read of line 2 is still under way"});
}

TEST_P(Accesses, AWriteHasLeftBeforeItsDataAreChanged) {
  const std::string begin = "\nword(0x40000) = 1;\nwrite(0, 0x40000, argument(1), 64);\n";
  check({.rule = "2",
         .wrong = begin + "word(0x4003C) = 2;\nwhile (status(1) != 1) {}",
         .right = begin + "while (status(10) != 1) {}\nword(0x4003C) = 2; word(0x40040) = 3;\n"
                          "while (status(1) != 1) {}",
         .says = "riscv_0.cpp:4: UndefinedBehavior: brisc: stores to 0x4003c of L1, from where the "
                 "write of line 3 has not left"});
}

TEST_P(Accesses, NoReadGoesWhereAWriteStillTakesFrom) {
  const std::string begin = "\nword(0x40000) = 1;\nwrite(0, 0x40000, argument(1), 64);\n";
  check({.rule = "2",
         .wrong = begin + "read(0, argument(0), 0x40000, 64);\nwhile (status(1) != 1) {}\n"
                          "while (status(2) != 1) {}",
         .right = begin + "while (status(1) != 1) {}\nread(0, argument(0), 0x40000, 64);\n"
                          "while (status(2) != 1) {}",
         .says = "riscv_0.cpp:4: UndefinedBehavior: brisc: asks for a read of 64 bytes"});
}

TEST_P(Accesses, NoWriteTakesWhatAReadStillBrings) {
  const std::string begin = "\nword(0x40000) = 1;\nread(0, argument(0), 0x40000, 64);\n";
  check({.rule = "1",
         .wrong = begin + "write(0, 0x40000, argument(1), 64);\nwhile (status(1) != 1) {}\n"
                          "while (status(2) != 1) {}",
         .right = begin + "while (status(2) != 1) {}\nwrite(0, 0x40000, argument(1), 64);\n"
                          "while (status(1) != 1) {}",
         .says = "while the read of line 3 into it is still under way"});
}

// In the first round the pages are free all the same: what is told then does no harm.
TEST_P(Accesses, PagesAreReservedBeforeTheyAreWritten) {
  const std::string consumer =
      "for (u32 i = 0; i < 5; ++i) { while (received(3) == i) {} lanewise_waits(3, 1);\n"
      "word(0x50000) = word(ring + i % 3 * 64); pop(3, 1); }";
  const std::string begin = "for (u32 i = 0; i < 5; ++i) {\nwhile (i - acked(3) >= 3) {}\n";
  const std::string end = "word(ring + i % 3 * 64) = i;\npush(3, 1); }";
  check({.rule = "5",
         .wrong = begin + end,
         .right = begin + "lanewise_reserves(3, 1);\n" + end,
         .says = "riscv_0.cpp:3: UndefinedBehavior: brisc: stores to page 0 of c_3 (host.cpp:9), "
                 "and has reserved none; ncrisc pops them in line 2",
         .consumer = consumer});
  set_kernels("\nword(ring) = 1;\npush(3, 1); lanewise_waits(3, 1); pop(3, 1);", "");
  const std::string text = text_of(run());
  EXPECT_NE(text.find("riscv_0.cpp:2: NonContractual: brisc: stores to page 0"), std::string::npos)
      << text;
}

TEST_P(Accesses, PagesAreAwaitedBeforeTheyAreRead) {
  const std::string producer =
      "lanewise_reserves(3, 2); word(ring) = 5; word(ring + 64) = 6;\n"
      "push(3, 2);\n";
  const std::string consumer = "while (received(3) != 2) {}\n";
  const auto text = [&](const std::string& reads) {
    set_kernels(producer, consumer + reads + "\npop(3, 2);");
    return text_of(run());
  };
  EXPECT_EQ(text("lanewise_waits(3, 2); word(0x50000) = word(ring) + word(ring + 64);"), "");
  const std::string none = text("word(0x50000) = word(ring);");
  EXPECT_NE(none.find("riscv_1.cpp:2: UndefinedBehavior: ncrisc: loads from page 0 of c_3 "
                      "(host.cpp:9), and has waited for none; brisc pushes them in line 2"),
            std::string::npos)
      << none;
  // Waits do not add up.
  const std::string twice = text(
      "lanewise_waits(3, 1); lanewise_waits(3, 1);\n"
      "word(0x50000) = word(ring) + word(ring + 64);");
  EXPECT_NE(twice.find("riscv_1.cpp:3: UndefinedBehavior: ncrisc: loads from page 1 of c_3 "
                       "(host.cpp:9), and has waited for 1 from page 0 on, since line 2"),
            std::string::npos)
      << twice;
}

TEST_P(Accesses, TheNocTakesPagesThatWereAwaited) {
  const std::string begin =
      "\nlanewise_reserves(3, 1); read(0, argument(0), ring, 64);\n"
      "while (status(2) != 1) {}\npush(3, 1);\n";
  set_kernels(begin,
              "while (received(3) != 1) {}\nwrite(0, ring, argument(1), 64);\n"
              "while (status(1) != 1) {}\npop(3, 1);");
  const std::string text = text_of(run());
  EXPECT_NE(text.find("riscv_1.cpp:2: UndefinedBehavior: ncrisc: has the NoC write page 0 of c_3"),
            std::string::npos)
      << text;
}

// A circular buffer of which no page is pushed is memory, as any other.
TEST_P(Accesses, AnUnusedRingIsMemory) {
  set_kernels("word(ring) = 1; word(0x50000) = word(ring); lanewise_waits(7, 1);", "");
  EXPECT_EQ(text_of(run()), "");
}

TEST_P(Accesses, WhatIsReadWasWritten) {
  check({.rule = "8",
         .wrong = "\nword(0x50000) = word(0x40004);",
         .right = "\nword(0x40004) = 0; word(0x50000) = word(0x40004);",
         .says =
             "riscv_0.cpp:2: UnpredictableValue: brisc: loads 4 bytes from 0x40004 of L1, which "
             "nothing has written"});
}

TEST_P(Accesses, WhatIsReadOfABufferWasWritten) {
  const std::string barrier = "while (status(2) != 1) {}";
  check({.rule = "8",
         .wrong = "\nread(0, argument(2), 0x40000, 64);\n" + barrier,
         .right = "\nread(0, argument(0), 0x40000, 64);\n" + barrier,
         .says = "where nothing of buffer 'empty' was ever written"});
}

// The C library's functions are seen, too.
TEST_P(Accesses, CopiesAreSeen) {
  check({.rule = "8",
         .wrong = "\nstd::memcpy((void*)0x50000, (void*)0x40000, 256);",
         .right = "\nfor (u32 i = 0; i < 64; ++i) word(0x40000 + 4 * i) = i;\n"
                  "std::memcpy((void*)0x50000, (void*)0x40000, 256);",
         .says = "riscv_0.cpp:2: UnpredictableValue: brisc: loads 256 bytes from 0x40000"});
}

TEST_P(Accesses, APageIsOneOfItsBuffer) {
  check({.rule = "9",
         .wrong = "\nlanewise_means(true, argument(1), 4);",
         .right =
             "\nlanewise_means(true, argument(1), 3); lanewise_means(true, argument(1) + 16, 9);",
         .says =
             "riscv_0.cpp:2: UndefinedBehavior: brisc: asks for the address of page 4 of buffer "
             "'out', which has 4"});
}

TEST_P(Accesses, ArgumentsAndZerosAreNotWritten) {
  const std::string zeros = fmt::format("word({})", noc_record(GetParam())->zeros);
  check({.rule = "9",
         .wrong = "\n" + zeros + " = 1;",
         .right = "\nword(0x50000) = " + zeros + ";",
         .says = "riscv_0.cpp:2: UndefinedBehavior: brisc: writes 0x33"});
  check({.rule = "9",
         .wrong = "\nword(lanewise_launch_data.runtime_args) = 1;",
         .right = "\nword(lanewise_launch_data.semaphores) = 1;",
         .says = "of L1, where arguments of kernels are"});
}

// Without a call that lets others go on, they come to their turn all the same.
TEST_P(Accesses, ALoopThatLooksAtAWordLetsOthersGoOn) {
  set_kernels("word(0x50000) = 0;\nreceived(3) = 1;\nwhile (word(0x50000) == 0) {}\nacked(3) = 1;",
              "\nwhile (received(3) == 0) {}\nword(0x50000) = 1;");
  const LaunchOutcome outcome = run();
  EXPECT_TRUE(outcome.is_done()) << text_of(outcome);
  const bool has_cache = arch_params(GetParam()).core_costs.data_cache_lines != 0;
  EXPECT_EQ(
      text_of(outcome).find("riscv_0.cpp:3: NonContractual: brisc: waits for 0x50000 of L1 in "
                            "a loop without invalidate_l1_cache()") != std::string::npos,
      has_cache)
      << text_of(outcome);
}

// ---------------------------------------------------------------- Orders

/// Stores that change nothing, during which the NoC may go on.
constexpr const char* kMeanwhile = "for (u32 i = 0; i < 100; ++i) received(3) = 0;\n";

/// On a device that nothing has run on.
Expected<ComparedOrders> run_in_orders(const programs::Program& program,
                                       const programs::Layout& layout,
                                       const programs::ProgramObjects& objects,
                                       const std::vector<tile::ScheduleChoice>& orders,
                                       const std::vector<unsigned>& elements) {
  auto memory = DeviceMemory::make(program.arch, layout.dram_bytes);
  if (!memory) return Unexpected(memory.error());
  if (auto added = memory->add(program.core); !added) return Unexpected(added.error());
  const auto once = [&](const tile::ScheduleChoice& order) {
    return launch_program(program, layout, objects, {.schedule = order}, *memory);
  };
  return compare_orders(program, layout, once, orders, elements, *memory);
}

TEST_P(Accesses, LateReadsAreNoticed) {
  const std::string begin = "word(0x40000) = 0;\nread(0, argument(0), 0x40000, 64);\n";
  const std::string end =
      "word(0x50000) = word(0x40000);\nwhile (status(2) != 1) {}\n"
      "write(0, 0x50000, argument(1), 64); while (status(1) != 1) {}";
  set_kernels(begin + kMeanwhile + end, "");
  const LaunchOutcome early = run();
  EXPECT_EQ(early.buffers[1][1], counting(64)[1]);
  const LaunchOutcome late = run({.schedule = {.order = tile::Order::Adversarial, .seed = 0}});
  EXPECT_EQ(late.buffers[1][1], 0) << "the read comes at the barrier";

  const auto layout = programs::lay_out(program);
  programs::ProgramObjects objects;
  objects.tells_accesses = true;
  objects.source[tile::kBrisc] = folder.path().string() + "/riscv_0.cpp";
  objects.object[tile::kBrisc] = compile(program.kernels[0].text, 0, objects.source[tile::kBrisc]);
  const std::vector<unsigned> elements{4, 4, 4};
  const auto compared = run_in_orders(program, *layout, objects, orders_to_compare(2), elements);
  ASSERT_TRUE(compared.has_value());
  EXPECT_TRUE(compared->differs);
  EXPECT_EQ(compared->run.size(), 2U) << "up to the first that differs";
  const std::string text = text_of(compared->outcome);
  EXPECT_NE(text.find("buffer 'out' differs: page 0, element 0, is 0x150e0700 in order round-robin "
                      "and 0x00000000 in order adversarial with seed 0; repeat it with --order "
                      "adversarial --seed 0"),
            std::string::npos)
      << text;
}

/// Nothing stands between the read and the load: in round robin, data come behind it.
TEST_P(Accesses, DataThatComeBeforeALoadAreSeenInSomeOrder) {
  set_kernels(
      "word(0x40000) = 0;\nread(0, argument(0), 0x40000, 64);\nword(0x50000) = word(0x40000);\n"
      "while (status(2) != 1) {}\nwrite(0, 0x50000, argument(1), 64); while (status(1) != 1) {}",
      "");
  EXPECT_EQ(run().buffers[1][1], 0);
  unsigned early = 0;
  for (unsigned seed = 1; seed <= 8; ++seed)
    early += run({.schedule = {.order = tile::Order::Random, .seed = seed}}).buffers[1][1] != 0;
  EXPECT_TRUE(early > 0 && early < 8) << early;
}

TEST_P(Accesses, EarlyReuseIsNoticed) {
  set_kernels(std::string("word(0x40000) = 1; write(0, 0x40000, argument(1), 64);\n") + kMeanwhile +
                  "word(0x40000) = 2; while (status(1) != 1) {}",
              "");
  EXPECT_EQ(run().buffers[1][0], 1);
  EXPECT_EQ(run({.schedule = {.order = tile::Order::Adversarial, .seed = 0}}).buffers[1][0], 2);
}

/// Ctrl-C: what was done before counts, and the order on whose way it came does not.
TEST_P(Accesses, AnOrderThatWasStoppedIsNotCompared) {
  set_kernels("write(0, 0x40000, argument(1), 64); while (status(1) != 1) {}", "");
  const auto layout = programs::lay_out(program);
  auto memory = DeviceMemory::make(program.arch, layout->dram_bytes);
  ASSERT_TRUE(memory.has_value() && memory->add(program.core).has_value());
  const auto compared_until = [&](unsigned last) {
    unsigned number = 0;
    const auto once = [&](const tile::ScheduleChoice&) -> Expected<LaunchOutcome> {
      LaunchOutcome outcome;
      outcome.executed[0] = ++number;
      outcome.was_stopped = outcome.ran_out = number == last;
      return outcome;
    };
    const std::vector<unsigned> elements(3);
    return compare_orders(program, *layout, once, orders_to_compare(3), elements, *memory);
  };
  const auto whole = compared_until(0), stopped = compared_until(3), at_once = compared_until(1);
  ASSERT_TRUE(whole.has_value() && stopped.has_value() && at_once.has_value());
  EXPECT_FALSE(whole->outcome.was_stopped || whole->differs);
  EXPECT_EQ(stopped->run.size(), 2U);
  EXPECT_TRUE(stopped->outcome.was_stopped && !stopped->outcome.is_done() && !stopped->differs);
  EXPECT_EQ(stopped->outcome.executed[0], 1U) << "it is that of the first order";
  EXPECT_TRUE(at_once->outcome.was_stopped);
}

TEST_P(Accesses, ARightProgramIsTheSameInAllOrders) {
  set_kernels(
      "read(0, argument(0), 0x40000, 64); while (status(2) != 1) {}\n"
      "write(0, 0x40000, argument(1), 64); while (status(1) != 1) {}",
      "");
  const auto layout = programs::lay_out(program);
  programs::ProgramObjects objects;
  objects.source[tile::kBrisc] = folder.path().string() + "/riscv_0.cpp";
  objects.object[tile::kBrisc] = compile(program.kernels[0].text, 0, objects.source[tile::kBrisc]);
  const std::vector<unsigned> elements(3);
  const auto compared = run_in_orders(program, *layout, objects, orders_to_compare(3), elements);
  ASSERT_TRUE(compared.has_value());
  EXPECT_FALSE(compared->differs);
  EXPECT_EQ(compared->run.size(), 6U);
  EXPECT_EQ(order_text(compared->run.back()), "random with seed 3");
  EXPECT_EQ(text_of(compared->outcome), "");
}

} // namespace
} // namespace lanewise::launch
