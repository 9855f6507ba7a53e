// What the checker has found, one entry each, whoever it is for.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/fault.h"
#include "run/execution/check_program.h"

namespace lanewise::report {

/// A hazard, a fault, or why something could not be checked.
struct Finding {
  std::string rule;        ///< "mad-result"; of a fault its kind, "UndefinedBehavior"
  bool is_warning = false; ///< nothing is wrong for sure
  std::string chip;        ///< "bh"; empty where it has nothing to do with one
  std::string file;        ///< as it was named; empty if the program came from none
  std::uint32_t line = 0;  ///< from 1; 0 = none
  std::uint32_t column = 0;
  std::string message; ///< what is wrong in this case, and what to do
  std::string silicon; ///< what silicon may do; empty of what is no hazard
};

/// "SFPSHFT2: has a Mod1 above 6": the message behind an instruction's name, where there is one.
std::string after_name(const std::string& name, const std::string& message);

/// Those of a program, in the order in which the report in text has them.
std::vector<Finding> findings_of(const execution::CheckedProgram& checked);

/// A fault that ended the work on one of the programs: a file that cannot be read, or assembled.
/// `target` is the program.
Finding finding_of(const Fault& fault, const std::string& target);

/// Text in the place of another. Lines and columns count from 1, columns in code points; the end is
/// behind the last character.
struct TextEdit {
  std::uint32_t line = 1, column = 1, end_line = 1, end_column = 1;
  std::string text;
};

/// A change of the finding's file that mends it; its edits do not overlap.
struct FindingFix {
  std::string title;
  std::vector<TextEdit> edits = {};
};

/// The changes of which each mends a finding.
using FixesOf = std::function<std::vector<FindingFix>(const Finding& finding)>;

/// What a check of several programs has come to.
struct CheckReport {
  std::span<const execution::CheckedProgram> programs;
  std::span<const Finding> refused; ///< finding_of() what could not be checked at all
  FixesOf fixes = {};               ///< for sarif(); empty: none are offered
};

} // namespace lanewise::report
