// What the characters of source texts are. <cctype> depends on the locale, and is undefined for
// negative char.
#pragma once

namespace lanewise {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
/// Precondition: is_hex_digit(c).
constexpr unsigned hex_digit_value(char c) {
  return static_cast<unsigned>(is_digit(c) ? c - '0' : (c | ('a' - 'A')) - 'a' + 10);
}
constexpr bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool is_name_part(char c) {
  return is_name_start(c) || is_digit(c);
}

} // namespace lanewise
