// Instructions whose result in one lane comes from another lane: where from.
#pragma once

#include <cstdint>
#include <optional>

#include "isa/table.h"
#include "machine/vector/vector_state.h"

namespace lanewise::lab {

struct LaneSource {
  unsigned operand;
  unsigned lane;
};

/// Whether results come from other lanes.
constexpr bool moves_lanes(isa::Op op, unsigned mod) {
  constexpr unsigned kRotate = 3, kShift = 4; // SFPSHFT2's SUBVEC_SHFLROR1 and _SHFLSHR1
  return op == isa::Op::SFPTRANSP || (op == isa::Op::SFPSHFT2 && (mod == kRotate || mod == kShift));
}

/// Where lane `lane` of result `result` comes from, for an instruction that moves lanes (VU C36,
/// C59); nothing where SFPSHFT2 shifts in.
constexpr std::optional<LaneSource> lane_source(isa::Op op, unsigned mod, unsigned result,
                                                unsigned lane) {
  constexpr unsigned kVc = 2, kShift = 4;
  const unsigned row = lane / kColumns;
  const unsigned column = lane % kColumns;
  if (op == isa::Op::SFPTRANSP) {
    return LaneSource{(result & 4U) + row, (result & 3U) * kColumns + column};
  }
  if (column != 0) return LaneSource{kVc, lane - 1};
  if (mod == kShift) return std::nullopt;
  return LaneSource{kVc, lane + kColumns - 1};
}

} // namespace lanewise::lab
