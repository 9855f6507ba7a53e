#include "report/sweep/style.h"

#include <fmt/format.h>

#include <cstdint>

#include "report/page/style.h"

namespace lanewise::report {

namespace {

/// The value that a variable is given: the first one is the light one, the last one the dark one.
enum class Scheme : std::uint8_t { Light, Dark };
std::string_view value_of(std::string_view style, std::string_view name, Scheme scheme) {
  const std::string declaration = std::string(name) + ": ";
  const std::size_t at =
      scheme == Scheme::Light ? style.find(declaration) : style.rfind(declaration);
  if (at == std::string_view::npos) return "currentColor";
  style.remove_prefix(at + declaration.size());
  return style.substr(0, style.find(';'));
}

/// CSS with the values of variables in their places.
std::string without_variables(std::string_view rest, Scheme scheme) {
  constexpr std::string_view kUse = "var(";
  const std::string declarations = std::string(page_style()) + std::string(sweep_colours());
  std::string style;
  for (std::size_t at = rest.find(kUse); at != std::string_view::npos; at = rest.find(kUse)) {
    style += rest.substr(0, at);
    rest.remove_prefix(at + kUse.size());
    const std::size_t end = rest.find(')');
    style += value_of(declarations, rest.substr(0, end), scheme);
    rest.remove_prefix(end + 1);
  }
  return style + std::string(rest);
}

} // namespace

std::string sweep_page_style() {
  return fmt::format("{}\n{}\n{}", sweep_colours(), sweep_pictures(), sweep_layout());
}

std::string sweep_picture_style() {
  return without_variables(sweep_pictures(), Scheme::Light);
}

std::string picture_style_of_both() {
  const std::string style =
      std::string(sweep_pictures()) +
      ".page { fill: var(--page); }\n"
      ".head { font: 600 18px system-ui, \"DejaVu Sans\", sans-serif; fill: var(--text); }\n";
  return fmt::format("{}@media (prefers-color-scheme: dark) {{\n{}}}\n",
                     without_variables(style, Scheme::Light),
                     without_variables(style, Scheme::Dark));
}

} // namespace lanewise::report
