#include "cli/run_hazards.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "cli/output.h"
#include "execution/check_program.h"
#include "report/check/hazard_report.h"

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

bool report_hazards(const lab::TimedProgram& timed, const Program& program, HazardPolicy policy) {
  if (policy == HazardPolicy::Off) return true;
  const lab::CheckedProgram checked = lab::check_program(timed, program);
  if (checked.hazards.empty()) return true;
  const std::string_view chip = arch_params(checked.arch).name;
  for (const timing::Hazard& hazard : checked.hazards) {
    const bool comes_with_results = hazard.rule->id.starts_with("unprogrammed-");
    if (!hazard.rule->warns_only && !comes_with_results)
      tell("{}: {}\n", chip, hazard.text(program.name));
  }
  tell("{}: {}: {}; 'lanewise check' has more about them\n", chip, program.name,
       report::finding_counts(checked));
  return policy != HazardPolicy::Error || lab::count_findings(checked).hazards == 0;
}

} // namespace lanewise::cli
