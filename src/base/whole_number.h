// Whole numbers as options write them.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace lanewise {

/// "64", "0x21000"; nothing for any other text.
inline std::optional<std::uint64_t> parse_whole_number(std::string_view text) {
  const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  if (is_hex) text.remove_prefix(2);
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, is_hex ? 16 : 10);
  if (error != std::errc{} || stop != end || text.empty()) return std::nullopt;
  return value;
}

} // namespace lanewise
