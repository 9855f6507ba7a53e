// What the code of a core does to memory, told as it happens: the functions that g++ calls in front
// of every access under -fsanitize=thread, without the library that has them otherwise. To be
// included once in a translation unit.
//
// Accesses above kLanewiseSeenEnd are variables of the code itself, and registers.
#pragma once

#include <cstddef>

#include "lanewise_calls.h"

/// No chip's L1 ends above.
inline constexpr std::uintptr_t kLanewiseSeenEnd = 0x180000;

#define LANEWISE_SEES extern "C" __attribute__((no_sanitize_thread, visibility("hidden")))

__attribute__((no_sanitize_thread, always_inline)) inline void lanewise_sees(
    const volatile void* place, std::size_t bytes, std::uint32_t how, const void* code,
    const void* frame) {
  const auto address = reinterpret_cast<std::uintptr_t>(place);
  if (address >= kLanewiseSeenEnd || bytes == 0) return;
  lanewise_core->access(lanewise_core->self, static_cast<std::uint32_t>(address),
                        static_cast<std::uint32_t>(bytes), how, code, frame);
}

// The frame of a function that is called begins with that of its caller.
#define LANEWISE_SEES_AT(place, bytes, how)                     \
  lanewise_sees(place, bytes, how, __builtin_return_address(0), \
                *static_cast<void* const*>(__builtin_frame_address(0)))

#define LANEWISE_SEES_SIZE(bytes)                                          \
  LANEWISE_SEES void __tsan_read##bytes(void* place) {                     \
    LANEWISE_SEES_AT(place, bytes, 0);                                     \
  }                                                                        \
  LANEWISE_SEES void __tsan_write##bytes(void* place) {                    \
    LANEWISE_SEES_AT(place, bytes, kLanewiseChanges);                      \
  }                                                                        \
  LANEWISE_SEES void __tsan_unaligned_read##bytes(void* place) {           \
    LANEWISE_SEES_AT(place, bytes, 0);                                     \
  }                                                                        \
  LANEWISE_SEES void __tsan_unaligned_write##bytes(void* place) {          \
    LANEWISE_SEES_AT(place, bytes, kLanewiseChanges);                      \
  }                                                                        \
  LANEWISE_SEES void __tsan_volatile_read##bytes(void* place) {            \
    LANEWISE_SEES_AT(place, bytes, kLanewiseVolatile);                     \
  }                                                                        \
  LANEWISE_SEES void __tsan_volatile_write##bytes(void* place) {           \
    LANEWISE_SEES_AT(place, bytes, kLanewiseChanges | kLanewiseVolatile);  \
  }                                                                        \
  LANEWISE_SEES void __tsan_unaligned_volatile_read##bytes(void* place) {  \
    LANEWISE_SEES_AT(place, bytes, kLanewiseVolatile);                     \
  }                                                                        \
  LANEWISE_SEES void __tsan_unaligned_volatile_write##bytes(void* place) { \
    LANEWISE_SEES_AT(place, bytes, kLanewiseChanges | kLanewiseVolatile);  \
  }
LANEWISE_SEES_SIZE(1)
LANEWISE_SEES_SIZE(2)
LANEWISE_SEES_SIZE(4)
LANEWISE_SEES_SIZE(8)
LANEWISE_SEES_SIZE(16)

LANEWISE_SEES void __tsan_init() {}
LANEWISE_SEES void __tsan_func_entry(void*) {}
LANEWISE_SEES void __tsan_func_exit(void*) {}
LANEWISE_SEES void __tsan_vptr_update(void** place, void* value) {
  *place = value;
}
LANEWISE_SEES void __tsan_vptr_read(void**) {}
LANEWISE_SEES void __tsan_read_range(void* place, std::size_t bytes) {
  LANEWISE_SEES_AT(place, bytes, 0);
}
LANEWISE_SEES void __tsan_write_range(void* place, std::size_t bytes) {
  LANEWISE_SEES_AT(place, bytes, kLanewiseChanges);
}

// Atomic operations, which only cores of the host have.
#define LANEWISE_SEES_OPERATION(bits, type, name)                                       \
  LANEWISE_SEES type __tsan_atomic##bits##_fetch_##name(type* place, type value, int) { \
    LANEWISE_SEES_AT(place, bits / 8, kLanewiseChanges | kLanewiseVolatile);            \
    return __atomic_fetch_##name(place, value, __ATOMIC_SEQ_CST);                       \
  }
#define LANEWISE_SEES_ATOMIC(bits, type)                                                        \
  LANEWISE_SEES type __tsan_atomic##bits##_load(const type* place, int) {                       \
    LANEWISE_SEES_AT(place, bits / 8, kLanewiseVolatile);                                       \
    return __atomic_load_n(place, __ATOMIC_SEQ_CST);                                            \
  }                                                                                             \
  LANEWISE_SEES void __tsan_atomic##bits##_store(type* place, type value, int) {                \
    LANEWISE_SEES_AT(place, bits / 8, kLanewiseChanges | kLanewiseVolatile);                    \
    __atomic_store_n(place, value, __ATOMIC_SEQ_CST);                                           \
  }                                                                                             \
  LANEWISE_SEES type __tsan_atomic##bits##_exchange(type* place, type value, int) {             \
    LANEWISE_SEES_AT(place, bits / 8, kLanewiseChanges | kLanewiseVolatile);                    \
    return __atomic_exchange_n(place, value, __ATOMIC_SEQ_CST);                                 \
  }                                                                                             \
  LANEWISE_SEES bool __tsan_atomic##bits##_compare_exchange_strong(type* place, type* expected, \
                                                                   type value, int, int) {      \
    LANEWISE_SEES_AT(place, bits / 8, kLanewiseChanges | kLanewiseVolatile);                    \
    return __atomic_compare_exchange_n(place, expected, value, false, __ATOMIC_SEQ_CST,         \
                                       __ATOMIC_SEQ_CST);                                       \
  }                                                                                             \
  LANEWISE_SEES bool __tsan_atomic##bits##_compare_exchange_weak(type* place, type* expected,   \
                                                                 type value, int, int) {        \
    LANEWISE_SEES_AT(place, bits / 8, kLanewiseChanges | kLanewiseVolatile);                    \
    return __atomic_compare_exchange_n(place, expected, value, true, __ATOMIC_SEQ_CST,          \
                                       __ATOMIC_SEQ_CST);                                       \
  }                                                                                             \
  LANEWISE_SEES_OPERATION(bits, type, add)                                                      \
  LANEWISE_SEES_OPERATION(bits, type, sub)                                                      \
  LANEWISE_SEES_OPERATION(bits, type, and)                                                      \
  LANEWISE_SEES_OPERATION(bits, type, or)                                                       \
  LANEWISE_SEES_OPERATION(bits, type, xor)                                                      \
  LANEWISE_SEES_OPERATION(bits, type, nand)
LANEWISE_SEES_ATOMIC(8, unsigned char)
LANEWISE_SEES_ATOMIC(16, unsigned short)
LANEWISE_SEES_ATOMIC(32, unsigned int)
LANEWISE_SEES_ATOMIC(64, unsigned long)
LANEWISE_SEES void __tsan_atomic_thread_fence(int) {}
LANEWISE_SEES void __tsan_atomic_signal_fence(int) {}

// Functions of the C library are called by other names (the linker's --wrap).
extern "C" void* __real_memcpy(void*, const void*, std::size_t);
extern "C" void* __real_memmove(void*, const void*, std::size_t);
extern "C" void* __real_memset(void*, int, std::size_t);
LANEWISE_SEES void* __wrap_memcpy(void* to, const void* from, std::size_t bytes) {
  LANEWISE_SEES_AT(from, bytes, 0);
  LANEWISE_SEES_AT(to, bytes, kLanewiseChanges);
  return __real_memcpy(to, from, bytes);
}
LANEWISE_SEES void* __wrap_memmove(void* to, const void* from, std::size_t bytes) {
  LANEWISE_SEES_AT(from, bytes, 0);
  LANEWISE_SEES_AT(to, bytes, kLanewiseChanges);
  return __real_memmove(to, from, bytes);
}
LANEWISE_SEES void* __wrap_memset(void* to, int value, std::size_t bytes) {
  LANEWISE_SEES_AT(to, bytes, kLanewiseChanges);
  return __real_memset(to, value, bytes);
}
