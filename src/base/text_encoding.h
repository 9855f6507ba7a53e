// The mark that some editors put before a text.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/fault.h"

namespace lanewise {

/// How many bytes of a byte-order mark the text begins with: 3 of UTF-8, which mean nothing, or 0.
/// Error: BadInput for the marks of UTF-16 and UTF-32, whose texts nothing here reads.
inline Expected<std::size_t> byte_order_mark(std::string_view text) {
  constexpr std::string_view kUtf8 = "\xEF\xBB\xBF", kLittle = "\xFF\xFE", kBig = "\xFE\xFF";
  constexpr std::string_view kBig32{"\0\0\xFE\xFF", 4};
  if (text.starts_with(kUtf8)) return kUtf8.size();
  if (text.starts_with(kLittle) || text.starts_with(kBig) || text.starts_with(kBig32))
    return bad_input("this text is UTF-16 or UTF-32, as its byte-order mark says",
                     "save it as UTF-8");
  return 0;
}

} // namespace lanewise
