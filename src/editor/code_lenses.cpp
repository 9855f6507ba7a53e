// What can be done with a kernel, above it.
#include <fmt/format.h>

#include <algorithm>

#include "editor/questions.h"
#include "editor/statements.h"

namespace lanewise::editor {

namespace {

using nlohmann::json;

/// A place with a kernel, and its name where the file has several.
struct KernelPlace {
  std::uint32_t line = 0;
  std::string entry = {};
};

/// The function of a statement like "ns::f<true, 8>(8)".
std::string called_function(std::string_view call) {
  call = call.substr(0, call.find_first_of("<("));
  const std::size_t scope = call.rfind("::");
  return std::string(scope == std::string_view::npos ? call : call.substr(scope + 2));
}

/// The lines in which one of the functions begins: its name in front of '(', behind another name.
std::vector<KernelPlace> functions_of(const std::vector<RoledToken>& tokens,
                                      const Settings& settings) {
  std::vector<std::string> names;
  for (const std::string& call : settings.call) names.push_back(called_function(call));
  if (names.empty()) names.push_back(settings.entry);
  std::vector<KernelPlace> places;
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    const bool is_wanted = std::ranges::find(names, tokens[i].token.text) != names.end();
    if (is_wanted && tokens[i - 1].role == TokenRole::Name &&
        tokens[i - 1].token.text != "return" && tokens[i + 1].token.is("("))
      places.push_back({tokens[i].token.line - 1});
  }
  return places;
}

/// The labels of the vendor's assembly that are functions, not places in one.
std::vector<KernelPlace> labels_of(const std::vector<RoledToken>& tokens) {
  std::vector<KernelPlace> places;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const assembly::Token& token = tokens[i].token;
    if (tokens[i].role == TokenRole::Label && token.kind == assembly::TokenKind::Name &&
        tokens[i + 1].token.text == ":")
      places.push_back({token.line - 1, std::string(token.text)});
  }
  return places;
}

std::vector<KernelPlace> kernels_of(const Document& document, Dialect dialect,
                                    const Settings& settings) {
  if (dialect == Dialect::Other) return {};
  if (dialect == Dialect::Words) return {{0}};
  const auto tokens =
      tokens_of(document, dialect, parse_arch(settings.arch).value_or(kDefaultArch));
  if (dialect == Dialect::Kernel) return functions_of(tokens, settings);
  if (dialect == Dialect::Vendors) {
    if (auto labels = labels_of(tokens); !labels.empty()) return labels;
  }
  if (tokens.empty()) return {};
  return {{tokens.front().token.line - 1}};
}

/// A lens, and the words in front of the file.
struct Action {
  std::string_view title;
  std::vector<std::string> words;
};

std::vector<Action> actions_of(Dialect dialect) {
  if (dialect == Dialect::Tile) return {{"run", {"tile"}}, {"time", {"tile", "--time"}}};
  return {{"run", {"run"}}, {"time", {"time"}}, {"sweep", {"sweep"}}, {"tune", {"tune"}}};
}

} // namespace

json code_lenses(const Document& document, const Settings& given) {
  Settings settings = given;
  // What is wrong with the line of settings is among the problems.
  (void)read_settings_line(settings, document.text);
  const Dialect dialect = dialect_of(document);
  json lenses = json::array();
  for (const KernelPlace& place : kernels_of(document, dialect, settings)) {
    for (const Action& action : actions_of(dialect)) {
      Settings own = settings;
      if (!place.entry.empty()) own.entry = place.entry;
      if (dialect == Dialect::Tile) own = {.arch = settings.arch};
      std::vector<std::string> words = action.words;
      words.push_back(document.name);
      for (std::string& word : command_line_words(own)) words.push_back(std::move(word));
      lenses.push_back(
          {{"range", json_of(document.text.content_of(place.line))},
           {"command",
            {{"title", action.title},
             {"command", fmt::format("lanewise.{}", action.title)},
             {"arguments", json::array({{{"uri", document.uri}, {"words", std::move(words)}}})}}}});
    }
  }
  return lenses;
}

} // namespace lanewise::editor
