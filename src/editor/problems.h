// What is wrong with a document, at its place in the text.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "base/fault.h"
#include "editor/analysis.h"

namespace lanewise::editor {

/// Adds to a list of problems.
class ProblemList {
 public:
  /// Both outlive this object.
  ProblemList(const Document& document, std::vector<Problem>& problems)
      : document_(document), problems_(problems) {}

  /// What a fault says; of messages of g++ each one, with its own severity.
  void add(const Fault& fault, Severity severity);
  /// A fault of execution: a warning where results hold nevertheless.
  void add_found(const Fault& fault);
  void add(const timing::Hazard& hazard);

 private:
  void add_told(const nlohmann::json& told, Severity severity);
  Range range_of_problem(std::uint32_t line, std::uint32_t column) const;

  const Document& document_;
  std::vector<Problem>& problems_;
};

} // namespace lanewise::editor
