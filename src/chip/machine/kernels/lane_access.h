// Registers as vectors of lanes: load, store, lane masks. Included only by lane kernels, inside
// whose namespace everything here lives, so that no level shares a symbol with another.
#pragma once

#include <array>
#include <type_traits>

#include "chip/machine/state.h"
#include "chip/semantics/lanes.h"

#ifndef LANEWISE_LEVEL
#error "lane kernels are compiled once per level, see cmake/library.cmake"
#endif

namespace lanewise::LANEWISE_LEVEL {

#if defined(__AVX512F__)
inline constexpr unsigned kVectorBytes = 64;
#elif defined(__AVX2__)
inline constexpr unsigned kVectorBytes = 32;
#else
inline constexpr unsigned kVectorBytes = 16;
#endif

/// Whether a kernel works on the whole machine, else on what generated code keeps in registers
/// (kernels/row.h).
template <class S>
inline constexpr bool is_machine = std::is_same_v<S, MachineState>;

typedef std::uint32_t U __attribute__((vector_size(kVectorBytes)));

inline constexpr unsigned kWidth = kVectorBytes / 4; ///< lanes of one vector
inline constexpr unsigned kChunks = kLanes / kWidth; ///< vectors of one LReg

/// One LReg as vectors.
struct LaneVector {
  U chunk[kChunks];
};

LANEWISE_INLINE U load(const std::uint32_t* lanes, unsigned chunk) {
  U value;
  __builtin_memcpy(&value, lanes + chunk * kWidth, sizeof value);
  return value;
}

LANEWISE_INLINE void store(std::uint32_t* lanes, unsigned chunk, U value) {
  __builtin_memcpy(lanes + chunk * kWidth, &value, sizeof value);
}

LANEWISE_INLINE U splat(std::uint32_t value) {
  return semantics::splat<U>(value);
}

using Mask = semantics::Mask<U>;

/// 1 << l for lane l.
inline constexpr auto kLaneBit = [] {
  std::array<std::uint32_t, kLanes> bits{};
  for (unsigned lane = 0; lane < kLanes; ++lane) bits[lane] = 1U << lane;
  return bits;
}();

/// Bit l of `lanes` as the mask of lane l.
LANEWISE_INLINE Mask expand_mask(std::uint32_t lanes, unsigned chunk) {
#if defined(__AVX512F__)
  return static_cast<Mask>(lanes >> (chunk * kWidth));
#else
  const U bit = load(kLaneBit.data(), chunk);
  return semantics::equal(splat(lanes) & bit, bit);
#endif
}

/// A mask as bits of one number, at the place of the chunk.
LANEWISE_INLINE std::uint32_t compress_mask(Mask mask, unsigned chunk) {
#if defined(__AVX512F__)
  const std::uint32_t bits = mask;
#elif defined(__AVX2__)
  const auto bits = static_cast<std::uint32_t>(_mm256_movemask_ps((__m256)mask));
#else
  const auto bits = static_cast<std::uint32_t>(_mm_movemask_ps((__m128)mask));
#endif
  return bits << (chunk * kWidth);
}

/// Whether no lane of an LReg is set.
LANEWISE_INLINE bool are_none(const Mask (&masks)[kChunks]) {
#if defined(__AVX512F__)
  static_assert(kChunks == 2);
  return _kortestz_mask16_u8(masks[0], masks[1]) != 0;
#else
  Mask any = masks[0];
  for (unsigned c = 1; c < kChunks; ++c) any = semantics::either<Mask>(any, masks[c]);
  return compress_mask(any, 0) == 0;
#endif
}

/// Whether it is known that `lanes` are all 32. In generated code it must be known to the compiler:
/// there, nothing is gained by a branch.
LANEWISE_INLINE bool are_all(std::uint32_t lanes) {
#ifdef LANEWISE_GENERATED
  return __builtin_constant_p(lanes) && lanes == kAllLanes;
#else
  return lanes == kAllLanes;
#endif
}

/// Writes result(chunk) to the lanes of `lanes`; every result is computed from what was there
/// before its chunk. Returns the lanes whose result is negative; what it says of lanes outside
/// `lanes` means nothing.
template <class Result>
LANEWISE_INLINE std::uint32_t write_lanes(std::uint32_t* target, std::uint32_t lanes,
                                          Result&& result) {
  std::uint32_t negative = 0;
  if (are_all(lanes)) [[likely]] {
    for (unsigned c = 0; c < kChunks; ++c) {
      const U value = result(c);
      negative |= compress_mask(semantics::negative(value), c);
      store(target, c, value);
    }
  } else {
    for (unsigned c = 0; c < kChunks; ++c) {
      const U value = result(c);
      negative |= compress_mask(semantics::negative(value), c);
      store(target, c, semantics::select(expand_mask(lanes, c), value, load(target, c)));
    }
  }
  return negative;
}

/// Lanes for which condition(chunk), a mask, is set.
template <class Condition>
LANEWISE_INLINE std::uint32_t lanes_where(Condition&& condition) {
  std::uint32_t lanes = 0;
  for (unsigned c = 0; c < kChunks; ++c) lanes |= compress_mask(condition(c), c);
  return lanes;
}

LANEWISE_INLINE std::uint32_t blend_bits(std::uint32_t mask, std::uint32_t a, std::uint32_t b) {
  return (a & mask) | (b & ~mask);
}

/// LaneFlags of enabled lanes become `values`.
LANEWISE_INLINE void set_flags(VectorState& v, std::uint32_t lanes, std::uint32_t values) {
  // Not to read the old flags lets the next instruction begin before this one is done.
  if (are_all(lanes)) [[likely]] {
    v.flags = values;
  } else {
    v.flags = blend_bits(lanes, values, v.flags);
  }
}

} // namespace lanewise::LANEWISE_LEVEL
