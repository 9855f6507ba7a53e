// Words and cycles at the end of each line.
#include "editor/line_text.h"
#include "editor/questions.h"

namespace lanewise::editor {

using nlohmann::json;

json inlay_hints(const Document& document, const Analysis& analysis, const Range& range) {
  json hints = json::array();
  for (const auto& [line, use] : analysis.lines) {
    const std::uint32_t number = line - 1;
    if (number < range.start.line || number > range.end.line || number >= document.text.lines())
      continue;
    const Position at = document.text.content_of(number).end;
    hints.push_back({{"position", json_of(at)},
                     {"label", line_summary(analysis, use)},
                     {"paddingLeft", true},
                     {"tooltip", line_words(analysis, use)}});
  }
  return hints;
}

} // namespace lanewise::editor
