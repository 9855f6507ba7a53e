#include "isa/assembly/gnu_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "isa/table.h"

namespace lanewise::isa {
namespace {

constexpr GnuForm make_form(Op op, Chips chips, bool older, std::string_view name,
                            std::uint32_t fixed, std::initializer_list<GnuOperand> operands) {
  GnuForm form{op, chips, older, name, fixed, {}, operands.size()};
  std::copy(operands.begin(), operands.end(), form.operand_storage.begin());
  return form;
}

// Operands of the forms in instructions.def.
#define L(high, low) GnuOperand{GnuOperandKind::LReg, high, low},
#define U(high, low) GnuOperand{GnuOperandKind::Unsigned, high, low},
#define S(high, low) GnuOperand{GnuOperandKind::Signed, high, low},
#define D(high, low) GnuOperand{GnuOperandKind::Decimal, high, low},
#define H(high, low) GnuOperand{GnuOperandKind::Hex, high, low},
#define MR(high, low) GnuOperand{GnuOperandKind::MacroLReg, high, low},
#define MO(high, low) GnuOperand{GnuOperandKind::MacroOffset, high, low},
#define INSTRUCTION(...)
#define VARIANT(...)
#define ALIAS(...)
#define VENDOR_FORM(mnemonic, chips, name, fixed, ...) \
  make_form(Op::mnemonic, Chips::chips, false, #name, fixed, {__VA_ARGS__}),
#define OLDER_FORM(mnemonic, chips, name, fixed, ...) \
  make_form(Op::mnemonic, Chips::chips, true, #name, fixed, {__VA_ARGS__}),
#define NO_VENDOR_FORM(mnemonic, chips) make_form(Op::mnemonic, Chips::chips, false, "", 0, {}),

constexpr auto kForms = std::to_array<GnuForm>({
#include "isa/instructions.def"
});

#undef NO_VENDOR_FORM
#undef OLDER_FORM
#undef VENDOR_FORM
#undef ALIAS
#undef VARIANT
#undef INSTRUCTION
#undef MO
#undef MR
#undef H
#undef D
#undef S
#undef U
#undef L

constexpr std::uint32_t kOperandBits = 0x00FFFFFF;

/// Whether each row has, on each of its chips, one form of today or is said to have none.
constexpr bool every_row_has_a_form() {
  std::array<unsigned, static_cast<std::size_t>(kTable.back().op) + 1> bits{};
  for (const GnuForm& form : kForms) {
    if (form.older) continue;
    unsigned& of_op = bits[static_cast<std::size_t>(form.op)];
    if ((of_op & static_cast<unsigned>(form.chips)) != 0) return false;
    of_op |= static_cast<unsigned>(form.chips);
  }
  for (const Row& row : kTable) {
    const unsigned chips = static_cast<unsigned>(row.chips);
    if ((bits[static_cast<std::size_t>(row.op)] & chips) != chips) return false;
  }
  return true;
}
static_assert(every_row_has_a_form(),
              "instructions.def must have a VENDOR_FORM or a NO_VENDOR_FORM for each row and chip");

constexpr bool every_form_fits_the_word() {
  for (const GnuForm& form : kForms) {
    const std::uint32_t covered = form.covered_bits();
    if (((covered | form.fixed) & ~kOperandBits) != 0 || (form.fixed & covered) != 0) return false;
  }
  return true;
}
static_assert(every_form_fits_the_word(), "a vendor's form reaches into the opcode or fixed bits");

constexpr char lower_case(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string operand_name(const Row& row, const GnuOperand& operand) {
  std::string names;
  for (const Field& field : row.fields()) {
    if ((field.mask() & operand.mask()) == 0) continue;
    names += fmt::format("{}{}", names.empty() ? "" : "+", field.name);
  }
  return names.empty() ? fmt::format("bits {}:{}", operand.high, operand.low) : names;
}

} // namespace

std::span<const GnuForm> gnu_forms() {
  return kForms;
}

const GnuForm* find_gnu_form(Arch arch, Op op) {
  const auto found = std::ranges::find_if(kForms, [&](const GnuForm& form) {
    return form.op == op && !form.older && includes(form.chips, arch) && !form.name.empty();
  });
  return found == kForms.end() ? nullptr : &*found;
}

std::optional<Op> find_gnu_name(Arch arch, std::string_view name) {
  const auto found = std::ranges::find_if(kForms, [&](const GnuForm& form) {
    return includes(form.chips, arch) && !form.name.empty() &&
           std::ranges::equal(form.name, name, {}, {}, lower_case);
  });
  return found == kForms.end() ? std::nullopt : std::optional(found->op);
}

std::uint32_t gnu_operand_value(const GnuOperand& operand, std::uint32_t word) {
  const std::uint32_t here = (word >> operand.low) & ((1U << operand.width()) - 1);
  return operand.kind == GnuOperandKind::MacroLReg ? here | (word & 1U) << 2 : here;
}

std::string gnu_operand_names(Arch arch, const GnuForm& form) {
  const Row* row = find_row(arch, form.op);
  std::string names;
  for (const GnuOperand& each : form.operands()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", operand_name(*row, each));
  }
  return names;
}

} // namespace lanewise::isa
