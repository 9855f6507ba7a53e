#include "chip/isa/disassembler.h"

#include <fmt/format.h>

#include "chip/isa/encoding.h"
#include "chip/isa/modifiers.h"

namespace lanewise::isa {
namespace {

/// Registers as registers, offsets as signed numbers, bit patterns in hexadecimal, the rest
/// plainly.
std::string operand_text(const Field& field, std::uint32_t word) {
  constexpr unsigned kBitPatternWidth = 16;
  const std::uint32_t value = field.extract(word);
  if (field.is_lreg()) return fmt::format("L{}", value);
  if (field.role == Role::SignedImmediate) {
    return fmt::format("{}", sign_extend(value, field.width()));
  }
  const bool is_mask = field.name.find("Mask") != std::string_view::npos && field.width() > 1;
  if (is_mask || field.width() >= kBitPatternWidth) return fmt::format("{:#x}", value);
  return fmt::format("{}", value);
}

} // namespace

std::string disassemble(Arch arch, std::uint32_t word) {
  const Decoded decoded = decode(arch, word);
  if (decoded.row == nullptr) return fmt::format(".word {:#010x}", word);
  std::string text(decoded.row->mnemonic);
  auto append = [&, separator = " "](const std::string& operand) mutable {
    text += separator + operand;
    separator = ", ";
  };
  for (const Field& field : decoded.row->fields()) {
    if (is_positional(field)) append(operand_text(field, word));
  }
  for (const Field& field : decoded.row->fields()) {
    if (is_positional(field) || field.extract(word) == 0) continue;
    append(fmt::format("{}={}", field.name, operand_text(field, word)));
  }
  if (const std::uint32_t stray = decoded.stray_bits(); stray != 0) {
    append(fmt::format("{}={:#x}", kRawOperand, stray));
  }
  return text;
}

std::string modifier_comment(Arch arch, std::uint32_t word) {
  return describe_modifiers(arch, word);
}

} // namespace lanewise::isa
