#include "report/workbench/problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "base/source_line.h"

namespace lanewise::report {

namespace {

using nlohmann::json;

/// How the text of a fault begins that is no more than an error.
constexpr std::string_view kErrorWord = "error: ";

/// What a line of g++ says of a place: a message, or from where a template is used.
struct CompilerLine {
  std::string_view file;
  std::uint32_t line = 0, column = 0;
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

/// "FILE:LINE:COLUMN: TEXT"; nothing for any other line.
std::optional<CompilerLine> compiler_line(std::string_view text) {
  CompilerLine found;
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  found.file = text.substr(0, colon);
  text.remove_prefix(colon + 1);
  const auto line = take_number(text);
  const auto column = line ? take_number(text) : std::nullopt;
  if (!column) return std::nullopt;
  found.line = *line;
  found.column = *column;
  found.text = text.substr(std::min(text.size(), text.find_first_not_of(' ')));
  return found;
}

/// "error: what is wrong" in two parts; the first is empty if the text is none of g++'s messages.
std::pair<std::string_view, std::string_view> message_parts(std::string_view text) {
  for (const std::string_view kind : {"fatal error", "error", "warning", "note"}) {
    if (text.starts_with(kind) && text.substr(kind.size()).starts_with(": "))
      return {kind, text.substr(kind.size() + 2)};
  }
  return {};
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

namespace {

/// The problems among the lines of g++. What is wrong in a header stands where the kernel uses it,
/// if that is told.
bool add_compiler_problems(json& problems, const Fault& fault, std::string_view file) {
  bool found = false;
  CompilerLine use;
  std::string_view rest = fault.message;
  while (!rest.empty()) {
    const std::string_view text = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), text.size() + 1));
    const auto line = compiler_line(text);
    if (!line) continue;
    const bool own = line->file == file;
    const auto [kind, what] = message_parts(line->text);
    if (kind.empty()) {
      if (own) use = *line;
      continue;
    }
    const CompilerLine& place = own ? *line : use;
    if (!own && (kind == "note" || use.line == 0)) continue;
    problems.push_back(problem(problem_kind(kind), place.line, place.column, what,
                               found ? std::string_view() : fault.remedy));
    found = true;
    use = {};
  }
  return found;
}

} // namespace

void add_problems(json& problems, const Fault& found_fault, std::string_view kind,
                  std::string_view file) {
  const Fault fault = settled(found_fault);
  if (fault.line == 0 && add_compiler_problems(problems, fault, file)) return;
  const bool own = fault.file.empty() || fault.file == file;
  const std::uint32_t line = own ? own_line(fault.line) : 0;
  const std::uint32_t column = line == 0 ? 0 : fault.column;
  Fault shown = fault; // without what has a field of its own
  shown.remedy.clear();
  if (own) shown.file.clear();
  if (own) shown.line = shown.column = 0;
  std::string text = to_string(shown);
  if (text.starts_with(kErrorWord)) text.erase(0, kErrorWord.size());
  problems.push_back(problem(kind, line, column, text, fault.remedy));
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
