// Programs on many cores, with kernels that include Lanewise's own headers.
#include "run/grid/grid.h"

#include <gtest/gtest.h>

#include "launch/own_programs.h"

namespace lanewise::grid {
namespace {

using launch::LaunchOutcome;
using launch::LaunchSettings;
using launch::text_of;
using tile::Order;

class Grids : public launch::OwnHeadersTest, public ::testing::WithParamInterface<Arch> {
 protected:
  void SetUp() override {
    OwnHeadersTest::SetUp();
    arch = GetParam();
  }

  /// The example, with one text of a kernel replaced by another.
  void read_multicast(const std::string& file = "", const std::string& text = "",
                      const std::string& replacement = "") {
    read_example("multicast.json");
    for (programs::Kernel& kernel : program().kernels) {
      if (file.empty() || kernel.file.find(file) == std::string::npos) continue;
      std::ifstream stream(kernel.file);
      std::stringstream source;
      source << stream.rdbuf();
      kernel.text = source.str();
      const std::size_t at = kernel.text.find(text);
      ASSERT_NE(at, std::string::npos) << text;
      kernel.text.replace(at, text.size(), replacement);
      kernel.file.clear();
    }
  }

  Expected<Prepared> prepared() { return prepare(program(), {}); }

  LaunchOutcome run_all(const LaunchSettings& how = {}) {
    const auto ready = prepared();
    EXPECT_TRUE(ready.has_value()) << (ready ? "" : to_string(ready.error()));
    if (!ready) return {};
    auto outcome = grid::run(*ready, how);
    EXPECT_TRUE(outcome.has_value()) << (outcome ? "" : to_string(outcome.error()));
    return outcome ? std::move(*outcome) : LaunchOutcome{};
  }

  static std::uint32_t word(const std::vector<std::uint8_t>& bytes, std::size_t index) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + 4 * index, sizeof value);
    return value;
  }
};

TEST_P(Grids, APageReachesAllReceiversInAnyOrder) {
  read_multicast();
  for (const auto& [order, seed] : {std::pair(Order::RoundRobin, 0),
                                    {Order::Random, 1},
                                    {Order::Adversarial, 0},
                                    {Order::Adversarial, 5}}) {
    for (const unsigned jobs : {1U, 3U}) {
      const LaunchOutcome outcome = run_all(
          {.schedule = {.order = order, .seed = static_cast<std::uint64_t>(seed)}, .jobs = jobs});
      EXPECT_EQ(text_of(outcome), "");
      ASSERT_TRUE(outcome.is_done());
      for (std::size_t page = 0; page < 3; ++page)
        for (const std::size_t i : {std::size_t{0}, std::size_t{7}, std::size_t{1023}})
          EXPECT_EQ(word(outcome.buffers[1], page * 1024 + i), 100 * (page + 1)) << page << i;
    }
  }
}

// Each packet of a multicast has as many answers as cores receive it.
TEST_P(Grids, AWrongNumberOfReceiversIsNamed) {
  read_multicast("send_to_all", "bytes, receivers);", "bytes, receivers - 1);");
  const std::string fewer = text_of(run_all());
  EXPECT_NE(fewer.find("sends to 3 cores and counts 2 answers: its barrier ends before all"),
            std::string::npos)
      << fewer;
  EXPECT_NE(fewer.find("programs 11"), std::string::npos) << fewer;
  EXPECT_NE(fewer.find("core (0, 0)"), std::string::npos) << fewer;
  read_multicast("send_to_all", "bytes, receivers);", "bytes, receivers + 1);");
  const LaunchOutcome more = run_all();
  EXPECT_FALSE(more.is_done());
  const std::string text = text_of(more);
  EXPECT_NE(text.find("sends to 3 cores and counts 4 answers: its barrier waits for ever"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("core (0, 0): the core ncrisc waits for"), std::string::npos) << text;
}

TEST_P(Grids, ADeadlockNamesSemaphoresAndTheirValues) {
  read_multicast("receive", "noc_semaphore_inc(", "if (number != 1) noc_semaphore_inc(");
  const LaunchOutcome outcome = run_all();
  ASSERT_EQ(outcome.blocked.size(), 4U) << text_of(outcome);
  EXPECT_NE(outcome.blocked[0].find("semaphore 0 to be 3, which is 2"), std::string::npos)
      << outcome.blocked[0];
  EXPECT_NE(outcome.blocked[1].find("semaphore 1 to be 1, which is 0"), std::string::npos)
      << outcome.blocked[1];
}

TEST_P(Grids, ASemaphoreThatHasPassedItsValueIsNamed) {
  read_multicast("receive", "get_semaphore(0)), 1);", "get_semaphore(0)), 2);");
  const LaunchOutcome outcome = run_all();
  ASSERT_FALSE(outcome.blocked.empty());
  EXPECT_NE(outcome.blocked[0].find("semaphore 0 to be 3, which is 6: it has passed that"),
            std::string::npos)
      << outcome.blocked[0];
}

TEST_P(Grids, CornersInTheOtherOrderAreNamed) {
  read_multicast("send_to_all", "get_noc_multicast_addr(first_x, y, last_x, y, here)",
                 "get_noc_multicast_addr(last_x, y, first_x, y, here)");
  const std::string text = text_of(run_all());
  EXPECT_NE(text.find("on NoC 0, which goes right and down"), std::string::npos) << text;
}

TEST_P(Grids, ALinkedMulticastThatIsLeftOpenIsNamed) {
  read_multicast("send_to_all", "bytes, receivers);", "bytes, receivers, true);");
  EXPECT_EQ(text_of(run_all()), "") << "the next one goes the same way";
  read_multicast("send_to_all", "signal, receivers);", "signal, receivers, true);");
  const std::string text = text_of(run_all());
  EXPECT_NE(text.find("its last multicast is linked to a next one"), std::string::npos) << text;
}

// Data on one channel and the signal on another have no order.
TEST_P(Grids, ASignalThatOvertakesItsDataIsFoundByOrders) {
  read_multicast("send_to_all", "noc_semaphore_set(sent, 1);",
                 "for (uint32_t x = first_x; x <= last_x; ++x)\n"
                 "    noc_semaphore_inc(get_noc_addr(x, y, get_semaphore(1)), 1);\n"
                 "  noc_async_write_barrier(); return;");
  const auto ready = prepared();
  ASSERT_TRUE(ready.has_value());
  const std::vector<unsigned> elements{4, 4};
  const auto compared = run_in_orders(*ready, launch::orders_to_compare(4), {}, elements);
  ASSERT_TRUE(compared.has_value());
  EXPECT_TRUE(compared->differs);
  const std::string text = text_of(compared->outcome);
  EXPECT_NE(text.find("programs 18"), std::string::npos) << text;
  EXPECT_NE(text.find("programs 13"), std::string::npos) << text;
  EXPECT_NE(text.find("an increment of 0x16010 of L1 of another core"), std::string::npos) << text;
}

// The first number is loaded before the page is awaited, and stored again behind it. Pages come
// from outside of the core's process.
TEST_P(Grids, DataThatComeBeforeALoadAreSeenInSomeOrder) {
  const std::string first = "*reinterpret_cast<volatile tt_l1_ptr uint32_t*>(here)";
  read_multicast("send_to_all", "noc_async_read_barrier();",
                 "const uint32_t first = " + first + ";\n  noc_async_read_barrier();\n  " + first +
                     " = first;");
  const auto first_number = [this](const tile::ScheduleChoice& order) {
    return word(run_all({.schedule = order}).buffers[1], 0);
  };
  EXPECT_NE(first_number({}), 100U);
  unsigned early = 0;
  for (unsigned seed = 1; seed <= 6; ++seed)
    early += first_number({.order = Order::Random, .seed = seed}) == 100 ? 1 : 0;
  EXPECT_TRUE(early > 0 && early < 6) << early;
}

TEST_P(Grids, ACoreThatDiesIsNamedAndTakesNothingWithIt) {
  read_multicast("receive", "numbers[i] *= number + 1;",
                 "numbers[i] *= number + 1;\n  if (number == 1) __builtin_trap();");
  const LaunchOutcome outcome = run_all();
  ASSERT_TRUE(outcome.failure.has_value()) << text_of(outcome);
  EXPECT_NE(outcome.failure->message.find("core (2, 0)"), std::string::npos)
      << outcome.failure->message;
  EXPECT_EQ(word(outcome.buffers[1], 0), 100U);
  EXPECT_EQ(word(outcome.buffers[1], 2 * 1024), 300U);
}

TEST_P(Grids, ACoreThatIsNotThereIsRefused) {
  read_multicast();
  program().grid = programs::Core{3, 1};
  const auto refused = prepared();
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().message.find("the grid has 3 columns and 1 rows"), std::string::npos)
      << refused.error().message;
  read_multicast();
  program().kernels[0].runtime_args[2] = programs::PlaceOf{.core = {7, 0}};
  program().grid = programs::Core{4, 1};
  const std::string text = text_of(run_all());
  EXPECT_NE(text.find("is no core of the grid"), std::string::npos) << text;
}

INSTANTIATE_TEST_SUITE_P(OnBothChips, Grids, ::testing::ValuesIn(kArchs), [](const auto& chip) {
  return std::string(arch_params(chip.param).names.id);
});

} // namespace
} // namespace lanewise::grid
