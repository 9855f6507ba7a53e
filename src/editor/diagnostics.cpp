// Problems as the protocol has them.
#include "base/source_line.h"
#include "editor/questions.h"

namespace lanewise::editor {

namespace {

using nlohmann::json;

/// What the problem is too close to, if that is another line of the document.
json related(const Document& document, const timing::Hazard& hazard) {
  if (hazard.other_line == 0 || !hazard.other_file.empty() || hazard.other_line == hazard.line)
    return json::array();
  const Range range = document.text.content_of(hazard.other_line - 1);
  return json::array({{{"location", {{"uri", document.uri}, {"range", json_of(range)}}},
                       {"message", "the other instruction"}}});
}

} // namespace

json diagnostics(const Document& document, const Analysis& analysis) {
  json all = json::array();
  for (const Problem& problem : analysis.problems) {
    json told{{"range", json_of(problem.range)},
              {"severity", static_cast<int>(problem.severity)},
              {"source", "lanewise"},
              {"message", problem.text}};
    if (!problem.code.empty()) told["code"] = problem.code;
    if (problem.hazard) {
      if (json places = related(document, *problem.hazard); !places.empty())
        told["relatedInformation"] = std::move(places);
    }
    all.push_back(std::move(told));
  }
  return all;
}

} // namespace lanewise::editor
