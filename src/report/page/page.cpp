#include "report/page/page.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/page/style.h"

namespace lanewise::report {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD"; ///< U+FFFD

/// Bytes of the UTF-8 sequence that begins a text; 0 if none does (RFC 3629, section 4).
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xC2 && lead < 0xE0   ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  if (length == 0 || text.size() < length) return 0;
  const bool follows = std::all_of(text.begin() + 1, text.begin() + static_cast<long>(length),
                                   [](char c) { return (c & 0xC0) == 0x80; });
  // Overlong forms, surrogates, and what lies above U+10FFFF.
  const bool excluded = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) >= 0xA0) ||
                        (lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) >= 0x90);
  return follows && !excluded ? length : 0;
}

/// A character that XML 1.0 does not have (section 2.2).
bool is_control(char letter) {
  return static_cast<unsigned char>(letter) < 0x20 && letter != '\t' && letter != '\n' &&
         letter != '\r';
}

/// A heading, which may go on below behind each part of a path.
std::string breakable(std::string_view heading) {
  std::string html;
  for (const char letter : escaped(heading)) {
    html += letter;
    if (letter == '/') html += "<wbr/>";
  }
  return html;
}

std::string style_html(const Page& page) {
  if (!page.style_file.empty())
    return fmt::format("<link rel=\"stylesheet\" href=\"{}\"/>", escaped(page.style_file));
  return fmt::format("<style>\n{}\n{}</style>", page_style(), page.style);
}

std::string script_html(const Page& page) {
  if (!page.script_file.empty())
    return fmt::format("<script src=\"{}\"></script>", escaped(page.script_file));
  return page.script.empty() ? "" : fmt::format("<script>\n{}</script>", page.script);
}

} // namespace

std::string valid_utf8(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    result += length == 0 ? kReplacement : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return result;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char letter : valid_utf8(text)) {
    switch (letter) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default:
        if (is_control(letter)) {
          result += kReplacement;
        } else {
          result += letter;
        }
    }
  }
  return result;
}

std::string html_page(const Page& page) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>"
      "<title>{}</title>{}</head>\n<body><h1>{}</h1>"
      "<p class=\"muted\">{}</p>\n{}\n{}{}</body></html>\n",
      escaped(page.title), style_html(page), breakable(page.heading), escaped(page.subtitle),
      page.body, record_html(page.record), script_html(page));
}

std::string card(std::string_view value, std::string_view label) {
  return fmt::format("<div class=\"card\"><b>{}</b><span>{}</span></div>", escaped(value),
                     escaped(label));
}

std::string card_row(std::string_view cards) {
  return fmt::format("<div class=\"cards\">{}</div>", cards);
}

std::string list_items(std::span<const std::string> texts) {
  std::string html = "<ul>";
  for (const std::string& text : texts) html += "<li>" + escaped(text) + "</li>";
  return html + "</ul>";
}

} // namespace lanewise::report
