#include "report/number/report.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "report/number/facts.h"
#include "report/table/table.h"

namespace lanewise::report {

namespace {

using formats::NumberArgument;
using formats::NumberForm;

constexpr std::size_t kIndent = 2;

/// Indented, with a column for each heading.
Table indented_table(std::initializer_list<const char*> headings) {
  return {.columns = table_columns(headings), .indent = kIndent};
}

std::string warning_lines(const std::vector<std::string>& warnings) {
  std::string text;
  for (const std::string& warning : warnings) text += "  ! " + warning + "\n";
  return text;
}

/// In hexadecimal, as wide as the form.
std::string hexadecimal(NumberForm form, std::uint32_t pattern) {
  return fmt::format("{:0{}X}", pattern, (formats::form_width(form) + 3) / 4);
}

std::string exponent_text(const formats::FormFields& fields) {
  const std::string bits =
      fmt::format("{:0{}b} {:>3}", fields.exponent, fields.exponent_bits, fields.exponent);
  return fields.power ? fmt::format("{}  2^{}", bits, *fields.power) : bits;
}

TableRow field_cells(NumberForm form, std::uint32_t pattern) {
  const formats::FormFields fields = formats::form_fields(form, pattern);
  return {hexadecimal(form, pattern), std::to_string(fields.sign), exponent_text(fields),
          fmt::format("{:0{}b}", fields.mantissa, fields.mantissa_bits)};
}

/// Three places for what is small, fewer for what only tells how far off it is.
std::string error_text(const std::optional<double>& ulps) {
  if (!ulps) return "-";
  if (*ulps == 0) return "exact";
  const double size = std::abs(*ulps);
  return size >= 0.001 && size < 10 ? fmt::format("{:+.3f}", *ulps) : fmt::format("{:+.3g}", *ulps);
}

void add_pattern(Table& table, NumberForm form, std::string_view how,
                 const std::optional<formats::FormPattern>& pattern) {
  TableRow row{formats::form_name(form), how};
  if (!pattern) {
    row.insert(row.end(), {"none", "", "", "", "", ""});
  } else {
    const TableRow cells = field_cells(form, pattern->pattern);
    row.insert(row.end(), cells.begin(), cells.end());
    row.emplace_back(fmt::format("{}", pattern->value));
    row.emplace_back(error_text(pattern->ulps));
  }
  table.rows.push_back(std::move(row));
}

std::string pattern_section(double number) {
  Table table = indented_table(
      {"form", "how", "bits", "sign", "exponent", "mantissa", "number", "error in ULP"});
  for (const NumberForm form : formats::kNumberForms) {
    const auto cut = formats::cut_to_form(form, number);
    const auto nearest = formats::round_to_form(form, number);
    if (cut && nearest && cut->pattern == nearest->pattern) {
      add_pattern(table, form, "both", cut);
    } else if (!cut && !nearest) {
      add_pattern(table, form, "both", std::nullopt);
    } else {
      add_pattern(table, form, "cut", cut);
      add_pattern(table, form, "nearest", nearest);
    }
  }
  return "Formats: the rest of the mantissa cut off, and to nearest\n" + table_text(table);
}

std::string tool_section(const NumberArgument& argument) {
  const std::uint32_t bits = argument.bits;
  const formats::ToolPatterns tool = formats::tool_patterns(bits);
  const auto pattern = [](std::uint32_t value, int digits) {
    return fmt::format("0x{:0{}X}", value, digits);
  };
  const bool has_fp8 = tool.fp8 != formats::kToolBadFp8;
  Table table = indented_table({"", "", "", ""});
  table.rows = {{"fp16a", pattern(tool.fp16a, 4), std::to_string(tool.fp16a), ""},
                {"fp16b", pattern(tool.fp16b, 4), std::to_string(tool.fp16b), ""},
                {"fp8", pattern(tool.fp8, 2), has_fp8 ? std::to_string(tool.fp8) : "", ""},
                {"fp32", pattern(bits, 8), std::to_string(bits),
                 fmt::format("halves {} and {}", bits >> 16, bits & 0xFFFF)}};
  return "As fp16c\n" + table_text(table) + warning_lines(number_warnings(argument));
}

std::string load_section(const NumberArgument& argument) {
  Table table = indented_table({"SFPLOADI", "loads", "number", "assembly", "in a kernel"});
  for (const LoadFact& fact : load_facts(argument)) {
    const double value = formats::form_value(NumberForm::Fp32, fact.loaded);
    table.rows.push_back({fact.modes, fmt::format("{:08X}", fact.loaded), fmt::format("{}", value),
                          fact.assembly[0], fact.macros[0]});
    for (std::size_t i = 1; i < fact.assembly.size(); ++i)
      table.rows.push_back({"", "", "", fact.assembly[i], fact.macros[i]});
  }
  return "Into an LReg\n" + table_text(table);
}

std::string dst_section(double number) {
  Table table = indented_table({"format", "stored", "field by field", "holds"});
  for (const DstFact& fact : dst_facts(number)) {
    table.rows.push_back(
        {formats::format_name(fact.format),
         fmt::format("{:0{}X}", fact.stored, formats::is_32bit(fact.format) ? 8 : 4), fact.cells,
         fmt::format("{}", fact.holds)});
  }
  return "In Dst\n" + table_text(table);
}

std::string number_head(const NumberReport& report) {
  const NumberArgument& argument = report.argument;
  const std::string fp32 = fmt::format("fp32 {:08X}", argument.bits);
  if (report.meaning.empty()) {
    const double nearest = formats::form_value(NumberForm::Fp32, argument.bits);
    return fmt::format("{}: {} = {}\n", report.text, fp32, nearest);
  }
  return fmt::format("{} {}: {}, {}\n", report.text, report.meaning, argument.number, fp32);
}

std::string pattern_text(const NumberReport& report) {
  const std::uint32_t pattern = report.argument.bits;
  const formats::ToolValues tool = formats::tool_values(pattern);
  const auto number = [](std::uint32_t bits) {
    return fmt::format("{:.12f}", std::bit_cast<float>(bits));
  };
  Table values = indented_table({"", ""});
  values.rows = {
      {"fp16a", number(tool.fp16a)}, {"fp16b", number(tool.fp16b)}, {"fp8", number(tool.fp8)}};
  Table reads =
      indented_table({"read by", "as", "bits", "sign", "exponent", "mantissa", "number", "fp32"});
  for (const ReadFact& fact : read_facts(pattern)) {
    TableRow row{fact.reader, formats::form_name(fact.form)};
    const TableRow cells = field_cells(fact.form, pattern);
    row.insert(row.end(), cells.begin(), cells.end());
    row.emplace_back(fmt::format("{}", fact.value));
    row.emplace_back(fmt::format("{:08X}", fact.fp32));
    reads.rows.push_back(std::move(row));
  }
  return fmt::format("{}: {:04X}, a pattern of 16 bits\n\nAs fp16c\n{}{}\nOn the chip\n{}",
                     report.text, pattern, table_text(values),
                     warning_lines(pattern_warnings(pattern)), table_text(reads));
}

} // namespace

std::string number_text(const NumberReport& report) {
  const NumberArgument& argument = report.argument;
  if (argument.kind == NumberArgument::Kind::Pattern) return pattern_text(report);
  return fmt::format("{}\n{}\n{}\n{}\n{}", number_head(report), tool_section(argument),
                     pattern_section(argument.number), load_section(argument),
                     dst_section(argument.number));
}

} // namespace lanewise::report
