#include "source/checkouts/declarations.h"

#include <algorithm>
#include <cctype>
#include <span>

#include "base/characters.h"

namespace lanewise::checkouts {

namespace {

using Tokens = std::span<const std::string_view>;

bool is_name(std::string_view token) {
  return is_name_part(token.front()) &&
         std::isdigit(static_cast<unsigned char>(token.front())) == 0;
}

/// How deep in brackets a place is. Within parentheses, < and > compare.
class Nesting {
 public:
  void enter(std::string_view token) {
    if (token == "(" || token == "{" || token == "[") ++round_;
    if (token == ")" || token == "}" || token == "]") --round_;
    if (round_ != 0) return;
    if (token == "<") ++angle_;
    if (token == ">") --angle_;
  }
  bool is_outside() const { return round_ == 0 && angle_ == 0; }

 private:
  int round_ = 0, angle_ = 0;
};

/// Where the bracket that opens at `at` closes; the end if it does not.
std::size_t closing(Tokens tokens, std::size_t at) {
  Nesting nesting;
  for (; at < tokens.size(); ++at) {
    nesting.enter(tokens[at]);
    if (nesting.is_outside()) return at;
  }
  return tokens.size();
}

std::string joined(Tokens tokens) {
  std::string text;
  for (const std::string_view token : tokens) {
    if (!text.empty() && is_name_part(text.back()) && is_name_part(token.front())) text += ' ';
    text += token;
  }
  return text;
}

/// Words that are part of a type and never a parameter's name.
bool is_type_word(std::string_view token) {
  return token == "const" || token == "typename" || token == "class" || token == "unsigned" ||
         token == "int" || token == "bool" || token == "float" || token == "uint";
}

Parameter parameter_of(Tokens tokens) {
  Parameter parameter;
  Nesting nesting;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    nesting.enter(tokens[i]);
    if (tokens[i] != "=" || !nesting.is_outside()) continue;
    parameter.default_value = joined(tokens.subspan(i + 1));
    tokens = tokens.first(i);
  }
  const bool has_name = tokens.size() > 1 && is_name(tokens.back()) &&
                        !is_type_word(tokens.back()) && tokens[tokens.size() - 2] != ":" &&
                        !(tokens.size() == 2 && tokens.front() == "const");
  if (has_name) {
    parameter.name = tokens.back();
    tokens = tokens.first(tokens.size() - 1);
  }
  parameter.type = joined(tokens);
  return parameter;
}

/// The parameters between two brackets.
std::vector<Parameter> parameters_of(Tokens tokens) {
  std::vector<Parameter> parameters;
  Nesting nesting;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= tokens.size(); ++i) {
    if (i < tokens.size()) {
      nesting.enter(tokens[i]);
      if (tokens[i] != "," || !nesting.is_outside()) continue;
    }
    if (i > begin) parameters.push_back(parameter_of(tokens.subspan(begin, i - begin)));
    begin = i + 1;
  }
  return parameters;
}

} // namespace

std::vector<std::string_view> tokens_of(std::string_view text) {
  std::vector<std::string_view> tokens;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (text.substr(at, 2) == "//") {
      end = text.find('\n', at);
    } else if (text.substr(at, 2) == "/*") {
      end = text.find("*/", at + 2);
      if (end != std::string_view::npos) end += 2;
    } else if (std::isspace(static_cast<unsigned char>(text[at])) == 0) {
      while (is_name_part(text[at]) && end < text.size() && is_name_part(text[end])) ++end;
      tokens.push_back(text.substr(at, end - at));
    }
    at = std::min(end, text.size());
  }
  return tokens;
}

std::vector<Function> functions_of(std::string_view text) {
  const std::vector<std::string_view> all = tokens_of(text);
  const Tokens tokens = all;
  std::vector<Function> functions;
  std::vector<Parameter> templates;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (tokens[i] == "template" && tokens[i + 1] == "<") {
      const std::size_t end = closing(tokens, i + 1);
      if (end == tokens.size()) break;
      templates = parameters_of(tokens.subspan(i + 2, end - i - 2));
      i = end;
    } else if (tokens[i] == "void" && is_name(tokens[i + 1]) && tokens[i + 2] == "(") {
      const std::size_t end = closing(tokens, i + 2);
      if (end + 1 < tokens.size() && tokens[end + 1] == "{") {
        functions.push_back({std::string(tokens[i + 1]), std::move(templates),
                             parameters_of(tokens.subspan(i + 3, end - i - 3))});
      }
      templates.clear();
      i = end;
    } else if (tokens[i] == ";" || tokens[i] == "}" || tokens[i] == "{") {
      templates.clear();
    }
  }
  return functions;
}

} // namespace lanewise::checkouts
