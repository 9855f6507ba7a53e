// What the checker has found, for the engines that run checks on every change.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "report/check/finding.h"

namespace lanewise::report {

/// SARIF 2.1.0 (OASIS): one run, with every rule of the checker and a result for each finding. What
/// code scanning shows beside the lines of a pull request. Paths are relative to the working folder
/// as they were given. `fixes` of the report, where there are some, are those of the result.
nlohmann::json sarif(const CheckReport& report);

/// Commands of a workflow of GitHub, one a line: "::error file=a.tt,line=3,title=...::...".
std::string github_annotations(const CheckReport& report);

/// JUnit's XML, which every engine reads: a test for each program and chip, which fails where there
/// is more than a warning.
std::string junit(const CheckReport& report);

/// Markdown, for the summary of a job or a comment: a line that counts, a table of the programs
/// with findings, and the findings.
std::string check_markdown(const CheckReport& report);

} // namespace lanewise::report
