// The parts of all forms of the report.
#pragma once

#include <string>
#include <vector>

#include "report/table/table.h"
#include "study/changes/diff_trees.h"

namespace lanewise::report {

/// Cases whose verdict is one of what is told apart: groups with the same one are one row.
Table llk_diff_groups(const changes::TreeDiff& diff);

/// Where results moved, one row for each case; the most that a report has.
Table llk_diff_results(const changes::TreeDiff& diff, std::size_t most);
/// Findings that came or went, each once, with how many cases have it.
Table llk_diff_findings(const changes::TreeDiff& diff);
/// What is left behind in another way, each field once.
Table llk_diff_state(const changes::TreeDiff& diff);
/// Instructions and cycles of a tile that moved, by group.
Table llk_diff_cycles(const changes::TreeDiff& diff);
/// What came to no end, or cannot be compiled, on one side.
Table llk_diff_failures(const changes::TreeDiff& diff);
/// All groups that were run and in which nothing moved.
Table llk_diff_unmoved(const changes::TreeDiff& diff);

/// "tt_metal/...: 12 files differ" and what was reached, a sentence each.
std::vector<std::string> llk_diff_facts(const changes::TreeDiff& diff);

} // namespace lanewise::report
