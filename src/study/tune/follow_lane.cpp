#include "study/tune/follow_lane.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "chip/isa/def_use.h"
#include "chip/isa/effects.h"
#include "chip/isa/fields.h"
#include "chip/isa/row.h"
#include "chip/machine/control.h"
#include "chip/machine/dst.h"
#include "chip/machine/executor.h"
#include "chip/machine/scheduled.h"
#include "chip/timing/access.h"
#include "run/execution/footprint.h"
#include "run/execution/row_access.h"
#include "study/tune/follow.h"
#include "study/tune/term_lanes.h"

#include "chip/machine/dst_convert.h"
#include "study/tune/lane_values.h"

namespace lanewise::tune {

namespace {

/// LaneFlags and UseLaneFlagsForLaneEnable of a lane.
struct LaneFlags {
  TruthTerm flags, use;
};

/// A result that is held back (chip/machine/kernels/hold.h): before its end what was there before
/// the instruction, then what it has written and where.
struct HeldResult {
  struct Register {
    Term value;
    TruthTerm written;
  };
  std::map<unsigned, Register> registers;
  TruthTerm flags, flags_written;
};

/// The boolean operations of SFPPUSHC and SFPPOPC.
std::optional<TruthTerm> combined(unsigned mod, TruthTerm a, TruthTerm b) {
  using isa::kMode;
  constexpr isa::Op kPush = isa::Op::SFPPUSHC;
  switch (mod) {
    case kMode<kPush, "REPLACE">: return b;
    case kMode<kPush, "REPLACE_NOT">: return ~b;
    case kMode<kPush, "A_AND_B">: return a & b;
    case kMode<kPush, "A_OR_B">: return a | b;
    case kMode<kPush, "A_AND_NOT_B">: return a & ~b;
    case kMode<kPush, "A_OR_NOT_B">: return a | ~b;
    case kMode<kPush, "NOT_A_AND_B">: return ~a & b;
    case kMode<kPush, "NOT_A_OR_B">: return ~a | b;
    case kMode<kPush, "A_NOR_B">: return ~a & ~b;
    case kMode<kPush, "A_NAND_B">: return ~a | ~b;
    case kMode<kPush, "A_XOR_B">: return a ^ b;
    case kMode<kPush, "A_XNOR_B">: return ~(a ^ b);
    default: return std::nullopt;
  }
}

/// One lane, while a machine executes the same micro-ops on what lies in its Dst: counters and
/// configuration, which no lane influences, are taken from it.
class LaneFollower {
 public:
  LaneFollower(TermGraph& graph, const MachineState& start, LaneCells cells)
      : arch_(start.config.arch()), state_(start), cells_(std::move(cells)) {
    for (unsigned i = 0; i < kLRegs; ++i) {
      const std::optional<std::uint32_t> constant = constant_of_machine(i);
      is_known_[i] = is_writable_lreg(i) || constant;
      lregs_[i] =
          is_writable_lreg(i) ? graph.variable(kRegisterVariables + i) : Term(constant.value_or(0));
    }
    now_ = {TruthTerm((start.vector.flags & 1) != 0), TruthTerm((start.vector.use_flags & 1) != 0)};
    are_flags_known_ = is_uniform(start.vector.flags) && is_uniform(start.vector.use_flags) &&
                       start.vector.stack.empty_lanes() == kAllLanes;
  }

  Expected<void> follow(const MicroOp& op) {
    if (!are_flags_known_) return refuse_lane("lanes differ before the program begins", op);
    if (state_.vector.switches != LaneSwitches{})
      return refuse_lane("LaneConfig switches something in lanes", op);
    const bool is_access = execution::is_access(op);
    std::optional<execution::RowAccess> access;
    if (is_access) access = execution::access_of(state_, op);
    reads_constants_ = reads_constants(op);
    execute(state_, std::span(&op, 1));
    if (is_bookkeeping(op)) return hold(op);
    if (op.kernel == template_write || op.kernel == no_effect) return {};
    if (op.kernel != op.instruction && op.kernel != in_some_lanes && !is_access)
      return refuse_lane("it executes in another way than by itself", op);
    if (op.kernel == in_some_lanes && op.lanes != kAllLanes)
      return refuse_lane("it executes in some lanes only", op);
    if (is_access) return take(op, *access);
    if (!timing::is_vector(arch_, op)) return check_other(op);
    return compute(op);
  }

  Expected<LaneCells> end() {
    if (state_.clock.schedule_is_stale)
      return refuse("the program's macros are configured by what it computes",
                    "the comparison of a sample stays", 0);
    return std::move(cells_);
  }

 private:
  static bool is_uniform(std::uint32_t lanes) { return lanes == 0 || lanes == kAllLanes; }

  Unexpected refuse_lane(std::string_view why, const MicroOp& op) const {
    const isa::Row* row = isa::decode(arch_, op.word).row;
    return refuse(fmt::format("{}: {}", row == nullptr ? "an instruction" : row->mnemonic, why),
                  "the comparison of a sample stays", op.line);
  }
  Unexpected refuse_operation(const MicroOp& op) const {
    return refuse_lane("no bit-vectors say what it does in this mode", op);
  }

  /// The same in all lanes of the machine.
  std::optional<std::uint32_t> constant_of_machine(unsigned lreg) const {
    const std::uint32_t* lanes = state_.vector.lreg[lreg];
    const bool same =
        std::all_of(lanes, lanes + kLanes, [&](std::uint32_t bits) { return bits == lanes[0]; });
    return same ? std::optional(lanes[0]) : std::nullopt;
  }

  TruthTerm enabled() const { return now_.flags | ~now_.use; }

  void write(unsigned lreg, Term value) {
    if (is_writable_lreg(lreg)) lregs_[lreg] = choose(enabled(), value, lregs_[lreg]);
  }
  void write_flags(TruthTerm lanes, TruthTerm flags) {
    now_.flags = choose(lanes, flags, now_.flags);
  }

  // ------------------------------------------------------------------ results held back
  Expected<void> hold(const MicroOp& op) {
    HeldResult& held = held_[op.vd];
    const auto registers = static_cast<std::uint32_t>(op.immediate);
    const auto for_registers = [&](auto&& function) {
      for (unsigned i = 0; i < kLRegs; ++i) {
        if ((registers >> i & 1U) != 0) function(i, held.registers[i]);
      }
    };
    if (begins_hold(op)) {
      for_registers([&](unsigned i, HeldResult::Register& each) { each.value = lregs_[i]; });
      held.flags = now_.flags;
    } else if (ends_hold(op)) {
      if (op.lanes != kAllLanes) return refuse_lane("it executes in some lanes only", op);
      for_registers([&](unsigned i, HeldResult::Register& each) {
        each.written = ~equals(each.value, lregs_[i]);
        if (i == op.va) each.written = each.written | enabled();
        std::swap(each.value, lregs_[i]);
      });
      held.flags_written = held.flags ^ now_.flags;
      std::swap(held.flags, now_.flags);
    } else if (releases(op)) {
      for_registers([&](unsigned i, HeldResult::Register& each) {
        lregs_[i] = choose(each.written, each.value, lregs_[i]);
      });
      write_flags(held.flags_written, held.flags);
    }
    return {};
  }

  // ------------------------------------------------------------------ Dst
  Expected<Term> cell(unsigned row, bool is_odd, const MicroOp& op) const {
    const auto found = cells_.find({row, is_odd});
    if (found == cells_.end())
      return refuse_lane("it loads what is no operand of the comparison", op);
    return found->second;
  }

  Expected<Term> datum(const execution::RowAccess& access, const MicroOp& op) const {
    auto high = cell(access.physical_row, access.is_odd, op);
    if (!high || !is_32bit(access.mode)) return high;
    auto low = cell(access.physical_row + kDstLowHalf, access.is_odd, op);
    if (!low) return low;
    return *high << 16 | *low;
  }

  Expected<void> take(const MicroOp& op, const execution::RowAccess& access) {
    if (access.mode == DstMode::Int32All)
      return refuse_lane("it accesses lanes that are disabled", op);
    if (access.is_store) return store(op, access);
    const auto stored = datum(access, op);
    if (!stored) return Unexpected(stored.error());
    const Term old = lregs_[op.vd];
    write(op.vd, with_chip(arch_, [&]<Arch A>(Chip<A>) {
            return convert_load<A, Term>(access.mode, *stored, old, TruthTerm(false));
          }));
    return {};
  }

  Expected<void> store(const MicroOp& op, const execution::RowAccess& access) {
    if (!is_known_[op.vd]) return refuse_lane("its register differs from lane to lane", op);
    const Term value = lregs_[op.vd];
    const Term bits =
        with_chip(arch_, [&]<Arch A>(Chip<A>) { return convert_store<A>(access.mode, value); });
    const bool wide = store_is_32bit(access.mode);
    if (auto done = put(access.physical_row, access.is_odd, wide ? bits >> 16 : bits & 0xFFFF, op);
        !done)
      return done;
    if (!wide) return {};
    return put(access.physical_row + kDstLowHalf, access.is_odd, bits & 0xFFFF, op);
  }

  Expected<void> put(unsigned row, bool is_odd, Term bits, const MicroOp& op) {
    const TruthTerm lanes = enabled();
    if (lanes == TruthTerm(true)) {
      cells_[{row, is_odd}] = bits;
      return {};
    }
    const auto old = cell(row, is_odd, op);
    if (!old) return Unexpected(old.error());
    cells_[{row, is_odd}] = choose(lanes, bits, *old);
    return {};
  }

  // ------------------------------------------------------------------ instructions
  Expected<void> check_other(const MicroOp& op) const {
    const unsigned written = isa::parts_written(op.op);
    if ((written & (isa::part::kDst | isa::part::kInstructions)) != 0)
      return refuse_lane("another unit writes Dst", op);
    return {};
  }

  Expected<void> compute(const MicroOp& op) {
    switch (op.op) {
      case isa::Op::SFPNOP: return {};
      case isa::Op::SFPENCC: return enable(op);
      case isa::Op::SFPPUSHC: return push(op);
      case isa::Op::SFPPOPC: return pop(op);
      case isa::Op::SFPCOMPC: return complement(op);
      case isa::Op::SFPCONFIG: return configure(op);
      case isa::Op::SFPSWAP: return swap(op);
      case isa::Op::SFPLOADI: write(op.vd, loaded_immediate(op, lregs_[op.vd])); return {};
      default: return compute_result(op);
    }
  }

  bool reads_known(const MicroOp& op) const {
    const isa::LRegSet reads = isa::lregs_read(arch_, op.word, false);
    for (unsigned i = 0; i < kLRegs - 1; ++i) {
      if ((reads >> i & 1U) != 0 && !is_known_[i]) return false;
    }
    return true;
  }

  Expected<void> compute_result(const MicroOp& op) {
    if (!reads_known(op)) return refuse_lane("a register differs from lane to lane", op);
    const auto result = lane_result(arch_, op, lregs_, now_.flags);
    const auto target = destination(op, lregs_);
    if (!result || !target) return compute_constant(op);
    const TruthTerm lanes = enabled();
    const bool all_lanes =
        op.op == isa::Op::SFPMOV && isa::has_mode<isa::Op::SFPMOV, "ALL_LANES_ENABLED">(op.mod);
    if (all_lanes && is_writable_lreg(op.vd)) lregs_[op.vd] = *result->value;
    if (!all_lanes && result->value) write(*target, *result->value);
    if (!result->flags) return {};
    write_flags(lanes, op.op == isa::Op::SFPSETCC ? *result->flags & now_.use : *result->flags);
    return {};
  }

  /// What has no terms, but reads constants alone, is what the machine has made of it.
  Expected<void> compute_constant(const MicroOp& op) {
    const std::optional<std::uint32_t> constant = constant_of_machine(op.vd);
    const isa::Effects effects(arch_, op.word);
    if (!reads_constants_ || !constant || enabled() != TruthTerm(true) ||
        effects.depends_on_random_numbers() || effects.lane_change() != isa::LaneChange::None)
      return refuse_operation(op);
    write(op.vd, *constant);
    return {};
  }

  /// Whether all registers that it reads are constants, and the same ones in the machine.
  bool reads_constants(const MicroOp& op) const {
    const isa::LRegSet reads = isa::lregs_read(arch_, op.word, false);
    for (unsigned i = 0; i < kLRegs - 1; ++i) {
      if ((reads >> i & 1U) != 0 && !is_machines(i)) return false;
    }
    return true;
  }

  /// Whether a register is a constant, and the machine's, too.
  bool is_machines(unsigned lreg) const {
    const std::optional<std::uint32_t> constant = constant_of_machine(lreg);
    return is_known_[lreg] && constant && lregs_[lreg].value == Term(*constant).value;
  }

  Expected<void> swap(const MicroOp& op) {
    if (!is_known_[op.vb] || !is_known_[op.vc])
      return refuse_lane("a register differs from lane to lane", op);
    const auto condition = exchanges(op, lregs_);
    if (!condition) return refuse_operation(op);
    const TruthTerm lanes = *condition & enabled();
    const Term c = lregs_[op.vc], d = lregs_[op.vb];
    if (op.vc < kWritableLRegs) lregs_[op.vc] = choose(lanes, d, c);
    if (op.vb < kWritableLRegs) lregs_[op.vb] = choose(lanes, c, d);
    return {};
  }

  /// The machine does it, if what it writes is what it is in every lane.
  Expected<void> configure(const MicroOp& op) {
    if (enabled() != TruthTerm(true)) return refuse_lane("it executes in some lanes only", op);
    constexpr unsigned kTemplates = 4; // of which Mod1 gives no immediate
    const bool takes_register =
        op.vd < kTemplates || !isa::has_mode<isa::Op::SFPCONFIG, "IMM16_IS_VALUE">(op.mod);
    if (takes_register && !is_machines(0))
      return refuse_lane("LReg[0], which it writes, is no constant", op);
    for (unsigned i = kWritableLRegs; i < kMacroLReg; ++i) {
      const std::optional<std::uint32_t> constant = constant_of_machine(i);
      is_known_[i] = constant.has_value();
      lregs_[i] = constant.value_or(0);
    }
    return {};
  }

  // ------------------------------------------------------------------ flags
  Expected<void> enable(const MicroOp& op) {
    using isa::kMode;
    constexpr std::uint32_t kUse = 1, kFlags = 2; // Imm2
    const auto immediate = static_cast<std::uint32_t>(op.immediate);
    if ((op.mod & kMode<isa::Op::SFPENCC, "EI_R1">) != 0) {
      now_.use = TruthTerm((immediate & kUse) != 0);
    } else if ((op.mod & kMode<isa::Op::SFPENCC, "EC_R1">) != 0) {
      now_.use = ~now_.use;
    }
    const bool is_given = (op.mod & kMode<isa::Op::SFPENCC, "EU_RI">) != 0;
    now_.flags = TruthTerm(!is_given || (immediate & kFlags) != 0);
    return {};
  }

  Expected<void> push(const MicroOp& op) {
    const bool mutates = arch_params(arch_).vector.pushc_mutates;
    if (!mutates || op.mod == isa::kMode<isa::Op::SFPPUSHC, "PUSH">) {
      if (stack_.size() == FlagStack::kEntries) return refuse_lane("the flag stack is full", op);
      stack_.push_back(now_);
      return {};
    }
    if (stack_.empty()) return refuse_lane("the flag stack is empty", op);
    LaneFlags& top = stack_.back();
    if (op.mod == isa::kMode<isa::Op::SFPPUSHC, "INVERT">) {
      now_.flags = ~now_.flags;
      top = now_;
    } else if (op.mod == isa::kMode<isa::Op::SFPPUSHC, "ALL_TRUE">) {
      top = {TruthTerm(true), TruthTerm(true)};
    } else if (op.mod == isa::kMode<isa::Op::SFPPUSHC, "ALL_FALSE">) {
      top = {TruthTerm(false), TruthTerm(true)};
    } else {
      const auto flags = combined(op.mod, top.flags, now_.flags);
      if (!flags) return refuse_operation(op);
      top = {*flags, now_.use};
    }
    return {};
  }

  Expected<void> pop(const MicroOp& op) {
    if (stack_.empty()) return refuse_lane("the flag stack is empty", op);
    const LaneFlags top = stack_.back();
    if (op.mod == isa::kMode<isa::Op::SFPPOPC, "POP">) {
      now_ = top;
      stack_.pop_back();
      return {};
    }
    if (stack_.size() == FlagStack::kEntries) return refuse_lane("the flag stack is full", op);
    if (op.mod == isa::kMode<isa::Op::SFPPOPC, "INVERT">) {
      now_.flags = ~now_.flags;
    } else if (op.mod == isa::kMode<isa::Op::SFPPOPC, "ALL_TRUE">) {
      now_ = {TruthTerm(true), TruthTerm(true)};
    } else if (op.mod == isa::kMode<isa::Op::SFPPOPC, "ALL_FALSE">) {
      now_ = {TruthTerm(false), TruthTerm(true)};
    } else {
      const auto flags = combined(op.mod, now_.flags, top.flags);
      if (!flags) return refuse_operation(op);
      now_ = {*flags, top.use};
    }
    return {};
  }

  /// VU C11: an empty stack counts as {true, true}.
  Expected<void> complement(const MicroOp&) {
    const LaneFlags top =
        stack_.empty() ? LaneFlags{TruthTerm(true), TruthTerm(true)} : stack_.back();
    now_.flags = top.use & now_.use & top.flags & ~now_.flags;
    return {};
  }

  Arch arch_;
  MachineState state_;
  LaneCells cells_;
  LaneRegisters lregs_;
  std::array<bool, kLRegs> is_known_{}; ///< else it differs from lane to lane
  LaneFlags now_;
  bool are_flags_known_ = false;
  bool reads_constants_ = false; ///< the instruction that the machine has executed last
  std::vector<LaneFlags> stack_;
  std::map<unsigned, HeldResult> held_;
};

} // namespace

Expected<LaneCells> follow_lane(TermGraph& graph, const MachineState& start,
                                std::span<const MicroOp> ops, LaneCells cells) {
  LaneFollower follower(graph, start, std::move(cells));
  for (const MicroOp& op : ops) {
    if (auto done = follower.follow(op); !done) return Unexpected(done.error());
  }
  return follower.end();
}

} // namespace lanewise::tune
