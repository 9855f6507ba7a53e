// Instructions whose result in one lane comes from another lane: where from.
#pragma once

#include <cstdint>
#include <optional>

#include "chip/isa/effects.h"
#include "chip/machine/vector/vector_state.h"

namespace lanewise::oracle {

struct LaneSource {
  unsigned operand;
  unsigned lane;
};

/// Where lane `lane` of result `result` comes from, for an instruction that moves lanes (VU C36,
/// C59); nothing where SFPSHFT2 shifts in.
constexpr std::optional<LaneSource> lane_source(isa::Movement movement, unsigned result,
                                                unsigned lane) {
  constexpr unsigned kVc = 2;
  const unsigned row = lane / kColumns;
  const unsigned column = lane % kColumns;
  switch (movement) {
    case isa::Movement::Transposed:
      return LaneSource{(result & 4U) + row, (result & 3U) * kColumns + column};
    case isa::Movement::Rotated:
      return LaneSource{kVc, column != 0 ? lane - 1 : lane + kColumns - 1};
    case isa::Movement::Shifted:
      return column != 0 ? std::optional(LaneSource{kVc, lane - 1}) : std::nullopt;
    case isa::Movement::Computed:
    case isa::Movement::Copied:
    case isa::Movement::ChainedCopy: // these two have no form whose result is a value
    case isa::Movement::RotatedWithCopy: break;
  }
  return LaneSource{kVc, lane};
}

} // namespace lanewise::oracle
