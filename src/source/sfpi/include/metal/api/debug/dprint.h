// Prints of kernels: DPRINT("x is {}\n", x), and DPRINT << "x is " << x << ENDL() as of older
// kernels. DPRINT_MATH and its like print on their thread only.
#pragma once

#include "lanewise_metal.h"
#if !defined(LANEWISE_MARKS)
#include "lanewise_print.h"
#endif

/// The end of a line, and what changes how numbers look, which is not here.
struct ENDL {};
struct HEX {};
struct DEC {};

struct lanewise_print_stream {
  template <class T>
  const lanewise_print_stream& operator<<(const T& value) const {
    lanewise_print("{}", value);
    return *this;
  }
  const lanewise_print_stream& operator<<(const ENDL&) const {
    lanewise_print("\n");
    return *this;
  }
  const lanewise_print_stream& operator<<(const HEX&) const { return *this; }
  const lanewise_print_stream& operator<<(const DEC&) const { return *this; }
};
inline constexpr lanewise_print_stream DPRINT;

#define DPRINT(format, ...) DEVICE_PRINT(format, ##__VA_ARGS__)
#define DPRINT_UNPACK(...) UNPACK(lanewise_print_one_of(__VA_ARGS__))
#define DPRINT_MATH(...) MATH(lanewise_print_one_of(__VA_ARGS__))
#define DPRINT_PACK(...) PACK(lanewise_print_one_of(__VA_ARGS__))
#if defined(COMPILE_FOR_BRISC)
#define DPRINT_DATA0(...) lanewise_print_one_of(__VA_ARGS__)
#else
#define DPRINT_DATA0(...)
#endif
#if defined(COMPILE_FOR_NCRISC)
#define DPRINT_DATA1(...) lanewise_print_one_of(__VA_ARGS__)
#else
#define DPRINT_DATA1(...)
#endif

/// A format and arguments; or a statement, such as DPRINT << x, which has printed by itself.
template <class... Arguments>
void lanewise_print_one_of(const char* format, const Arguments&... arguments) {
  lanewise_print(format, arguments...);
}
inline void lanewise_print_one_of(const lanewise_print_stream&) {}
