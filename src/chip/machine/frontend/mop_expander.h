// The MOP expander: one MOP becomes a loop of instructions, as the nine words of MopCfg describe it
// (ISA MOPExpander).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "chip/isa/program.h"

namespace lanewise {

/// What a MOP expands to.
struct MopExpansion {
  std::vector<ProgramWord> words; ///< line 0: not known
  std::uint32_t unset = 0;        ///< bit i: MopCfg[i] was asked for, but has never been written
};

/// The expander of one thread.
class MopExpander {
 public:
  /// Writes MopCfg[index], as the RISC-V core does. `line`: the source line of that.
  void configure(unsigned index, std::uint32_t value, std::uint32_t line);
  /// Executes MOP_CFG: bits 31:16 of the mask of the MOPs that follow.
  void set_mask_high(std::uint16_t mask_high) { mask_high_ = mask_high; }
  /// Lines of what has been written so far belong to another source.
  void forget_lines();

  /// MopCfg[index]; 0 before it is written.
  std::uint32_t word(unsigned index) const { return config_[index].word; }
  std::uint16_t mask_high() const { return mask_high_; }

  /// Expands a MOP. Words that were never written count as NOP, and as 0 where they are numbers.
  MopExpansion expand(std::uint32_t mop) const;

 private:
  class Template;

  std::array<ProgramWord, kMopWords> config_{};
  std::uint32_t written_ = 0; ///< bit i: MopCfg[i] has been written
  std::uint16_t mask_high_ = 0;
};

} // namespace lanewise
