// Fields and modes by name, looked up while compiling: what the table does not have does not
// compile.
//
//   field<"SrcAVal", Op::SETRWC>(word)              the bits of a field
//   field<"Mode", Op::ZEROACC>(arch, word)          where the chips have it at different places
//   kMode<Op::SFPIADD, "CC_NONE">                   what the name adds to the modifier
//   has_mode<Op::SFPIADD, "CC_NONE">(mod)           whether the name applies
//   has_mode<Op::SFPSHFT, "ARITHMETIC">(arch, mod)  where the chips differ
//
// Kernels that are compiled for several processor levels call the first and the fourth, which are
// therefore always inlined.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "chip/isa/modifiers.h"
#include "chip/isa/table.h"

namespace lanewise::isa {

/// A string literal as a template argument.
template <std::size_t Size>
struct Literal {
  char text[Size];

  // NOLINTNEXTLINE(google-explicit-constructor): a template argument is written as "name"
  constexpr Literal(const char (&from)[Size]) { std::copy_n(from, Size, text); }
  constexpr std::string_view view() const { return {text, Size - 1}; }
};

namespace detail {

/// The chips whose kernels ask for fields and modes by name alone. Grayskull has its own.
inline constexpr auto kAskedByName = static_cast<unsigned>(Chips::BOTH);

constexpr bool is_asked_by_name(const Row& row) {
  return (static_cast<unsigned>(row.chips) & kAskedByName) != 0;
}

/// How many rows of an instruction there are, and how many of them have the field.
struct RowCount {
  unsigned all = 0, with_field = 0;
};

constexpr RowCount count_rows(Op op, std::string_view name) {
  RowCount count;
  for (const Row& row : kTable) {
    if (row.op != op || !is_asked_by_name(row)) continue;
    ++count.all;
    count.with_field += row.field(name) != nullptr ? 1 : 0;
  }
  return count;
}

constexpr bool has_field(Op op, std::string_view name) {
  const RowCount count = count_rows(op, name);
  return count.all != 0 && count.all == count.with_field;
}

/// The field in the first row of an instruction.
constexpr Field first_field(Op op, std::string_view name) {
  return *std::ranges::find(kTable, op, &Row::op)->field(name);
}

/// Whether all rows of an instruction have the field at the bits of `place`.
constexpr bool has_field_at(Op op, std::string_view name, Field place) {
  return std::ranges::all_of(kTable, [&](const Row& row) {
    return row.op != op || !is_asked_by_name(row) || row.field(name)->mask() == place.mask();
  });
}

/// The field on a chip; that of another one where this one lacks the instruction or the field.
constexpr Field field_on(Arch arch, Op op, std::string_view name) {
  const Row* row = table_row(arch, op);
  const Field* field = row == nullptr ? nullptr : row->field(name);
  return field == nullptr ? first_field(op, name) : *field;
}

/// Whether the chips that have the instruction agree on a name, and all of them have it.
constexpr bool is_same_mode_everywhere(Op op, std::string_view name) {
  unsigned of_name = 0, of_op = 0;
  const Modifier* first = nullptr;
  for (const Modifier& each : modifiers(op)) {
    if (each.name != name) continue;
    if (first == nullptr) first = &each;
    if (each.value != first->value || each.mask != first->mask) return false;
    of_name |= static_cast<unsigned>(each.chips);
  }
  for (const Row& row : kTable) of_op |= row.op == op ? static_cast<unsigned>(row.chips) : 0U;
  return first != nullptr && (of_op & kAskedByName & ~of_name) == 0;
}

/// The name's row, the first if there are several.
constexpr Modifier first_mode(Op op, std::string_view name) {
  return *std::ranges::find(modifiers(op), name, &Modifier::name);
}

/// Whether there is such a name, with one value wherever it occurs.
constexpr bool has_one_value(Op op, std::string_view name) {
  const auto named = modifiers(op);
  const auto first = std::ranges::find(named, name, &Modifier::name);
  return first != named.end() && std::ranges::all_of(named, [&](const Modifier& each) {
           return each.name != name || each.value == first->value;
         });
}

} // namespace detail

/// The place of a field that the instructions, on each chip that has them, have at the same bits.
template <Literal Name, Op First, Op... Others>
constexpr Field field_place() {
  static_assert(
      (detail::has_field(First, Name.view()) && ... && detail::has_field(Others, Name.view())),
      "instructions.def has no field of this name");
  constexpr Field kPlace = detail::first_field(First, Name.view());
  static_assert((detail::has_field_at(First, Name.view(), kPlace) && ... &&
                 detail::has_field_at(Others, Name.view(), kPlace)),
                "the field is not at the same bits everywhere: ask for it by chip");
  return kPlace;
}

/// The bits of such a field, shifted down, not sign-extended.
template <Literal Name, Op First, Op... Others>
[[gnu::always_inline]] constexpr std::uint32_t field(std::uint32_t word) {
  constexpr Field kPlace = field_place<Name, First, Others...>();
  constexpr std::uint32_t kMask = kPlace.mask();
  return (word & kMask) >> kPlace.low;
}

/// The bits of a field whose place depends on the chip.
template <Literal Name, Op O>
constexpr std::uint32_t field(Arch arch, std::uint32_t word) {
  static_assert(detail::has_field(O, Name.view()), "instructions.def has no field of this name");
  return with_chip(arch, [word]<Arch A>(Chip<A>) {
    constexpr Field kPlace = detail::field_on(A, O, Name.view());
    return kPlace.extract(word);
  });
}

/// What a name of modifiers.def adds to its field.
template <Op O, Literal Name>
requires(detail::has_one_value(O, Name.view())) inline constexpr std::uint8_t kMode =
    detail::first_mode(O, Name.view()).value;

/// Whether a modifier has the meaning of a name, the same on each chip that has the instruction.
template <Op O, Literal Name>
[[gnu::always_inline]] constexpr bool has_mode(unsigned modifier) {
  static_assert(detail::is_same_mode_everywhere(O, Name.view()),
                "modifiers.def has no such name for every chip: ask by chip");
  constexpr Modifier kNamed = detail::first_mode(O, Name.view());
  return (modifier & kNamed.mask) == kNamed.value;
}

/// Whether a modifier has the meaning of a name on a chip.
template <Op O, Literal Name>
constexpr bool has_mode(Arch arch, unsigned modifier) {
  static_assert(detail::has_one_value(O, Name.view()), "modifiers.def has no such name");
  constexpr std::span<const Modifier> kNames = modifiers(O);
  return std::ranges::any_of(kNames, [&](const Modifier& each) {
    return each.name == Name.view() && includes(each.chips, arch) && each.applies_to(modifier);
  });
}

} // namespace lanewise::isa
