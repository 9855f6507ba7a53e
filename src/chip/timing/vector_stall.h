// Whether an instruction of the Vector Unit waits for the one before it (VU 5.2 to 5.4).
#pragma once

#include "chip/machine/micro_op.h"
#include "chip/machine/vector/vector_state.h"
#include "chip/timing/schedule.h"
#include "chip/timing/word_facts.h"

namespace lanewise::timing {

/// What waits for nothing in the Vector Unit: a word that becomes a macro template.
bool becomes_template(const WordFacts& facts, const VectorState& vector);

/// Why `next` cannot execute in the cycle after a regular instruction with the facts `before`.
/// `vector` is the state before `next`.
StallCause vector_stall(Arch arch, const WordFacts& before, const MicroOp& next,
                        const WordFacts& facts, const VectorState& vector,
                        const ScheduleOptions& options = {});

} // namespace lanewise::timing
