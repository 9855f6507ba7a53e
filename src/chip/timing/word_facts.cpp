#include "chip/timing/word_facts.h"

#include <array>
#include <memory>

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

WordFacts known_word_facts(Arch arch, std::uint32_t word) {
  // Each word has one place, which the last one keeps. No chip has opcode 0: that word's facts are
  // those of an empty place.
  constexpr unsigned kPlaceBits = 11;
  using Places = std::array<WordFacts, 1U << kPlaceBits>;
  thread_local std::array<std::unique_ptr<Places>, kEveryArch.size()> of_chips;
  std::unique_ptr<Places>& places = of_chips[static_cast<std::size_t>(arch)];
  if (!places) places = std::make_unique<Places>();
  WordFacts& place = (*places)[word * 0x9E3779B1U >> (32 - kPlaceBits)];
  if (place.word != word) place = word_facts(arch, word);
  return place;
}

} // namespace lanewise::timing
