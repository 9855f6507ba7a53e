// What an editor asks of a document. Each is a function of the document and of what was made of it,
// in a file of its own, and answers in JSON of the Language Server Protocol 3.17.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "editor/analysis.h"
#include "editor/document.h"
#include "editor/settings.h"

namespace lanewise::editor {

/// Diagnostic[].
nlohmann::json diagnostics(const Document& document, const Analysis& analysis);

/// Hover or null: the instruction, the mode, the field, the register or the configuration field
/// under the position, and what became of the line.
nlohmann::json hover(const Document& document, const Analysis& analysis, const Position& position);

/// InlayHint[]: words and cycles behind each line of the range that has become words.
nlohmann::json inlay_hints(const Document& document, const Analysis& analysis, const Range& range);

/// CompletionItem[]: mnemonics, macros, directives, and what an operand can be.
nlohmann::json completion(const Document& document, Arch arch, const Position& position);

/// Location[]: of a constant, a label or a #define; of SFPLOADMACRO, REPLAY and MOP the lines that
/// programmed what they execute.
nlohmann::json definition(const Document& document, const Analysis& analysis,
                          const Position& position);

/// The names of the tokens' types, in the order of their numbers.
nlohmann::json token_types();
/// SemanticTokens.
nlohmann::json semantic_tokens(const Document& document, Arch arch);

/// CodeLens[]: run, time, sweep and tune above each kernel, with the words of the command line.
nlohmann::json code_lenses(const Document& document, const Settings& settings);

/// A change of the text that mends a problem.
struct Mend {
  std::string title;
  std::size_t problem = 0; ///< of Analysis::problems
  std::vector<std::pair<Range, std::string>> edits;
};

/// Mends of the problems that stand in the range. Each has been applied to the text, which was then
/// read and checked anew: its problem is gone, and there is no other in its place.
std::vector<Mend> mends(const Document& document, const Analysis& analysis, const Range& range,
                        Analyser& analyser, const Settings& settings);

/// CodeAction[].
nlohmann::json code_actions(const Document& document, const Analysis& analysis,
                            const std::vector<Mend>& mends);

/// The text with edits that do not overlap.
std::string edited(const Text& text, const Mend& mend);

} // namespace lanewise::editor
