// What a change between two trees moves, for people and for programs (docs/llk-diff.md).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "study/changes/diff_trees.h"

namespace lanewise::report {

/// The answer in a sentence or two: "nothing moved", or what did, and what was run for it.
std::string llk_diff_headline(const changes::TreeDiff& diff);

std::string llk_diff_text(const changes::TreeDiff& diff);
nlohmann::json llk_diff_json(const changes::TreeDiff& diff);

/// For a comment on a pull request.
std::string llk_diff_markdown(const changes::TreeDiff& diff);

/// `command`: with which the page was made.
std::string llk_diff_html(const changes::TreeDiff& diff, const std::string& command);

} // namespace lanewise::report
