// What Lanewise's own headers of programs stand on: which core this is, its registers, by call, and
// what is said of what is not here. lanewise_chip.h is generated from the chip's record.
#pragma once

#include <cstdint>

#if defined(LANEWISE_MARKS)
#include "lanewise_direct.h"
#else
#include "lanewise_calls.h"
#endif
#include "lanewise_chip.h"
#include "lanewise_launch.h"
#include "llk/lanewise_fail.h"
#include "llk_defs.h"
#include "risc_attribs.h"
#include "tensix.h"

/// What only one of the three threads does.
#if defined(UCK_CHLKC_UNPACK)
#define UNPACK(...) __VA_ARGS__
#else
#define UNPACK(...)
#endif
#if defined(UCK_CHLKC_MATH)
#define MATH(...) __VA_ARGS__
#else
#define MATH(...)
#endif
#if defined(UCK_CHLKC_PACK)
#define PACK(...) __VA_ARGS__
#else
#define PACK(...)
#endif

#define ALWI inline __attribute__((always_inline))
#define FORCE_INLINE inline __attribute__((always_inline))
#define ASSERT(condition, ...)                                                               \
  do {                                                                                       \
    if (!(condition))                                                                        \
      lanewise_llk::fail("an ASSERT does not hold: " #condition, "look at what it asserts"); \
  } while (false)

extern "C" lanewise_launch lanewise_launch_data;

namespace lanewise_metal {

using u32 = std::uint32_t;

inline constexpr const char* kRemedy =
    "give --metal DIR, a checkout of tt-metal, or write it another way "
    "(docs/programs.md, \"Without a checkout\")";

/// For what only a checkout has. Does not return.
[[noreturn]] inline void refuse(const char* what) {
  lanewise_llk::fail(what, kRemedy);
}

/// A word of L1.
FORCE_INLINE volatile u32* at(u32 address) {
  return reinterpret_cast<volatile u32*>(std::uintptr_t{address});
}

} // namespace lanewise_metal

/// Where a loop looks at L1 again, others must have their turn.
FORCE_INLINE void invalidate_l1_cache() {
  lanewise_yield();
}
