// Figures of a program before and after a change: what `lanewise time A B` and `tile --time A B`
// print.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace lanewise::report {

/// A figure of both; 0 where one of them has none of it.
struct ChangeRow {
  std::string part;
  double before = 0, after = 0;
};

struct ChangeGroup {
  std::string title;
  std::vector<ChangeRow> rows;
};

struct Change {
  std::string before, after; ///< the programs
  std::vector<ChangeGroup> groups = {};
  std::vector<std::string> sentences = {}; ///< what follows
};

using NamedFigures = std::vector<std::pair<std::string, double>>;

/// Adds figures to a group, before or after the change: to those that it has by name,
/// or behind these.
void add_figures(ChangeGroup& group, const NamedFigures& figures, bool is_after);

/// "96 cycles, then 72: 24 fewer (-25.0 %)".
std::string gain_text(double before, double after);

/// A table for each group, with the difference, and the sentences.
std::string change_text(const Change& change);

/// `before`, `after`; `groups` with `title` and `rows` of `part`, `before`, `after` and `change`;
/// `sentences`.
nlohmann::ordered_json change_json(const Change& change);

} // namespace lanewise::report
