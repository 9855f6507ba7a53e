#include "chip/timing/word_facts.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

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

namespace {

/// Facts of words of a chip. Each word has one place, which the last one to come keeps; there are
/// more places once words have taken each other's.
class KnownWords {
 public:
  const WordFacts& of(Arch arch, std::uint32_t word) {
    // No chip has opcode 0: the facts of word 0 are those of an empty place.
    WordFacts* place = &place_of(word);
    if (place->word == word) return *place;
    if (place->word != 0 && ++replaced_ >= places_.size() && bits_ < kMostBits) {
      grow();
      place = &place_of(word);
    }
    *place = word_facts(arch, word);
    return *place;
  }

 private:
  static constexpr unsigned kFewestBits = 8, kMostBits = 15, kGrowth = 2;

  WordFacts& place_of(std::uint32_t word) {
    constexpr std::uint32_t kSpread = 0x9E3779B1U;
    return places_[word * kSpread >> (32 - bits_)];
  }

  void grow() {
    const std::vector<WordFacts> before = std::exchange(places_, {});
    bits_ = std::min(bits_ + kGrowth, kMostBits);
    replaced_ = 0;
    places_.resize(std::size_t{1} << bits_);
    for (const WordFacts& each : before) {
      if (each.word != 0) place_of(each.word) = each;
    }
  }

  unsigned bits_ = kFewestBits;
  std::size_t replaced_ = 0; ///< since there are so many places
  std::vector<WordFacts> places_ = std::vector<WordFacts>(std::size_t{1} << kFewestBits);
};

} // namespace

const WordFacts& known_word_facts(Arch arch, std::uint32_t word) {
  thread_local std::array<std::unique_ptr<KnownWords>, kEveryArch.size()> of_chips;
  std::unique_ptr<KnownWords>& known = of_chips[static_cast<std::size_t>(arch)];
  if (!known) known = std::make_unique<KnownWords>();
  return known->of(arch, word);
}

} // namespace lanewise::timing
