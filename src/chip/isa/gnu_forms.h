// How the vendor's assembler writes each instruction: the forms of chip/isa/instructions.def.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "chip/isa/row.h"

namespace lanewise::isa {

enum class GnuOperandKind : std::uint8_t {
  LReg,
  Unsigned,   ///< decimal
  Signed,     ///< may be negative; objdump prints it unsigned
  Decimal,    ///< may be negative, and objdump prints it so
  Hex,        ///< may be negative; printed as 0x and three digits
  MacroLReg,  ///< of SFPLOADMACRO: its bit 2 is bit 0 of the word
  MacroOffset ///< of SFPLOADMACRO: its bit 0 is that bit, too
};

/// An operand at bits high..low of the word.
struct GnuOperand {
  GnuOperandKind kind = GnuOperandKind::Unsigned;
  std::uint8_t high = 0, low = 0;

  constexpr unsigned width() const { return high - low + 1U; }
  /// The bits of a word that the operand decides.
  constexpr std::uint32_t mask() const {
    const std::uint32_t here = ((1U << width()) - 1) << low;
    return kind == GnuOperandKind::MacroLReg ? here | 1U : here;
  }
};

/// UNPACR has 13.
inline constexpr std::size_t kMostGnuOperands = 13;

struct GnuForm {
  Op op;
  Chips chips;
  bool older;               ///< of a binutils before 2026-08; read, but not written
  std::string_view name;    ///< in lower case; empty: binutils of today has no form
  std::string_view absence; ///< why it has none; empty where it has one
  std::uint32_t fixed;      ///< bits 23:0 that are set without an operand
  std::array<GnuOperand, kMostGnuOperands> operand_storage = {};
  std::size_t operand_count = 0;

  constexpr std::span<const GnuOperand> operands() const {
    return std::span(operand_storage).first(operand_count);
  }
  /// The bits of a word that operands decide.
  constexpr std::uint32_t covered_bits() const {
    std::uint32_t covered = 0;
    for (const GnuOperand& each : operands()) covered |= each.mask();
    return covered;
  }
};

/// Every form, in the order of chip/isa/instructions.def.
std::span<const GnuForm> gnu_forms();

/// The forms of an instruction on both chips, that of today first; one with an empty name where a
/// chip has none.
std::span<const GnuForm> gnu_forms(Op op);

/// How binutils writes an instruction of a chip today; nullptr where it has no form.
const GnuForm* find_gnu_form(Arch arch, Op op);

/// Why binutils of today has no form for an instruction of a chip; empty where it has one, or where
/// the chip lacks the instruction.
std::string_view gnu_form_absence(Arch arch, Op op);

/// The instruction that has the name in a form of a chip, in any case, older forms included.
std::optional<Op> find_gnu_name(Arch arch, std::string_view name);

/// The bits of an operand in a word, as a number that is not negative.
std::uint32_t gnu_operand_value(const GnuOperand& operand, std::uint32_t word);

/// What the operands of a form are called, in its order: the fields of the chip's row at their
/// bits, joined by + where there are several; "bits 15:12" where there is none.
std::string gnu_operand_names(Arch arch, const GnuForm& form);

} // namespace lanewise::isa
