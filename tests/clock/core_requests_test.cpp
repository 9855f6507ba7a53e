// What cores send to others on their way: stores to registers, for which a thread can wait, and
// messages in mailboxes.
#include <gtest/gtest.h>

#include <vector>

#include "chip/isa/clock_record.h"
#include "clock/timed_rig.h"
#include "tile/core_addresses.h"

namespace lanewise::test {
namespace {

/// What a core does in a cycle, or as soon as it can from then on.
struct CoreAct {
  enum class Kind : std::uint8_t { Push, Store, Load };

  std::uint64_t cycle = 0;
  Kind kind = Kind::Push;
  std::uint32_t address = 0, value = 0; ///< of Push: the word
};

class ScriptedCore final : public tile::ClockedFeeder {
 public:
  ScriptedCore(unsigned core, std::vector<CoreAct> acts) : core_(core), acts_(std::move(acts)) {}

  Expected<std::uint64_t> ready(tile::Tile& /*tile*/) override {
    return next_ < acts_.size() ? acts_[next_].cycle : now_;
  }
  void at(std::uint64_t cycle) override { now_ = cycle; }
  Expected<tile::FeederStep> step(tile::Tile& tile) override {
    if (next_ == acts_.size()) return tile::FeederStep::Ended;
    const CoreAct& act = acts_[next_];
    bool done = false;
    switch (act.kind) {
      case CoreAct::Kind::Push: done = tile.push(core_, {act.value, 0}); break;
      case CoreAct::Kind::Store: done = *tile.store(core_, act.address, 4, act.value, 0); break;
      case CoreAct::Kind::Load: {
        const auto value = *tile.load(core_, act.address, 4);
        done = value.has_value();
        if (done) loaded.push_back({now_, *value});
        break;
      }
    }
    if (!done) return tile::FeederStep::Waits;
    ++next_;
    return tile::FeederStep::Went;
  }
  std::string waits_for() const override { return "nothing"; }

  std::vector<std::pair<std::uint64_t, std::uint32_t>> loaded; ///< cycles and values

 private:
  unsigned core_;
  std::vector<CoreAct> acts_;
  std::size_t next_ = 0;
  std::uint64_t now_ = 0;
};

using Kind = CoreAct::Kind;

/// A core pushes a text so many times, once a cycle, and then loads: the cycle in which the last of
/// them issues, that of the load, and the value.
std::vector<std::uint64_t> looks_behind(Arch arch, const std::string& text, unsigned times,
                                        std::uint32_t address) {
  TimedRig rig(arch);
  const std::uint32_t word = rig.assemble(text).words.at(0).word;
  std::vector<CoreAct> acts;
  for (unsigned i = 0; i < times; ++i) acts.push_back({i, Kind::Push, 0, word});
  acts.push_back({times, Kind::Load, address});
  ScriptedCore core(0, acts);
  const auto result = clock::run_in_time(rig.tile, {&core, nullptr, nullptr},
                                         {.keeps_timeline = true, .limits = {}});
  EXPECT_TRUE(result && result->run.blocked.empty());
  return {result->timeline.back().cycle, core.loaded.at(0).first, core.loaded.at(0).second};
}

class CoreRequests : public testing::TestWithParam<Arch> {
 protected:
  std::uint32_t word(const std::string& text) {
    TimedRig rig(GetParam());
    return rig.assemble(text).words.at(0).word;
  }

  /// The cycle in which what waits behind a STALLWAIT for the core issues; the core stores then.
  std::uint64_t issues_behind(std::optional<std::uint64_t> store, std::uint32_t address) {
    const auto& conditions = arch_params(GetParam()).tile.wait_conditions;
    unsigned bit = 0;
    while (conditions[bit] != WaitFor::CoreRequest) ++bit;
    const std::string wait = fmt::format("STALLWAIT BlockMask=1, ConditionMask={}", 1U << bit);
    std::vector<CoreAct> acts{{0, Kind::Push, 0, word(wait)},
                              {1, Kind::Push, 0, word("SETADCXX U0=1, X0Val=0, X1Val=3")}};
    if (store) acts.push_back({*store, Kind::Store, address, 1});
    TimedRig rig(GetParam());
    ScriptedCore core(0, acts);
    const auto result = clock::run_in_time(rig.tile, {&core, nullptr, nullptr},
                                           {.keeps_timeline = true, .limits = {}});
    EXPECT_TRUE(result && result->run.blocked.empty());
    return result->timeline.back().cycle;
  }
};
INSTANTIATE_TEST_SUITE_P(Chip, CoreRequests, testing::ValuesIn(kArchs));

// ISA STALLWAIT C10 (C13): it waits while a request is not yet processed; then the gate's lag.
TEST_P(CoreRequests, AThreadWaitsForWhatItsCoreHasStored) {
  const ClockParams& chip = clock_params(GetParam());
  const std::uint64_t free = issues_behind(std::nullopt, 0);
  for (const std::uint32_t address : {kGprs + 4 * 8, kConfig + 4 * 60}) {
    for (std::uint64_t store = free - 3; store < free; ++store) {
      EXPECT_EQ(issues_behind(store, address),
                std::max(free, store + chip.core_request + chip.gate_lag))
          << store;
    }
    EXPECT_EQ(issues_behind(free + 5, address), free) << "what comes later is not waited for";
  }
  EXPECT_EQ(issues_behind(free - 1, kSemaphores), free) << "a semaphore is none of its registers";
}

// core.md 3: whether one instruction is under way or several.
TEST_P(CoreRequests, ACoreIsToldThatItsThreadIsIdleOnceAllIsDone) {
  for (const unsigned times : {1U, 2U, 5U}) {
    const auto looks = looks_behind(GetParam(), "SETADCXX U0=1, X0Val=0, X1Val=3", times, kIdle);
    EXPECT_GT(looks.at(1), looks.at(0)) << times;
  }
}

// core.md 3: Wormhole's programs see to it that what they have pushed is done.
TEST(BlackholesCores, WaitForInstructionsOnRegisters) {
  for (const unsigned times : {1U, 2U, 5U}) {
    const auto looks = looks_behind(Arch::Blackhole, "SETDMAREG 0, 7, 0, 16", times, kGprs + 4 * 8);
    EXPECT_GT(looks.at(1), looks.at(0)) << times;
    EXPECT_EQ(looks.at(2), 7U) << times;
  }
  EXPECT_EQ(looks_behind(Arch::Wormhole, "SETDMAREG 0, 7, 0, 16", 1, kGprs + 4 * 8).at(2), 0U);
}

TEST_P(CoreRequests, ComeHalfTheWayOfALoad) { // ISA BabyRISCV: at least 4 cycles, and 3
  const CoreCostParams& costs = arch_params(GetParam()).core_costs;
  EXPECT_EQ(clock_params(GetParam()).core_request, costs.load_backend / 2);
  EXPECT_EQ(clock_params(GetParam()).message, costs.load_sync / 2);
}

TEST_P(CoreRequests, AMessageIsNotThereAtOnce) {
  const std::uint64_t way = clock_params(GetParam()).message;
  const std::uint32_t to_t1 = kMailboxes + 0x2000, from_t0 = kMailboxes + 0x1000;
  TimedRig rig(GetParam());
  ScriptedCore writer(0, {{10, Kind::Store, to_t1, 7}, {11, Kind::Store, to_t1, 8}});
  ScriptedCore reader(1, {{3, Kind::Load, from_t0}, {40, Kind::Load, from_t0}});
  const auto result = clock::run_in_time(rig.tile, {&writer, &reader, nullptr});
  ASSERT_TRUE(result && result->run.blocked.empty());
  ASSERT_EQ(reader.loaded.size(), 2U);
  EXPECT_EQ(reader.loaded[0], std::pair(10 + way, 7U)) << "the core has waited for it";
  EXPECT_EQ(reader.loaded[1], std::pair(std::uint64_t{40}, 8U)) << "it has been there for long";
}

TEST_P(CoreRequests, AMailboxIsEmptyUntilItsMessageIsThere) {
  const std::uint64_t way = clock_params(GetParam()).message;
  const std::uint32_t to_t1 = kMailboxes + 0x2000, has_any = kMailboxes + 0x1004;
  TimedRig rig(GetParam());
  ScriptedCore writer(0, {{10, Kind::Store, to_t1, 7}});
  ScriptedCore reader(1, {{9 + way, Kind::Load, has_any}, {10 + way, Kind::Load, has_any}});
  const auto result = clock::run_in_time(rig.tile, {&writer, &reader, nullptr});
  ASSERT_TRUE(result.has_value());
  ASSERT_EQ(reader.loaded.size(), 2U);
  EXPECT_EQ(reader.loaded[0].second, 0U);
  EXPECT_EQ(reader.loaded[1].second, 1U);
}

} // namespace
} // namespace lanewise::test
