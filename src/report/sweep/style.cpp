#include "report/sweep/style.h"

#include <fmt/format.h>

#include "report/page/style.h"

namespace lanewise::report {

namespace {

/// The first value that a variable is given, which is the light one.
std::string_view light_value(std::string_view style, std::string_view name) {
  const std::string declaration = std::string(name) + ": ";
  const std::size_t first = style.find(declaration);
  if (first == std::string_view::npos) return "currentColor";
  style.remove_prefix(first + declaration.size());
  return style.substr(0, style.find(';'));
}

} // namespace

std::string sweep_page_style() {
  return fmt::format("{}\n{}\n{}", sweep_colours(), sweep_pictures(), sweep_layout());
}

std::string sweep_picture_style() {
  constexpr std::string_view kUse = "var(";
  const std::string declarations = std::string(page_style()) + std::string(sweep_colours());
  std::string style;
  std::string_view rest = sweep_pictures();
  for (std::size_t at = rest.find(kUse); at != std::string_view::npos; at = rest.find(kUse)) {
    style += rest.substr(0, at);
    rest.remove_prefix(at + kUse.size());
    const std::size_t end = rest.find(')');
    style += light_value(declarations, rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
  return style + std::string(rest);
}

} // namespace lanewise::report
