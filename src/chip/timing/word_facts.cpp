#include "chip/timing/word_facts.h"

#include <array>
#include <memory>

#include "chip/isa/effects.h"
#include "chip/isa/interlock.h"
#include "chip/timing/access.h"

namespace lanewise::timing {

WordFacts word_facts(Arch arch, std::uint32_t word) {
  const isa::Effects effects(arch, word);
  const isa::Row* row = effects.row();
  WordFacts facts{.word = word};
  facts.is_vector = row != nullptr && row->unit == isa::Unit::Vector;
  facts.is_matrix = row != nullptr && row->unit == isa::Unit::Matrix;
  if (!facts.is_vector) return facts;
  facts.sub_unit = sub_unit_of(row);
  facts.reads = effects.lregs_read(false);
  facts.writes = effects.lregs_written(false);
  facts.believed_reads = effects.lregs_believed_read();
  facts.believed_writes = isa::believed_writes(effects);
  facts.first_cycle_reads = isa::first_cycle_reads(effects);
  facts.is_template_write = effects.is_template_write();
  facts.is_mad_class = isa::is_mad_class(effects);
  facts.takes_two_cycles = isa::takes_two_cycles(effects);
  facts.holds_unit = isa::holds_unit(effects);
  facts.depends_on_random_numbers = effects.depends_on_random_numbers();
  facts.lane_scope = effects.lane_scope();
  facts.movement = effects.movement();
  facts.result = effects.result();
  facts.written_half = effects.written_half();
  return facts;
}

const WordFacts& known_word_facts(Arch arch, std::uint32_t word) {
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
