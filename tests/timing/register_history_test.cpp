// chip/timing/hazards/register_history.h against a walk over all events.
#include "chip/timing/hazards/register_history.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <vector>

namespace lanewise::test {

using timing::Event;
using timing::EventFacts;
using timing::landing;
using timing::RegisterHistory;
using timing::same_instruction;

namespace {

constexpr timing::LRegMask kReg = 1U << 3;

struct Events {
  std::vector<Event> events;
  std::vector<EventFacts> facts;

  /// As many as the sub-units execute in a cycle; some cycles have none.
  static Events random(std::mt19937& generator) {
    const auto bits = [&generator] { return static_cast<std::uint32_t>(generator()); };
    const auto one_in = [&bits](unsigned n) { return bits() % n == 0; };
    constexpr std::uint64_t kCycles = 30;
    const bool is_dense = one_in(2), has_lanes_off = one_in(2);
    Events all;
    for (std::uint64_t cycle = 0; cycle < kCycles; ++cycle) {
      for (unsigned left = bits() % 5; left > 0; --left) {
        Event event;
        event.cycle = cycle;
        event.op.word = bits() % 3;
        event.issue = bits() % 8;
        event.scheduled = one_in(2);
        event.sub_unit = one_in(2) ? isa::SubUnit::Mad : isa::SubUnit::Store;
        event.latency = one_in(2) ? 2 : 1;
        EventFacts facts;
        facts.reads = one_in(is_dense ? 2 : 8) ? kReg | 1U : 1U;
        facts.writes = one_in(is_dense ? 2 : 8) ? kReg | 2U : 2U;
        facts.all_lanes = !has_lanes_off || one_in(2);
        all.events.push_back(event);
        all.facts.push_back(facts);
      }
    }
    return all;
  }

  bool reads(std::size_t i) const { return (facts[i].reads & kReg) != 0; }
  bool writes(std::size_t i) const { return (facts[i].writes & kReg) != 0; }

  bool is_read_later(std::size_t writer, std::size_t reader) const {
    const bool one_macro = events[writer].issue == events[reader].issue;
    std::optional<std::uint64_t> overwritten;
    for (std::size_t i = writer + 1; i < events.size(); ++i) {
      if (overwritten && events[i].cycle >= *overwritten) return false;
      const bool is_like = one_macro && same_instruction(events[i], events[reader]);
      if (events[i].cycle >= landing(events[writer]) && reads(i) && !is_like) return true;
      if (!writes(i) || !facts[i].all_lanes) continue;
      if (landing(events[i]) >= landing(events[writer]))
        overwritten = std::min(overwritten.value_or(landing(events[i])), landing(events[i]));
    }
    return false;
  }

  bool old_value_is_newer(std::size_t writer, std::size_t reader) const {
    for (std::size_t i = reader; i-- > 0;) {
      if (i == writer || !writes(i) || landing(events[i]) > events[reader].cycle) continue;
      return events[i].issue > events[writer].issue;
    }
    return false;
  }
};

TEST(RegisterHistory, SaysWhatAWalkOverTheEventsSays) {
  constexpr unsigned kHistories = 2000;
  std::mt19937 generator(1);
  std::array<unsigned, 2> later{}, newer{};
  for (unsigned i = 0; i < kHistories; ++i) {
    const Events all = Events::random(generator);
    const RegisterHistory history(all.events, all.facts, kReg);
    for (std::size_t writer = 0; writer < all.events.size(); ++writer) {
      if (all.events[writer].latency != 2 || !all.writes(writer)) continue;
      for (std::size_t reader = writer + 1; reader < all.events.size(); ++reader) {
        if (all.events[reader].cycle != all.events[writer].cycle + 1 || !all.reads(reader))
          continue;
        const bool is_read = all.is_read_later(writer, reader);
        const bool is_newer = all.old_value_is_newer(writer, reader);
        ++later.at(is_read ? 1 : 0);
        ++newer.at(is_newer ? 1 : 0);
        ASSERT_EQ(history.is_read_later(writer, reader), is_read)
            << "history " << i << ", events " << writer << " and " << reader;
        ASSERT_EQ(history.old_value_is_newer(writer, reader), is_newer)
            << "history " << i << ", events " << writer << " and " << reader;
      }
    }
  }
  for (const unsigned each : {later[0], later[1], newer[0], newer[1]}) EXPECT_GT(each, 100U);
}

// Nobody reads the results but the like of the next macro, and none is written over in all lanes: a
// walk for each of them would take 10^10 steps.
TEST(RegisterHistory, AnswersManyQuestions) {
  constexpr std::uint32_t kMacros = 100'000;
  Events all;
  for (std::uint32_t i = 0; i < kMacros; ++i) {
    Event writer{.cycle = 2 * i, .op = MicroOp{}, .issue = i, .sub_unit = isa::SubUnit::Mad};
    writer.latency = 2;
    const Event reader{
        .cycle = 2 * i + 1, .op = MicroOp{}, .issue = i, .sub_unit = isa::SubUnit::Store};
    all.events.push_back(writer);
    all.facts.push_back({.writes = kReg});
    all.events.push_back(reader);
    all.facts.push_back({.reads = kReg});
  }
  const RegisterHistory history(all.events, all.facts, kReg);
  std::size_t answers = 0;
  for (std::size_t i = 0; i < all.events.size(); i += 2) {
    answers += history.is_read_later(i, i + 1) ? 1 : 0;
    answers += history.old_value_is_newer(i, i + 1) ? 1 : 0;
  }
  EXPECT_EQ(answers, 0U);
}

} // namespace
} // namespace lanewise::test
