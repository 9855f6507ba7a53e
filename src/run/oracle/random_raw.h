// Random instruction words on LRegs and flags, as the author of a kernel writes them beside SFPI.
#pragma once

#include <cstdint>
#include <vector>

#include "chip/isa/effects.h"
#include "chip/isa/row.h"
#include "run/oracle/kernel_writer.h"
#include "run/oracle/random_expression.h"

namespace lanewise::oracle {

/// Appends words on a few LRegs of its own to a kernel: whatever chip/isa/effects.h says
/// computes there, so that a new instruction is among them. What they read, they have written, or
/// it is a constant register; so the rest of the kernel may use all other LRegs.
class RawWordMaker {
 public:
  RawWordMaker(KernelWriter& writer, Dice& dice) : writer_(writer), dice_(dice) {}

  /// Takes `count` LRegs, at most 7, and gives each a value in all enabled lanes.
  void load(unsigned count);
  /// One word that computes on them.
  void compute();
  /// A REPLAY that records two or three such words, and another that plays them.
  void record_and_replay();

  /// One word that leaves no more lanes on than there were: it tests an own LReg, or, without any,
  /// a constant register.
  void narrow();
  void push() { writer_.raw(isa::Op::SFPPUSHC, {}); }
  void pop() { writer_.raw(isa::Op::SFPPOPC, {}); }
  void complement() { writer_.raw(isa::Op::SFPCOMPC, {}); }
  void all_lanes();

  const std::vector<unsigned>& lregs() const { return lregs_; }

 private:
  /// An own LReg, or a constant register.
  std::uint32_t source();
  std::uint32_t target() { return lregs_[dice_.below(static_cast<unsigned>(lregs_.size()))]; }
  std::uint32_t constant() { return 8 + dice_.below(8); }

  void load_immediate(std::uint32_t lreg);
  /// A word of any instruction in any mode that fits, on own LRegs and with a meaning.
  std::uint32_t word_that(bool (*fits)(const isa::Effects&));
  std::uint32_t random_word(const isa::Row& row);
  std::uint32_t operand(const isa::Row& row, const isa::Field& field);
  bool keeps_to_own(const isa::Effects& effects) const;

  KernelWriter& writer_;
  Dice& dice_;
  std::vector<unsigned> lregs_;
};

} // namespace lanewise::oracle
