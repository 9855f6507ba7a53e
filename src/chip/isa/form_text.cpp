#include "chip/isa/form_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "chip/isa/gnu_forms.h"
#include "chip/isa/operand_defaults.h"

namespace lanewise::isa {
namespace {

/// Modes of up to four bits are all tried.
constexpr std::uint32_t kTriedModes = 16;

enum class Need : std::uint8_t { Never, Sometimes, Always };

/// Whether the bare form of a word needs the field, when all others are there.
bool is_needed(Arch arch, const Row& row, const Field& field, std::uint32_t word) {
  const auto missing = missing_operand(arch, word, row.covered_bits() & ~field.mask());
  return missing && missing->name == field.name;
}

Need need_of(Arch arch, const Row& row, const Field& field) {
  const auto mode = std::ranges::find(row.fields(), Role::Modifier, &Field::role);
  const std::uint32_t opcode = static_cast<std::uint32_t>(row.opcode) << 24;
  unsigned needed = 0;
  for (std::uint32_t value = 0; value < kTriedModes; ++value) {
    const std::uint32_t word = mode == row.fields().end() ? opcode : opcode | mode->insert(value);
    needed += is_needed(arch, row, field, word) ? 1U : 0U;
  }
  if (needed == 0) return Need::Never;
  return needed == kTriedModes ? Need::Always : Need::Sometimes;
}

std::string operand_text(Arch arch, const Row& row, const Field& field) {
  switch (need_of(arch, row, field)) {
    case Need::Never: return fmt::format("[{}]", field.name);
    case Need::Sometimes: return fmt::format("[{}]*", field.name);
    case Need::Always: return std::string(field.name);
  }
  return {};
}

std::string form_text(Arch arch, const GnuForm& form) {
  const std::string operands = gnu_operand_names(arch, form);
  return operands.empty() ? std::string(form.name) : fmt::format("{} {}", form.name, operands);
}

} // namespace

std::string bare_form_text(Arch arch, const Row& row) {
  std::string text(row.mnemonic);
  std::string_view separator = " ";
  for (const Field& field : row.fields()) {
    if (!is_positional(field)) continue;
    text += fmt::format("{}{}", separator, operand_text(arch, row, field));
    separator = ", ";
  }
  return text;
}

std::vector<std::string> gnu_form_lines(Arch arch, const Row& row) {
  std::vector<std::string> lines;
  const std::string_view absence = gnu_form_absence(arch, row.op);
  if (!absence.empty()) lines.push_back(fmt::format(".ttinsn WORD ({})", absence));
  for (const GnuForm& form : gnu_forms(row.op)) {
    if (form.name.empty() || !includes(form.chips, arch)) continue;
    lines.push_back(fmt::format("{}{}", form.older ? "older: " : "", form_text(arch, form)));
  }
  return lines;
}

} // namespace lanewise::isa
