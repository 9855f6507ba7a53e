// RWCs: the counters from which Dst, SrcA and SrcB addresses are made, and the ADDR_MOD sections
// that move them.
#pragma once

#include <cstdint>

#include "chip/isa/arch.h"

namespace lanewise {

/// Counters of one thread (MU 3.1). Each wraps at its width.
struct Rwc {
  static constexpr std::uint32_t kDstMask = 0x3FF;
  static constexpr std::uint32_t kSrcMask = 0x3F;
  static constexpr std::uint32_t kFidelityMask = 3;

  std::uint32_t dst = 0, dst_cr = 0;   ///< 10 bits
  std::uint32_t srca = 0, srca_cr = 0; ///< 6 bits
  std::uint32_t srcb = 0, srcb_cr = 0; ///< 6 bits
  std::uint32_t fidelity = 0;          ///< 2 bits
  std::uint32_t bias = 0;              ///< 1 bit, Wormhole's extra ADDR_MOD bit
  std::uint32_t sp = 0;                ///< 10 bits, Blackhole's stack pointer (VU C17)

  friend bool operator==(const Rwc&, const Rwc&) = default;
};

/// One ADDR_MOD section, unpacked (MU 3.2).
struct AddrModSection {
  std::uint32_t dst_increment = 0;
  bool dst_cr = false, dst_clear = false, dst_c_to_cr = false;
  std::uint32_t srca_increment = 0;
  bool srca_cr = false, srca_clear = false;
  std::uint32_t srcb_increment = 0;
  bool srcb_cr = false, srcb_clear = false;
  std::uint32_t fidelity_increment = 0;
  bool fidelity_clear = false;
  std::uint32_t bias_increment = 0;
  bool bias_clear = false;
};

/// The three configuration words of a section.
struct AddrModWords {
  std::uint16_t ab = 0;
  std::uint16_t dst = 0;
  std::uint16_t bias = 0;
};

AddrModSection unpack_addr_mod(AddrModWords words);
AddrModWords pack_addr_mod(const AddrModSection& section);

/// Moves the counters; `fidelity` false for SFPLOAD, SFPSTORE and SFPLOADMACRO (MU 3.2).
void apply_addr_mod(Rwc& rwc, const AddrModSection& section, bool fidelity);

} // namespace lanewise
