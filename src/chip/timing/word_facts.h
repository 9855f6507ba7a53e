// What the clock and its checker ask of an instruction word again and again: the answers of
// chip/isa/, together.
#pragma once

#include <cstdint>

#include "chip/isa/def_use.h"
#include "chip/isa/effects.h"
#include "chip/isa/row.h"

namespace lanewise::timing {

/// Of a regular instruction, where no index registers are tracked: the same for all words of a
/// form.
struct WordFacts {
  std::uint32_t form = 0;                               ///< isa::form_of()
  isa::LRegSet reads = 0, writes = 0;                   ///< chip/isa/def_use.h
  isa::LRegSet believed_reads = 0, believed_writes = 0; ///< chip/isa/interlock.h
  isa::LRegSet first_cycle_reads = 0;
  isa::SubUnit sub_unit = isa::SubUnit::None; ///< sub_unit_of()
  bool is_vector = false, is_matrix = false;
  bool is_template_write = false;
  bool is_mad_class = false, takes_two_cycles = false, holds_unit = false;
  bool depends_on_random_numbers = false;
  isa::LaneScope lane_scope = isa::LaneScope::All; ///< this and the next as chip/isa/effects.h says
  isa::Movement movement = isa::Movement::Computed;
  isa::ResultKind result = isa::ResultKind::Integer;
  isa::WrittenHalf written_half = isa::WrittenHalf::Both;
};

/// Looks all of it up.
WordFacts word_facts(Arch arch, std::uint32_t word);

/// The same, remembered: of each thread, for the forms that it has asked for last. The result is
/// valid until it asks again.
const WordFacts& known_word_facts(Arch arch, std::uint32_t word);

} // namespace lanewise::timing
