// Arguments of a kernel: those that are known while compiling, and words in L1.
#pragma once

#include "lanewise_metal.h"

namespace lanewise_metal {

#if defined(KERNEL_COMPILE_TIME_ARGS)
inline constexpr u32 kCompileArguments[] = {KERNEL_COMPILE_TIME_ARGS};
inline constexpr u32 kCompileArgumentCount = sizeof kCompileArguments / sizeof(u32);
#else
inline constexpr u32 kCompileArguments[] = {0};
inline constexpr u32 kCompileArgumentCount = 0;
#endif

template <u32 index>
constexpr u32 compile_argument() {
  static_assert(index < kCompileArgumentCount,
                "the program gives this kernel fewer compile-time arguments");
  return kCompileArguments[index < kCompileArgumentCount ? index : 0];
}

struct NamedArgument {
  const char* name;
  u32 value;
};
#if defined(KERNEL_COMPILE_TIME_ARG_MAP)
inline constexpr NamedArgument kNamedArguments[] = {KERNEL_COMPILE_TIME_ARG_MAP};
#else
inline constexpr NamedArgument kNamedArguments[] = {{"", 0}};
#endif

/// No constant: the program gives the kernel no compile-time argument of this name.
inline u32 no_compile_time_argument_has_this_name() {
  return 0;
}

constexpr bool are_equal(const char* left, const char* right) {
  while (*left != 0 && *left == *right) ++left, ++right;
  return *left == *right;
}

constexpr u32 named_argument(const char* name) {
  for (const NamedArgument& argument : kNamedArguments)
    if (are_equal(argument.name, name)) return argument.value;
  return no_compile_time_argument_has_this_name();
}

} // namespace lanewise_metal

#define get_compile_time_arg_val(index) lanewise_metal::compile_argument<index>()

template <class T = std::uint32_t>
constexpr std::uint32_t get_named_compile_time_arg_val(const char* name) {
  return lanewise_metal::named_argument(name);
}

FORCE_INLINE std::uint32_t get_arg_addr(int index) {
  return lanewise_launch_data.runtime_args + 4 * index;
}
FORCE_INLINE std::uint32_t get_common_arg_addr(int index) {
  return lanewise_launch_data.common_args + 4 * index;
}
template <class T>
FORCE_INLINE T get_arg_val(int index) {
  static_assert(sizeof(T) == 4, "an argument has four bytes");
  return *reinterpret_cast<volatile T*>(std::uintptr_t{get_arg_addr(index)});
}
template <class T>
FORCE_INLINE T get_common_arg_val(int index) {
  static_assert(sizeof(T) == 4, "an argument has four bytes");
  return *reinterpret_cast<volatile T*>(std::uintptr_t{get_common_arg_addr(index)});
}

FORCE_INLINE std::uint8_t get_absolute_logical_x() {
  return lanewise_launch_data.logical_x;
}
FORCE_INLINE std::uint8_t get_absolute_logical_y() {
  return lanewise_launch_data.logical_y;
}
FORCE_INLINE std::uint8_t get_relative_logical_x() {
  return lanewise_launch_data.logical_x;
}
FORCE_INLINE std::uint8_t get_relative_logical_y() {
  return lanewise_launch_data.logical_y;
}
