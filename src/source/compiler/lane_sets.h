// Which lanes are enabled where, as far as the program's text says: names for sets of lanes, and
// which of them include which.
#pragma once

#include <cstdint>
#include <vector>

#include "source/compiler/code.h"
#include "source/compiler/ir.h"

namespace lanewise::compiler {

/// Follows the flags along a straight line of instructions.
class LaneSets {
 public:
  /// A set of lanes. 0 is all that the kernel was entered with.
  using Id = std::uint32_t;

  Id now() const { return now_; }

  /// What an instruction does to the lanes of those that come after it (VU 4).
  void follow(Arch arch, isa::Op op, unsigned mod, std::int32_t imm);
  /// The same of an instruction word that is no REPLAY. LaneConfig may switch rows.
  void follow(Arch arch, std::uint32_t word);
  /// Of something whose words are not known.
  void follow_anything() { change(0); }

  /// A place to come back to: v_if and v_block.
  struct Mark {
    Id lanes = 0;
    std::size_t entries = 0;
  };
  Mark mark() const { return {now_, saved_.size()}; }
  void return_to(const Mark& mark);

  /// Whether all lanes of `part` are certainly in `whole`.
  bool includes(Id whole, Id part) const;

 private:
  Id new_set(Id parent);
  void change(Id parent);
  /// LaneConfig: its ROW_MASK switches rows off, also for what the flags enable.
  void configure(unsigned mod, std::uint32_t imm);
  /// The uppermost entry of the flag stack becomes another set.
  void change_entry(Id parent);

  Id now_ = 0;
  Id rows_ = 0;               ///< the lanes that ROW_MASK leaves
  std::vector<Id> parent_{0}; ///< of each set: one that includes it
  std::vector<Id> saved_;     ///< the flag stack
};

/// For each instruction the lanes in which it executes.
struct CodeLanes {
  LaneSets sets;
  std::vector<LaneSets::Id> of;
  std::vector<std::vector<LaneSets::Id>> of_executed; ///< of each word of Instr::executes
};
CodeLanes find_lanes(const Code& code);

/// For each node a number: two nodes of one context with the same number execute in the same lanes,
/// whatever raw words have done before.
std::vector<LaneSets::Id> raw_lanes(const Recording& recording);

} // namespace lanewise::compiler
