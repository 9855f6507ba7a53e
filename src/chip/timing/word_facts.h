// What the clock asks of an instruction word again and again: the answers of chip/isa/, together.
#pragma once

#include <array>
#include <cstdint>

#include "chip/isa/def_use.h"
#include "chip/isa/row.h"

namespace lanewise::timing {

/// Of a regular instruction, where no index registers are tracked.
struct WordFacts {
  std::uint32_t word = 0;
  isa::LRegSet reads = 0, writes = 0;                   ///< chip/isa/def_use.h
  isa::LRegSet believed_reads = 0, believed_writes = 0; ///< chip/isa/interlock.h
  isa::LRegSet first_cycle_reads = 0;
  isa::SubUnit sub_unit = isa::SubUnit::None; ///< sub_unit_of()
  bool is_vector = false, is_matrix = false;
  bool is_template_write = false;
  bool is_mad_class = false, takes_two_cycles = false, holds_unit = false;
};

/// Looks all of it up.
WordFacts word_facts(Arch arch, std::uint32_t word);

/// Facts of the words that a program repeats. Each word has one place, which the last one keeps.
class WordFactsMemo {
 public:
  explicit WordFactsMemo(Arch arch) : arch_(arch) {}

  WordFacts operator[](std::uint32_t word) {
    WordFacts& place = places_[word * 0x9E3779B1U >> (32 - kPlaceBits)];
    // No chip has opcode 0: that word's facts are those of an empty place.
    if (place.word != word) place = word_facts(arch_, word);
    return place;
  }

 private:
  static constexpr unsigned kPlaceBits = 6;

  Arch arch_;
  std::array<WordFacts, 1U << kPlaceBits> places_{};
};

} // namespace lanewise::timing
