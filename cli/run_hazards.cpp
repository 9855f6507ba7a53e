#include "cli/run_hazards.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "cli/output.h"
#include "timing/hazards.h"

namespace lanewise::cli {

Expected<HazardPolicy> parse_hazard_policy(const std::string& text) {
  constexpr std::array kNames{
      std::pair{"warn", HazardPolicy::Warn}, std::pair{"model", HazardPolicy::Model},
      std::pair{"error", HazardPolicy::Error}, std::pair{"off", HazardPolicy::Off}};
  for (const auto& [name, policy] : kNames) {
    if (text == name) return policy;
  }
  return bad_input(fmt::format("--hazards does not know '{}'", text),
                   "use warn, model, error or off");
}

Expected<bool> report_hazards(const LoadedProgram& program, const lab::TileRunOptions& options,
                              HazardPolicy policy) {
  if (policy == HazardPolicy::Off) return true;
  const auto timed = lab::schedule_on_tile(program.arch, program.program, options);
  if (!timed) return Unexpected(timed.error());
  std::size_t wrong = 0, suspicious = 0;
  const std::string_view chip = arch_params(program.arch).name;
  for (const timing::Hazard& hazard : timing::find_hazards(
           timed->schedule, timed->program, timed->start, {.source = &program.program})) {
    if (hazard.rule->warns_only) {
      ++suspicious;
      continue;
    }
    ++wrong;
    tell("{}: {}\n", chip, hazard.text(program.program.name));
  }
  if (suspicious != 0) {
    tell("{}: {} suspicious place{}; 'lanewise check {}' shows {}\n", chip, suspicious,
         suspicious == 1 ? "" : "s", program.program.name, suspicious == 1 ? "it" : "them");
  }
  return policy != HazardPolicy::Error || wrong == 0;
}

} // namespace lanewise::cli
