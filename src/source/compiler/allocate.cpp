#include "source/compiler/allocate.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>

#include "chip/isa/def_use.h"
#include "chip/isa/lreg_sets.h"
#include "source/compiler/intervals.h"
#include "source/compiler/lists.h"
#include "source/compiler/walk.h"

namespace lanewise::compiler {

namespace {

using isa::LRegSet;
using isa::Op;

constexpr int kUnplaced = -1;

bool is_move(const Instr& instr) {
  return instr.kind == InstrKind::Tensix && instr.op == Op::SFPMOV &&
         (instr.mod == 0 || instr.mod == kMovAllLanes);
}

Allocation done(Code code) {
  LRegSet used = 0;
  for (const Instr& instr : code.instrs) {
    switch (instr.kind) {
      case InstrKind::Raw:
        used |= raw_reads(code.arch, instr.word, false) | raw_writes(code.arch, instr.word, false);
        break;
      case InstrKind::ReadLReg:
      case InstrKind::WriteLReg: used |= 1U << instr.imm; break;
      case InstrKind::Tensix: {
        const std::uint32_t word = encode(code.arch, instr);
        used |=
            isa::lregs_read(code.arch, word, false) | isa::lregs_written(code.arch, word, false);
        break;
      }
    }
  }
  used &= isa::general_lregs(code.arch);
  Allocation result{.done = true, .code = std::move(code), .pressure = {}};
  result.lregs_used = static_cast<unsigned>(std::popcount(used));
  return result;
}

class Allocator {
 public:
  Allocator(Code code, bool keep_raw) : code_(std::move(code)), keep_raw_(keep_raw) {}

  Allocation run() {
    constexpr unsigned kMostRounds = 1024; // each inserts copies, or decides that one is needed
    for (unsigned round = 0; round < kMostRounds; ++round) {
      prepare();
      if (!place_pins()) {
        if (wanted_) break;
        continue; // copies were inserted: times have changed
      }
      if (place_in_order()) return finish();
      break;
    }
    return fail();
  }

 private:
  // ------------------------------------------------------------ what is allowed
  void prepare() {
    intervals_ = find_intervals(code_, keep_raw_);
    const std::size_t count = code_.origins.size();
    place_.assign(count, kUnplaced);
    allowed_.assign(count, isa::general_lregs(code_.arch));
    for (unsigned v = 0; v < count; ++v) allowed_[v] = allowed_by_others(v);
    find_friends();
    by_start_.clear();
    for (unsigned v = 0; v < count; ++v) {
      if (!intervals_.of[v].is_empty()) by_start_.push_back(v);
    }
    std::sort(by_start_.begin(), by_start_.end(), [&](unsigned a, unsigned b) {
      return std::pair(intervals_.of[a].first, a) < std::pair(intervals_.of[b].first, b);
    });
    find_neighbours();
  }

  /// LRegs that neither raw words nor l_reg occupy during the life of v.
  LRegSet allowed_by_others(unsigned v) const {
    const Interval& life = intervals_.of[v];
    LRegSet set = isa::general_lregs(code_.arch);
    if (life.is_empty()) return set;
    for (const auto& [time, clobbered] : intervals_.clobbers) {
      if (life.first < time && time < life.last) set &= ~clobbered;
      if (life.first == time) set &= ~clobbered;
    }
    for (const Reservation& reservation : intervals_.reservations) {
      if (life.overlaps(reservation.life) && !shares(code_, intervals_, v, reservation))
        set &= ~(1U << reservation.lreg);
    }
    return set;
  }

  void find_neighbours() {
    std::vector<std::pair<unsigned, unsigned>> pairs;
    std::vector<unsigned> active;
    for (const unsigned v : by_start_) {
      std::erase_if(active, [&](unsigned other) {
        return intervals_.of[other].last < intervals_.of[v].first;
      });
      for (const unsigned other : active) pairs.emplace_back(v, other);
      active.push_back(v);
    }
    neighbours_.assign(code_.origins.size(), [&](const auto& add) {
      for (const auto& [v, other] : pairs) {
        add(v, other);
        add(other, v);
      }
    });
  }

  LRegSet taken_around(unsigned v) const {
    LRegSet set = 0;
    for (const unsigned other : neighbours_[v]) {
      if (place_[other] != kUnplaced) set |= 1U << place_[other];
    }
    return set;
  }

  // ------------------------------------------------------------ pins
  /// Places what instructions want in certain LRegs. False: copies were inserted, or a register is
  /// no longer to be placed here; start again, unless `wanted_` is set.
  bool place_pins() {
    is_crowded_.resize(code_.origins.size());
    std::vector<PinAt> copies;
    bool is_settled = true;
    for (std::size_t i = 0; i < code_.instrs.size(); ++i) {
      for (unsigned p = 0; p < code_.instrs[i].pins.size(); ++p) {
        const Pin& pin = code_.instrs[i].pins[p];
        if (place_pin(pin)) continue;
        if (!code_.origins[pin.reg.number()].is_copy) {
          copies.push_back({i, p});
        } else if (clear_way(pin)) {
          is_settled = false;
        } else {
          wanted_ = pin.lreg;
          blocked_ = i;
          return false;
        }
      }
    }
    insert_copies(copies);
    return is_settled && copies.empty();
  }

  bool place_pin(const Pin& pin) {
    const unsigned v = pin.reg.number();
    const LRegSet bit = 1U << pin.lreg;
    if (place_[v] == pin.lreg) return true;
    if (is_crowded_[v] || place_[v] != kUnplaced || (allowed_[v] & bit) == 0 ||
        (taken_around(v) & bit) != 0)
      return false;
    place_[v] = pin.lreg;
    return true;
  }

  /// A copy finds its LReg taken by a register that an instruction wants there, too, and that lives
  /// on: from now on, that one is copied, too.
  bool clear_way(const Pin& pin) {
    if ((allowed_[pin.reg.number()] & 1U << pin.lreg) == 0) return false;
    for (const unsigned other : neighbours_[pin.reg.number()]) {
      if (place_[other] != pin.lreg || code_.origins[other].is_copy) continue;
      is_crowded_[other] = true;
      return true;
    }
    return false;
  }

  struct PinAt {
    std::size_t instr;
    unsigned pin;
  };

  /// The values go to their LRegs just for these instructions. A result that an instruction leaves
  /// there goes on as a new virtual register, so that the old one need not outlive the instruction.
  void insert_copies(const std::vector<PinAt>& copies) {
    if (copies.empty()) return;
    std::vector<Instr> instrs;
    std::map<unsigned, Reg> successors; // of virtual registers whose value has moved on
    auto next = copies.begin();
    for (std::size_t i = 0; i < code_.instrs.size(); ++i) {
      Instr instr = std::move(code_.instrs[i]);
      for_each_operand(instr, [&](Reg& reg) {
        if (const auto found = successors.find(reg.number());
            reg.is_virtual() && found != successors.end())
          reg = found->second;
      });
      const std::uint32_t site = instr.site;
      std::vector<Instr> back;
      for (; next != copies.end() && next->instr == i; ++next) {
        Pin& pin = instr.pins[next->pin];
        const Reg from = pin.reg;
        pin.reg = new_copy(from, site);
        // All lanes: SFPCONFIG and SFPTRANSP look beyond the predicate.
        instrs.push_back(move_all_lanes(pin.reg, from, site));
        if (!pin.written) continue;
        const Reg after = code_.new_reg(site);
        back.push_back(move_all_lanes(after, pin.reg, site));
        for (auto& [old_reg, successor] : successors) {
          if (successor == from) successor = after;
        }
        successors[from.number()] = after;
      }
      instrs.push_back(std::move(instr));
      instrs.insert(instrs.end(), back.begin(), back.end());
    }
    code_.instrs = std::move(instrs);
  }

  Reg new_copy(Reg from, std::uint32_t site) {
    const Reg copy = code_.new_reg(site);
    code_.origins.back() = code_.origins[from.number()];
    code_.origins.back().is_copy = true;
    return copy;
  }

  // ------------------------------------------------------------ the others
  /// Registers that should be one, so that a copy between them vanishes.
  void find_friends() {
    friends_.assign(code_.origins.size(), {});
    wishes_.assign(code_.origins.size(), 0);
    for (const Instr& instr : code_.instrs) {
      if (is_move(instr) && !instr.keeps_vd && instr.vd.is_virtual() && instr.vc.is_virtual()) {
        friends_[instr.vd.number()].push_back(instr.vc.number());
        friends_[instr.vc.number()].push_back(instr.vd.number());
      }
      if (instr.kind == InstrKind::ReadLReg) wishes_[instr.vd.number()] |= 1U << instr.imm;
      if (instr.kind == InstrKind::WriteLReg) wishes_[instr.vc.number()] |= 1U << instr.imm;
    }
  }

  LRegSet preferred(unsigned v) const {
    LRegSet set = wishes_[v];
    for (const unsigned other : friends_[v]) {
      if (place_[other] != kUnplaced) set |= 1U << place_[other];
    }
    return set;
  }

  /// First fit in the order of the program: repeated pieces of it get the same registers.
  bool place_in_order() {
    for (const unsigned v : by_start_) {
      if (wishes_[v] != 0 && place_[v] == kUnplaced)
        try_place(v, wishes_[v] & allowed_[v] & ~taken_around(v));
    }
    for (const unsigned v : by_start_) {
      if (place_[v] != kUnplaced) continue;
      const LRegSet free = allowed_[v] & ~taken_around(v);
      if (free == 0) return false;
      try_place(v, (free & preferred(v)) != 0 ? free & preferred(v) : free);
    }
    return true;
  }

  void try_place(unsigned v, LRegSet set) {
    if (set != 0) place_[v] = std::countr_zero(set);
  }

  // ------------------------------------------------------------ results
  Reg placed(Reg reg) const {
    return reg.is_virtual() ? Reg::physical(static_cast<unsigned>(place_[reg.number()])) : reg;
  }

  Allocation finish() const {
    Code placed_code;
    placed_code.arch = code_.arch;
    for (Instr instr : code_.instrs) {
      instr.va = placed(instr.va);
      instr.vb = placed(instr.vb);
      instr.vc = placed(instr.vc);
      instr.vd = placed(instr.vd);
      instr.pins.clear();
      if (instr.kind == InstrKind::ReadLReg) {
        instr = move(instr.vd, Reg::physical(static_cast<unsigned>(instr.imm)), instr.site);
      } else if (instr.kind == InstrKind::WriteLReg) {
        instr = move(Reg::physical(static_cast<unsigned>(instr.imm)), instr.vc, instr.site);
      }
      if (!is_move(instr) || instr.vd != instr.vc) placed_code.instrs.push_back(std::move(instr));
    }
    return done(std::move(placed_code));
  }

  static Instr move(Reg to, Reg from, std::uint32_t site) {
    Instr instr = move_all_lanes(to, from, site);
    instr.mod = 0;
    return instr;
  }

  Allocation fail() {
    Allocation result{.done = false, .code = std::move(code_), .pressure = {}};
    result.pressure.instr = blocked_;
    result.pressure.wanted = wanted_;
    return result;
  }

  Code code_;
  bool keep_raw_;
  Intervals intervals_;
  std::vector<int> place_; ///< LReg of each virtual register
  std::vector<LRegSet> allowed_;
  std::vector<bool> is_crowded_; ///< copied for each instruction that wants it in a certain LReg
  std::vector<LRegSet> wishes_;  ///< LRegs in which l_reg wants it
  std::vector<std::vector<unsigned>> friends_;
  Lists<unsigned> neighbours_; ///< registers that live at the same time
  std::vector<unsigned> by_start_;
  std::optional<unsigned> wanted_; ///< an LReg that an instruction must have and cannot
  std::size_t blocked_ = 0;        ///< that instruction
};

Pressure pressure_at(const Code& code, const Intervals& intervals, std::size_t i) {
  Pressure here{.instr = i, .live = {}, .wanted = {}};
  for (unsigned v = 0; v < intervals.of.size(); ++v) {
    const Interval& life = intervals.of[v];
    if (life.first <= write_time(i) && write_time(i) <= life.last) here.live.push_back(v);
  }
  std::ranges::stable_sort(here.live, {}, [&](unsigned v) { return intervals.of[v].first; });
  for (const Reservation& reservation : intervals.reservations) {
    const bool is_held = reservation.life.overlaps({write_time(i), write_time(i)});
    if (is_held && reservation.sharers.empty()) ++here.reserved;
  }
  if (code.instrs[i].kind == InstrKind::Tensix)
    here.lost = static_cast<unsigned>(std::popcount(clobbered(code.arch, code.instrs[i])));
  return here;
}

} // namespace

Pressure highest_pressure(const Code& code, bool keep_raw) {
  const Intervals intervals = find_intervals(code, keep_raw);
  Pressure highest;
  std::size_t most = 0;
  for (std::size_t i = 0; i < code.instrs.size(); ++i) {
    Pressure here = pressure_at(code, intervals, i);
    const std::size_t needed = here.live.size() + here.reserved + here.lost;
    if (needed <= most) continue;
    most = needed;
    highest = std::move(here);
  }
  return highest;
}

Allocation allocate(const Code& code, bool keep_raw) {
  Allocation whole_lives = Allocator(code, keep_raw).run();
  if (whole_lives.done) return whole_lives;
  if (auto placed = place_by_walk(code, keep_raw)) return done(std::move(*placed));
  return whole_lives;
}

} // namespace lanewise::compiler
