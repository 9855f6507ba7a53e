#include "chip/tile/races.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "chip/tile/race_mend.h"
#include "chip/tile/race_search.h"

namespace lanewise::tile {

namespace {

struct End {
  TileState state;
  std::vector<unsigned> blocked; ///< threads that wait for ever
};

Expected<End> end_of(const TileState& start, const TileProgram& program,
                     const ScheduleChoice& choice, const RunLimits& limits,
                     AccessLog* log = nullptr) {
  Tile tile(start.arch());
  tile.state() = start;
  tile.state().log = log;
  const auto result = run_program(tile, program, choice, limits);
  if (!result) return Unexpected(result.error());
  End end{std::move(tile.state()), {}};
  end.state.log = nullptr;
  end.state.machine.act_for(kMathThread);
  for (const Blocked& each : result->blocked) end.blocked.push_back(each.thread);
  if (result->ran_out) end.blocked.push_back(kThreads);
  return end;
}

std::vector<std::string> end_differences(const End& one, const End& other) {
  std::vector<std::string> found = differences(one.state, other.state);
  if (one.blocked != other.blocked)
    found.push_back(other.blocked.empty() ? "a deadlock in the first only" : "a deadlock");
  return found;
}

ScheduleChoice schedule_number(unsigned i) {
  return {.order = i % 2 == 0 ? Order::Random : Order::Adversarial, .seed = i / 2};
}

/// Which schedules are run beside round robin, and who hears of it.
struct Trials {
  unsigned others;
  const RunLimits& limits;
  const RaceProgress& progress;
};

/// The first of the schedules with another end. `run`: how many there were, with round robin.
Expected<std::optional<ScheduleChoice>> find_difference(const TileState& start,
                                                        const TileProgram& program,
                                                        const Trials& trials, std::string_view what,
                                                        std::vector<std::string>& found,
                                                        unsigned& run) {
  const RunLimits& limits = trials.limits;
  const auto reference = end_of(start, program, {}, limits);
  if (!reference) return Unexpected(reference.error());
  run = 1;
  for (unsigned i = 0; i < trials.others; ++i, ++run) {
    if (limits.stop && limits.stop()) break;
    if (trials.progress) trials.progress(what, i + 1);
    const auto end = end_of(start, program, schedule_number(i), limits);
    if (!end) return Unexpected(end.error());
    found = end_differences(*reference, *end);
    if (!found.empty()) return schedule_number(i);
  }
  return std::nullopt;
}

/// Whether round robin comes to its end, and all others to the same.
Expected<bool> is_settled(const TileState& start, const TileProgram& program,
                          const Trials& trials) {
  const auto reference = end_of(start, program, {}, trials.limits);
  if (!reference) return Unexpected(reference.error());
  if (!reference->blocked.empty()) return false;
  std::vector<std::string> ignored;
  unsigned run = 0;
  const auto differs =
      find_difference(start, program, trials, "whether a wait helps", ignored, run);
  if (!differs) return Unexpected(differs.error());
  return !differs->has_value();
}

/// "from 3 to 17": the first and the last index at which two ranges differ.
template <class Range>
std::optional<std::pair<std::size_t, std::size_t>> differing(const Range& one, const Range& other) {
  std::size_t first = 0, last = one.size();
  while (first < last && one[first] == other[first]) ++first;
  while (last > first && one[last - 1] == other[last - 1]) --last;
  if (first == last) return std::nullopt;
  return std::pair{first, last - 1};
}

void compare_dst(const Dst& one, const Dst& other, std::vector<std::string>& found) {
  std::vector<bool> same(kDstRows);
  for (unsigned row = 0; row < kDstRows; ++row) {
    same[row] = one.valid(row) == other.valid(row) &&
                std::memcmp(one.cell[row], other.cell[row], sizeof one.cell[row]) == 0;
  }
  const auto rows = differing(same, std::vector<bool>(kDstRows, true));
  if (rows) found.push_back(fmt::format("Dst rows {} to {}", rows->first, rows->second));
}

void compare_config(const ConfigState& one, const ConfigState& other,
                    std::vector<std::string>& found) {
  for (unsigned word = 0; word < arch_params(one.arch()).config.shared_words; ++word) {
    if (one.shared_word(0, word) == other.shared_word(0, word) &&
        one.shared_word(1, word) == other.shared_word(1, word))
      continue;
    return found.push_back(fmt::format("configuration from word {} on", word));
  }
}

} // namespace

std::vector<std::string> differences(const TileState& one, const TileState& other) {
  std::vector<std::string> found;
  if (const auto bytes = differing(one.l1.bytes(), other.l1.bytes()))
    found.push_back(fmt::format("L1 from 0x{:x} to 0x{:x}", bytes->first, bytes->second));
  compare_dst(one.machine.dst, other.machine.dst, found);
  if (!(one.machine.srca == other.machine.srca)) found.emplace_back("SrcA");
  if (!(one.machine.srcb == other.machine.srcb)) found.emplace_back("SrcB");
  compare_config(one.machine.config, other.machine.config, found);
  if (one.sync.semaphore != other.sync.semaphore) found.emplace_back("semaphores");
  return found;
}

Expected<RaceReport> find_races(const TileState& start, const TileProgram& program, unsigned others,
                                const RunLimits& limits, const RaceProgress& progress) {
  const Trials trials{others, limits, progress};
  RaceReport report{.schedules = 0, .differs = {}, .differences = {}, .race = {}, .mends = {}};
  const auto differs = find_difference(start, program, trials, "whether the end differs",
                                       report.differences, report.schedules);
  if (!differs) return Unexpected(differs.error());
  report.differs = *differs;
  // A search that has found one runs no more of them, but all again for each wait.
  if (report.differs) report.schedules = others + 1;
  if (!report.differs) return report;
  AccessLog in_order, otherwise;
  if (const auto end = end_of(start, program, {}, limits, &in_order); !end)
    return Unexpected(end.error());
  if (const auto end = end_of(start, program, *report.differs, limits, &otherwise); !end)
    return Unexpected(end.error());
  report.race = first_race(in_order, otherwise);
  if (!report.race) return report;
  for (const auto& mends : possible_mends(start.arch(), program, *report.race, in_order)) {
    const auto helps = is_settled(start, with_mends(program, mends), trials);
    if (!helps) return Unexpected(helps.error());
    if (limits.stop && limits.stop()) break; // not every schedule has been tried
    if (!*helps) continue;
    report.mends = mends;
    break;
  }
  return report;
}

} // namespace lanewise::tile
