// What SFPLOAD makes of what Dst stores, and SFPSTORE of what a register holds, by their mode (VU
// 3.4). Templates over a lane type, like chip/semantics/.
#pragma once

#include "chip/isa/arch.h"
#include "chip/machine/dst_mode.h"
#include "chip/semantics/dst_format.h"

namespace lanewise {

/// What SFPLOAD makes of the stored bits of a lane; d is 32 bits wide in the 32-bit modes, else 16.
template <Arch A, class U>
LANEWISE_INLINE constexpr U convert_load(DstMode mode, U d, U old,
                                         semantics::Mask<U> fp16_infinity) {
  switch (mode) {
    case DstMode::Fp16: return semantics::load_fp16<U>(d, fp16_infinity);
    case DstMode::Bf16: return semantics::unshuffle_16(d) << 16;
    case DstMode::Fp32:
    case DstMode::Int32:
    case DstMode::Int32All: return semantics::unshuffle_32(d);
    case DstMode::Int32Sm: {
      const U value = semantics::unshuffle_32(d);
      return kArch<A>.vector.int_sm_converts ? semantics::sign_magnitude_to_twos(value) : value;
    }
    case DstMode::Int8: return semantics::load_int8(d, kArch<A>.vector.int8_load_magnitude_bits);
    case DstMode::Int8Comp: {
      const U value = semantics::load_int8(d, 10);
      return kArch<A>.vector.int_sm_converts ? semantics::sign_magnitude_to_twos(value) : value;
    }
    case DstMode::Hi16: return d << 16;
    case DstMode::Int16: return semantics::load_int16(d);
    case DstMode::Uint16:
    case DstMode::Lo16: return d;
    case DstMode::Lo16Only: return (old & 0xFFFF0000U) | d;
    case DstMode::Hi16Only: return (old & 0xFFFF) | (d << 16);
    case DstMode::Zero:
    case DstMode::Srcb: break; // SRCB has been resolved to another mode
  }
  return U{};
}

/// What SFPSTORE writes for an LReg value; 32 bits wide in the 32-bit modes, else 16.
template <Arch A, class U>
LANEWISE_INLINE constexpr U convert_store(DstMode mode, U value) {
  switch (mode) {
    case DstMode::Fp16: return semantics::store_fp16(value);
    case DstMode::Bf16: return semantics::shuffle_16(semantics::flush_denormal(value) >> 16);
    case DstMode::Fp32:
      return semantics::shuffle_32(
          kArch<A>.vector.fp32_store_flushes ? semantics::flush_denormal(value) : value);
    case DstMode::Int32:
    case DstMode::Int32All: return semantics::shuffle_32(value);
    case DstMode::Int32Sm:
      return semantics::shuffle_32(
          kArch<A>.vector.int_sm_converts ? semantics::twos_to_sign_magnitude(value) : value);
    case DstMode::Int8: return semantics::store_int8(value);
    case DstMode::Int8Comp:
      return semantics::store_int8(
          kArch<A>.vector.int_sm_converts ? semantics::twos_to_sign_magnitude(value) : value);
    case DstMode::Hi16: return value;
    case DstMode::Int16: return semantics::store_int16(value);
    case DstMode::Lo16: return (value << 16) | (value >> 16);
    case DstMode::Uint16:
    case DstMode::Lo16Only: return value & 0xFFFF;
    case DstMode::Hi16Only: return value >> 16;
    case DstMode::Zero:
    case DstMode::Srcb: break;
  }
  return U{};
}

} // namespace lanewise
