// Instruction words and their fields: decode a word, build a word, both from the rows of the table.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>

#include "chip/isa/row.h"

namespace lanewise::isa {

/// A word with its row. `row` is nullptr where the chip has no such opcode.
struct Decoded {
  std::uint32_t word = 0;
  const Row* row = nullptr;

  /// Value of a field, unsigned; 0 where the row has no such field.
  constexpr std::uint32_t operator[](std::string_view field) const {
    const Field* found = row == nullptr ? nullptr : row->field(field);
    return found == nullptr ? 0 : found->extract(word);
  }
  /// Bits that no field covers and that are set all the same.
  constexpr std::uint32_t stray_bits() const {
    return row == nullptr ? 0 : word & ~row->covered_bits();
  }
};

constexpr std::uint8_t opcode_of(std::uint32_t word) {
  return static_cast<std::uint8_t>(word >> 24);
}

inline Decoded decode(Arch arch, std::uint32_t word) {
  return {word, find_row(arch, opcode_of(word))};
}

/// A word without the bits that are a number and nothing else. Words of one form name the same
/// registers and the same mode: one kernel executes them, and in themselves they are right or wrong
/// together.
inline std::uint32_t form_of(Arch arch, std::uint32_t word) {
  return word & form_masks(arch)[opcode_of(word)];
}

/// Two's complement value of the low `bits` bits; `bits` in 1..31.
constexpr std::int32_t sign_extend(std::uint32_t value, unsigned bits) {
  const std::uint32_t sign = 1U << (bits - 1);
  const std::uint32_t low = value & ((sign << 1) - 1);
  return static_cast<std::int32_t>((low ^ sign) - sign);
}

using FieldValue = std::pair<std::string_view, std::uint32_t>;

/// Builds a word: fields that are not named are 0, excess bits of a value are dropped.
/// Nothing if the chip lacks the instruction or the instruction lacks a field.
inline std::optional<std::uint32_t> encode(Arch arch, Op op,
                                           std::initializer_list<FieldValue> values) {
  const Row* row = find_row(arch, op);
  if (row == nullptr) return std::nullopt;
  std::uint32_t word = static_cast<std::uint32_t>(row->opcode) << 24;
  for (const auto& [name, value] : values) {
    const Field* field = row->field(name);
    if (field == nullptr) return std::nullopt;
    word |= field->insert(value);
  }
  return word;
}

} // namespace lanewise::isa
