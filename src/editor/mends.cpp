// Changes of the text that mend a problem, each of them tried.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

#include "chip/isa/disassembler.h"
#include "chip/isa/explain.h"
#include "editor/questions.h"
#include "editor/statements.h"
#include "source/assembly/gnu.h"
#include "source/assembly/tti.h"

namespace lanewise::editor {

namespace {

using nlohmann::json;

/// A word as a line of the document, without blanks in front.
std::string written(Dialect dialect, Arch arch, std::uint32_t word) {
  if (dialect == Dialect::Kernel) return assembly::tti_call(arch, word);
  if (dialect == Dialect::Vendors) return assembly::gnu_line(arch, word);
  return isa::disassemble(arch, word);
}

/// Nothing in front of a line, which is 0-based; at the end of the text for the line behind the
/// last.
Range front_of(const Text& text, std::uint32_t line) {
  if (line < text.lines()) return text.range(line, 0, 0);
  const std::uint32_t last = text.lines() - 1;
  const std::size_t end = text.line(last).size();
  return text.range(last, end, end);
}

/// The line behind the last one that has become words.
std::uint32_t line_behind_words(const Analysis& analysis) {
  return analysis.lines.empty() ? 0 : analysis.lines.rbegin()->first;
}

/// The edits that make a change of the program; none where it names a line of another file.
std::vector<std::pair<Range, std::string>> edits_of(const Document& document,
                                                    const Analysis& analysis,
                                                    const timing::ProposedChange& change) {
  const Text& text = document.text;
  const SourcePlace to = source_place(change.before_line);
  const SourcePlace from = source_place(change.moved_line);
  if (!to.file.empty() || !from.file.empty()) return {};
  const std::uint32_t line = to.line == 0 ? line_behind_words(analysis) : to.line - 1;
  const std::uint32_t model = to.line == 0 && line > 0 ? line - 1 : line;
  const Range place = front_of(text, line);
  // Where the text ends without a line end, the first line that is added needs one.
  const bool breaks_first = line >= text.lines() && place.start.character != 0;
  if (change.words.empty()) {
    const std::uint32_t moved = from.line - 1;
    if (from.line == 0 || moved + 1 >= text.lines()) return {};
    const Range whole{{moved, 0}, {moved + 1, 0}};
    return {{place, std::string(text.line(moved)) + "\n"}, {whole, ""}};
  }
  std::string added = breaks_first ? "\n" : "";
  for (const std::uint32_t word : change.words) {
    added += fmt::format("{}{}\n", indentation(text.line(model)),
                         written(analysis.dialect, analysis.arch, word));
  }
  return {{place, std::move(added)}};
}

std::size_t offset_of(const Text& text, const Position& position) {
  const std::string_view line = text.line(position.line);
  if (position.line >= text.lines()) return text.all().size();
  const auto start = static_cast<std::size_t>(line.data() - text.all().data());
  return start + text.byte_of(position);
}

/// A problem without its place, which a change moves: its rule or sentence, and the text of its
/// line.
using ProblemKey = std::pair<std::string, std::string>;

ProblemKey key_of(const Text& text, const Problem& problem) {
  return {problem.code.empty() ? problem.text : problem.code,
          std::string(text.line(problem.range.start.line))};
}

std::map<ProblemKey, std::size_t> problem_counts(const Text& text, const Analysis& analysis) {
  std::map<ProblemKey, std::size_t> counts;
  for (const Problem& each : analysis.problems) ++counts[key_of(text, each)];
  return counts;
}

/// Whether a mend does what it says: the problem is there once less, and no other more often. An
/// error hides what comes after it, so that of an error only its line counts.
bool holds(const Document& document, const Analysis& before, const Mend& mend, Analyser& analyser,
           const Settings& settings) {
  Document changed = document;
  changed.text = Text(edited(document.text, mend));
  const Analysis after = analyser.analyse(changed, settings);
  const Problem& mended = before.problems[mend.problem];
  if (!mended.hazard) {
    return std::ranges::none_of(after.problems, [&](const Problem& each) {
      return each.severity == Severity::Error && !each.hazard &&
             each.range.start.line == mended.range.start.line;
    });
  }
  const auto had = problem_counts(document.text, before);
  auto has = problem_counts(changed.text, after);
  const ProblemKey key = key_of(document.text, mended);
  return has[key] < had.at(key) && std::ranges::all_of(has, [&](const auto& each) {
           const auto known = had.find(each.first);
           return each.second == 0 || (known != had.end() && each.second <= known->second);
         });
}

/// Names that a misspelt instruction may have meant.
std::vector<Mend> spellings(const Document& document, const Analysis& analysis,
                            std::size_t problem) {
  const Problem& wrong = analysis.problems[problem];
  if (analysis.dialect != Dialect::Ours && analysis.dialect != Dialect::Tile) return {};
  const std::string_view line = document.text.line(wrong.range.start.line);
  const std::size_t first = document.text.byte_of(wrong.range.start);
  const std::string word(line.substr(first, document.text.byte_of(wrong.range.end) - first));
  if (word.empty() || word.size() > 64 || isa::find_row(analysis.arch, word) != nullptr) return {};
  // Only the first word of a line is an instruction.
  if (indentation(line).size() != first) return {};
  std::vector<Mend> found;
  for (const std::string_view name : isa::suggestions(word)) {
    found.push_back({.title = fmt::format("change to {}", name),
                     .problem = problem,
                     .edits = {{wrong.range, std::string(name)}}});
  }
  return found;
}

std::vector<Mend> proposals(const Document& document, const Analysis& analysis,
                            std::size_t problem) {
  const Problem& wrong = analysis.problems[problem];
  if (!wrong.hazard) return spellings(document, analysis, problem);
  std::vector<Mend> found;
  for (const timing::ProposedChange& change : wrong.hazard->changes) {
    auto edits = edits_of(document, analysis, change);
    if (!edits.empty())
      found.push_back({.title = change.text, .problem = problem, .edits = std::move(edits)});
  }
  return found;
}

} // namespace

std::string edited(const Text& text, const Mend& mend) {
  auto edits = mend.edits;
  std::ranges::sort(edits, std::greater{}, [](const auto& edit) { return edit.first.start; });
  std::string changed = text.all();
  for (const auto& [range, replacement] : edits) {
    const std::size_t first = offset_of(text, range.start);
    changed.replace(first, offset_of(text, range.end) - first, replacement);
  }
  return changed;
}

std::vector<Mend> mends(const Document& document, const Analysis& analysis, const Range& range,
                        Analyser& analyser, const Settings& settings) {
  std::vector<Mend> found;
  for (std::size_t i = 0; i < analysis.problems.size(); ++i) {
    const Range& place = analysis.problems[i].range;
    if (place.end < range.start || range.end < place.start) continue;
    for (Mend& each : proposals(document, analysis, i)) {
      if (holds(document, analysis, each, analyser, settings)) found.push_back(std::move(each));
    }
  }
  return found;
}

json code_actions(const Document& document, const Analysis& analysis,
                  const std::vector<Mend>& mends) {
  const json problems = diagnostics(document, analysis);
  json actions = json::array();
  for (const Mend& each : mends) {
    json edits = json::array();
    for (const auto& [range, text] : each.edits)
      edits.push_back({{"range", json_of(range)}, {"newText", text}});
    actions.push_back({{"title", each.title},
                       {"kind", "quickfix"},
                       {"diagnostics", json::array({problems[each.problem]})},
                       {"edit", {{"changes", {{document.uri, std::move(edits)}}}}}});
  }
  return actions;
}

} // namespace lanewise::editor
