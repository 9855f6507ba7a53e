#include "source/compiler/walk.h"

#include <algorithm>
#include <array>
#include <utility>

#include "chip/isa/def_use.h"
#include "chip/isa/lreg_sets.h"
#include "source/compiler/intervals.h"

namespace lanewise::compiler {

namespace {

using isa::LRegSet;

constexpr int kNone = -1; ///< no virtual register, or no LReg
constexpr std::uint32_t kNever = 0xFFFFFFFF;

/// A register that an instruction wants in a certain LReg.
struct Want {
  std::uint32_t time;
  unsigned lreg;
  int reg;
};

class Walker {
 public:
  Walker(const Code& code, bool keep_raw)
      : code_(code),
        lregs_(arch_params(code.arch).vector.lregs),
        intervals_(find_intervals(code, keep_raw)),
        place_(code.origins.size(), kNone) {
    holder_.fill(kNone);
    placed_.arch = code.arch;
    for (std::size_t i = 0; i < code.instrs.size(); ++i) {
      const Instr& instr = code.instrs[i];
      for (const Pin& pin : instr.pins) wants_.push_back({read_time(i), pin.lreg, index(pin.reg)});
      if (instr.kind == InstrKind::WriteLReg && instr.vc.is_virtual())
        wants_.push_back({read_time(i), static_cast<unsigned>(instr.imm), index(instr.vc)});
    }
  }

  std::optional<Code> run() {
    for (std::size_t i = 0; i < code_.instrs.size(); ++i) {
      forget_dead(i);
      if (!arrange(i) || !emit(i)) return std::nullopt;
    }
    return std::move(placed_);
  }

 private:
  /// Of each LReg: a virtual register, or another LReg.
  using Map = std::array<int, kAllocatable>;

  static int index(Reg reg) { return static_cast<int>(reg.number()); }
  const Interval& life(int v) const { return intervals_.of[static_cast<unsigned>(v)]; }
  int& place(int v) { return place_[static_cast<unsigned>(v)]; }

  void forget_dead(std::size_t i) {
    for (int& v : holder_) {
      if (v == kNone || life(v).last >= read_time(i)) continue;
      place(v) = kNone;
      v = kNone;
    }
    while (next_want_ < wants_.size() && wants_[next_want_].time < read_time(i)) ++next_want_;
  }

  void put(int v, unsigned lreg) {
    if (holder_[lreg] != kNone) place(holder_[lreg]) = kNone;
    holder_[lreg] = v;
    place(v) = static_cast<int>(lreg);
  }

  // ------------------------------------------------------------ which LReg
  /// The first time from `now` on at which raw words, l_reg or SFPTRANSP take the LReg from v.
  std::uint32_t taken(int v, unsigned lreg, std::uint32_t now) const {
    const std::uint32_t last = life(v).last;
    std::uint32_t first = kNever;
    for (const Reservation& each : intervals_.reservations) {
      if (each.lreg != lreg || each.life.last < now || each.life.first > last) continue;
      if (!shares(code_, intervals_, static_cast<unsigned>(v), each))
        first = std::min(first, std::max(now, each.life.first));
    }
    for (const auto& [time, set] : intervals_.clobbers) {
      if ((set >> lreg & 1U) != 0 && now <= time && time < last) first = std::min(first, time);
    }
    return first;
  }

  /// As taken(), or another register is wanted there by an instruction behind `now`.
  std::uint32_t disputed(int v, unsigned lreg, std::uint32_t now) const {
    std::uint32_t first = taken(v, lreg, now);
    for (std::size_t i = next_want_; i < wants_.size() && wants_[i].time < first; ++i) {
      if (wants_[i].time > life(v).last) break;
      if (wants_[i].time > now && wants_[i].lreg == lreg && wants_[i].reg != v)
        first = wants_[i].time;
    }
    return first;
  }

  /// Raw words or l_reg have put something there that somebody needs after `time`.
  bool is_reserved(unsigned lreg, int v, std::uint32_t time) const {
    return std::any_of(intervals_.reservations.begin(), intervals_.reservations.end(),
                       [&](const Reservation& each) {
                         return each.lreg == lreg && each.life.first <= time &&
                                time < each.life.last &&
                                !shares(code_, intervals_, static_cast<unsigned>(v), each);
                       });
  }

  /// Where v is wanted next.
  int wanted_place(int v) const {
    for (std::size_t i = next_want_; i < wants_.size() && wants_[i].time <= life(v).last; ++i) {
      if (wants_[i].reg == v) return static_cast<int>(wants_[i].lreg);
    }
    return kNone;
  }

  /// Of the free LRegs the one that v can keep longest, or where it is wanted, if it can stay there
  /// as long. It must be v's own until `until`.
  int choose(int v, LRegSet free, std::uint32_t now, std::uint32_t until) const {
    const int wanted = wanted_place(v);
    int best = kNone;
    std::uint32_t longest = 0;
    for (unsigned lreg = 0; lreg < lregs_; ++lreg) {
      if ((free >> lreg & 1U) == 0 || taken(v, lreg, now) <= until) continue;
      const std::uint32_t kept = disputed(v, lreg, now);
      const bool is_better =
          kept > longest || (kept == longest && static_cast<int>(lreg) == wanted);
      if (best != kNone && !is_better) continue;
      best = static_cast<int>(lreg);
      longest = kept;
    }
    return best;
  }

  // ------------------------------------------------------------ before an instruction
  /// Raw words stay together: what they take is cleared before the first of them.
  std::uint32_t end_of_raw_words(std::size_t i) const {
    const auto is_raw = [&](std::size_t at) {
      return at < code_.instrs.size() && code_.instrs[at].kind == InstrKind::Raw;
    };
    while (is_raw(i) && is_raw(i + 1)) ++i;
    return write_time(i);
  }

  /// Moves what instruction i wants elsewhere, and what stands in its way.
  bool arrange(std::size_t i) {
    const Instr& instr = code_.instrs[i];
    for (const Pin& pin : instr.pins) {
      if (is_reserved(pin.lreg, index(pin.reg), read_time(i))) return false;
    }
    if (!place_undefined(i)) return false;
    Map target;
    target.fill(kNone);
    LRegSet pinned = 0;
    std::vector<std::pair<unsigned, int>> copies; // what is wanted in a second LReg, too
    for (const Pin& pin : instr.pins) {
      int& to = target[static_cast<unsigned>(place(index(pin.reg)))];
      if (to == kNone) {
        to = pin.lreg;
      } else {
        copies.emplace_back(pin.lreg, index(pin.reg));
      }
      pinned |= 1U << pin.lreg;
    }
    if (!clear_way(i, pinned, target) || !move_all(target, instr.site)) return false;
    for (const auto& [lreg, v] : copies)
      emit_move(lreg, static_cast<unsigned>(place(v)), instr.site);
    return true;
  }

  /// Operands that nobody has given a value need some place.
  bool place_undefined(std::size_t i) {
    bool found = true;
    for_each_use(code_.instrs[i], [&](Reg reg) {
      if (!reg.is_virtual() || place(index(reg)) != kNone) return;
      LRegSet free = 0;
      for (unsigned lreg = 0; lreg < lregs_; ++lreg) {
        if (holder_[lreg] == kNone) free |= 1U << lreg;
      }
      const int lreg = choose(index(reg), free, read_time(i), read_time(i));
      if (lreg == kNone) {
        found = false;
      } else {
        put(index(reg), static_cast<unsigned>(lreg));
      }
    });
    return found;
  }

  /// Targets for the registers that instruction i itself does not want anywhere.
  bool clear_way(std::size_t i, LRegSet pinned, Map& target) {
    const std::uint32_t end = end_of_raw_words(i);
    LRegSet occupied = pinned;
    std::vector<unsigned> displaced;
    for (unsigned lreg = 0; lreg < lregs_; ++lreg) {
      if (holder_[lreg] == kNone || target[lreg] != kNone) continue;
      const bool is_lost =
          (pinned >> lreg & 1U) != 0 || taken(holder_[lreg], lreg, read_time(i)) <= end;
      if (is_lost) {
        displaced.push_back(lreg);
      } else {
        target[lreg] = static_cast<int>(lreg);
        occupied |= 1U << lreg;
      }
    }
    for (const unsigned lreg : displaced) {
      target[lreg] =
          choose(holder_[lreg], isa::general_lregs(code_.arch) & ~occupied, read_time(i), end);
      if (target[lreg] == kNone) return false;
      occupied |= 1U << target[lreg];
    }
    return true;
  }

  /// All moves at once: one by one as their targets become free, cycles through a free LReg.
  bool move_all(Map target, std::uint32_t site) {
    const auto move = [&](unsigned from, unsigned to) {
      emit_move(to, from, site);
      const int v = holder_[from];
      holder_[from] = kNone;
      put(v, to);
    };
    for (;;) {
      bool is_done = true, has_moved = false;
      for (unsigned from = 0; from < lregs_; ++from) {
        if (target[from] == kNone || target[from] == static_cast<int>(from)) continue;
        is_done = false;
        const auto to = static_cast<unsigned>(target[from]);
        if (holder_[to] != kNone) continue;
        move(from, to);
        target[from] = kNone;
        has_moved = true;
      }
      if (is_done) return true;
      if (has_moved) continue;
      const auto end = holder_.begin() + lregs_;
      const auto free = std::find(holder_.begin(), end, kNone);
      if (free == end) return false;
      const auto aside = static_cast<unsigned>(free - holder_.begin());
      unsigned from = 0;
      while (target[from] == kNone || target[from] == static_cast<int>(from)) ++from;
      move(from, aside);
      target[aside] = std::exchange(target[from], kNone);
    }
  }

  // ------------------------------------------------------------ the instruction
  bool emit(std::size_t i) {
    Instr instr = code_.instrs[i];
    const auto placed = [&](Reg reg) {
      if (!reg.is_virtual() || place(index(reg)) == kNone) return reg;
      return Reg::physical(static_cast<unsigned>(place(index(reg))));
    };
    instr.va = placed(instr.va);
    instr.vb = placed(instr.vb);
    instr.vc = placed(instr.vc);
    instr.vd = placed(instr.vd);
    instr.pins.clear();
    if (instr.vd.is_virtual() && !place_result(i, instr.vd)) return false;
    instr.vd = placed(instr.vd);
    const auto lreg = static_cast<unsigned>(instr.imm);
    switch (instr.kind) {
      case InstrKind::ReadLReg: emit_move(instr.vd.number(), lreg, instr.site); break;
      case InstrKind::WriteLReg: emit_move(lreg, instr.vc.number(), instr.site); break;
      default: placed_.instrs.push_back(std::move(instr));
    }
    return true;
  }

  /// A result may go where an operand is that dies.
  bool place_result(std::size_t i, Reg reg) {
    const Instr& instr = code_.instrs[i];
    LRegSet free = 0;
    for (unsigned lreg = 0; lreg < lregs_; ++lreg) {
      if (holder_[lreg] == kNone || life(holder_[lreg]).last == read_time(i)) free |= 1U << lreg;
    }
    const std::uint32_t now = write_time(i);
    if (instr.kind == InstrKind::ReadLReg) { // it is there already
      const auto lreg = static_cast<unsigned>(instr.imm);
      if ((free >> lreg & 1U) != 0 && disputed(index(reg), lreg, now) == kNever) free = 1U << lreg;
    }
    const int lreg = choose(index(reg), free, now, now);
    if (lreg == kNone) return false;
    put(index(reg), static_cast<unsigned>(lreg));
    return true;
  }

  void emit_move(unsigned to, unsigned from, std::uint32_t site) {
    if (to == from) return;
    placed_.instrs.push_back(move_all_lanes(Reg::physical(to), Reg::physical(from), site));
  }

  const Code& code_;
  unsigned lregs_; ///< of the chip
  Intervals intervals_;
  std::vector<Want> wants_; ///< in order of time
  std::size_t next_want_ = 0;
  std::vector<int> place_; ///< LReg of each virtual register at present
  Map holder_{};           ///< virtual register in each LReg at present
  Code placed_;
};

} // namespace

std::optional<Code> place_by_walk(const Code& code, bool keep_raw) {
  return Walker(code, keep_raw).run();
}

} // namespace lanewise::compiler
