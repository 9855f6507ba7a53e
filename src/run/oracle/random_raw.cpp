#include "run/oracle/random_raw.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "chip/isa/fields.h"
#include "chip/machine/frontend/static_faults.h"
#include "chip/machine/vector/vector_state.h"

namespace lanewise::oracle {

using isa::kMode;
using isa::Op;

namespace {

/// Instructions of the Vector Unit.
const std::vector<const isa::Row*>& vector_rows(Arch arch) {
  static const auto kRows = [] {
    std::array<std::vector<const isa::Row*>, 2> rows;
    for (const isa::Row& row : isa::rows()) {
      for (const Arch chip : kArchs) {
        if (row.unit == isa::Unit::Vector && includes(row.chips, chip))
          rows[static_cast<std::size_t>(chip)].push_back(&row);
      }
    }
    return rows;
  }();
  return kRows[static_cast<std::size_t>(arch)];
}

/// Whether it depends on LRegs and flags of its own lane, and on its word, alone.
bool is_of_its_lane(const isa::Effects& effects) {
  // Of these, only what moves lanes or comes from a special source depends.
  constexpr unsigned kWithoutMatter = isa::part::kVectorConfig | isa::part::kLatch;
  return effects.stack_use() == isa::StackUse::None &&
         effects.random_use() == isa::RandomUse::Never && !moves_lanes(effects.movement()) &&
         ((effects.parts_read() | effects.parts_written()) & ~kWithoutMatter) == 0;
}

bool computes(const isa::Effects& effects) {
  return is_of_its_lane(effects) && effects.lane_change() == isa::LaneChange::None &&
         effects.lregs_written() != 0;
}

bool narrows_lanes(const isa::Effects& effects) {
  return is_of_its_lane(effects) && effects.lane_change() == isa::LaneChange::Narrower;
}

bool has_a_meaning(Arch arch, std::uint32_t word) {
  return std::ranges::all_of(execution_faults(arch, word, 0),
                             [](const Fault& fault) { return leaves_results_valid(fault.kind); });
}

} // namespace

void RawWordMaker::load(unsigned count) {
  lregs_.clear();
  while (lregs_.size() < count) {
    const unsigned lreg = dice_.below(kWritableLRegs);
    if (std::ranges::find(lregs_, lreg) == lregs_.end()) lregs_.push_back(lreg);
  }
  for (const unsigned lreg : lregs_) load_immediate(lreg);
}

void RawWordMaker::load_immediate(std::uint32_t lreg) {
  constexpr std::uint32_t kModes[] = {kMode<Op::SFPLOADI, "FLOATB">, kMode<Op::SFPLOADI, "FLOATA">,
                                      kMode<Op::SFPLOADI, "USHORT">,
                                      kMode<Op::SFPLOADI, "SHORT">}; // all 32 bits
  writer_.raw(Op::SFPLOADI, {{"VD", lreg},
                             {"Mod0", kModes[dice_.below(std::size(kModes))]},
                             {"Imm16", dice_.bits() & 0xFFFF}});
}

std::uint32_t RawWordMaker::source() {
  return lregs_.empty() || dice_.one_in(4) ? constant() : target();
}

void RawWordMaker::compute() {
  writer_.raw(word_that(computes));
}

std::uint32_t RawWordMaker::word_that(bool (*fits)(const isa::Effects&)) {
  const Arch arch = writer_.arch();
  const auto& rows = vector_rows(arch);
  while (true) {
    const std::uint32_t word = random_word(*rows[dice_.below(static_cast<unsigned>(rows.size()))]);
    const isa::Effects effects(arch, word);
    if (!effects.is_template_write() && fits(effects) && keeps_to_own(effects) &&
        has_a_meaning(arch, word))
      return word;
  }
}

std::uint32_t RawWordMaker::random_word(const isa::Row& row) {
  std::uint32_t word = std::uint32_t{row.opcode} << 24;
  for (const isa::Field& field : row.fields()) word |= field.insert(operand(row, field));
  return word;
}

std::uint32_t RawWordMaker::operand(const isa::Row& row, const isa::Field& field) {
  constexpr std::uint32_t kZeroLReg = 9;
  // VU 3.7: with another addend the result is no number that anybody promises.
  if (row.op == Op::SFPMUL24 && field.name == "VC") return kZeroLReg;
  switch (field.role) {
    case isa::Role::Read: return source();
    case isa::Role::Write:
    case isa::Role::ReadWrite: return lregs_.empty() ? constant() : target();
    case isa::Role::TemplateSelect: return 0;
    case isa::Role::Modifier:
    case isa::Role::AddrMod:
    case isa::Role::Immediate:
    case isa::Role::SignedImmediate:
    case isa::Role::Switch:
    case isa::Role::Ignored:
    case isa::Role::Extra: return dice_.bits();
  }
  return 0;
}

/// With SFPSWAP, registers below 4 may have an index in LReg[4..7] that goes with them (VU C33);
/// that counts as well.
bool RawWordMaker::keeps_to_own(const isa::Effects& effects) const {
  isa::LRegSet own = 0;
  for (const unsigned lreg : lregs_) own |= 1U << lreg;
  const isa::LRegSet others = isa::kGeneralLRegs & ~own;
  return (effects.lregs_read() & others) == 0 && (effects.lregs_written() & ~own) == 0;
}

void RawWordMaker::record_and_replay() {
  constexpr unsigned kSlots = 32, kMostWords = 3;
  const std::uint32_t count = 2 + dice_.below(kMostWords - 1);
  const std::uint32_t slot = dice_.below(kSlots - kMostWords);
  writer_.raw(Op::REPLAY,
              {{"Index", slot}, {"Count", count}, {"Exec", dice_.below(2)}, {"Load", 1}});
  for (std::uint32_t i = 0; i < count; ++i) compute();
  writer_.raw(Op::REPLAY, {{"Index", slot}, {"Count", count}});
}

void RawWordMaker::narrow() {
  writer_.raw(word_that(narrows_lanes));
}

void RawWordMaker::all_lanes() {
  constexpr std::uint32_t kBoth = 3; // VU C5: flags in use, all of them set
  constexpr std::uint32_t kFromImmediates =
      kMode<Op::SFPENCC, "EI_R1"> | kMode<Op::SFPENCC, "EU_RI">;
  writer_.raw(Op::SFPENCC, {{"Imm2", kBoth}, {"Mod1", kFromImmediates}});
}

} // namespace lanewise::oracle
