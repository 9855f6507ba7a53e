#include "report/tile/races.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/source_line.h"
#include "report/tile/report.h"

namespace lanewise::report {

namespace {

std::string touch_text(Arch arch, const tile::Touch& touch) {
  return fmt::format("{} {}, {}: {}", thread_text(touch.thread), touch.writes ? "writes" : "reads",
                     line_text(touch.word.line), instruction_text(arch, touch.word.word));
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
      fmt::format("with these lines added, all {} orders end the same:\n", races.schedules);
  for (const tile::Mend& mend : races.mends) {
    text += fmt::format("  {}, {}:\n", thread_text(mend.thread), place_of_mend(mend));
    for (const std::uint32_t word : mend.words)
      text += fmt::format("    {}\n", instruction_text(arch, word));
  }
  return text;
}

nlohmann::json touch_json(Arch arch, const tile::Touch& touch) {
  return {{"thread", touch.thread},
          {"line", touch.word.line},
          {"writes", touch.writes},
          {"instruction", instruction_text(arch, touch.word.word)}};
}

} // namespace

std::string race_text(Arch arch, const tile::RaceReport& races) {
  const std::string_view chip = arch_params(arch).names.id;
  if (!races.differs)
    return fmt::format("{}: {} orders of the threads end the same\n", chip, races.schedules);
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
  return text + mends_text(arch, races);
}

nlohmann::json race_json(Arch arch, const tile::RaceReport& races) {
  nlohmann::json result{{"schedules", races.schedules},
                        {"differences", races.differences},
                        {"mends", nlohmann::json::array()}};
  if (races.differs) result["differs"] = schedule_text(*races.differs);
  if (races.race) {
    result["race"] = {{"place", tile::place_text(races.race->place)},
                      {"first", touch_json(arch, races.race->first)},
                      {"second", touch_json(arch, races.race->second)}};
  }
  for (const tile::Mend& mend : races.mends) {
    nlohmann::json words = nlohmann::json::array();
    for (const std::uint32_t word : mend.words) words.push_back(instruction_text(arch, word));
    result["mends"].push_back(
        {{"thread", mend.thread}, {"line", mend.line}, {"behind", mend.behind}, {"words", words}});
  }
  return result;
}

} // namespace lanewise::report
