#include "report/tile/races.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/source_line.h"
#include "report/tile/report.h"

namespace lanewise::report {

namespace {

std::string touch_text(Arch arch, const tile::Touch& touch) {
  std::string text =
      fmt::format("{} {}, {}", agent_text(touch.agent), touch.writes ? "writes" : "reads",
                  has_line(touch.word.line) ? line_text(touch.word.line) : "no line is known");
  if (touch.agent.is_core) return text;
  return fmt::format("{}: {}", text, instruction_text(arch, touch.word.word));
}

std::string place_of_mend(const tile::Mend& mend) {
  if (mend.line == 0) return "at its end";
  return fmt::format("{} {}", mend.behind ? "behind" : "before", line_text(mend.line));
}

std::string mends_text(Arch arch, const tile::RaceReport& races) {
  if (races.mends.empty())
    return "no single semaphore was found that settles the order; let the later thread wait for "
           "the earlier one with SEMWAIT\n";
  std::string text =
      fmt::format("with these lines added, all {} orders end the same:\n", races.mended_orders);
  for (const tile::Mend& mend : races.mends) {
    text += fmt::format("  {}, {}:\n", thread_text(mend.thread), place_of_mend(mend));
    for (const std::uint32_t word : mend.words)
      text += fmt::format("    {}\n", instruction_text(arch, word));
    if (mend.core_waits)
      text += "    tensix_sync(): the core waits until its thread has done all\n";
  }
  return text;
}

std::string when_text(const std::optional<std::uint64_t>& cycle) {
  return cycle ? fmt::format("in cycle {}", *cycle) : "never";
}

/// What time makes of the order of the two.
enum class TimedOrder : std::uint8_t { Unknown, Keeps, Turns, AllowsBoth };

TimedOrder timed_order(const tile::RaceReport& races) {
  bool keeps = false, turns = false;
  for (const tile::RaceInTime& each : races.in_time) {
    if (!each.first || !each.second) return TimedOrder::Unknown;
    (*each.first <= *each.second ? keeps : turns) = true;
  }
  if (keeps && turns) return TimedOrder::AllowsBoth;
  return keeps ? TimedOrder::Keeps : turns ? TimedOrder::Turns : TimedOrder::Unknown;
}

/// The cycles by which both are apart, at least.
std::uint64_t least_distance(const tile::RaceReport& races) {
  std::uint64_t least = ~std::uint64_t{0};
  for (const tile::RaceInTime& each : races.in_time) {
    const std::uint64_t first = each.first.value_or(0), second = each.second.value_or(0);
    least = std::min(least, first < second ? second - first : first - second);
  }
  return least;
}

std::string time_text(const tile::RaceReport& races) {
  if (!races.no_time.empty()) return fmt::format("in time: not known: {}\n", races.no_time);
  std::string text;
  for (const tile::RaceInTime& each : races.in_time) {
    text += fmt::format("in time{}, the first goes {} and the second {}\n",
                        each.cores.empty() ? "" : fmt::format(" ({})", each.cores),
                        when_text(each.first), when_text(each.second));
  }
  switch (timed_order(races)) {
    case TimedOrder::Unknown: return text;
    case TimedOrder::Keeps:
      return text + fmt::format(
                        "so time keeps round robin's order: a delay of more than {} cycles "
                        "turns it\n",
                        least_distance(races));
    case TimedOrder::Turns:
      return text + fmt::format(
                        "so time has them the other way round, and a delay of {} cycles "
                        "gives round robin's order\n",
                        least_distance(races));
    case TimedOrder::AllowsBoth: break;
  }
  return text + "so time allows both orders: which one comes depends on how fast the cores push\n";
}

/// What the search has not tried.
std::string left_out_text(const tile::RaceReport& races) {
  if (races.unknown == 0) return "";
  return fmt::format("; {} could not be followed: a core does something else there", races.unknown);
}

nlohmann::json cycle_json(const std::optional<std::uint64_t>& cycle) {
  return cycle ? nlohmann::json(*cycle) : nlohmann::json();
}

nlohmann::json touch_json(Arch arch, const tile::Touch& touch) {
  nlohmann::json result{{"thread", touch.agent.thread},
                        {"is_core", touch.agent.is_core},
                        {"place", line_text(touch.word.line)},
                        {"line", source_place(touch.word.line).line},
                        {"file", source_place(touch.word.line).file},
                        {"writes", touch.writes}};
  if (!touch.agent.is_core) result["instruction"] = instruction_text(arch, touch.word.word);
  return result;
}

} // namespace

std::string race_text(Arch arch, const tile::RaceReport& races) {
  const std::string_view chip = arch_params(arch).names.id;
  if (!races.differs)
    return fmt::format("{}: {} orders of the threads end the same{}\n", chip,
                       races.schedules - races.unknown, left_out_text(races));
  std::string text = fmt::format(
      "{}: the end depends on the order of the threads: {} differs from round robin in "
      "{}\n",
      chip, schedule_text(*races.differs), fmt::join(races.differences, ", "));
  if (!races.race)
    return text + "no place that two threads touch explains it: look at what they wait for\n";
  text += fmt::format(
      "{}: these two come in one order in round robin, and in the other one there\n"
      "  {}\n  {}\n",
      tile::place_text(races.race->place), touch_text(arch, races.race->first),
      touch_text(arch, races.race->second));
  return text + time_text(races) + mends_text(arch, races);
}

nlohmann::json race_json(Arch arch, const tile::RaceReport& races) {
  nlohmann::json result{{"schedules", races.schedules},     {"unknown", races.unknown},
                        {"delays", races.possible},         {"differences", races.differences},
                        {"mends", nlohmann::json::array()}, {"mended_orders", races.mended_orders}};
  if (races.differs) result["differs"] = schedule_text(*races.differs);
  if (races.race) {
    result["race"] = {{"place", tile::place_text(races.race->place)},
                      {"first", touch_json(arch, races.race->first)},
                      {"second", touch_json(arch, races.race->second)}};
  }
  result["in_time"] = nlohmann::json::array();
  for (const tile::RaceInTime& each : races.in_time) {
    result["in_time"].push_back({{"cores", each.cores},
                                 {"first", cycle_json(each.first)},
                                 {"second", cycle_json(each.second)}});
  }
  constexpr std::array<std::string_view, 4> kOrders{"unknown", "keeps", "turns", "allows_both"};
  if (races.race) result["time"] = kOrders[static_cast<std::size_t>(timed_order(races))];
  if (!races.no_time.empty()) result["no_time"] = races.no_time;
  for (const tile::Mend& mend : races.mends) {
    nlohmann::json words = nlohmann::json::array();
    for (const std::uint32_t word : mend.words) words.push_back(instruction_text(arch, word));
    result["mends"].push_back({{"thread", mend.thread},
                               {"line", source_place(mend.line).line},
                               {"file", source_place(mend.line).file},
                               {"behind", mend.behind},
                               {"words", words},
                               {"core_waits", mend.core_waits}});
  }
  return result;
}

} // namespace lanewise::report
