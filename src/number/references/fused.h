// What decides about the bits of a reference's functions before they are rounded.
#pragma once

namespace lanewise::references {

/// Whether this machine multiplies and adds with one rounding, and has vectors of it: all since
/// 2015. Without it some functions have other last bits.
inline bool has_fma() {
#if defined(__x86_64__)
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return has;
#else
  return false;
#endif
}

} // namespace lanewise::references
