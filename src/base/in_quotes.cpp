#include "base/in_quotes.h"

#include <fmt/format.h>

namespace lanewise {

std::string in_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text.substr(0, kLongestQuotation)) {
    if (c >= ' ' && c <= '~') {
      result += c;
    } else {
      result += fmt::format("\\x{:02X}", static_cast<unsigned char>(c));
    }
  }
  return text.size() <= kLongestQuotation ? result + "'"
                                          : result + fmt::format("...' ({} bytes)", text.size());
}

} // namespace lanewise
