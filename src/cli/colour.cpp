#include "cli/colour.h"

#include <fmt/color.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/fault.h"
#include "chip/timing/hazards/hazards.h"

namespace lanewise::cli {

namespace {

ColourWhen colours = ColourWhen::Auto;

const fmt::text_style kWrong = fmt::emphasis::bold | fg(fmt::terminal_color::red);
const fmt::text_style kDoubtful = fmt::emphasis::bold | fg(fmt::terminal_color::yellow);
const fmt::text_style kRight = fg(fmt::terminal_color::green);
const fmt::text_style kAside{fmt::emphasis::faint};
const fmt::text_style kHeading{fmt::emphasis::bold};

/// The part of a line that is painted: empty if none is.
struct Paint {
  std::size_t from = 0, size = 0;
  fmt::text_style style;
};

/// Words, and how they look wherever they stand in a line; the first that is there counts.
struct PaintedWord {
  std::string_view word;
  fmt::text_style style;
};
const std::array kPaintedWords{PaintedWord{"error:", kWrong},
                               PaintedWord{"warning:", kDoubtful},
                               PaintedWord{fault_kind_name(FaultKind::NonContractual), kDoubtful},
                               PaintedWord{fault_kind_name(FaultKind::UndefinedBehavior), kWrong},
                               PaintedWord{fault_kind_name(FaultKind::UnpredictableValue), kWrong},
                               PaintedWord{fault_kind_name(FaultKind::Unsupported), kWrong},
                               PaintedWord{"nothing found", kRight}};

/// What `hazard_text` prints of a finding: "..., cycle 12: mad-result: ...".
Paint paint_of_rule(std::string_view line) {
  for (const timing::HazardRule& rule : timing::hazard_rules()) {
    const std::string between = fmt::format(": {}: ", rule.id);
    const std::size_t at = line.find(between);
    if (at == std::string_view::npos) continue;
    return {at + 2, rule.id.size(), rule.warns_only ? kDoubtful : kWrong};
  }
  return {};
}

Paint paint_of(std::string_view line) {
  if (const std::size_t at = line.find("    silicon: "); at != std::string_view::npos)
    return {at, line.size() - at, kAside};
  for (const PaintedWord& each : kPaintedWords) {
    const std::size_t at = line.find(each.word);
    if (at != std::string_view::npos) return {at, each.word.size(), each.style};
  }
  return paint_of_rule(line);
}

Paint paint_of_help(std::string_view line) {
  const bool is_heading = !line.empty() && line.front() != ' ' && line.back() == ':';
  return is_heading ? Paint{0, line.size(), kHeading} : Paint{};
}

template <class PaintOf>
std::string painted(std::string_view text, const PaintOf& paint_of_line) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const Paint paint = paint_of_line(line);
    result += line.substr(0, paint.from);
    if (paint.size != 0)
      result += fmt::format(paint.style, "{}", line.substr(paint.from, paint.size));
    result += line.substr(paint.from + paint.size);
    if (end == text.size()) break;
    result += '\n';
    text.remove_prefix(end + 1);
  }
  return result;
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

} // namespace

void choose_colours(std::string_view name) {
  colours = name == "always"  ? ColourWhen::Always
            : name == "never" ? ColourWhen::Never
                              : ColourWhen::Auto;
}

bool takes_colours(int stream) {
  if (colours != ColourWhen::Auto) return colours == ColourWhen::Always;
  const char* terminal = std::getenv("TERM");
  const bool has_colours = terminal != nullptr && std::string_view(terminal) != "dumb";
  return ::isatty(stream) != 0 && has_colours && !is_set("NO_COLOR");
}

std::string painted_report(std::string_view text) {
  return painted(text, paint_of);
}

std::string painted_help(std::string_view text) {
  return painted(text, paint_of_help);
}

} // namespace lanewise::cli
