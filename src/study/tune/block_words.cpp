#include "study/tune/block_words.h"

#include <algorithm>
#include <array>

#include "chip/isa/encoding.h"
#include "chip/isa/lreg_sets.h"

namespace lanewise::tune {

namespace {

/// Registers that are named for a try.
constexpr std::array<unsigned, 3> kTried{7, 6, 5};

/// The same word with one register in all its fields.
std::uint32_t with_all(std::uint32_t word, const isa::Row& row, unsigned lreg) {
  for (const isa::Field& field : row.fields())
    if (field.is_lreg()) word = with_register(word, field, lreg);
  return word;
}

/// What a field is for shows when it names another register than all other fields.
bool shows(Arch arch, std::uint32_t word, const isa::Field& field, isa::LRegSet fixed,
           isa::LRegSet (*registers)(Arch, std::uint32_t, bool)) {
  const auto named =
      std::ranges::find_if(kTried, [&](unsigned lreg) { return (fixed >> lreg & 1U) == 0; });
  if (named == kTried.end()) return false;
  const unsigned other = *named == kTried[0] ? kTried[1] : kTried[0];
  const std::uint32_t others = with_all(word, *isa::decode(arch, word).row, other);
  return (registers(arch, with_register(others, field, *named), false) >> *named & 1U) != 0;
}

} // namespace

std::uint32_t with_register(std::uint32_t word, const isa::Field& field, unsigned lreg) {
  return (word & ~field.mask()) | field.insert(lreg);
}

std::uint32_t with_place(Arch arch, std::uint32_t word, unsigned addr_mod, std::uint32_t address) {
  const isa::Row& row = *isa::decode(arch, word).row;
  for (const isa::Field& field : row.fields()) {
    if (field.role == isa::Role::AddrMod) word = with_register(word, field, addr_mod);
    if (field.name == "Imm10") word = with_register(word, field, address);
  }
  return word;
}

WordRegisters registers_of(Arch arch, std::uint32_t word, bool tracks_index) {
  const isa::LRegSet reads = isa::lregs_read(arch, word, tracks_index);
  const isa::LRegSet writes = isa::lregs_written(arch, word, tracks_index);
  if (reads != isa::lregs_read(arch, word, false) ||
      writes != isa::lregs_written(arch, word, false))
    return {.fields = {}, .fixed_reads = reads, .fixed_writes = writes};
  const isa::Row& row = *isa::decode(arch, word).row;
  WordRegisters registers{
      .fields = {}, .fixed_reads = isa::kEveryLReg, .fixed_writes = isa::kEveryLReg};
  for (const unsigned lreg : kTried) {
    const std::uint32_t tried = with_all(word, row, lreg);
    registers.fixed_reads &= isa::lregs_read(arch, tried, false);
    registers.fixed_writes &= isa::lregs_written(arch, tried, false);
  }
  for (const isa::Field& field : row.fields()) {
    if (!field.is_lreg()) continue;
    const RegisterField found{
        .field = &field,
        .is_read = shows(arch, word, field, registers.fixed_reads, isa::lregs_read),
        .is_written = shows(arch, word, field, registers.fixed_writes, isa::lregs_written)};
    if (found.is_read || found.is_written) registers.fields.push_back(found);
  }
  return registers;
}

std::uint32_t without_registers(std::uint32_t word, const WordRegisters& registers) {
  for (const RegisterField& each : registers.fields) word &= ~each.field->mask();
  return word;
}

} // namespace lanewise::tune
