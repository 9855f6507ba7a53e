#include "timing/unwritten_lanes.h"

#include <algorithm>

#include "isa/def_use.h"
#include "isa/lreg_sets.h"
#include "machine/dst_address.h"

namespace lanewise::timing {

namespace {

using isa::Op;

constexpr unsigned kFirstPlainConstant = 12, kLastPlainConstant = 14;

/// Instructions whose results are bits of their operands, at other places: they hand on what was
/// never written, and nobody minds if it goes no further.
bool only_moves(const MicroOp& op) {
  constexpr unsigned kReadsSpecial = 8, kExchange = 0, kLastCopy = 2; // 3 and 4 fill lanes
  switch (op.op) {
    case Op::SFPMOV: return (op.mod & kReadsSpecial) == 0;
    case Op::SFPSWAP: return op.mod == kExchange;
    case Op::SFPTRANSP: return true;
    case Op::SFPSHFT2: return op.mod <= kLastCopy;
    default: return false;
  }
}

/// Instructions that write one half of VD and keep the other.
enum class Half : std::uint8_t { None, Low, High };

Half written_half(const MicroOp& op) {
  constexpr unsigned kUpper = 8, kLower = 10;       // SFPLOADI
  constexpr unsigned kLowOnly = 14, kHighOnly = 15; // SFPLOAD, SFPLOADMACRO
  switch (op.op) {
    case Op::SFPLOADI:
      return op.mod == kUpper ? Half::High : op.mod == kLower ? Half::Low : Half::None;
    case Op::SFPLOAD:
    case Op::SFPLOADMACRO:
      return op.mod == kHighOnly ? Half::High : op.mod == kLowOnly ? Half::Low : Half::None;
    default: return Half::None;
  }
}

/// Lanes whose operands matter.
std::uint32_t using_lanes(const MicroOp& op, const MachineState& state) {
  constexpr std::uint32_t kFirstRow = 0xFF; // SFPCONFIG reads row 0 (VU C37)
  const bool all = (op.op == Op::SFPLOAD || op.op == Op::SFPSTORE) &&
                   static_cast<DstMode>(op.mod) == DstMode::Int32All;
  const std::uint32_t lanes = (all ? state.vector.active : state.vector.enabled()) & op.lanes;
  if (op.op == Op::SFPCONFIG) return lanes & kFirstRow;
  return op.op == Op::SFPSTORE ? lanes & ~state.vector.switches.block_store : lanes;
}

} // namespace

UnwrittenLanes::UnwrittenLanes(Arch arch) : shadow_(arch) {
  const auto forget = [this](unsigned lreg) { unwritten_[lreg].fill(kLowHalf | kHighHalf); };
  for (unsigned lreg = 0; lreg < kWritableLRegs; ++lreg) forget(lreg);
  for (unsigned lreg = kFirstPlainConstant; lreg <= kLastPlainConstant; ++lreg) forget(lreg);
}

std::uint32_t UnwrittenLanes::unwritten_lanes(LRegMask registers) const {
  std::uint32_t lanes = 0;
  for (unsigned lreg = 0; lreg < kLRegs; ++lreg) {
    if ((registers >> lreg & 1U) == 0) continue;
    for (unsigned lane = 0; lane < kLanes; ++lane)
      lanes |= static_cast<std::uint32_t>(unwritten_[lreg][lane] != 0) << lane;
  }
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
  return use;
}

UnwrittenLanes::Use UnwrittenLanes::look(const Event& event, const EventFacts& facts,
                                         const MachineState& state) {
  const MicroOp& op = event.op;
  if (facts.reads == 0 && facts.writes == 0) return {};
  const std::uint32_t lanes = using_lanes(op, state);
  if (only_moves(op)) {
    const Use use =
        use_of(facts.reads & ~isa::kGeneralLRegs, lanes); // a constant is read on purpose
    if (use.lanes == 0) {
      move(event, facts, state);
    } else {
      write(facts.writes, kAllLanes, 0); // said once is enough
    }
    return use;
  }
  const Half half = written_half(op);
  if (half != Half::None) {
    write(facts.writes, kAllLanes, half == Half::Low ? kHighHalf : kLowHalf);
    return {};
  }
  // Under flags, too, it counts for all lanes: kernels compute in lanes of which they use nothing.
  write(facts.writes, kAllLanes, 0);
  return use_of(facts.reads, lanes);
}

void UnwrittenLanes::write(LRegMask registers, std::uint32_t lanes, std::uint32_t keeps) {
  for (unsigned lreg = 0; lreg < kLRegs; ++lreg) {
    if ((registers >> lreg & 1U) == 0) continue;
    Register left = unwritten_[lreg];
    for (std::uint32_t& bits : left) bits &= keeps;
    writes_.push_back({lreg, left, lanes});
  }
}

/// The instruction itself moves the bits.
void UnwrittenLanes::move(const Event& event, const EventFacts& facts, const MachineState& state) {
  shadow_.vector = state.vector;
  for (unsigned lreg = 0; lreg < kLRegs; ++lreg)
    std::ranges::copy(unwritten_[lreg], shadow_.vector.lreg[lreg]);
  event.op.kernel(shadow_, event.op);
  shadow_.faults.clear();
  for (unsigned lreg = 0; lreg < kLRegs; ++lreg) {
    if ((facts.writes >> lreg & 1U) == 0) continue;
    Register moved;
    std::copy_n(shadow_.vector.lreg[lreg], kLanes, moved.begin());
    for (std::uint32_t& bits : moved) bits &= kLowHalf | kHighHalf;
    writes_.push_back({lreg, moved, kAllLanes});
  }
}

void UnwrittenLanes::end_cycle() {
  for (const Write& each : writes_) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if ((each.lanes >> lane & 1U) != 0) unwritten_[each.lreg][lane] = each.unwritten[lane];
    }
  }
  writes_.clear();
}

} // namespace lanewise::timing
