// What the clock and its checker ask of an instruction word again and again: the answers of
// chip/isa/, together.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

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
  /// Touches LRegs, flags and their stack alone, whatever LaneConfig says, takes no random number,
  /// and hands nothing on to other lanes but by SFPTRANSP.
  bool is_of_registers = false;
  /// More than LRegs and Dst may come of the values that it reads: flags, configuration, which
  /// registers it reaches.
  bool decides_by_values = false;
  isa::LaneScope lane_scope = isa::LaneScope::All; ///< this and the next as chip/isa/effects.h says
  isa::Movement movement = isa::Movement::Computed;
  isa::ResultKind result = isa::ResultKind::Integer;
  isa::WrittenHalf written_half = isa::WrittenHalf::Both;
};

/// Looks all of it up.
WordFacts word_facts(Arch arch, std::uint32_t word);

/// The same, remembered, of the words of a chip. Each form has one place, which the last one to
/// come keeps; there are more places once forms have taken each other's.
class KnownWords {
 public:
  explicit KnownWords(Arch arch) : arch_(arch), forms_(isa::form_masks(arch)) {}

  /// Valid until the next call.
  const WordFacts& of(std::uint32_t word) {
    const std::uint32_t form = word & forms_[word >> kOpcodeLow];
    // No chip has opcode 0: the facts of form 0 are those of an empty place.
    const WordFacts& known = place_of(form);
    return known.form == form ? known : look_up(word, form);
  }

 private:
  static constexpr unsigned kOpcodeLow = 24;
  static constexpr unsigned kFewestBits = 8, kMostBits = 15, kGrowth = 2;
  static constexpr unsigned kModes = 16;
  using Modes = std::array<std::optional<WordFacts>, kModes>;

  WordFacts& place_of(std::uint32_t form) {
    constexpr std::uint32_t kSpread = 0x9E3779B1U;
    return places_[form * kSpread >> (32 - bits_)];
  }

  const WordFacts& look_up(std::uint32_t word, std::uint32_t form);
  WordFacts vector_facts(std::uint32_t word);
  void grow();

  Arch arch_;
  const isa::FormMasks& forms_;
  unsigned bits_ = kFewestBits;
  std::size_t replaced_ = 0; ///< since there are so many places
  std::array<std::unique_ptr<Modes>, 256> of_opcodes_;
  std::vector<WordFacts> places_ = std::vector<WordFacts>(std::size_t{1} << kFewestBits);
};

/// Those of the thread that asks: for who asks for many words.
KnownWords& known_words(Arch arch);

/// The facts of one word among those. The result is valid until the thread asks again.
inline const WordFacts& known_word_facts(Arch arch, std::uint32_t word) {
  return known_words(arch).of(word);
}

} // namespace lanewise::timing
