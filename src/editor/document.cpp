#include "editor/document.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "editor/settings.h"
#include "run/execution/load_program.h"

namespace lanewise::editor {

namespace {

constexpr std::string_view kFileScheme = "file://";

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    const char* const digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(digits, digits + 2, value, 16).ptr == digits + 2) {
      out += static_cast<char>(value);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

/// Whether a line begins with the directive.
bool has_directive(const Text& text, std::string_view directive) {
  for (std::uint32_t i = 0; i < text.lines(); ++i) {
    const std::string_view line = text.line(i);
    if (line.substr(indentation(line).size()).starts_with(directive)) return true;
  }
  return false;
}

/// Whether one of the marks is anywhere in the text.
template <std::size_t Size>
bool has_mark(const Text& text, const std::array<std::string_view, Size>& marks) {
  return std::ranges::any_of(
      marks, [&](std::string_view mark) { return text.all().find(mark) != std::string::npos; });
}

/// What only assembly for a Tensix has. Other assembly has files of the same names.
bool is_tensix_text(const Text& text) {
  constexpr auto kMarks = std::to_array<std::string_view>({"sfp", "SFP", "tt", "TTI_", "INCRWC"});
  return has_settings_line(text) || has_mark(text, kMarks);
}

/// What only a kernel has.
bool is_kernel_text(const Text& text) {
  constexpr auto kMarks =
      std::to_array<std::string_view>({"sfpi", "TTI_", "dst_reg", "ckernel", "vFloat"});
  return has_settings_line(text) || has_mark(text, kMarks);
}

} // namespace

std::string path_of(std::string_view uri) {
  if (uri.starts_with(kFileScheme)) uri.remove_prefix(kFileScheme.size());
  return percent_decoded(uri);
}

Document make_document(std::string uri, std::string_view language, std::int64_t version,
                       std::string text) {
  std::string name = path_of(uri);
  if (language == "cpp" && !execution::is_kernel_file(name)) name += ".cpp";
  return {std::move(uri), std::move(name), version, Text(std::move(text))};
}

Dialect dialect_of(const Document& document) {
  const std::string& name = document.name;
  if (execution::is_kernel_file(name))
    return is_kernel_text(document.text) ? Dialect::Kernel : Dialect::Other;
  if (name.ends_with(".hex")) return Dialect::Words;
  if (has_directive(document.text, ".thread")) return Dialect::Tile;
  const bool vendors = name.ends_with(".s") || name.ends_with(".S") || name.ends_with(".objdump");
  if (!vendors) return Dialect::Ours;
  return is_tensix_text(document.text) ? Dialect::Vendors : Dialect::Other;
}

} // namespace lanewise::editor
