#include "chip/isa/gnu_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "chip/isa/table.h"

namespace lanewise::isa {
namespace {

constexpr GnuForm make_form(Op op, Chips chips, bool older, std::string_view name,
                            std::uint32_t fixed, std::initializer_list<GnuOperand> operands) {
  GnuForm form{op, chips, older, name, {}, fixed, {}, operands.size()};
  std::copy(operands.begin(), operands.end(), form.operand_storage.begin());
  return form;
}

constexpr GnuForm make_absence(Op op, Chips chips, std::string_view reason) {
  return {op, chips, false, {}, reason, 0, {}, 0};
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
#define NO_VENDOR_FORM(mnemonic, chips, reason) make_absence(Op::mnemonic, Chips::chips, reason),

constexpr auto kForms = std::to_array<GnuForm>({
#include "chip/isa/instructions.def"
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

constexpr std::size_t kOps = static_cast<std::size_t>(kTable.back().op) + 1;

constexpr std::size_t index_of(Op op) {
  return static_cast<std::size_t>(op);
}

/// Whether each row has, on each of its chips, one form of today or is said to have none.
constexpr bool every_row_has_a_form() {
  std::array<unsigned, kOps> bits{};
  for (const GnuForm& form : kForms) {
    if (form.older) continue;
    if (form.name.empty() != !form.absence.empty()) return false;
    unsigned& of_op = bits[index_of(form.op)];
    if ((of_op & static_cast<unsigned>(form.chips)) != 0) return false;
    of_op |= static_cast<unsigned>(form.chips);
  }
  for (const Row& row : kTable) {
    const unsigned chips = static_cast<unsigned>(row.chips);
    if ((bits[index_of(row.op)] & chips) != chips) return false;
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

/// Where the forms of an instruction stand in kForms.
struct FormRange {
  std::uint16_t first = 0, count = 0;
};

/// The forms of each instruction; none of them if those of one do not stand together.
constexpr std::array<FormRange, kOps> ranges_of_ops() {
  std::array<FormRange, kOps> ranges{};
  for (std::size_t i = 0; i < kForms.size(); ++i) {
    FormRange& range = ranges[index_of(kForms[i].op)];
    if (range.count == 0) range.first = static_cast<std::uint16_t>(i);
    if (range.first + range.count != i) return {};
    ++range.count;
  }
  return ranges;
}
constexpr std::array<FormRange, kOps> kRanges = ranges_of_ops();
static_assert(kRanges[index_of(kForms.back().op)].count != 0,
              "the forms of an instruction must stand one behind the other");

/// The forms in the order of their names, those of one name as they stand in kForms.
constexpr std::array<std::uint16_t, kForms.size()> order_of_names() {
  std::array<std::uint16_t, kForms.size()> order{};
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint16_t>(i);
  std::sort(order.begin(), order.end(), [](std::uint16_t a, std::uint16_t b) {
    const int names = kForms[a].name.compare(kForms[b].name);
    return names != 0 ? names < 0 : a < b;
  });
  return order;
}
constexpr std::array<std::uint16_t, kForms.size()> kByName = order_of_names();

/// The longest name of a form.
constexpr std::size_t longest_name() {
  std::size_t longest = 0;
  for (const GnuForm& form : kForms) longest = std::max(longest, form.name.size());
  return longest;
}

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

std::span<const GnuForm> gnu_forms(Op op) {
  const FormRange range = kRanges[index_of(op)];
  return std::span(kForms).subspan(range.first, range.count);
}

const GnuForm* find_gnu_form(Arch arch, Op op) {
  const std::span<const GnuForm> forms = gnu_forms(op);
  const auto found = std::ranges::find_if(forms, [&](const GnuForm& form) {
    return !form.older && includes(form.chips, arch) && !form.name.empty();
  });
  return found == forms.end() ? nullptr : &*found;
}

std::string_view gnu_form_absence(Arch arch, Op op) {
  for (const GnuForm& form : gnu_forms(op)) {
    if (includes(form.chips, arch) && !form.absence.empty()) return form.absence;
  }
  return {};
}

std::optional<Op> find_gnu_name(Arch arch, std::string_view name) {
  std::array<char, longest_name()> folded{};
  if (name.empty() || name.size() > folded.size()) return std::nullopt;
  std::ranges::transform(name, folded.begin(), lower_case);
  const std::string_view wanted(folded.data(), name.size());
  const auto name_of = [](std::uint16_t index) { return kForms[index].name; };
  const auto* each = std::ranges::lower_bound(kByName, wanted, {}, name_of);
  for (; each != kByName.end() && name_of(*each) == wanted; ++each) {
    if (includes(kForms[*each].chips, arch)) return kForms[*each].op;
  }
  return std::nullopt;
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
