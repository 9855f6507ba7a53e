#include "chip/timing/vector_stall.h"

namespace lanewise::timing {

namespace {

bool holds_unit(Arch arch, const WordFacts& facts, const ScheduleOptions& options) {
  if (!options.auto_stall || !facts.holds_unit) return false;
  return arch_params(arch).vector.has_result_interlock || options.wormhole_swap_stalls;
}

} // namespace

bool becomes_template(const WordFacts& facts, const VectorState& vector) {
  return facts.is_template_write && vector.switches.backdoor_closed == 0;
}

StallCause vector_stall(Arch arch, const WordFacts& before, const MicroOp& next,
                        const WordFacts& facts, const VectorState& vector,
                        const ScheduleOptions& options) {
  if (next.op == isa::Op::SFPNOP || becomes_template(before, vector)) return StallCause::None;
  if (holds_unit(arch, before, options)) return StallCause::TwoCycles;
  if (!options.auto_stall || !arch_params(arch).vector.has_result_interlock ||
      becomes_template(facts, vector))
    return StallCause::None;
  if (!before.is_mad_class || (before.believed_writes & facts.believed_reads) == 0)
    return StallCause::None;
  const isa::LRegSet real = before.writes & facts.first_cycle_reads;
  return real != 0 ? StallCause::Result : StallCause::Spurious;
}

} // namespace lanewise::timing
