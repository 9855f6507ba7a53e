// What a kernel prints with DPRINT("x is {}\n", x), in place of the macros by which a card sends it
// to its host. To be included behind api/debug/dprint.h.
#pragma once

#include <cstdio>
#include <cstring>
#include <type_traits>

#include "lanewise_calls.h"

namespace lanewise_print_detail {

/// One argument, by a specification such as "#x" or ".3f", or "".
template <class T>
void print_one(char* to, std::size_t room, const char* specification, const T& value) {
  using Value = std::decay_t<T>;
  char format[24];
  if constexpr (std::is_same_v<Value, bool>) {
    std::snprintf(to, room, "%s", value ? "true" : "false");
  } else if constexpr (std::is_same_v<Value, char>) {
    std::snprintf(to, room, "%c", value);
  } else if constexpr (std::is_enum_v<Value>) {
    print_one(to, room, specification, static_cast<std::underlying_type_t<Value>>(value));
  } else if constexpr (std::is_integral_v<Value>) {
    const std::size_t length = std::strlen(specification);
    const char last = length == 0 ? '\0' : specification[length - 1];
    const bool has_type = last == 'x' || last == 'X' || last == 'o' || last == 'd' || last == 'u';
    const char type = last == 'd' || !has_type ? (std::is_signed_v<Value> ? 'd' : 'u') : last;
    std::snprintf(format, sizeof format, "%%%.*sll%c",
                  static_cast<int>(has_type ? length - 1 : length), specification, type);
    std::snprintf(to, room, format, static_cast<long long>(value));
  } else if constexpr (std::is_floating_point_v<Value>) {
    const std::size_t length = std::strlen(specification);
    const char last = length == 0 ? '\0' : specification[length - 1];
    const bool has_type = last == 'f' || last == 'e' || last == 'g';
    std::snprintf(format, sizeof format, "%%%s%s", specification, has_type ? "" : "g");
    std::snprintf(to, room, format, static_cast<double>(value));
  } else if constexpr (std::is_convertible_v<const T&, const char*>) {
    std::snprintf(to, room, "%s", static_cast<const char*>(value));
  } else if constexpr (std::is_pointer_v<Value>) {
    std::snprintf(to, room, "%#llx",
                  static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(value)));
  } else {
    std::snprintf(to, room, "(a value that is not printed here)");
  }
}

/// Argument number `wanted`.
inline void print_number(char*, std::size_t, const char*, unsigned) {}
template <class First, class... Others>
void print_number(char* to, std::size_t room, const char* specification, unsigned wanted,
                  const First& first, const Others&... others) {
  if (wanted == 0) return print_one(to, room, specification, first);
  print_number(to, room, specification, wanted - 1, others...);
}

} // namespace lanewise_print_detail

template <class... Arguments>
void lanewise_print(const char* format, const Arguments&... arguments) {
  constexpr std::size_t kRoom = 2048;
  char text[kRoom];
  std::size_t at = 0;
  unsigned next = 0;
  for (const char* c = format; *c != 0 && at + 1 < kRoom; ++c) {
    if ((*c == '{' || *c == '}') && c[1] == *c)
      ++c;
    else if (*c == '{') {
      const char* const end = std::strchr(c, '}');
      if (end == nullptr) break;
      unsigned number = 0;
      bool is_numbered = false;
      for (++c; *c >= '0' && *c <= '9'; ++c, is_numbered = true) number = 10 * number + (*c - '0');
      char specification[12] = {};
      for (std::size_t i = 0; *c == ':' && c + 1 + i < end && i + 1 < sizeof specification; ++i)
        specification[i] = c[1 + i];
      text[at] = 0;
      lanewise_print_detail::print_number(text + at, kRoom - at, specification,
                                          is_numbered ? number : next++, arguments...);
      at += std::strlen(text + at);
      c = end;
      continue;
    }
    text[at++] = *c;
  }
  text[at] = 0;
  lanewise_core->print(lanewise_core->self, text, __builtin_frame_address(0));
}

#undef DEVICE_PRINT
#define DEVICE_PRINT(format, ...) lanewise_print(format, ##__VA_ARGS__)
