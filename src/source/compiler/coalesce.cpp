#include "source/compiler/coalesce.h"

#include <algorithm>
#include <optional>

#include "source/compiler/lane_change.h"

namespace lanewise::compiler {

namespace {

using isa::Op;

/// Where a virtual register occurs.
struct Occurrences {
  std::size_t first = 0, last = 0;
  bool is_fixed = false; ///< as an operand that must be in a certain LReg, or of l_reg or SFPSWAP
};

class Coalescer {
 public:
  Coalescer(Code& code, bool as_vendor)
      : arch_(code.arch), as_vendor_(as_vendor), instrs_(code.instrs), found_(code.origins.size()) {
    for (std::size_t i = instrs_.size(); i-- > 0;) note(i);
  }

  void run() {
    std::vector<bool> gone(instrs_.size());
    for (std::size_t i = 0; i < instrs_.size(); ++i) gone[i] = is_copy(i) && takes_over(i, gone);
    std::size_t next = 0;
    std::erase_if(instrs_, [&](const Instr&) { return gone[next++]; });
  }

 private:
  void note(std::size_t i) {
    Instr& instr = instrs_[i];
    const bool names_fixed = instr.kind != InstrKind::Tensix || instr.op == Op::SFPSWAP;
    for_each_operand(instr, [&](Reg& reg) {
      if (!reg.is_virtual()) return;
      Occurrences& found = found_[reg.number()];
      found.first = i;
      found.last = std::max(found.last, i);
      found.is_fixed |= names_fixed;
    });
    for (const Pin& pin : instr.pins) found_[pin.reg.number()].is_fixed = true;
  }

  /// Whether instruction i moves a register that ends here to another one.
  bool is_copy(std::size_t i) const {
    const Instr& instr = instrs_[i];
    return instr.kind == InstrKind::Tensix && instr.op == Op::SFPMOV && instr.mod == 0 &&
           instr.vd.is_virtual() && instr.vc.is_virtual() && instr.vd != instr.vc &&
           found_[instr.vc.number()].last == i && !found_[instr.vc.number()].is_fixed;
  }

  /// Gives the moved register the name of the other, if that changes nothing else.
  bool takes_over(std::size_t copy, const std::vector<bool>& gone) {
    constexpr std::size_t kReach = 64; // farther apart, it is not one expression
    const Reg result = instrs_[copy].vc, variable = instrs_[copy].vd;
    const bool keeps = instrs_[copy].keeps_vd;
    const std::size_t first = found_[result.number()].first;
    if (copy - first > kReach || !can_begin(instrs_[first], result)) return false;
    if (as_vendor_ && keeps) return false;
    for (std::size_t i = first; i < copy; ++i) {
      if (gone[i]) continue;
      if (i > first && mentions(instrs_[i], variable)) return false;
      if (lane_change(arch_, instrs_[i]) != LaneChange::None) return false;
      if (instrs_[i].vd == result && is_for_all_lanes(instrs_[i])) return false;
    }
    for (std::size_t i = first; i < copy; ++i) {
      if (gone[i]) continue;
      if (instrs_[i].vd == result && writes_vd(instrs_[i])) instrs_[i].keeps_vd = keeps;
      for_each_operand(instrs_[i], [&](Reg& reg) {
        if (reg == result) reg = variable;
      });
    }
    found_[variable.number()].first = std::min(found_[variable.number()].first, first);
    return true;
  }

  /// Whether the result comes to be here, from other registers alone.
  static bool can_begin(const Instr& instr, Reg result) {
    return instr.vd == result && writes_vd(instr) && !instr.reads_vd && !instr.keeps_vd;
  }
  static bool is_for_all_lanes(const Instr& instr) {
    return instr.op == Op::SFPMOV && instr.mod == kMovAllLanes;
  }
  static bool mentions(Instr& instr, Reg reg) {
    bool found = false;
    for_each_operand(instr, [&](Reg& each) { found |= each == reg; });
    return found;
  }

  Arch arch_;
  bool as_vendor_;
  std::vector<Instr>& instrs_;
  std::vector<Occurrences> found_;
};

} // namespace

void coalesce(Code& code, bool as_vendor) {
  Coalescer(code, as_vendor).run();
}

} // namespace lanewise::compiler
