#include "source/assembly/gnu_operands.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <system_error>

#include "base/in_quotes.h"
#include "chip/isa/encoding.h"
#include "chip/isa/registers.h"
#include "source/assembly/gnu.h"
#include "source/assembly/lexer.h"

namespace lanewise::assembly {
namespace {

using isa::GnuOperandKind;

constexpr unsigned kMostGnuLRegs = 16;
constexpr unsigned kMacroLRegs = 8;

/// What an operand puts into the word; nothing, and why, if the text is not one of its kind.
std::optional<std::uint32_t> lreg_bits(const isa::GnuOperand& operand, std::string_view text,
                                       std::string& why) {
  const bool is_macro = operand.kind == GnuOperandKind::MacroLReg;
  const auto number = text.starts_with("L") && !text.starts_with("LREG")
                          ? isa::register_number(text)
                          : std::nullopt;
  if (!number || *number >= (is_macro ? kMacroLRegs : kMostGnuLRegs)) {
    why = fmt::format("{} is not a register from L0 to L{}", in_quotes(text),
                      (is_macro ? kMacroLRegs : kMostGnuLRegs) - 1);
    return std::nullopt;
  }
  if (is_macro) return (*number & 3U) << operand.low | *number >> 2;
  return *number << operand.low;
}

bool may_be_negative(GnuOperandKind kind) {
  switch (kind) {
    case GnuOperandKind::Signed:
    case GnuOperandKind::Decimal:
    case GnuOperandKind::Hex:
    case GnuOperandKind::MacroOffset: return true;
    case GnuOperandKind::LReg:
    case GnuOperandKind::Unsigned:
    case GnuOperandKind::MacroLReg: return false;
  }
  return false;
}

std::optional<std::uint32_t> number_bits(const isa::GnuOperand& operand, std::string_view text,
                                         std::string& why) {
  const auto value = gnu_number(text);
  const std::int64_t end = std::int64_t{1} << operand.width();
  const std::int64_t least = may_be_negative(operand.kind) ? -(end >> 1) : 0;
  if (!value) {
    why = fmt::format("{} is not a number", in_quotes(text));
    return std::nullopt;
  }
  if (*value < least || *value >= end) {
    why = fmt::format("{} is not within {} to {}", *value, least, end - 1);
    return std::nullopt;
  }
  return (static_cast<std::uint32_t>(*value) << operand.low) & operand.mask();
}

std::optional<std::uint32_t> operand_bits(const isa::GnuOperand& operand, std::string_view text,
                                          std::string& why) {
  const bool is_register =
      operand.kind == GnuOperandKind::LReg || operand.kind == GnuOperandKind::MacroLReg;
  return is_register ? lreg_bits(operand, text, why) : number_bits(operand, text, why);
}

std::optional<std::uint32_t> word_in_form(Arch arch, const isa::GnuForm& form,
                                          std::span<const std::string_view> operands,
                                          std::string& why) {
  if (operands.size() != form.operand_count) {
    why = fmt::format("{} has {} operands, not {}", form.name, form.operand_count, operands.size());
    return std::nullopt;
  }
  std::uint32_t word =
      static_cast<std::uint32_t>(isa::find_row(arch, form.op)->opcode) << 24 | form.fixed;
  std::uint32_t decided = 0;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const isa::GnuOperand& operand = form.operands()[i];
    const auto bits = operand_bits(operand, operands[i], why);
    if (!bits) return std::nullopt;
    const std::uint32_t shared = decided & operand.mask();
    if (operand.kind == GnuOperandKind::MacroOffset && (word & shared) != (*bits & shared)) {
      why =
          fmt::format("bit 0 of {} must be bit 2 of the register's number", in_quotes(operands[i]));
      return std::nullopt;
    }
    // Operands of UNPACR on Wormhole overlap in binutils, where the later one decides.
    word = (word & ~operand.mask()) | *bits;
    decided |= operand.mask();
  }
  return word;
}

std::string operand_text(const isa::GnuOperand& operand, std::uint32_t word) {
  const std::uint32_t value = isa::gnu_operand_value(operand, word);
  switch (operand.kind) {
    case GnuOperandKind::LReg:
    case GnuOperandKind::MacroLReg: return fmt::format("L{}", value);
    case GnuOperandKind::Unsigned:
    case GnuOperandKind::Signed:
    case GnuOperandKind::MacroOffset: return fmt::format("{}", value);
    case GnuOperandKind::Decimal:
      return fmt::format("{}", isa::sign_extend(value, operand.width()));
    case GnuOperandKind::Hex: return fmt::format("0x{:03X}", value);
  }
  return {};
}

} // namespace

std::optional<std::int64_t> gnu_number(std::string_view text) {
  const bool negative = text.starts_with("-");
  if (negative || text.starts_with("+")) text.remove_prefix(1);
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) base = 16;
  if (text.starts_with("0b") || text.starts_with("0B")) base = 2;
  if (base != 10) {
    text.remove_prefix(2);
  } else if (text.size() > 1 && text.front() == '0') {
    base = 8;
  }
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
}

std::vector<GnuReading> read_gnu_operands(Arch arch, isa::Op op,
                                          std::span<const std::string_view> operands,
                                          std::string& why) {
  std::vector<GnuReading> readings;
  for (const isa::GnuForm& form : isa::gnu_forms(op)) {
    if (form.name.empty() || !isa::includes(form.chips, arch)) continue;
    std::string reason;
    if (const auto word = word_in_form(arch, form, operands, reason)) {
      readings.push_back({*word, &form});
    } else if (why.empty()) {
      why = std::move(reason);
    }
  }
  return readings;
}

std::string gnu_line(Arch arch, std::uint32_t word) {
  const isa::Decoded decoded = isa::decode(arch, word);
  const isa::GnuForm* form =
      decoded.row == nullptr ? nullptr : isa::find_gnu_form(arch, decoded.row->op);
  const std::uint32_t operand_bits = word & 0x00FFFFFFU;
  if (form == nullptr || (operand_bits & ~form->covered_bits()) != form->fixed) {
    return fmt::format(".ttinsn\t{:#010x}", word);
  }
  std::string text(form->name);
  char separator = '\t';
  for (const isa::GnuOperand& each : form->operands()) {
    text += separator + operand_text(each, word);
    separator = ',';
  }
  return text;
}

} // namespace lanewise::assembly
