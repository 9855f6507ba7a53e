#include "chip/timing/word_facts.h"

#include "chip/isa/effects.h"
#include "chip/isa/interlock.h"
#include "chip/machine/micro_op.h"
#include "chip/timing/access.h"
#include "chip/timing/matrix_clock.h"

namespace lanewise::timing {

WordFacts word_facts(Arch arch, std::uint32_t word) {
  MicroOp op;
  op.word = word;
  WordFacts facts{.word = word};
  facts.is_vector = is_vector(arch, op);
  facts.is_matrix = is_matrix(arch, op);
  if (!facts.is_vector) return facts;
  facts.sub_unit = sub_unit_of(arch, op);
  facts.reads = isa::lregs_read(arch, word, false);
  facts.writes = isa::lregs_written(arch, word, false);
  facts.believed_reads = isa::believed_reads(arch, word);
  facts.believed_writes = isa::believed_writes(arch, word);
  facts.first_cycle_reads = isa::first_cycle_reads(arch, word);
  facts.is_template_write = isa::is_template_write(arch, word);
  facts.is_mad_class = isa::is_mad_class(arch, word);
  facts.takes_two_cycles = isa::takes_two_cycles(arch, word);
  facts.holds_unit = isa::holds_unit(arch, word);
  return facts;
}

} // namespace lanewise::timing
