#include "chip/timing/hazards/unwritten_lanes.h"

#include <algorithm>
#include <bit>

#include "chip/isa/effects.h"
#include "chip/isa/lreg_sets.h"
#include "chip/machine/dst_address.h"
#include "chip/machine/executor.h"
#include "chip/timing/access.h"
#include "chip/timing/word_facts.h"

namespace lanewise::timing {

namespace {

using isa::Op;

constexpr unsigned kFirstPlainConstant = 12, kLastPlainConstant = 14;

/// Lanes whose operands matter, and which are written.
std::uint32_t using_lanes(const WordFacts& word, const MicroOp& op, const MachineState& state) {
  constexpr std::uint32_t kFirstRow = 0xFF; // SFPCONFIG reads row 0 (VU C37)
  const bool all = word.lane_scope == isa::LaneScope::All;
  const std::uint32_t lanes = (all ? state.vector.active : state.vector.enabled()) & op.lanes;
  if (op.op == Op::SFPCONFIG) return lanes & kFirstRow;
  if (op.op == Op::SFPLOAD) return lanes & ~state.vector.switches.block_load;
  return op.op == Op::SFPSTORE ? lanes & ~state.vector.switches.block_store : lanes;
}

/// Whether what an instruction reads shows outside of the lane that it reads it in.
bool has_effect(const MicroOp& op) {
  constexpr unsigned kShown = isa::part::kDst | isa::part::kVectorConfig;
  return (isa::parts_written(op.op) & kShown) != 0 || writes_flags(op);
}

} // namespace

UnwrittenLanes::UnwrittenLanes(Arch arch) : shadow_(arch) {
  const auto forget = [this](unsigned lreg) {
    unwritten_[lreg] = {kAllLanes, kAllLanes};
    origin_[lreg].registers = 1U << lreg;
  };
  for (unsigned lreg = 0; lreg < kWritableLRegs; ++lreg) forget(lreg);
  for (unsigned lreg = kFirstPlainConstant; lreg <= kLastPlainConstant; ++lreg) forget(lreg);
  note_lacking();
}

void UnwrittenLanes::note_lacking() {
  lacking_ = 0;
  for (unsigned lreg = 0; lreg < kLRegs; ++lreg)
    lacking_ |= static_cast<LRegMask>(unwritten_[lreg].lacking() != 0) << lreg;
}

std::uint32_t UnwrittenLanes::unwritten_lanes(LRegMask registers) const {
  std::uint32_t lanes = 0;
  for (; registers != 0; registers &= registers - 1)
    lanes |= unwritten_[std::countr_zero(registers)].lacking();
  return lanes;
}

UnwrittenLanes::Use UnwrittenLanes::use_of(LRegMask registers, std::uint32_t lanes) const {
  Use use;
  for (; registers != 0; registers &= registers - 1) {
    const int lreg = std::countr_zero(registers);
    const std::uint32_t missing = unwritten_[lreg].lacking() & lanes;
    if (missing == 0) continue;
    if (use.registers == 0) use.origin = origin_[lreg];
    use.registers |= 1U << lreg;
    use.lanes |= missing;
  }
  return use;
}

UnwrittenLanes::Origin UnwrittenLanes::origin_of(LRegMask registers, std::uint32_t lanes) const {
  return use_of(registers, lanes).origin;
}

UnwrittenLanes::Use UnwrittenLanes::look(const Executed& executed, const EventFacts& facts,
                                         const MachineState& state) {
  const LRegMask touched = facts.reads | facts.writes;
  if (touched == 0) return {};
  const MicroOp& op = executed.op;
  const WordFacts& word = executed.word;
  // Nothing can lack where nothing does, whatever is computed.
  if ((touched & lacking_) == 0 && writes_.empty() && !isa::only_moves(word.movement)) return {};
  const std::uint32_t lanes = using_lanes(word, op, state);
  const std::uint32_t written = op.op == Op::SFPCONFIG ? kAllLanes : lanes; // VU C37: every row
  const LRegMask used = has_effect(op) ? facts.reads : facts.reads & ~isa::kGeneralLRegs;
  const Use use = use_of(used, lanes);
  if (use.lanes != 0) {
    write(facts.writes, written, isa::WrittenHalf::Both); // said once is enough
  } else if (isa::only_moves(word.movement)) {
    // They hand on what was never written, and nobody minds if it goes no further.
    const bool within_registers =
        word.movement == isa::Movement::Copied || word.movement == isa::Movement::Transposed;
    if (within_registers && unwritten_lanes(facts.reads | facts.writes) == 0) {
      write(facts.writes, kAllLanes, isa::WrittenHalf::Both);
    } else {
      move(op, facts, state);
    }
  } else if (word.written_half != isa::WrittenHalf::Both) {
    write(facts.writes, written, word.written_half);
  } else {
    compute(op, facts, written);
  }
  return use;
}

/// Lanes in which an operand is missing are as good as never written.
void UnwrittenLanes::compute(const MicroOp& op, const EventFacts& facts, std::uint32_t lanes) {
  const LRegMask operands = facts.reads & isa::kGeneralLRegs;
  const std::uint32_t lacking = unwritten_lanes(operands) & lanes;
  write(facts.writes, lanes & ~lacking, isa::WrittenHalf::Both);
  if (lacking == 0) return;
  Origin origin = origin_of(operands, lanes);
  if (origin.computed == nullptr) origin.computed = &op;
  for (LRegMask left = facts.writes; left != 0; left &= left - 1) {
    const auto lreg = static_cast<unsigned>(std::countr_zero(left));
    writes_.push_back({lreg, {kAllLanes, kAllLanes}, lacking, origin});
  }
}

void UnwrittenLanes::write(LRegMask registers, std::uint32_t lanes, isa::WrittenHalf half) {
  for (; registers != 0; registers &= registers - 1) {
    const auto lreg = static_cast<unsigned>(std::countr_zero(registers));
    Register left = unwritten_[lreg];
    // Nothing is lacking there, and nothing of this cycle changes that.
    if ((left.lacking() & lanes) == 0 && writes_.empty()) continue;
    if (half != isa::WrittenHalf::High) left.low = 0;
    if (half != isa::WrittenHalf::Low) left.high = 0;
    writes_.push_back({lreg, left, lanes, origin_[lreg]});
  }
}

/// The instruction itself moves the bits.
void UnwrittenLanes::move(const MicroOp& op, const EventFacts& facts, const MachineState& state) {
  shadow_.vector = state.vector;
  for (unsigned lreg = 0; lreg < kLRegs; ++lreg) {
    const Register& unwritten = unwritten_[lreg];
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      shadow_.vector.lreg[lreg][lane] = ((unwritten.low >> lane & 1U) != 0 ? kLowHalf : 0) |
                                        ((unwritten.high >> lane & 1U) != 0 ? kHighHalf : 0);
    }
  }
  execute(shadow_, {&op, 1});
  shadow_.faults.clear();
  const Origin origin = origin_of(facts.reads, kAllLanes);
  for (LRegMask left = facts.writes; left != 0; left &= left - 1) {
    const auto lreg = static_cast<unsigned>(std::countr_zero(left));
    Register moved;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const std::uint32_t bits = shadow_.vector.lreg[lreg][lane];
      moved.low |= static_cast<std::uint32_t>((bits & kLowHalf) != 0) << lane;
      moved.high |= static_cast<std::uint32_t>((bits & kHighHalf) != 0) << lane;
    }
    writes_.push_back({lreg, moved, kAllLanes, origin});
  }
}

void UnwrittenLanes::apply_writes() {
  for (const Write& each : writes_) {
    Register& unwritten = unwritten_[each.lreg];
    unwritten.low = (unwritten.low & ~each.lanes) | (each.unwritten.low & each.lanes);
    unwritten.high = (unwritten.high & ~each.lanes) | (each.unwritten.high & each.lanes);
    origin_[each.lreg] = each.origin;
  }
  writes_.clear();
  note_lacking();
}

} // namespace lanewise::timing
