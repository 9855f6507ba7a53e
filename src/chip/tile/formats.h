// Data formats as unpackers and packers see them in L1 (core.md 11).
#pragma once

#include "chip/isa/number_format.h"

namespace lanewise::tile {

/// Bits of a datum in L1. The code decides, also where it names no format: 32, 16 and 8 bits by its
/// two low bits, where those are 3, four or two.
constexpr unsigned bits_in_l1(isa::DataFormat format) {
  constexpr unsigned kByLowBits[] = {32, 16, 8};
  const auto code = static_cast<unsigned>(format);
  if ((code & 3) != 3) return kByLowBits[code & 3];
  return code < 8 ? 4 : 2;
}

/// Whether 16 data share an exponent.
constexpr bool is_block_format(isa::DataFormat format) {
  const isa::NumberFormat* row = isa::format_of_code(format);
  return row != nullptr && row->l1 && row->l1->is_block();
}

} // namespace lanewise::tile
