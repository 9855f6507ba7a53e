// Formats in which SFPLOAD and SFPSTORE access Dst, and what configuration says of their addresses.
#pragma once

#include <cstdint>

namespace lanewise {

/// Mod0 of SFPLOAD and SFPSTORE (seed 000, 2.3).
enum class DstMode : std::uint8_t {
  Srcb,
  Fp16,
  Bf16,
  Fp32,
  Int32,
  Int8,
  Uint16,
  Hi16,
  Int16,
  Lo16,
  Int32All,
  Zero,
  Int32Sm,
  Int8Comp,
  Lo16Only,
  Hi16Only
};

/// Modes whose loads read 32-bit data.
[[gnu::always_inline]] constexpr bool is_32bit(DstMode mode) {
  return mode == DstMode::Fp32 || mode == DstMode::Int32 || mode == DstMode::Int32All ||
         mode == DstMode::Int32Sm;
}
/// Modes whose stores write 32-bit data: HI16 and LO16 too (VU C23).
[[gnu::always_inline]] constexpr bool store_is_32bit(DstMode mode) {
  return is_32bit(mode) || mode == DstMode::Hi16 || mode == DstMode::Lo16;
}

inline constexpr std::uint32_t kDstAddressMask = 0x3FF;

/// What SFPLOAD and SFPSTORE need of the math thread's configuration, so that each does not look it
/// up: derived anew by whatever writes configuration.
struct DstSettings {
  std::uint32_t offset = 0;     ///< DEST_TARGET_REG_CFG_MATH_Offset
  std::uint32_t stack_base = 0; ///< DEST_SP_BASE_Base
  DstMode srcb = DstMode::Bf16; ///< what mode SRCB means (VU C21)
  bool rows_stay = true;        ///< no remapping and no swizzling
  bool high_halves = false;     ///< what 16-bit accesses name (Dst16View)
  /// Bit f: the ADDR_MOD section of field f moves nothing; bit 8 + f: with Wormhole's bias bit set.
  std::uint16_t sections_that_stay = 0xFFFF;

  friend bool operator==(const DstSettings&, const DstSettings&) = default;
};

} // namespace lanewise
