#include "cli/launch_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/command.h"
#include "cli/output.h"

namespace lanewise::cli {

bool tell_outcome(const launch::LaunchOutcome& outcome, const std::string& name, bool is_json) {
  for (const std::string& line : outcome.prints) {
    if (is_json) {
      tell("{}\n", line);
    } else {
      fmt::print("{}\n", line);
    }
  }
  for (const Fault& fault : outcome.faults) tell("{}\n", to_string(fault));
  if (outcome.failure) tell("{}\n", to_string(*outcome.failure));
  if (outcome.was_stopped || (outcome.failure && interrupted()))
    tell("stopped before the end\n");
  else if (outcome.ran_out)
    tell("{}: the kernels did not come to an end\n", name);
  if (!outcome.blocked.empty()) tell("{}: a deadlock: nobody can go on\n", name);
  for (const std::string& blocked : outcome.blocked) tell("  {}\n", blocked);
  const bool is_valid = std::ranges::all_of(
      outcome.faults, [](const Fault& fault) { return leaves_results_valid(fault.kind); });
  return outcome.is_done() && is_valid;
}

void add_grid_jobs_option(const Command& command, std::uint64_t& jobs) {
  command
      .option("--jobs", jobs,
              "Of a program on many cores: so many run at a time, as many as the machine has "
              "processors by default; the results are the same")
      .range(std::uint64_t{1}, std::uint64_t{1024});
}

} // namespace lanewise::cli
