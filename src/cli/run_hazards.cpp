#include "cli/run_hazards.h"

#include <string_view>

#include "cli/output.h"
#include "report/check/hazard_report.h"

namespace lanewise::cli {

bool report_hazards(const execution::CheckedProgram& checked, HazardPolicy policy) {
  if (checked.hazards.empty()) return true;
  const std::string_view chip = arch_params(checked.arch).names.id;
  for (const timing::Hazard& hazard : execution::told_hazards(checked))
    tell("{}: {}\n", chip, hazard.text(checked.name));
  tell("{}: {}: {}; 'lanewise check' has more about them\n", chip, checked.name,
       report::finding_counts(checked));
  return policy != HazardPolicy::Error || execution::count_findings(checked).hazards == 0;
}

} // namespace lanewise::cli
