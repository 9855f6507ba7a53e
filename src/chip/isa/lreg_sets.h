// Sets of LRegs and the modifier of a word, for the functions of words beside the table.
#pragma once

#include <cstdint>

#include "chip/isa/arch.h"
#include "chip/isa/def_use.h"
#include "chip/isa/encoding.h"

namespace lanewise::isa {

inline constexpr LRegSet kGeneralLRegs = 0xFF; ///< LReg[0..7], which can be written
/// Those of a chip: fewer on Grayskull, where constants begin at LReg[4].
constexpr LRegSet general_lregs(Arch arch) {
  return (1U << arch_params(arch).vector.lregs) - 1U;
}
inline constexpr LRegSet kEveryLReg = 0xFFFF;
inline constexpr LRegSet kIndexLReg = 1U << 7; ///< names the operand of indirect VA and VD

constexpr LRegSet lreg_set(std::uint32_t index) {
  return 1U << (index & 15);
}

/// Mod0 or Mod1, whichever the row has.
constexpr unsigned modifier_of(const Decoded& d) {
  return d.row->operands.modifier.extract(d.word);
}

} // namespace lanewise::isa
