#include "chip/timing/word_facts.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "chip/isa/effects.h"
#include "chip/isa/interlock.h"
#include "chip/timing/access.h"

namespace lanewise::timing {

namespace {

/// What the mode of an instruction of the Vector Unit decides, whatever its operands are.
WordFacts facts_of_mode(const isa::Effects& effects) {
  WordFacts facts{.is_vector = true};
  facts.sub_unit = sub_unit_of(effects.row());
  facts.is_mad_class = isa::is_mad_class(effects);
  facts.takes_two_cycles = isa::takes_two_cycles(effects);
  facts.holds_unit = isa::holds_unit(effects);
  facts.lane_scope = effects.lane_scope();
  facts.movement = effects.movement();
  facts.result = effects.result();
  facts.written_half = effects.written_half();
  return facts;
}

void add_operands(const isa::Effects& effects, WordFacts& facts) {
  facts.form = isa::form_of(effects.arch(), effects.decoded().word);
  facts.reads = effects.lregs_read(false);
  facts.writes = effects.lregs_written(false);
  facts.believed_reads = effects.lregs_believed_read();
  facts.believed_writes = isa::believed_writes(effects);
  facts.first_cycle_reads = isa::first_cycle_reads(effects);
  facts.is_template_write = effects.is_template_write();
  facts.depends_on_random_numbers = effects.depends_on_random_numbers();
}

/// Of an instruction of another unit, or of none.
WordFacts other_facts(const isa::Decoded& decoded) {
  const bool is_matrix = decoded.row != nullptr && decoded.row->unit == isa::Unit::Matrix;
  return {.form = decoded.word, .is_matrix = is_matrix};
}

bool is_of_vector_unit(const isa::Decoded& decoded) {
  return decoded.row != nullptr && decoded.row->unit == isa::Unit::Vector;
}

} // namespace

WordFacts word_facts(Arch arch, std::uint32_t word) {
  const isa::Effects effects(arch, word);
  if (!is_of_vector_unit(effects.decoded())) return other_facts(effects.decoded());
  WordFacts facts = facts_of_mode(effects);
  add_operands(effects, facts);
  return facts;
}

namespace {

/// Facts of words of a chip. Each form has one place, which the last one to come keeps; there are
/// more places once forms have taken each other's.
class KnownWords {
 public:
  const WordFacts& of(Arch arch, std::uint32_t word) {
    const std::uint32_t form = isa::form_of(arch, word);
    // No chip has opcode 0: the facts of form 0 are those of an empty place.
    WordFacts* place = &place_of(form);
    if (place->form == form) return *place;
    if (place->form != 0 && ++replaced_ >= places_.size() && bits_ < kMostBits) {
      grow();
      place = &place_of(form);
    }
    const isa::Decoded decoded = isa::decode(arch, word);
    *place = is_of_vector_unit(decoded) ? vector_facts(arch, word) : other_facts(decoded);
    return *place;
  }

 private:
  static constexpr unsigned kFewestBits = 8, kMostBits = 15, kGrowth = 2;
  static constexpr unsigned kModes = 16;
  using Modes = std::array<std::optional<WordFacts>, kModes>;

  /// The mode's part is looked up once.
  WordFacts vector_facts(Arch arch, std::uint32_t word) {
    const isa::Effects effects(arch, word);
    std::unique_ptr<Modes>& modes = of_opcodes_[isa::opcode_of(word)];
    if (!modes) modes = std::make_unique<Modes>();
    std::optional<WordFacts>& mode = (*modes)[effects.modifier()];
    if (!mode) mode = facts_of_mode(effects);
    WordFacts facts = *mode;
    add_operands(effects, facts);
    return facts;
  }

  WordFacts& place_of(std::uint32_t form) {
    constexpr std::uint32_t kSpread = 0x9E3779B1U;
    return places_[form * kSpread >> (32 - bits_)];
  }

  void grow() {
    const std::vector<WordFacts> before = std::exchange(places_, {});
    bits_ = std::min(bits_ + kGrowth, kMostBits);
    replaced_ = 0;
    places_.resize(std::size_t{1} << bits_);
    for (const WordFacts& each : before) {
      if (each.form != 0) place_of(each.form) = each;
    }
  }

  unsigned bits_ = kFewestBits;
  std::size_t replaced_ = 0; ///< since there are so many places
  std::array<std::unique_ptr<Modes>, 256> of_opcodes_;
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
