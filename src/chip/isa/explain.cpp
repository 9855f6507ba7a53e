#include "chip/isa/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "base/near_names.h"
#include "chip/isa/documentation.h"
#include "chip/isa/form_text.h"
#include "chip/isa/modifiers.h"

namespace lanewise::isa {
namespace {

constexpr std::size_t kColumns = 100;

std::string_view unit_for_people(Unit unit) {
  switch (unit) {
    case Unit::FrontEnd: return "front end, before the Wait Gate";
    case Unit::Vector: return "Vector Unit (SFPU)";
    case Unit::Matrix: return "Matrix Unit (FPU)";
    case Unit::Unpacker: return "unpackers";
    case Unit::Packer: return "packers";
    case Unit::Scalar: return "Scalar Unit (ThCon)";
    case Unit::Sync: return "Sync Unit";
    case Unit::Configuration: return "Configuration Unit";
    case Unit::Mover: return "mover";
    case Unit::Miscellaneous: return "Miscellaneous Unit";
  }
  return {};
}

std::string_view role_for_people(Role role) {
  switch (role) {
    case Role::Read: return "register that is read";
    case Role::Write: return "register that is written";
    case Role::ReadWrite: return "register that is read and written";
    case Role::TemplateSelect: return "selects a macro template, or nothing";
    case Role::Modifier: return "modifier";
    case Role::AddrMod: return "ADDR_MOD section";
    case Role::Immediate: return "unsigned immediate";
    case Role::SignedImmediate: return "two's complement immediate";
    case Role::Switch: return "switch";
    case Role::Ignored: return "ignored";
    case Role::Extra: return "not an operand of the macro";
  }
  return {};
}

std::string chips_for_people(Chips chips) {
  std::string text;
  for (Arch arch : kEveryArch) {
    if (!includes(chips, arch)) continue;
    if (!text.empty()) text += ", ";
    text += arch_params(arch).names.full;
  }
  return text;
}

/// The chips of a row whose latencies no source gives.
std::string chips_without_clock(Chips chips) {
  std::string text;
  for (Arch arch : kEveryArch) {
    if (includes(chips, arch) && !arch_params(arch).has_clock) text += arch_params(arch).names.full;
  }
  return text;
}

/// The last space in columns 0..kColumns that is outside of brackets, so that rule tags stay whole.
std::size_t last_break(std::string_view line) {
  std::size_t found = std::string_view::npos;
  bool in_brackets = false;
  for (std::size_t column = 0; column < line.size() && column <= kColumns; ++column) {
    if (line[column] == '[') in_brackets = true;
    if (line[column] == ']') in_brackets = false;
    if (line[column] == ' ' && !in_brackets) found = column;
  }
  return found;
}

/// Appends a line, broken so that it ends within kColumns; `hanging` spaces begin the parts that
/// follow the first.
void append_wrapped(std::string& page, std::string_view line, std::size_t hanging) {
  std::string rest;
  while (line.size() > kColumns) {
    const std::size_t space = last_break(line);
    // A break must leave something after the indentation, or the line would not get shorter.
    if (space == std::string_view::npos || space <= line.find_first_not_of(' ')) break;
    page += line.substr(0, space);
    page += '\n';
    rest = std::string(hanging, ' ') + std::string(line.substr(space + 1));
    line = rest;
  }
  page += line;
  page += '\n';
}

void append_line(std::string& page, std::string_view line) {
  append_wrapped(page, line, 6);
}

/// Calls `visit` with each line of a text.
template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// "TTI_MVMUL(FlipSrcB:FlipSrcA, BroadcastSrcBRow, AddrMod, DstRow)": a colon joins the fields of
/// one operand.
std::string macro_signature(const Row& row) {
  std::string operands;
  bool joins_previous = false;
  for (const Field& field : row.fields()) {
    if (field.role == Role::Extra) continue;
    if (!operands.empty()) operands += joins_previous ? ":" : ", ";
    operands += field.name;
    joins_previous = field.joins_next;
  }
  // Where software has another spelling, its macros have that one.
  const auto alias = std::find_if(aliases().begin(), aliases().end(),
                                  [&](const Alias& each) { return each.op == row.op; });
  const std::string name =
      fmt::format("TTI_{}", alias == aliases().end() ? row.mnemonic : alias->name);
  return operands.empty() ? name : fmt::format("{}({})", name, operands);
}

/// "SFPABS VC, VD, Mod1": the operands of the bare form, which have no place for ignored fields.
std::string bare_form(const Row& row) {
  std::string text(row.mnemonic);
  std::string_view separator = " ";
  for (const Field& field : row.fields()) {
    if (field.role == Role::Extra || field.role == Role::Ignored) continue;
    text += separator;
    text += field.name;
    separator = ", ";
  }
  return text;
}

void append_vendors_lines(std::string& page, std::string_view chip,
                          const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    append_wrapped(page, fmt::format("  vendor's{}: {}", chip, line), 8);
  }
}

/// The vendor's forms of a row, for each chip where they differ.
void append_vendors_forms(std::string& page, const Row& row) {
  std::vector<Arch> chips(kEveryArch.begin(), kEveryArch.end());
  std::erase_if(chips, [&](const Arch arch) { return !includes(row.chips, arch); });
  const std::vector<std::string> lines = gnu_form_lines(chips.front(), row);
  const bool same = std::ranges::all_of(
      chips, [&](const Arch arch) { return gnu_form_lines(arch, row) == lines; });
  if (same) return append_vendors_lines(page, "", lines);
  for (const Arch arch : chips) {
    append_vendors_lines(page, fmt::format(" on {}", arch_params(arch).names.id),
                         gnu_form_lines(arch, row));
  }
}

void append_encoding(std::string& page, const Row& row) {
  append_line(page, fmt::format("Encoding on {}", chips_for_people(row.chips)));
  append_wrapped(page, fmt::format("  {}", bare_form(row)), 8);
  append_wrapped(page, fmt::format("  {}", macro_signature(row)), 8);
  append_vendors_forms(page, row);
  append_line(page, fmt::format("  31:24  opcode 0x{:02X}", row.opcode));
  std::vector<Field> fields(row.fields().begin(), row.fields().end());
  std::ranges::sort(fields, std::greater{}, &Field::high);
  std::size_t name_width = 0;
  for (const Field& field : fields) name_width = std::max(name_width, field.name.size());
  for (const Field& field : fields) {
    const std::string bits = field.high == field.low ? fmt::format("{}", field.high)
                                                     : fmt::format("{}:{}", field.high, field.low);
    append_line(page, fmt::format("  {:>5}  {:<{}}  {}", bits, field.name, name_width,
                                  role_for_people(field.role)));
  }
}

void append_modifiers(std::string& page, std::span<const Modifier> names, Chips chips) {
  if (names.empty()) return;
  append_line(page, "");
  append_line(page, "Modifiers");
  std::size_t width = 0;
  for (const Modifier& modifier : names) width = std::max(width, modifier.field.size());
  for (const Modifier& modifier : names) {
    std::string line = fmt::format("  {:<{}} & {:>2} = {:>2}  {}", modifier.field, width,
                                   modifier.mask, modifier.value, modifier.name);
    if (modifier.chips != chips) line += fmt::format(" ({})", chips_for_people(modifier.chips));
    append_line(page, line);
  }
}

void append_documentation(std::string& page, const Documentation& words, Unit unit) {
  if (!words.operation.empty()) {
    append_line(page, "");
    append_line(page, "Operation");
    for_each_line(words.operation,
                  [&](std::string_view line) { page += fmt::format("  {}\n", line); });
    if (unit == Unit::Vector) {
      append_line(
          page, "  (VA..VD: LRegs of the lane; s(x): x as two's complement; {a, b}: joined bits)");
    }
  }
  if (!words.notes.empty()) {
    append_line(page, "");
    append_line(page, "Notes");
    for_each_line(words.notes, [&](std::string_view line) {
      append_wrapped(page, fmt::format("  - {}", line), 4);
    });
  }
}

void append_grayskull(std::string& page, std::string_view notes) {
  if (notes.empty()) return;
  append_line(page, "");
  append_line(page, "On Grayskull (docs/grayskull.md)");
  for_each_line(
      notes, [&](std::string_view line) { append_wrapped(page, fmt::format("  - {}", line), 4); });
}

std::string latency_for_people(std::uint8_t latency) {
  if (latency == 0) return "not documented";
  return fmt::format("{} cycle{}", latency, latency == 1 ? "" : "s");
}

} // namespace

std::string explain(Op op) {
  std::vector<const Row*> variants;
  unsigned chip_bits = 0;
  for (const Row& row : rows()) {
    if (row.op != op) continue;
    variants.push_back(&row);
    chip_bits |= static_cast<unsigned>(row.chips);
  }
  const Row& row = *variants.front();
  const Chips chips = static_cast<Chips>(chip_bits);
  const Documentation& words = documentation(op);

  std::string page;
  append_line(page, fmt::format("{}: {}", row.mnemonic, words.summary));
  append_line(page, "");
  for (const Alias& alias : aliases()) {
    if (alias.op == op) append_line(page, fmt::format("also     {}", alias.name));
  }
  append_line(page, fmt::format("chips    {}", chips_for_people(chips)));
  std::string unit(unit_for_people(row.unit));
  if (row.sub_unit != SubUnit::None) {
    unit += fmt::format(", {} sub-unit", sub_unit_name(row.sub_unit));
  }
  append_line(page, fmt::format("unit     {}", unit));
  append_line(page, fmt::format("opcode   0x{:02X}", row.opcode));
  append_line(page, fmt::format("latency  {}", latency_for_people(row.latency)));
  if (const std::string unknown = chips_without_clock(chips); !unknown.empty() && row.latency != 0)
    append_line(page, fmt::format("         not documented on {}", unknown));
  for (const Row* variant : variants) {
    append_line(page, "");
    append_encoding(page, *variant);
  }
  append_modifiers(page, modifiers(op), chips);
  append_documentation(page, words, row.unit);
  append_grayskull(page, grayskull_notes(op));
  return page;
}

std::vector<std::string_view> suggestions(std::string_view mnemonic) {
  std::vector<std::string_view> names;
  names.reserve(rows().size() + aliases().size());
  for (const Row& row : rows()) names.push_back(row.mnemonic);
  for (const Alias& alias : aliases()) names.push_back(alias.name);
  return near_names(mnemonic, names);
}

} // namespace lanewise::isa
