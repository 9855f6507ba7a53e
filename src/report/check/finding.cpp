#include "report/check/finding.h"

#include <fmt/format.h>

namespace lanewise::report {

namespace {

using execution::CheckedProgram;

/// "; do this" and "[VU 5.4]", where there is something to say.
std::string with_remedy(std::string message, const std::string& remedy, std::string_view source) {
  if (!remedy.empty()) message += "; " + remedy;
  if (!source.empty()) message += fmt::format(" [{}]", source);
  return message;
}

Finding finding_of_hazard(const timing::Hazard& hazard, const std::string& program) {
  std::string message = after_name(hazard.instruction, hazard.to_fault().message);
  return {.rule = std::string(hazard.rule->id),
          .is_warning = hazard.rule->warns_only,
          .chip = std::string(arch_params(hazard.arch).names.id),
          .file = hazard.file.empty() ? program : hazard.file,
          .line = hazard.line,
          .message = with_remedy(std::move(message), hazard.mend, hazard.rule->source),
          .silicon = std::string(hazard.rule->silicon)};
}

} // namespace

std::string after_name(const std::string& name, const std::string& message) {
  return name.empty() ? message : fmt::format("{}: {}", name, message);
}

Finding finding_of(const Fault& found, const std::string& target) {
  const Fault fault = settled(found);
  return {.rule = std::string(fault_kind_name(fault.kind)),
          .is_warning = leaves_results_valid(fault.kind),
          .chip = {},
          .file = fault.file.empty() ? target : fault.file,
          .line = fault.line,
          .column = fault.column,
          .message =
              with_remedy(after_name(fault.instruction, fault.message), fault.remedy, fault.rule),
          .silicon = {}};
}

std::vector<Finding> findings_of(const CheckedProgram& checked) {
  const std::string chip(arch_params(checked.arch).names.id);
  std::vector<Finding> findings;
  for (const timing::Hazard& hazard : checked.hazards)
    findings.push_back(finding_of_hazard(hazard, checked.name));
  for (const Fault& fault : checked.faults) {
    findings.push_back(finding_of(fault, checked.name));
    findings.back().chip = chip;
  }
  if (!checked.failure.empty()) {
    findings.push_back({.rule = "NotChecked",
                        .chip = chip,
                        .file = checked.name,
                        .message = "not checked: " + checked.failure,
                        .silicon = {}});
  }
  return findings;
}

} // namespace lanewise::report
