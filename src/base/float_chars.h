// std::from_chars() of floats and doubles, which not every C++20 library has: libc++ has none.
#pragma once

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace lanewise {

/// The same as std::from_chars(), by the C library's function, which rounds correctly, too.
template <class Real>
std::from_chars_result float_by_c_library(const char* first, const char* last, Real& value,
                                          std::chars_format format = std::chars_format::general) {
  std::string_view text(first, static_cast<std::size_t>(last - first));
  const bool negative = text.starts_with('-');
  const std::string_view magnitude = text.substr(negative ? 1 : 0);
  const char begins = magnitude.empty() ? ' ' : magnitude.front();
  const bool hexadecimal = format == std::chars_format::hex;
  // What the C library takes and from_chars() does not: spaces, a plus sign, 0x in front.
  if (begins == ' ' || begins == '+' || begins == '-' || (begins >= '\t' && begins <= '\r'))
    return {first, std::errc::invalid_argument};
  const bool is_word = begins == 'i' || begins == 'I' || begins == 'n' || begins == 'N';
  const std::string_view digits = magnitude.substr(0, magnitude.find_first_of("xX"));
  const std::string copy = (negative ? "-" : "") +
                           std::string(hexadecimal && !is_word ? "0x" : "") + std::string(digits);
  char* stop = nullptr;
  errno = 0;
  Real number = 0;
  if constexpr (std::is_same_v<Real, float>) {
    number = std::strtof(copy.c_str(), &stop);
  } else {
    number = std::strtod(copy.c_str(), &stop);
  }
  const auto read = static_cast<std::size_t>(stop - copy.c_str());
  const std::size_t added = copy.size() - digits.size() - (negative ? 1 : 0);
  // Of "0x" without a digit behind it, the C library takes the zero.
  if (read <= added + (negative ? 1 : 0)) return {first, std::errc::invalid_argument};
  const char* const end = first + (read - added);
  if (errno == ERANGE && (number == 0 || std::isinf(number)))
    return {end, std::errc::result_out_of_range};
  value = number;
  return {end, std::errc()};
}

/// std::from_chars() of a float or a double.
template <class Real>
std::from_chars_result float_from_chars(const char* first, const char* last, Real& value,
                                        std::chars_format format = std::chars_format::general) {
#if defined(__cpp_lib_to_chars)
  return std::from_chars(first, last, value, format);
#else
  return float_by_c_library(first, last, value, format);
#endif
}

} // namespace lanewise
