#include "run/execution/check_program.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "chip/machine/executor.h"
#include "chip/timing/hazards/calls.h"

namespace lanewise::execution {

namespace {

bool is_wrong(const timing::Hazard& hazard) {
  return !hazard.rule->warns_only;
}

/// Instructions that are not executed yet say nothing about the program.
bool is_wrong(const Fault& fault) {
  return !leaves_results_valid(fault.kind) && fault.kind != FaultKind::Unsupported;
}

template <class Entry>
std::size_t count_wrong(const std::vector<Entry>& entries) {
  return static_cast<std::size_t>(
      std::ranges::count_if(entries, [](const Entry& each) { return is_wrong(each); }));
}

/// Where something was found, as a line of a file.
using Place = std::pair<std::uint32_t, std::string>;

/// The macros that count cycles, and the instructions that they name. A push that comes late for
/// one of them is its matter: the macro has scheduled the store that changes, or names the
/// instruction that comes late.
struct CountingMacros {
  std::set<Place> places, named;

  explicit CountingMacros(std::span<const timing::Hazard> hazards) {
    for (const timing::Hazard& each : hazards) {
      if (each.rule->id != "macro-core-timing") continue;
      places.emplace(each.line, each.file);
      named.emplace(each.other_line, each.other_file);
    }
  }

  bool have(const timing::Hazard& late) const {
    return places.contains({late.other_line, late.other_file}) ||
           named.contains({late.line, late.file});
  }
};

/// One finding for one matter.
void drop_doubled_findings(CheckedProgram& checked) {
  std::vector<timing::Hazard>& hazards = checked.hazards;
  const auto has = [&](std::string_view id) {
    return std::ranges::any_of(hazards, [id](const auto& hazard) { return hazard.rule->id == id; });
  };
  // That a macro counts cycles says why already; who asks for pauses wants to see all of them.
  if (!checked.pauses) {
    const CountingMacros counting(hazards);
    std::erase_if(hazards, [&](const auto& hazard) {
      return hazard.rule->id == "late-push" && counting.have(hazard);
    });
  }
  if (has("macro-misc-armed"))
    std::erase_if(hazards,
                  [](const auto& hazard) { return hazard.rule->id == "macro-left-armed"; });
  // A sequence that nobody has programmed is empty, and its templates suit nothing.
  std::set<std::uint32_t> unprogrammed;
  for (const timing::Hazard& hazard : hazards) {
    if (hazard.rule->id == "unprogrammed-macro") unprogrammed.insert(hazard.line);
  }
  std::erase_if(hazards, [&](const auto& hazard) {
    const std::string_view id = hazard.rule->id;
    return (id == "macro-unprogrammed" || id == "macro-template" || id == "macro-store-template") &&
           unprogrammed.contains(hazard.line);
  });
}

/// What the program leaves on the tile.
MachineState executed(const TimedProgram& timed) {
  MachineState after = timed.start;
  execute(after, timed.ops());
  return after;
}

} // namespace

FindingCounts count_findings(const CheckedProgram& checked) {
  const std::size_t wrong = count_wrong(checked.hazards);
  return {.hazards = wrong,
          .warnings = checked.hazards.size() - wrong,
          .faults = checked.faults.size()};
}

bool finds_anything(const CheckedProgram& checked) {
  return !checked.hazards.empty() || !checked.faults.empty();
}

bool has_problem(const CheckedProgram& checked) {
  return !checked.failure.empty() || count_wrong(checked.hazards) != 0 ||
         count_wrong(checked.faults) != 0;
}

CheckedProgram check_program(const TimedProgram& timed, const Program& program,
                             const CheckSettings& settings) {
  timing::Followed followed =
      timing::follow_program(timed.schedule, timed.program, timed.start, {.source = &program},
                             programmed_before(timed, program, settings.filled));
  const MachineState after = followed.after ? std::move(*followed.after) : executed(timed);

  CheckedProgram checked{.name = program.name, .arch = timed.schedule.arch};
  checked.instructions = timed.program.ops.size();
  checked.cycles = timed.schedule.cycles;
  const auto add = [&checked](std::vector<timing::Hazard> hazards) {
    std::ranges::move(hazards, std::back_inserter(checked.hazards));
  };
  add(std::move(followed.hazards));
  timing::LatePushes late = timing::find_late_pushes(program, timed.program, timed.start,
                                                     settings.pauses, settings.progress);
  add(std::move(late.hazards));
  if (settings.pauses == timing::PauseSearch::Whole) checked.pauses = late.tried;
  std::vector<timing::Hazard> breaks =
      timing::find_contract_breaks(timed.start, after, timed.schedule);
  timing::try_endings(breaks, program, timed.start);
  add(std::move(breaks));
  add(timing::find_changed_init(program, timed.start));
  add(std::move(followed.unprogrammed));
  drop_doubled_findings(checked);
  checked.faults = timed.program.faults;
  for (Fault& fault : after.faults.to_faults(checked.arch)) {
    if (fault.file.empty()) fault.file = program.name;
    checked.faults.push_back(std::move(fault));
  }
  return checked;
}

Expected<CheckedProgram> check_and_cost(Arch arch, const Program& program,
                                        const TileRunOptions& options,
                                        const CheckSettings& settings) {
  const auto timed = schedule_on_tile(arch, program, options);
  if (!timed) return Unexpected(timed.error());
  CheckedProgram checked = check_program(*timed, program, settings);
  checked.cost = timing::tile_cost(timed->start, program, options.as_kernel);
  return checked;
}

} // namespace lanewise::execution
