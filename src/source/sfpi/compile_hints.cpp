#include "source/sfpi/compile_hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "source/sfpi/locations.h"
#include "source/sfpi/source_tokens.h"

namespace lanewise::sfpi {
namespace {

using Tokens = std::vector<SourceToken>;

// ---------------------------------------------------------------- Predicates

/// A v_if or v_block that nothing closes, or an end that closes nothing.
std::string unclosed_predicate(const Tokens& tokens) {
  std::vector<SourceToken> open;
  for (const SourceToken& token : tokens) {
    if (token.text == "v_if" || token.text == "v_block") open.push_back(token);
    if (token.text != "v_endif" && token.text != "v_endblock") continue;
    if (open.empty()) {
      return fmt::format("the {} of line {} closes no v_if or v_block", token.text, token.line);
    }
    open.pop_back();
  }
  if (open.empty()) return "";
  const bool is_if = open.back().text == "v_if";
  return fmt::format("the {} of line {} has no {}: close it, and the braces are right",
                     open.back().text, open.back().line, is_if ? "v_endif" : "v_endblock");
}

// ---------------------------------------------------------------- Headers

/// "ckernel.h", if g++ has not found that.
std::string missing_header(std::string_view messages) {
  constexpr std::string_view kBefore = "fatal error: ", kBehind = ": No such file or directory";
  const std::size_t end = messages.find(kBehind);
  if (end == std::string_view::npos) return "";
  const std::size_t begin = messages.rfind(kBefore, end);
  if (begin == std::string_view::npos) return "";
  const std::size_t name = begin + kBefore.size();
  return std::string(messages.substr(name, end - name));
}

// ---------------------------------------------------------------- Functions

struct Function {
  std::string name;
  std::string template_arguments; ///< "<true, 8>", or nothing
  std::string arguments;
};

/// The place behind the bracket that closes the one at `open`.
std::size_t behind_brackets(const Tokens& tokens, std::size_t open, char left, char right) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i].text.front() == left) ++depth;
    if (tokens[i].text.front() == right && --depth == 0) return i + 1;
  }
  return tokens.size();
}

/// Something that a parameter may be given: 8 rows for numbers, which most count.
std::string example_argument(const Tokens& tokens, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    if (tokens[i].text == "bool") return "true";
    if (tokens[i].text == "float") return "1.0f";
    if (tokens[i].text == "typename" || tokens[i].text == "class") return "...";
    if (tokens[i].text.find("int") != std::string_view::npos) return "8";
  }
  return "...";
}

/// Examples for the parameters in tokens (begin, end), up to the first that has a default.
std::string example_arguments(const Tokens& tokens, std::size_t begin, std::size_t end) {
  std::string text;
  std::size_t first = begin;
  int depth = 0;
  for (std::size_t i = begin; i <= end; ++i) {
    const char c = i < end ? tokens[i].text.front() : ',';
    if (c == '<' || c == '(') ++depth;
    if (c == '>' || c == ')') --depth;
    if (c == '=' && depth == 0) break;
    if (c != ',' || depth != 0) continue;
    if (i > first) text += (text.empty() ? "" : ", ") + example_argument(tokens, first, i);
    first = i + 1;
  }
  return text;
}

/// The function whose `void` stands at `at`, if one is defined there. `begin`: where its
/// declaration starts.
std::optional<Function> function_at(const Tokens& tokens, std::size_t begin, std::size_t at) {
  if (at + 2 >= tokens.size() || tokens[at + 2].text != "(") return std::nullopt;
  const std::size_t behind = behind_brackets(tokens, at + 2, '(', ')');
  if (behind >= tokens.size() || tokens[behind].text != "{") return std::nullopt;
  Function function{.name = std::string(tokens[at + 1].text),
                    .template_arguments = "",
                    .arguments = example_arguments(tokens, at + 3, behind - 1)};
  if (tokens[begin].text == "template" && begin + 1 < at) {
    const std::size_t end = behind_brackets(tokens, begin + 1, '<', '>');
    const std::string examples = example_arguments(tokens, begin + 2, end - 1);
    if (!examples.empty()) function.template_arguments = "<" + examples + ">";
  }
  return function;
}

/// The functions without a result that the file defines.
std::vector<Function> functions_of(const Tokens& tokens) {
  std::vector<Function> functions;
  std::size_t begin = 0; // of the declaration at hand
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const char c = tokens[i].text.front();
    if (c == ';' || c == '{' || c == '}') begin = i + 1;
    if (tokens[i].text != "void") continue;
    if (auto function = function_at(tokens, begin, i)) functions.push_back(std::move(*function));
  }
  return functions;
}

std::string call_of(const Function& function) {
  return fmt::format("{}{}({})", function.name, function.template_arguments, function.arguments);
}

bool is_initialisation(const Function& function) {
  return function.name.find("init") != std::string::npos;
}

/// How to call what the file has instead of the function that was asked for.
std::string calls_to_try(const Tokens& tokens) {
  constexpr std::size_t kMost = 3;
  std::vector<Function> functions = functions_of(tokens);
  const auto init = std::ranges::find_if(functions, is_initialisation);
  const std::string init_option =
      init == functions.end() ? "" : fmt::format(" {} '{}'", kInitOption, call_of(*init));
  std::erase_if(functions, is_initialisation);
  std::stable_partition(functions.begin(), functions.end(), [](const Function& function) {
    return function.name.find("calculate") != std::string::npos;
  });
  std::string text;
  for (std::size_t i = 0; i < std::min(functions.size(), kMost); ++i) {
    text += fmt::format("{}{} '{}'{}", i == 0 ? "" : ", or ", kCallOption, call_of(functions[i]),
                        i == 0 ? init_option : "");
  }
  return text;
}

} // namespace

std::string compile_hint(const KernelSource& source, std::string_view text,
                         std::string_view messages) {
  const Tokens tokens = source_tokens(text);
  if (std::string predicate = unclosed_predicate(tokens); !predicate.empty()) return predicate;
  if (const std::string header = missing_header(messages); !header.empty())
    return fmt::format("name the folder of {} with --include", header);
  const bool misses_entry =
      messages.find(std::string(kEntryPlace) + ":1:") != std::string_view::npos;
  if (!misses_entry) return "";
  const std::string calls = calls_to_try(tokens);
  return fmt::format("there is no function {}() without parameters; {}", source.entry,
                     calls.empty() ? "name the kernel with --entry or --call" : "try " + calls);
}

} // namespace lanewise::sfpi
