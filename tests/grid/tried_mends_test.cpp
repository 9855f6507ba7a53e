// What is printed as a mend was tried, and does what it says: each is made in the text of the
// kernels as it is printed, and then nothing is found.
#include "chips_by_day.h"
#include "grid/audited.h"
#include "grid/kernel_text.h"
#include "run/grid/trials.h"

namespace lanewise::grid {
namespace tried_mends {

enum Mistake : std::uint32_t {
  kNone,
  kCount,   ///< counts a receiver too many
  kCorners, ///< names the corners in the order of the other NoC
  kLinked,  ///< leaves a link open
  kBetween, ///< does something else while a multicast is linked
  kSingly,  ///< signals by another channel than the data
  kRaised,  ///< waits for one value, which others may raise
  kPassed   ///< waits for one value, which never comes
};

constexpr std::string_view kSender = R"(#include <cstdint>
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t mistake = get_arg_val<uint32_t>(0), y = get_arg_val<uint32_t>(1);
  const uint32_t first = get_arg_val<uint32_t>(2), last = get_arg_val<uint32_t>(3);
  const uint32_t from = get_write_ptr(1), to = get_write_ptr(0), word = get_semaphore(1);
  auto* const ready = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(0));
  *reinterpret_cast<volatile tt_l1_ptr uint32_t*>(word) = 1;
  for (uint32_t i = 0; i < 256; ++i) reinterpret_cast<volatile uint32_t*>(from)[i] = i;
  (void)*reinterpret_cast<volatile uint32_t*>(from);
  if (mistake == 7)
    noc_semaphore_wait(ready, 4);
  else
    noc_semaphore_wait(ready, 2);
  const uint64_t all = get_noc_multicast_addr(last, y, first, y, to);
  const uint64_t words = get_noc_multicast_addr(last, y, first, y, word);
  if (mistake == 1)
    noc_async_write_multicast(from, all, 1024, 3);
  else if (mistake == 2)
    noc_async_write_multicast(from, get_noc_multicast_addr(first, y, last, y, to), 1024, 2);
  else if (mistake == 4)
    noc_async_write_multicast(from, all, 1024, 2, true);
  else
    noc_async_write_multicast(from, all, 1024, 2);
  if (mistake == 4)
    noc_async_write(from, get_noc_addr(last, y, to + 1024), 64);
  if (mistake == 5) {
    noc_semaphore_inc(get_noc_addr(first, y, word), 1);
    noc_semaphore_inc(get_noc_addr(last, y, word), 1);
  } else if (mistake == 3) {
    noc_semaphore_set_multicast(word, words, 2, true);
  } else {
    noc_semaphore_set_multicast(word, words, 2);
  }
  if (mistake == 6) noc_semaphore_wait(ready, 4);
  if (mistake == 7) noc_semaphore_wait(ready, 6);
  noc_async_full_barrier();
}
)";

constexpr std::string_view kReceiver = R"(#include <cstdint>
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t mistake = get_arg_val<uint32_t>(0);
  const uint64_t ready = get_noc_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(1), get_semaphore(0));
  auto* const valid = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(1));
  noc_semaphore_inc(ready, mistake == 7 ? 3 : 1);
  if (mistake == 6) {
    for (uint32_t i = 0; i < 8; ++i) { // whatever takes its time
      noc_async_read(ready, get_write_ptr(1), 16);
      noc_async_read_barrier();
    }
    noc_semaphore_inc(ready, 1);
  }
  noc_async_atomic_barrier();
  noc_semaphore_wait(valid, 1);
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 256; ++i) sum += reinterpret_cast<volatile uint32_t*>(get_write_ptr(0))[i];
  *reinterpret_cast<volatile uint32_t*>(get_write_ptr(1)) = sum;
}
)";

class TriedMends : public Audited, public ::testing::WithParamInterface<Arch> {
 protected:
  TriedMends() { arch = GetParam(); }

  void build() {
    make(R"({
      "grid": [3, 1],
      "buffers": [{"name": "none", "memory": "dram", "bytes": 64, "page_bytes": 64,
                   "format": "UInt32", "layout": "rows"}],
      "circular_buffers": [
        {"index": 0, "format": "UInt32", "pages": 2, "page_bytes": 1024, "cores": [[0, 0, 2, 0]]},
        {"index": 1, "format": "UInt32", "pages": 1, "page_bytes": 1024, "cores": [[0, 0, 2, 0]]}],
      "semaphores": [{"id": 0, "cores": [[0, 0, 2, 0]]}, {"id": 1, "cores": [[0, 0, 2, 0]]}],
      "kernels": [
        {"file": "sender.cpp", "processor": "riscv_0", "noc": 1, "cores": [[0, 0]],
         "runtime_args": [0, {"core_y": [0, 0]}, {"core_x": [1, 0]}, {"core_x": [2, 0]}]},
        {"file": "receiver.cpp", "processor": "riscv_0", "noc": 1, "cores": [[1, 0, 2, 0]],
         "runtime_args": [0, {"core_y": [0, 0]}, {"core_x": [0, 0]}]}]})",
         {sender, kReceiver});
  }

  std::string sender{kSender};
};
INSTANTIATE_TEST_SUITE_P(Chips, TriedMends, ::testing::ValuesIn(chips_by_day(0)),
                         [](const auto& chip) {
                           return std::string(arch_params(chip.param).names.id);
                         });

/// Does in the kernel of the sender what is printed.
void mend(std::string& sender, const std::string& told) {
  ASSERT_NE(told.find("(tried: with it, this is gone)"), std::string::npos) << told;
  const std::size_t at = line_behind(told, "^[^ ]*?");
  std::smatch found;
  if (std::regex_search(told, found, std::regex("; count (\\d+), the cores that receive"))) {
    change_line(sender, at, std::regex(R"(\d+\);)"), found[1].str() + ");");
  } else if (told.find("let the first corner of the address be the other one") !=
             std::string::npos) {
    change_line(sender, at, std::regex(R"(addr\((\w+), (\w+), (\w+), (\w+),)"),
                "addr($3, $4, $1, $2,");
  } else if (const std::size_t linked = line_behind(told, "multicasts, that of ")) {
    change_line(sender, linked, std::regex("true\\)"), "false)");
  } else if (told.find("the last of linked multicasts with linked = false") != std::string::npos) {
    change_line(sender, at, std::regex("true\\)"), "false)");
  } else if (const std::size_t data = line_behind(told, "noc_async_write_barrier\\(\\) between ")) {
    change_line(sender, data, std::regex("(.*)"), "  { $1 noc_async_write_barrier(); }");
  } else {
    const std::size_t wait = std::max(line_behind(told, "call noc_semaphore_wait_min\\(\\) in "),
                                      line_behind(told, "core brisc waits for "));
    change_line(sender, wait, std::regex("semaphore_wait\\("), "semaphore_wait_min(");
  }
}

TEST_P(TriedMends, WhatIsPrintedMendsTheKernels) {
  build();
  EXPECT_EQ(run_with(kNone, three_orders().front()), "");
  for (std::uint32_t mistake = kCount; mistake <= kPassed; ++mistake) {
    const std::string told = run_with(mistake, three_orders().front());
    ASSERT_NE(told, "") << mistake;
    mend(sender, told);
  }
  build();
  for (std::uint32_t mistake = kNone; mistake <= kPassed; ++mistake) {
    EXPECT_EQ(run_with(mistake, three_orders().front()), "") << mistake << "\n" << sender;
    EXPECT_TRUE(is_done);
  }
}

// ---------------------------------------------------------------- What becomes of a trial

constexpr const char* kFile = "k/send.cpp";

/// Of one core, with a fault that has a mend.
std::vector<CoreOutcome> with_mend() {
  std::vector<CoreOutcome> cores(2);
  launch::LaunchOutcome& outcome = cores[1].outcome;
  outcome.faults.push_back({.message = "counts 3",
                            .remedy = "count 2",
                            .rule = "programs 11",
                            .file = kFile,
                            .line = 7});
  outcome.mends.push_back(
      {.mend = {.kind = launch::Mend::Kind::CountReceivers, .core = 3, .line = 7},
       .file = kFile,
       .line = 7,
       .rule = "programs 11"});
  return cores;
}

struct Tried {
  std::vector<CoreOutcome> cores = with_mend();
  Races races{{.cores = {0, 1}, .group = {0, 1}, .l1_bytes = 0x180000, .bank_bytes = {}}};
  Races after{{.cores = {0, 1}, .group = {0, 1}, .l1_bytes = 0x180000, .bank_bytes = {}}};

  /// What is said behind runs in which this comes of it, one after the other.
  std::string remedy(const std::vector<std::vector<CoreOutcome>>& runs) {
    const std::vector<std::size_t> groups{0, 1};
    Trials trials(cores, groups, races);
    for (const std::vector<CoreOutcome>& run : runs) {
      const Mends* const with = trials.next();
      if (with == nullptr) break;
      tried_with.push_back(*with);
      trials.judge(run, after);
    }
    is_over = trials.next() == nullptr;
    trials.say();
    return cores[1].outcome.faults[0].remedy;
  }
  std::vector<Mends> tried_with;
  bool is_over = false;
};
constexpr const char *kHelps = "count 2 (tried: with it, this is gone)",
                     *kFails = "count 2 (tried: by itself, it is not enough)",
                     *kHelpsAlone = "count 2 (tried alone: with it, this is gone)";

TEST(Trials, AMendThatLeavesNothingHelps) {
  std::vector<CoreOutcome> tried(2);
  EXPECT_EQ(Tried().remedy({tried}), kHelps);
}
TEST(Trials, AMendThatLeavesTheFaultIsNotEnough) {
  EXPECT_EQ(Tried().remedy({with_mend()}), kFails);
}
TEST(Trials, AMendThatBringsAnotherFaultIsNotEnough) {
  std::vector<CoreOutcome> tried(2);
  tried[0].outcome.faults.push_back({.message = "another", .rule = "programs 3", .line = 9});
  EXPECT_EQ(Tried().remedy({tried}), kFails);
}
TEST(Trials, AMendWithWhichTheProgramDoesNotEndIsNotEnough) {
  std::vector<CoreOutcome> tried(2);
  tried[0].outcome.blocked = {"the core brisc waits"};
  EXPECT_EQ(Tried().remedy({tried}), kFails);
}
TEST(Trials, WhatWasFoundBesideItMayStay) {
  Tried with;
  with.cores[1].outcome.faults.push_back({.message = "another", .rule = "programs 3", .line = 9});
  std::vector<CoreOutcome> tried(2);
  tried[1].outcome.faults.push_back({.message = "another", .rule = "programs 3", .line = 9});
  EXPECT_EQ(with.remedy({tried}), kHelps);
}
TEST(Trials, WhoIsBlockedIsToldWhatHelps) {
  Tried with;
  with.cores[0].outcome.blocked = {"the core ncrisc waits", "the core brisc waits"};
  with.cores[0].outcome.mends.push_back({.mend = {}, .blocked = 1});
  std::vector<CoreOutcome> tried(2);
  with.remedy({tried});
  EXPECT_EQ(with.cores[0].outcome.blocked[0], "the core ncrisc waits");
  EXPECT_EQ(with.cores[0].outcome.blocked[1],
            "the core brisc waits (tried: with it, this is gone)");
}
TEST(Trials, KernelsAreTriedWithTheMendsOfTheirGroup) {
  Tried with;
  with.remedy({std::vector<CoreOutcome>(2)});
  ASSERT_EQ(with.tried_with.size(), 1U);
  EXPECT_TRUE(with.tried_with[0][0].empty());
  EXPECT_EQ(with.tried_with[0][1].size(), 1U);
  EXPECT_TRUE(with.is_over) << "it has helped";
}
TEST(Trials, WhatHasRunOutOfTimeIsNotTried) {
  Tried with;
  with.cores[0].outcome.ran_out = true;
  with.remedy({std::vector<CoreOutcome>(2)});
  EXPECT_TRUE(with.tried_with.empty());
}

/// With another one on the first core, at another line.
Tried with_two() {
  Tried with;
  with.cores[0] = with.cores[1];
  with.cores[0].outcome.faults[0].line = with.cores[0].outcome.mends[0].line = 11;
  with.cores[0].outcome.mends[0].mend.line = 11;
  return with;
}
/// Neither is gone.
std::vector<CoreOutcome> nothing_helped() {
  return with_two().cores;
}

TEST(Trials, WhatDoesNotHelpTogetherIsTriedAlone) {
  Tried with = with_two();
  std::vector<CoreOutcome> first(2);
  first[0] = nothing_helped()[0];
  EXPECT_EQ(with.remedy({nothing_helped(), nothing_helped(), first}), kHelpsAlone);
  ASSERT_EQ(with.tried_with.size(), 3U);
  for (const std::size_t run : {1U, 2U}) {
    const bool is_first = run == 1;
    EXPECT_EQ(with.tried_with[run][0].size(), is_first ? 1U : 0U);
    EXPECT_EQ(with.tried_with[run][1].size(), is_first ? 0U : 1U);
  }
  EXPECT_TRUE(with.is_over) << "each once";
  EXPECT_EQ(with.cores[0].outcome.faults[0].remedy, kFails);
}
TEST(Trials, WhatHelpsTogetherIsNotTriedAlone) {
  Tried with = with_two();
  EXPECT_EQ(with.remedy({std::vector<CoreOutcome>(2), nothing_helped()}), kHelps);
  EXPECT_EQ(with.tried_with.size(), 1U);
}
TEST(Trials, OneMendIsNotTriedTwice) {
  Tried with;
  EXPECT_EQ(with.remedy({with_mend(), with_mend()}), kFails);
  EXPECT_EQ(with.tried_with.size(), 1U);
}

} // namespace tried_mends
} // namespace lanewise::grid
