// What the pages of all reports have in common: the frame, escaping, cards, lists.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/page/record.h"

namespace lanewise::report {

/// Text with & < > and quotes replaced, for content and attributes. What XML does not have
/// (control characters, bytes that are not UTF-8) becomes U+FFFD.
std::string escaped(std::string_view text);

/// Text that is UTF-8: bytes that are not become U+FFFD.
std::string valid_utf8(std::string_view text);

/// The parts of a page. `title`, `heading` and `subtitle` are plain text, the others are HTML, CSS
/// and JavaScript.
struct Page {
  std::string title, heading, subtitle;
  std::string style; ///< in addition to page_style()
  std::string body;
  std::string script = {};
  PageRecord record = {};
  /// Addresses of files that have all style and script, where pages share them; then `style` and
  /// `script` are empty. Empty: the page needs nothing else.
  std::string style_file = {}, script_file = {};
};

/// A page with a record of what made it at its end, and with its style and script within it unless
/// they are files. It is well-formed XML
/// if its parts are.
std::string html_page(const Page& page);

/// A number with what it means, for a row of cards.
std::string card(std::string_view value, std::string_view label);
/// The row of them.
std::string card_row(std::string_view cards);

/// <ul> of plain texts.
std::string list_items(std::span<const std::string> texts);

} // namespace lanewise::report
