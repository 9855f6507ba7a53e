#include "source/compiler/intervals.h"

#include <algorithm>
#include <optional>

#include "chip/isa/encoding.h"
#include "chip/isa/fields.h"
#include "source/compiler/lane_sets.h"

namespace lanewise::compiler {

namespace {

constexpr unsigned kLower = 1, kUpper = 2;

/// Which half of the LReg a raw SFPLOADI loads: kernels load 32 bits in two halves, and the first
/// of them does not need the old content. 0 for other words.
unsigned loaded_half(Arch arch, std::uint32_t word, unsigned lreg) {
  constexpr std::uint32_t kModeUpper = isa::kMode<isa::Op::SFPLOADI, "UPPER">;
  constexpr std::uint32_t kModeLower = isa::kMode<isa::Op::SFPLOADI, "LOWER">;
  const isa::Decoded d = isa::decode(arch, word);
  if (d.row == nullptr || d.row->op != isa::Op::SFPLOADI || d["VD"] != lreg) return 0;
  if (d["Mod0"] == kModeUpper) return kUpper;
  return d["Mod0"] == kModeLower ? kLower : 0;
}

/// SFPMOV has a mode that ignores the flags (VU C30).
bool writes_all_lanes(Arch arch, std::uint32_t word) {
  const isa::Decoded d = isa::decode(arch, word);
  return d.row != nullptr && d.row->op == isa::Op::SFPMOV && d["Mod1"] == kMovAllLanes;
}

class Finder {
 public:
  Finder(const Code& code, bool keep_raw) : code_(code), keep_raw_(keep_raw) {
    found_.of.resize(code.origins.size());
  }

  Intervals run() {
    for (std::size_t i = 0; i < code_.instrs.size(); ++i) visit(i, code_.instrs[i]);
    if (reserved_ == 0) return std::move(found_);
    lanes_ = find_lanes(code_);
    find_keepers();
    reserve();
    find_writes();
    return std::move(found_);
  }

 private:
  void visit(std::size_t i, const Instr& instr) {
    for_each_use(instr, [&](Reg reg) {
      if (reg.is_virtual()) found_.of[reg.number()].include(read_time(i));
    });
    for_each_def(instr, [&](Reg reg) {
      if (reg.is_virtual()) found_.of[reg.number()].include(write_time(i));
    });
    if (instr.kind == InstrKind::ReadLReg || instr.kind == InstrKind::WriteLReg)
      reserved_ |= 1U << instr.imm;
    for (const std::uint32_t word : instr.executes)
      reserved_ |= raw_reads(code_.arch, word) | raw_writes(code_.arch, word);
    if (const isa::LRegSet set = clobbered(code_.arch, instr);
        set != 0 && instr.kind != InstrKind::WriteLReg)
      found_.clobbers.emplace_back(write_time(i), set);
  }

  /// A kernel says that an LReg is in use by writing what it reads there: ReadLReg, WriteLReg.
  void find_keepers() {
    keeps_.resize(code_.instrs.size());
    for (std::size_t i = 1; i < code_.instrs.size(); ++i) {
      const Instr& read = code_.instrs[i - 1];
      const Instr& write = code_.instrs[i];
      if (read.kind == InstrKind::ReadLReg && write.kind == InstrKind::WriteLReg &&
          read.imm == write.imm && read.vd == write.vc &&
          found_.of[read.vd.number()].last == read_time(i))
        keeps_[i - 1] = keeps_[i] = true;
    }
  }

  /// A reservation that is found from its end backwards.
  struct Open {
    bool is_open = false;
    bool is_last = true;             ///< no later instruction writes or reads the LReg
    std::vector<Reg> later;          ///< registers that later instructions want there
    unsigned halves = 0;             ///< that are needed: kLower, kUpper
    bool is_read = false;            ///< by an instruction of the kernel
    bool keeps_nothing = false;      ///< of the last find_keepers() pair that was met
    std::vector<LaneSets::Id> lanes; ///< that are needed
    std::optional<std::uint32_t>
        first_partial; ///< the first write, of which some did not reach all
    Reservation reservation;

    void begin(unsigned lreg, std::uint32_t last) {
      is_open = true;
      is_read = false;
      lanes.clear();
      first_partial.reset();
      halves = kLower | kUpper;
      reservation = {.lreg = lreg, .life = {.first = last, .last = last}, .sharers = {}};
    }
    void close(Intervals& found, std::uint32_t first) {
      reservation.life.first = first;
      found.reservations.push_back(std::move(reservation));
      is_open = false;
    }
    /// What l_reg has left stays after the kernel, unless the kernel goes on to use the LReg.
    bool is_left(Reg written) const {
      return std::all_of(later.begin(), later.end(), [&](Reg reg) { return reg == written; });
    }
  };

  /// LRegs of raw words and of l_reg are live from what writes them to what reads them last.
  void reserve() {
    for (unsigned lreg = 0; lreg < arch_params(code_.arch).vector.lregs; ++lreg) {
      if ((reserved_ >> lreg & 1U) == 0) continue;
      Open open;
      for (std::size_t i = code_.instrs.size(); i-- > 0;) reserve_before(lreg, i, open);
      // What is read and never written everywhere is held since before the kernel, as long as that
      // leaves enough registers: no kernel that runs before it promises anything.
      const bool since_before = open.is_read && keep_raw_;
      if (open.is_open) open.close(found_, since_before ? 0 : open.first_partial.value_or(0));
    }
  }

  void reserve_before(unsigned lreg, std::size_t i, Open& open) {
    const Instr& instr = code_.instrs[i];
    for (const Pin& pin : instr.pins) {
      if (pin.lreg == lreg && open.is_last) open.later.push_back(pin.reg);
    }
    const bool is_this = static_cast<unsigned>(instr.imm) == lreg;
    // Where a later word writes the LReg before anything reads it, nothing is to be kept; that is
    // known at the write, which comes first here.
    if (is_this && keeps_[i]) {
      if (instr.kind == InstrKind::WriteLReg) open.keeps_nothing = !open.is_open && !open.is_last;
      if (open.keeps_nothing) return;
    }
    if (is_this && instr.kind == InstrKind::WriteLReg) return reserve_for_write(lreg, i, open);
    if (is_this && instr.kind == InstrKind::ReadLReg) {
      reserve_for_read(lreg, i, lanes_.of[i], open);
      return open.reservation.sharers.push_back(instr.vd.number());
    }
    for (std::size_t w = instr.executes.size(); w-- > 0;) reserve_for_raw(lreg, i, w, open);
  }

  void reserve_for_write(unsigned lreg, std::size_t i, Open& open) {
    const Instr& instr = code_.instrs[i];
    const bool stays = open.is_last && open.is_left(instr.vc);
    if (!open.is_open) {
      open.begin(lreg, write_time(stays ? code_.instrs.size() : i));
      open.lanes.push_back(lanes_.of[i]);
    }
    if (instr.vc.is_virtual()) open.reservation.sharers.push_back(instr.vc.number());
    open.is_last = false;
    note_write(i, open, lanes_.of[i], 0);
  }

  /// Of word w that executes at instruction i.
  void reserve_for_raw(unsigned lreg, std::size_t i, std::size_t w, Open& open) {
    const std::uint32_t word = code_.instrs[i].executes[w];
    const LaneSets::Id lanes = lanes_.of_executed[i][w];
    const isa::LRegSet bit = 1U << lreg;
    const unsigned half = loaded_half(code_.arch, word, lreg);
    if ((raw_writes(code_.arch, word) & bit) != 0) {
      if (open.is_last && keep_raw_) {
        open.begin(lreg, write_time(code_.instrs.size()));
        open.lanes.push_back(0);
      }
      open.is_last = false;
      note_write(i, open, writes_all_lanes(code_.arch, word) ? LaneSets::Id{0} : lanes, half);
      if (half != 0) return;
    }
    if ((raw_reads(code_.arch, word) & bit) != 0) reserve_for_read(lreg, i, lanes, open);
  }

  void reserve_for_read(unsigned lreg, std::size_t i, LaneSets::Id lanes, Open& open) {
    if (!open.is_open) open.begin(lreg, read_time(i));
    open.is_read = true;
    open.lanes.push_back(lanes);
    open.is_last = false;
  }

  /// A write in all the lanes that are needed later is where the reservation begins; the lanes that
  /// others leave out keep what an earlier word has put there.
  void note_write(std::size_t i, Open& open, LaneSets::Id written, unsigned half) {
    if (!open.is_open) return;
    const bool reaches_all = std::ranges::all_of(
        open.lanes, [&](LaneSets::Id needed) { return lanes_.sets.includes(written, needed); });
    if (!reaches_all) {
      open.first_partial = write_time(i);
      return;
    }
    if (half != 0) open.halves &= ~half;
    if (half == 0 || open.halves == 0) open.close(found_, write_time(i));
  }

  void find_writes() {
    for (const Reservation& each : found_.reservations)
      for (const unsigned v : each.sharers) found_.writes[v];
    if (found_.writes.empty()) return;
    for (std::size_t i = 0; i < code_.instrs.size(); ++i) {
      for_each_def(code_.instrs[i], [&](Reg reg) {
        if (!reg.is_virtual()) return;
        if (const auto found = found_.writes.find(reg.number()); found != found_.writes.end())
          found->second.push_back(write_time(i));
      });
    }
  }

  const Code& code_;
  bool keep_raw_;
  isa::LRegSet reserved_ = 0; ///< LRegs that raw words and l_reg use
  CodeLanes lanes_;
  Intervals found_;
  std::vector<bool> keeps_; ///< instructions that say that an LReg is in use
};

} // namespace

bool shares(const Code& code, const Intervals& intervals, unsigned v,
            const Reservation& reservation) {
  const auto& sharers = reservation.sharers;
  if (std::find(sharers.begin(), sharers.end(), v) == sharers.end()) return false;
  return std::ranges::all_of(intervals.writes.at(v), [&](std::uint32_t time) {
    if (time <= reservation.life.first || time >= reservation.life.last) return true;
    // The write of a ReadLReg puts in what is there already.
    const Instr& writer = code.instrs[time / 2];
    return writer.kind == InstrKind::ReadLReg &&
           static_cast<unsigned>(writer.imm) == reservation.lreg;
  });
}

Intervals find_intervals(const Code& code, bool keep_raw) {
  return Finder(code, keep_raw).run();
}

} // namespace lanewise::compiler
