#include "run/execution/check_program.h"

#include <algorithm>
#include <iterator>
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

/// Whether a push comes late for a macro that counts cycles and says so itself: the macro has
/// scheduled the store that changes, or names the instruction that comes late.
bool is_of_macro(const timing::Hazard& late, const timing::Hazard& macro) {
  const auto at = [](std::uint32_t line, std::string_view file) { return std::pair(line, file); };
  return at(late.other_line, late.other_file) == at(macro.line, macro.file) ||
         at(late.line, late.file) == at(macro.other_line, macro.other_file);
}

/// One finding for one matter.
void drop_doubled_findings(CheckedProgram& checked) {
  std::vector<timing::Hazard>& hazards = checked.hazards;
  const auto has = [&](std::string_view id) {
    return std::ranges::any_of(hazards, [id](const auto& hazard) { return hazard.rule->id == id; });
  };
  // That a macro counts cycles says why already; who asks for pauses wants to see all of them.
  if (!checked.pauses) {
    std::vector<timing::Hazard> counting;
    std::ranges::copy_if(hazards, std::back_inserter(counting),
                         [](const auto& hazard) { return hazard.rule->id == "macro-core-timing"; });
    std::erase_if(hazards, [&](const auto& hazard) {
      return hazard.rule->id == "late-push" &&
             std::ranges::any_of(counting,
                                 [&](const auto& macro) { return is_of_macro(hazard, macro); });
    });
  }
  if (has("macro-misc-armed"))
    std::erase_if(hazards,
                  [](const auto& hazard) { return hazard.rule->id == "macro-left-armed"; });
  // A sequence that nobody has programmed is empty, and its templates suit nothing.
  std::vector<std::uint32_t> unprogrammed;
  for (const timing::Hazard& hazard : hazards) {
    if (hazard.rule->id == "unprogrammed-macro") unprogrammed.push_back(hazard.line);
  }
  std::erase_if(hazards, [&](const auto& hazard) {
    const std::string_view id = hazard.rule->id;
    return (id == "macro-unprogrammed" || id == "macro-template" || id == "macro-store-template") &&
           std::ranges::find(unprogrammed, hazard.line) != unprogrammed.end();
  });
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
  MachineState after = timed.start;
  execute(after, timed.schedule.ops);

  CheckedProgram checked{.name = program.name, .arch = timed.schedule.arch};
  checked.instructions = timed.program.ops.size();
  checked.cycles = timed.schedule.cycles;
  const auto add = [&checked](std::vector<timing::Hazard> hazards) {
    std::ranges::move(hazards, std::back_inserter(checked.hazards));
  };
  add(timing::find_hazards(timed.schedule, timed.program, timed.start, {.source = &program}));
  timing::LatePushes late = timing::find_late_pushes(program, timed.program, timed.start,
                                                     settings.pauses, settings.progress);
  add(std::move(late.hazards));
  if (settings.pauses == timing::PauseSearch::Whole) checked.pauses = late.tried;
  std::vector<timing::Hazard> breaks =
      timing::find_contract_breaks(timed.start, after, timed.schedule);
  timing::try_endings(breaks, program, timed.start);
  add(std::move(breaks));
  add(timing::find_changed_init(program, timed.start));
  add(find_unprogrammed(timed, program, settings.filled));
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
