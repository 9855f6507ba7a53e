#include "report/sweep/report.h"

#include <fmt/format.h>

#include "report/sweep/gates.h"

namespace lanewise::report {

std::vector<std::string> missed_gates(const SweepReport& report) {
  std::vector<std::string> missed;
  for (const GateVerdict& verdict : gate_verdicts(report)) {
    for (const std::string& miss : verdict.misses)
      missed.push_back(fmt::format("gate {}: missed: {}", verdict.option, miss));
  }
  return missed;
}

} // namespace lanewise::report
