// lanewise explain MNEMONIC and lanewise isa: what the instruction table says.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/in_quotes.h"
#include "chip/isa/explain.h"
#include "chip/isa/form_text.h"
#include "chip/isa/gnu_forms.h"
#include "chip/isa/row.h"
#include "cli/command.h"
#include "report/isa/json.h"
#include "report/table/table.h"

namespace lanewise::cli {

namespace {

/// The instruction of one of our names, or of the vendor's. Error: BadInput with similar names.
Expected<isa::Op> wanted_op(const std::string& mnemonic) {
  if (const auto op = isa::find_op(mnemonic)) return *op;
  for (const Arch arch : kEveryArch) {
    if (const auto op = isa::find_gnu_name(arch, mnemonic)) return *op;
  }
  std::string remedy = "'lanewise isa' lists the instructions";
  if (const auto near = isa::suggestions(mnemonic); !near.empty()) {
    remedy = fmt::format("did you mean {}?", fmt::join(near, ", "));
  }
  return bad_input(fmt::format("there is no instruction {}", in_quotes(mnemonic)), remedy);
}

ExitStatus explain(const std::string& mnemonic, bool json) {
  const auto op = wanted_op(mnemonic);
  if (!op) return fail(op.error());
  fmt::print("{}", json ? report::instruction_json(*op).dump(2) + "\n" : isa::explain(*op));
  return ExitStatus::Success;
}

std::string chips_text(isa::Chips chips) {
  return fmt::format("{}", fmt::join(isa::chip_names(chips), " "));
}

ExitStatus list(bool json) {
  if (json) {
    fmt::print("{}\n", report::isa_json().dump(2));
    return ExitStatus::Success;
  }
  report::Table table{.columns = {{}, {.gap = "   "}, {}, {}}};
  for (const isa::Row& row : isa::rows()) {
    table.rows.push_back({row.mnemonic, fmt::format("{:02X}", row.opcode), chips_text(row.chips),
                          isa::unit_name(row.unit)});
  }
  fmt::print("{}", report::table_text(table));
  return ExitStatus::Success;
}

/// How an instruction is written on some chips: one line for our form, one for the vendor's, one
/// for each that it had before.
struct WrittenForms {
  std::string chips, text;
};

WrittenForms written_forms(Arch arch, const isa::Row& row) {
  std::string text = isa::bare_form_text(arch, row) + "\n";
  for (const std::string& line : isa::gnu_form_lines(arch, row)) {
    text += fmt::format("            {}\n", line);
  }
  return {std::string(arch_params(arch).names.id), std::move(text)};
}

/// Our form and the vendor's of each instruction, or of one; for each chip where they differ.
ExitStatus list_forms(std::optional<isa::Op> op) {
  std::vector<WrittenForms> all;
  for (const isa::Row& row : isa::rows()) {
    for (const Arch arch : kEveryArch) {
      if (!isa::includes(row.chips, arch) || (op && row.op != *op)) continue;
      WrittenForms forms = written_forms(arch, row);
      if (!all.empty() && all.back().text == forms.text) {
        all.back().chips += " " + forms.chips;
      } else {
        all.push_back(std::move(forms));
      }
    }
  }
  for (const WrittenForms& each : all) fmt::print("{:<8}  {}", each.chips, each.text);
  return ExitStatus::Success;
}

ExitStatus list_forms_of(const std::string& mnemonic) {
  const auto op = wanted_op(mnemonic);
  return op ? list_forms(*op) : fail(op.error());
}

} // namespace

void add_explain(CommandLine& line) {
  const Command command =
      line.add_command("explain", "Explain an instruction: encoding, modes, operation, pitfalls");
  auto mnemonic = std::make_shared<std::string>();
  command.option("mnemonic", *mnemonic, "For instance SFPMAD, or TTI_SFPMAD")
      .value("MNEMONIC")
      .required();
  auto json = std::make_shared<bool>(false);
  command.flag("--json", *json, "The same as JSON");
  command.action([mnemonic, json] { return explain(*mnemonic, *json); });
}

void add_isa(CommandLine& line) {
  const Command command =
      line.add_command("isa", "List every Tensix instruction and the chips that have it");
  auto json = std::make_shared<bool>(false);
  const Option all =
      command.flag("--json", *json, "The whole table as JSON: fields, modifiers, latencies");
  auto forms = std::make_shared<bool>(false);
  command.flag("--forms", *forms,
               "How each is written: operands that may be left out, and the vendor's assembly");
  auto mnemonic = std::make_shared<std::string>();
  command.option("mnemonic", *mnemonic, "Only this one, as with --forms; for instance SFPMAD")
      .value("MNEMONIC")
      .excludes(all);
  command.action([json, forms, mnemonic] {
    if (!mnemonic->empty()) return list_forms_of(*mnemonic);
    return *forms ? list_forms(std::nullopt) : list(*json);
  });
}

} // namespace lanewise::cli
