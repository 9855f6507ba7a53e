// What an instruction does to the enabled lanes.
#pragma once

#include "compiler/code.h"

namespace lanewise::compiler {

enum class LaneChange : std::uint8_t {
  None,
  Narrower, ///< only lanes that were enabled before are so afterwards
  Other     ///< anything; raw words count as this
};

/// Of an instruction in one of its modes. Bit 3 of SFPIADD, SFPEXEXP and SFPLZ inverts the flag,
/// which they may not have set themselves.
constexpr LaneChange lane_change(isa::Op op, unsigned mod) {
  // VU C9, C26, C27, C32
  constexpr unsigned kInvertsFlags = 13;
  constexpr unsigned kAddNoFlag = 4, kSetsFlag = 2, kInvertsFlag = 8, kCompareSetsFlag = 1;
  const auto narrows = [](bool does) { return does ? LaneChange::Narrower : LaneChange::None; };
  switch (op) {
    case isa::Op::SFPSETCC: return LaneChange::Narrower;
    case isa::Op::SFPIADD: return narrows((mod & (kAddNoFlag | kInvertsFlag)) != kAddNoFlag);
    case isa::Op::SFPEXEXP:
    case isa::Op::SFPLZ: return narrows((mod & (kSetsFlag | kInvertsFlag)) != 0);
    case isa::Op::SFPLE:
    case isa::Op::SFPGT: return narrows((mod & kCompareSetsFlag) != 0);
    case isa::Op::SFPPUSHC: return mod == kInvertsFlags ? LaneChange::Other : LaneChange::None;
    case isa::Op::SFPCOMPC:
    case isa::Op::SFPPOPC:
    case isa::Op::SFPENCC: return LaneChange::Other;
    default: return LaneChange::None;
  }
}

constexpr LaneChange lane_change(const Instr& instr) {
  if (instr.kind == InstrKind::Raw) return LaneChange::Other;
  if (instr.kind != InstrKind::Tensix) return LaneChange::None;
  return lane_change(instr.op, instr.mod);
}

} // namespace lanewise::compiler
