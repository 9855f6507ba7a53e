#include "chip/timing/hazards/unwritten_lanes.h"

#include <algorithm>
#include <bit>

#include "chip/isa/effects.h"
#include "chip/isa/lreg_sets.h"
#include "chip/machine/dst_address.h"
#include "chip/machine/executor.h"
#include "chip/timing/access.h"

namespace lanewise::timing {

namespace {

using isa::Op;

constexpr unsigned kFirstPlainConstant = 12, kLastPlainConstant = 14;

/// Lanes whose operands matter, and which are written.
std::uint32_t using_lanes(const isa::Effects& effects, const MicroOp& op,
                          const MachineState& state) {
  constexpr std::uint32_t kFirstRow = 0xFF; // SFPCONFIG reads row 0 (VU C37)
  const bool all = effects.lane_scope() == isa::LaneScope::All;
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
    unwritten_[lreg].fill(kLowHalf | kHighHalf);
    lacking_[lreg] = kAllLanes;
    origin_[lreg].registers = 1U << lreg;
  };
  for (unsigned lreg = 0; lreg < kWritableLRegs; ++lreg) forget(lreg);
  for (unsigned lreg = kFirstPlainConstant; lreg <= kLastPlainConstant; ++lreg) forget(lreg);
}

std::uint32_t UnwrittenLanes::unwritten_lanes(LRegMask registers) const {
  std::uint32_t lanes = 0;
  for (; registers != 0; registers &= registers - 1) lanes |= lacking_[std::countr_zero(registers)];
  return lanes;
}

UnwrittenLanes::Use UnwrittenLanes::use_of(LRegMask registers, std::uint32_t lanes) const {
  Use use;
  for (unsigned lreg = 0; lreg < kLRegs; ++lreg) {
    if ((registers >> lreg & 1U) == 0) continue;
    const std::uint32_t missing = unwritten_lanes(1U << lreg) & lanes;
    if (missing != 0) use.registers |= 1U << lreg;
    use.lanes |= missing;
  }
  use.origin = origin_of(use.registers, lanes);
  return use;
}

UnwrittenLanes::Origin UnwrittenLanes::origin_of(LRegMask registers, std::uint32_t lanes) const {
  for (unsigned lreg = 0; lreg < kLRegs; ++lreg) {
    if ((registers >> lreg & 1U) != 0 && (unwritten_lanes(1U << lreg) & lanes) != 0)
      return origin_[lreg];
  }
  return {};
}

UnwrittenLanes::Use UnwrittenLanes::look(const Event& event, const EventFacts& facts,
                                         const MachineState& state) {
  const MicroOp& op = event.op;
  if (facts.reads == 0 && facts.writes == 0) return {};
  const isa::Effects effects(state.config.arch(), op.word);
  const std::uint32_t lanes = using_lanes(effects, op, state);
  const std::uint32_t written = op.op == Op::SFPCONFIG ? kAllLanes : lanes; // VU C37: every row
  const LRegMask used = has_effect(op) ? facts.reads : facts.reads & ~isa::kGeneralLRegs;
  const Use use = use_of(used, lanes);
  const isa::WrittenHalf half = effects.written_half();
  if (use.lanes != 0) {
    write(facts.writes, written, 0); // said once is enough
  } else if (isa::only_moves(effects.movement())) {
    // They hand on what was never written, and nobody minds if it goes no further.
    move(event, facts, state);
  } else if (half != isa::WrittenHalf::Both) {
    write(facts.writes, written, half == isa::WrittenHalf::Low ? kHighHalf : kLowHalf);
  } else {
    compute(event, facts, written);
  }
  return use;
}

/// Lanes in which an operand is missing are as good as never written.
void UnwrittenLanes::compute(const Event& event, const EventFacts& facts, std::uint32_t lanes) {
  const LRegMask operands = facts.reads & isa::kGeneralLRegs;
  const std::uint32_t lacking = unwritten_lanes(operands) & lanes;
  write(facts.writes, lanes & ~lacking, 0);
  if (lacking == 0) return;
  Origin origin = origin_of(operands, lanes);
  if (origin.computed == nullptr) origin.computed = &event.op;
  Register none;
  none.fill(kLowHalf | kHighHalf);
  for (unsigned lreg = 0; lreg < kLRegs; ++lreg) {
    if ((facts.writes >> lreg & 1U) != 0) writes_.push_back({lreg, none, lacking, origin});
  }
}

void UnwrittenLanes::write(LRegMask registers, std::uint32_t lanes, std::uint32_t keeps) {
  for (unsigned lreg = 0; lreg < kLRegs; ++lreg) {
    if ((registers >> lreg & 1U) == 0) continue;
    // Nothing is lacking there, and nothing of this cycle changes that.
    if ((lacking_[lreg] & lanes) == 0 && writes_.empty()) continue;
    Register left = unwritten_[lreg];
    for (std::uint32_t& bits : left) bits &= keeps;
    writes_.push_back({lreg, left, lanes, origin_[lreg]});
  }
}

/// The instruction itself moves the bits.
void UnwrittenLanes::move(const Event& event, const EventFacts& facts, const MachineState& state) {
  shadow_.vector = state.vector;
  for (unsigned lreg = 0; lreg < kLRegs; ++lreg)
    std::ranges::copy(unwritten_[lreg], shadow_.vector.lreg[lreg]);
  execute(shadow_, {&event.op, 1});
  shadow_.faults.clear();
  const Origin origin = origin_of(facts.reads, kAllLanes);
  for (unsigned lreg = 0; lreg < kLRegs; ++lreg) {
    if ((facts.writes >> lreg & 1U) == 0) continue;
    Register moved;
    std::copy_n(shadow_.vector.lreg[lreg], kLanes, moved.begin());
    for (std::uint32_t& bits : moved) bits &= kLowHalf | kHighHalf;
    writes_.push_back({lreg, moved, kAllLanes, origin});
  }
}

void UnwrittenLanes::end_cycle() {
  for (const Write& each : writes_) {
    std::uint32_t lacking = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      std::uint32_t& bits = unwritten_[each.lreg][lane];
      if ((each.lanes >> lane & 1U) != 0) bits = each.unwritten[lane];
      lacking |= static_cast<std::uint32_t>(bits != 0) << lane;
    }
    lacking_[each.lreg] = lacking;
    origin_[each.lreg] = each.origin;
  }
  writes_.clear();
}

} // namespace lanewise::timing
