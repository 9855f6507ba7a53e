// The instruction table as constexpr data: one row per instruction and encoding variant.
//
// Everything that knows about encodings expands from here: opcode enumeration, decoder, assembler,
// disassembler, `explain` pages, JSON. Rows that overlap in one chip do not compile.
//
// Who includes this is compiled again when a row changes; chip/isa/row.h finds rows at run time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "chip/isa/row.h"

namespace lanewise::isa {

namespace detail {

constexpr Place place_of(const Field& field) {
  return {.mask = field.mask() >> field.low, .low = field.low};
}

/// Puts an operand to its place, if the field is one of OperandPlaces.
constexpr void note_operand(OperandPlaces& operands, const Field& field) {
  const bool is_number = field.role == Role::Immediate && field.name.starts_with("Imm");
  if (is_number || field.role == Role::SignedImmediate) {
    operands.immediate = place_of(field);
    operands.immediate_sign = is_number ? 0 : (operands.immediate.mask >> 1) + 1;
  } else if (field.name == "VA") {
    operands.va = place_of(field);
  } else if (field.name == "VB") {
    operands.vb = place_of(field);
  } else if (field.name == "VC") {
    operands.vc = place_of(field);
  } else if (field.name == "VD") {
    operands.vd = place_of(field);
  } else if (field.name == "Mod0" || field.name == "Mod1") {
    operands.modifier = place_of(field);
  } else if (field.name == "AddrMod") {
    operands.addr_mod = place_of(field);
  }
}

/// Whether the immediate and ADDR_MOD of a word decide nothing but themselves. SFPSHFT2's immediate
/// names a register (VU C36), SFPDIVP2's may be too large (VU C28), and of SFPLOADMACRO's number a
/// bit belongs to a register (VU C51).
constexpr bool has_plain_numbers(Op op, Unit unit) {
  return unit == Unit::Vector && op != Op::SFPSHFT2 && op != Op::SFPDIVP2 && op != Op::SFPLOADMACRO;
}

constexpr Row make_row(Op op, std::string_view mnemonic, std::uint8_t opcode, Chips chips,
                       Unit unit, SubUnit sub_unit, std::uint8_t latency,
                       std::initializer_list<Field> fields) {
  Row row{op, mnemonic, opcode, chips, unit, sub_unit, latency, {}, fields.size(), {}, 0xFF000000U};
  std::copy(fields.begin(), fields.end(), row.field_storage.begin());
  for (const Field& field : fields) {
    note_operand(row.operands, field);
    row.covered |= field.mask();
  }
  if (has_plain_numbers(op, unit))
    row.form = ~(row.operands.immediate.bits() | row.operands.addr_mod.bits());
  return row;
}

} // namespace detail

// Field kinds of instructions.def.
#define R(name, high, low) Field{#name, high, low, Role::Read},
#define W(name, high, low) Field{#name, high, low, Role::Write},
#define RW(name, high, low) Field{#name, high, low, Role::ReadWrite},
#define N(name, high, low) Field{#name, high, low, Role::TemplateSelect},
#define M(name, high, low) Field{#name, high, low, Role::Modifier},
#define A(name, high, low) Field{#name, high, low, Role::AddrMod},
#define I(name, high, low) Field{#name, high, low, Role::Immediate},
#define S(name, high, low) Field{#name, high, low, Role::SignedImmediate},
#define B(name, high, low) Field{#name, high, low, Role::Switch},
#define U(name, high, low) Field{#name, high, low, Role::Ignored},
#define X(name, high, low) Field{#name, high, low, Role::Extra},
#define JI(name, high, low) Field{#name, high, low, Role::Immediate, true},
#define JB(name, high, low) Field{#name, high, low, Role::Switch, true},
#define INSTRUCTION(mnemonic, opcode, chips, unit, sub_unit, latency, ...)                       \
  detail::make_row(Op::mnemonic, #mnemonic, opcode, Chips::chips, Unit::unit, SubUnit::sub_unit, \
                   latency, {__VA_ARGS__}),
#define VARIANT INSTRUCTION
#define ALIAS(...)

/// Every row, in the order of instructions.def.
inline constexpr auto kTable = std::to_array<Row>({
#include "chip/isa/instructions.def"
});

#undef ALIAS
#undef VARIANT
#undef INSTRUCTION
#undef JB
#undef JI
#undef X
#undef U
#undef B
#undef S
#undef I
#undef A
#undef M
#undef N
#undef RW
#undef W
#undef R

/// Second spellings of mnemonics.
inline constexpr auto kAliases = std::to_array<Alias>({
#define INSTRUCTION(...)
#define VARIANT(...)
#define ALIAS(name, mnemonic) Alias{#name, Op::mnemonic},
#include "chip/isa/instructions.def"
#undef ALIAS
#undef VARIANT
#undef INSTRUCTION
});

/// find_row(), while compiling.
constexpr const Row* table_row(Arch arch, Op op) {
  for (const Row& row : kTable) {
    if (row.op == op && includes(row.chips, arch)) return &row;
  }
  return nullptr;
}

} // namespace lanewise::isa
