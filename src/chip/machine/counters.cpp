#include "chip/machine/counters.h"

#include "chip/machine/addr_mod_moves.h"
#include "chip/machine/bits.h"

namespace lanewise {

namespace {

/// MU 3.2, first match wins: clear, carriage return, plain increment.
void move(std::uint32_t& counter, std::uint32_t& copy, std::uint32_t mask, std::uint32_t increment,
          bool cr, bool clear) {
  if (clear) {
    counter = copy = 0;
  } else if (cr) {
    counter = copy = (copy + increment) & mask;
  } else {
    counter = (counter + increment) & mask;
  }
}

} // namespace

AddrModSection unpack_addr_mod(AddrModWords words) {
  return {.dst_increment = bit_field(words.dst, 9, 0),
          .dst_cr = bit_field(words.dst, 10, 10) != 0,
          .dst_clear = bit_field(words.dst, 11, 11) != 0,
          .dst_c_to_cr = bit_field(words.dst, 12, 12) != 0,
          .srca_increment = bit_field(words.ab, 5, 0),
          .srca_cr = bit_field(words.ab, 6, 6) != 0,
          .srca_clear = bit_field(words.ab, 7, 7) != 0,
          .srcb_increment = bit_field(words.ab, 13, 8),
          .srcb_cr = bit_field(words.ab, 14, 14) != 0,
          .srcb_clear = bit_field(words.ab, 15, 15) != 0,
          .fidelity_increment = bit_field(words.dst, 14, 13),
          .fidelity_clear = bit_field(words.dst, 15, 15) != 0,
          .bias_increment = bit_field(words.bias, 3, 0),
          .bias_clear = bit_field(words.bias, 4, 4) != 0};
}

AddrModWords pack_addr_mod(const AddrModSection& s) {
  const auto flag = [](bool value, unsigned bit) {
    return static_cast<std::uint32_t>(value) << bit;
  };
  return {.ab = static_cast<std::uint16_t>((s.srca_increment & 0x3F) | flag(s.srca_cr, 6) |
                                           flag(s.srca_clear, 7) | (s.srcb_increment & 0x3F) << 8 |
                                           flag(s.srcb_cr, 14) | flag(s.srcb_clear, 15)),
          .dst = static_cast<std::uint16_t>((s.dst_increment & 0x3FF) | flag(s.dst_cr, 10) |
                                            flag(s.dst_clear, 11) | flag(s.dst_c_to_cr, 12) |
                                            (s.fidelity_increment & 3) << 13 |
                                            flag(s.fidelity_clear, 15)),
          .bias = static_cast<std::uint16_t>((s.bias_increment & 15) | flag(s.bias_clear, 4))};
}

void apply_addr_mod(Rwc& rwc, const AddrModSection& section, bool fidelity) {
  move(rwc.srca, rwc.srca_cr, Rwc::kSrcMask, section.srca_increment, section.srca_cr,
       section.srca_clear);
  move(rwc.srcb, rwc.srcb_cr, Rwc::kSrcMask, section.srcb_increment, section.srcb_cr,
       section.srcb_clear);
  if (section.dst_c_to_cr && !section.dst_clear) {
    rwc.dst = rwc.dst_cr = (rwc.dst + section.dst_increment) & Rwc::kDstMask;
  } else {
    move(rwc.dst, rwc.dst_cr, Rwc::kDstMask, section.dst_increment, section.dst_cr,
         section.dst_clear);
  }
  if (fidelity) {
    rwc.fidelity = section.fidelity_clear
                       ? 0
                       : (rwc.fidelity + section.fidelity_increment) & Rwc::kFidelityMask;
  }
  // MU 3.2: any of the two low increment bits toggles.
  rwc.bias = section.bias_clear
                 ? 0
                 : rwc.bias ^ static_cast<std::uint32_t>((section.bias_increment & 3) != 0);
}

[[gnu::flatten]] void move_counters(Rwc& rwc, AddrModWords words, bool fidelity) {
  apply_addr_mod(rwc, unpack_addr_mod(words), fidelity);
}

} // namespace lanewise
