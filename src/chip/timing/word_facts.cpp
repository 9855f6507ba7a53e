#include "chip/timing/word_facts.h"

#include <algorithm>
#include <utility>

#include "chip/isa/interlock.h"
#include "chip/isa/lreg_sets.h"
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

/// As WordFacts says. `facts`: of the same word, as far as they are known.
bool is_of_registers(const isa::Effects& effects, const WordFacts& facts) {
  const bool stays_in_lane = facts.movement == isa::Movement::Computed ||
                             facts.movement == isa::Movement::Copied ||
                             facts.movement == isa::Movement::Transposed;
  return stays_in_lane && (effects.parts_read() & ~isa::part::kVectorConfig) == 0 &&
         effects.parts_written() == isa::part::kNone && !facts.is_template_write &&
         !facts.depends_on_random_numbers;
}

/// The same. What hands on from lane to lane reads what Wormhole has kept of another instruction;
/// the flag stack counts only for who pops it.
bool decides_by_values(const isa::Effects& effects, const WordFacts& facts) {
  const bool indirect = facts.sub_unit == isa::SubUnit::Mad &&
                        (facts.writes == isa::kGeneralLRegs || facts.reads == isa::kEveryLReg);
  return effects.lane_change() != isa::LaneChange::None || indirect ||
         (effects.parts_written() & isa::part::kVectorConfig) != 0 ||
         isa::moves_lanes(facts.movement);
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
  facts.is_of_registers = is_of_registers(effects, facts);
  facts.decides_by_values = decides_by_values(effects, facts);
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

const WordFacts& KnownWords::look_up(std::uint32_t word, std::uint32_t form) {
  WordFacts* place = &place_of(form);
  if (place->form != 0 && ++replaced_ >= places_.size() && bits_ < kMostBits) {
    grow();
    place = &place_of(form);
  }
  const isa::Decoded decoded = isa::decode(arch_, word);
  *place = is_of_vector_unit(decoded) ? vector_facts(word) : other_facts(decoded);
  return *place;
}

/// The mode's part is looked up once.
WordFacts KnownWords::vector_facts(std::uint32_t word) {
  const isa::Effects effects(arch_, word);
  std::unique_ptr<Modes>& modes = of_opcodes_[isa::opcode_of(word)];
  if (!modes) modes = std::make_unique<Modes>();
  std::optional<WordFacts>& mode = (*modes)[effects.modifier()];
  if (!mode) mode = facts_of_mode(effects);
  WordFacts facts = *mode;
  add_operands(effects, facts);
  return facts;
}

void KnownWords::grow() {
  const std::vector<WordFacts> before = std::exchange(places_, {});
  bits_ = std::min(bits_ + kGrowth, kMostBits);
  replaced_ = 0;
  places_.resize(std::size_t{1} << bits_);
  for (const WordFacts& each : before) {
    if (each.form != 0) place_of(each.form) = each;
  }
}

KnownWords& known_words(Arch arch) {
  thread_local std::array<std::unique_ptr<KnownWords>, kEveryArch.size()> of_chips;
  std::unique_ptr<KnownWords>& known = of_chips[static_cast<std::size_t>(arch)];
  if (!known) known = std::make_unique<KnownWords>(arch);
  return *known;
}

} // namespace lanewise::timing
