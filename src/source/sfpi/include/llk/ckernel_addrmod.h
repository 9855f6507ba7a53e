// ADDR_MOD sections: how the counters move after an instruction that names one.
//
// A section is three words of thread configuration, written with SETC16; their layout is in the ISA
// documentation (RWCs, ADDR_MOD). Kernels fill the aggregates with designated initialisers.
#pragma once

#include <cstdint>

#include "cfg_defines.h"
#include "ckernel_ops.h"

namespace ckernel {

inline constexpr std::uint8_t ADDR_MOD_0 = 0;
inline constexpr std::uint8_t ADDR_MOD_1 = 1;
inline constexpr std::uint8_t ADDR_MOD_2 = 2;
inline constexpr std::uint8_t ADDR_MOD_3 = 3;
inline constexpr std::uint8_t ADDR_MOD_4 = 4;
inline constexpr std::uint8_t ADDR_MOD_5 = 5;
inline constexpr std::uint8_t ADDR_MOD_6 = 6;
inline constexpr std::uint8_t ADDR_MOD_7 = 7;

inline constexpr std::uint32_t SRC_INCR_MASK = 0x3F;
inline constexpr std::uint32_t DEST_INCR_MASK = 0x3FF;

struct addr_mod_t {
  struct addr_mod_src_t {
    std::uint8_t incr = 0;
    std::uint8_t clr = 0;
    std::uint8_t cr = 0;

    constexpr std::uint8_t val() const {
      return static_cast<std::uint8_t>((incr & SRC_INCR_MASK) | (cr & 1U) << 6 | (clr & 1U) << 7);
    }
  };

  struct addr_mod_dest_t {
    std::int16_t incr = 0;
    std::uint8_t clr = 0;
    std::uint8_t cr = 0;
    std::uint8_t c_to_cr = 0;

    constexpr std::uint16_t val() const {
      return static_cast<std::uint16_t>((static_cast<std::uint32_t>(incr) & DEST_INCR_MASK) |
                                        (cr & 1U) << 10 | (clr & 1U) << 11 | (c_to_cr & 1U) << 12);
    }
  };

  struct addr_mod_fidelity_t {
    std::uint8_t incr = 0;
    std::uint8_t clr = 0;

    constexpr std::uint16_t val() const {
      return static_cast<std::uint16_t>((incr & 3U) | (clr & 1U) << 2);
    }
  };

  struct addr_mod_bias_t {
    std::uint8_t incr = 0;
    std::uint8_t clr = 0;

    constexpr std::uint16_t val() const {
      return static_cast<std::uint16_t>((incr & 0xFU) | (clr & 1U) << 4);
    }
  };

  addr_mod_src_t srca = {};
  addr_mod_src_t srcb = {};
  addr_mod_dest_t dest = {};
  addr_mod_fidelity_t fidelity = {};
  addr_mod_bias_t bias = {};
  addr_mod_src_t pack_ysrc = {};
  addr_mod_src_t pack_ydst = {};

  constexpr std::uint16_t src_val() const {
    return static_cast<std::uint16_t>(srca.val() | srcb.val() << 8);
  }
  constexpr std::uint16_t pack_val() const {
    return static_cast<std::uint16_t>(pack_ysrc.val() | pack_ydst.val() << 6);
  }

  /// Writes section `index`, 0..7.
  void set(std::uint8_t index) const {
    constexpr std::uint32_t kSourceStride =
        ADDR_MOD_AB_SEC1_SrcAIncr_ADDR32 - ADDR_MOD_AB_SEC0_SrcAIncr_ADDR32;
    TTI_SETC16(ADDR_MOD_AB_SEC0_SrcAIncr_ADDR32 + kSourceStride * index, src_val());
    TTI_SETC16(ADDR_MOD_DST_SEC0_DestIncr_ADDR32 + index, dest.val() | fidelity.val() << 13);
    TTI_SETC16(ADDR_MOD_BIAS_SEC0_BiasIncr_ADDR32 + index, bias.val());
  }
};

} // namespace ckernel
