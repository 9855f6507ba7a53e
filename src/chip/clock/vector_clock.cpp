#include "chip/clock/vector_clock.h"

#include <algorithm>

#include "chip/timing/vector_stall.h"

namespace lanewise::clock {

bool VectorClock::stalls(const MicroOp& op, const timing::WordFacts& facts,
                         const VectorState& vector, std::uint64_t cycle) const {
  return last_ && last_cycle_ + 1 == cycle &&
         timing::vector_stall(arch_, *last_, op, facts, vector) != timing::StallCause::None;
}

/// Where a stalled instruction waits inside the unit (T4), it leaves its thread at once, and only
/// the next one waits for it.
std::uint64_t VectorClock::earliest(const MicroOp& op, const timing::WordFacts& facts,
                                    const VectorState& vector, std::uint64_t cycle) const {
  const std::uint64_t first = std::max(cycle, taken_);
  if (arch_params(arch_).vector.stalls_inside_unit) return first;
  return first + (stalls(op, facts, vector, first) ? 1 : 0);
}

void VectorClock::enter(const MicroOp& op, const timing::WordFacts& facts,
                        const VectorState& vector, std::uint64_t cycle) {
  const std::uint64_t executes = cycle + (stalls(op, facts, vector, cycle) ? 1 : 0);
  last_ = facts;
  last_cycle_ = executes;
  taken_ = executes + 1;
  if (op.op == isa::Op::SFPSTORE) stored_ = executes;
  ++executed_;
  const bool is_slow = facts.takes_two_cycles || facts.is_mad_class;
  const unsigned latency = is_slow && !timing::becomes_template(facts, vector) ? 2 : 1;
  busy_until_ = std::max(busy_until_, executes + latency);
}

} // namespace lanewise::clock
