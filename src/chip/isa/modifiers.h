// Names of modifier values, expanded from modifiers.def.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "chip/isa/arch.h"
#include "chip/isa/row.h"

namespace lanewise::isa {

struct Modifier {
  Op op;
  std::string_view field; ///< name of the field it is a value of
  Chips chips;
  std::string_view name;
  std::uint8_t value; ///< what the name contributes to the field; names are OR-ed together
  std::uint8_t mask;  ///< bits of the field that decide whether the name applies

  /// Whether a field that holds `field_value` has this meaning.
  constexpr bool applies_to(std::uint32_t field_value) const {
    return (field_value & mask) == value;
  }
};

/// Every name, those of an instruction side by side.
inline constexpr auto kModifiers = std::to_array<Modifier>({
#define MODIFIER(mnemonic, field, chips, name, value, mask) \
  Modifier{Op::mnemonic, #field, Chips::chips, #name, value, mask},
#include "chip/isa/modifiers.def"
#undef MODIFIER
});

/// The names of an instruction, of both chips; empty where it has no modes.
constexpr std::span<const Modifier> modifiers(Op op) {
  const auto first = std::ranges::find(kModifiers, op, &Modifier::op);
  const auto last = std::find_if(first, kModifiers.end(),
                                 [op](const Modifier& candidate) { return candidate.op != op; });
  return {first, last};
}

/// The value of a name, or nothing where the instruction has no such name on either chip.
constexpr std::optional<std::uint32_t> modifier_value(Op op, std::string_view field,
                                                      std::string_view name) {
  for (const Modifier& modifier : modifiers(op)) {
    if (modifier.field == field && modifier.name == name) return modifier.value;
  }
  return std::nullopt;
}

/// What the modifiers of a word mean on a chip, e.g. "ARG_IMM | CC_NONE"; empty where no name
/// applies.
std::string describe_modifiers(Arch arch, std::uint32_t word);

} // namespace lanewise::isa
