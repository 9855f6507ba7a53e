#include "report/workbench/problems.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string>

#include "isa/source_line.h"

namespace lanewise::report {

namespace {

using nlohmann::json;

/// How the text of a fault begins that is no more than an error.
constexpr std::string_view kErrorWord = "error: ";

/// A message of g++ at a place.
struct CompilerMessage {
  std::uint32_t line = 0, column = 0;
  std::string_view kind; ///< "error", "fatal error", "warning", "note"
  std::string_view text;
};

/// Reads "12:" from the front of a text.
std::optional<std::uint32_t> take_number(std::string_view& text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto digits = static_cast<std::size_t>(end - text.data());
  if (error != std::errc() || digits == text.size() || text[digits] != ':') return std::nullopt;
  text.remove_prefix(digits + 1);
  return number;
}

/// "FILE:LINE:COLUMN: KIND: TEXT"; nothing for any other line.
std::optional<CompilerMessage> compiler_message(std::string_view line, std::string_view file) {
  if (!line.starts_with(file) || !line.substr(file.size()).starts_with(":")) return std::nullopt;
  line.remove_prefix(file.size() + 1);
  CompilerMessage message;
  const auto row = take_number(line);
  const auto column = row ? take_number(line) : std::nullopt;
  if (!column || !line.starts_with(" ")) return std::nullopt;
  line.remove_prefix(1);
  const std::size_t colon = line.find(": ");
  if (colon == std::string_view::npos) return std::nullopt;
  message.line = *row;
  message.column = *column;
  message.kind = line.substr(0, colon);
  message.text = line.substr(colon + 2);
  return message;
}

std::string_view problem_kind(std::string_view kind) {
  if (kind.ends_with("error")) return "error";
  return kind == "warning" ? "warning" : "note";
}

json problem(std::string_view kind, std::uint32_t line, std::uint32_t column, std::string_view text,
             std::string_view detail) {
  return {{"kind", kind}, {"line", line}, {"column", column}, {"text", text}, {"detail", detail}};
}

/// The line in the text itself, or 0 where a place is in another file.
std::uint32_t own_line(std::uint32_t number) {
  const SourcePlace place = source_place(number);
  return place.file.empty() ? place.line : 0;
}

} // namespace

void add_problems(json& problems, const Fault& fault, std::string_view kind,
                  std::string_view file) {
  bool found = false;
  std::string_view rest = fault.message;
  while (fault.line == 0 && !rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    if (const auto message = compiler_message(line, file)) {
      problems.push_back(problem(problem_kind(message->kind), message->line, message->column,
                                 message->text, found ? "" : fault.remedy));
      found = true;
    }
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  }
  if (found) return;
  const bool own = fault.file.empty() || fault.file == file;
  Fault shown = fault;
  shown.remedy.clear();
  if (own) shown.file.clear();
  const std::uint32_t line = own ? own_line(fault.line) : 0;
  if (line != 0) shown.line = shown.column = 0;
  std::string text = to_string(shown);
  if (text.starts_with(kErrorWord)) text.erase(0, kErrorWord.size()); // the problem is of that kind
  problems.push_back(problem(kind, line, fault.column, text, fault.remedy));
}

void add_problem(json& problems, const timing::Hazard& hazard) {
  const bool own = hazard.file.empty();
  const std::string place = own ? "" : fmt::format("{}:{}: ", hazard.file, hazard.line);
  problems.push_back(problem(
      hazard.rule->warns_only ? "warning" : "hazard", own ? own_line(hazard.line) : 0, 0,
      fmt::format("{}{}: {}", place, hazard.rule->id, hazard.message),
      fmt::format("{}; silicon: {} [{}]", hazard.mend, hazard.rule->silicon, hazard.rule->source)));
}

} // namespace lanewise::report
