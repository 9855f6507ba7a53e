// lanewise explain MNEMONIC and lanewise isa: what the instruction table says.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <vector>

#include "cli/command.h"
#include "isa/assembly/form_text.h"
#include "isa/explain.h"
#include "isa/row.h"
#include "report/isa/json.h"
#include "report/table/table.h"

namespace lanewise::cli {

namespace {

ExitStatus explain(const std::string& mnemonic) {
  const auto op = isa::find_op(mnemonic);
  if (op) {
    fmt::print("{}", isa::explain(*op));
    return ExitStatus::Success;
  }
  std::string remedy = "'lanewise isa' lists the instructions";
  if (const auto near = isa::suggestions(mnemonic); !near.empty()) {
    remedy = fmt::format("did you mean {}?", fmt::join(near, ", "));
  }
  return fail(bad_input(fmt::format("there is no instruction '{}'", mnemonic), remedy).value());
}

std::string_view chips_text(isa::Chips chips) {
  switch (chips) {
    case isa::Chips::BH: return "bh";
    case isa::Chips::WH: return "wh";
    case isa::Chips::BOTH: return "bh wh";
  }
  return "";
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

/// The syntaxes side by side: of each row, or of each chip where the vendor's orders differ.
ExitStatus list_forms() {
  report::Table table{.columns = {{}, {.gap = "   "}, {.gap = "   "}, {.gap = "   "}}};
  table.rows.push_back({"chips", "docs/assembly.md", "the vendor's", "the vendor's, older"});
  const auto add = [&](Arch arch, std::string_view chips, const isa::Row& row) {
    const std::string form = isa::gnu_form_text(arch, row);
    table.rows.push_back({chips, isa::bare_form_text(arch, row), form.empty() ? ".ttinsn" : form,
                          isa::older_gnu_forms_text(arch, row)});
  };
  for (const isa::Row& row : isa::rows()) {
    std::vector<Arch> chips;
    std::ranges::copy_if(kArchs, std::back_inserter(chips),
                         [&](Arch arch) { return isa::includes(row.chips, arch); });
    const bool same = std::ranges::all_of(chips, [&](Arch arch) {
      return isa::gnu_form_text(arch, row) == isa::gnu_form_text(chips.front(), row);
    });
    if (same) {
      add(chips.front(), chips_text(row.chips), row);
    } else {
      for (const Arch arch : chips) add(arch, arch_params(arch).name, row);
    }
  }
  fmt::print("{}", report::table_text(table));
  return ExitStatus::Success;
}

} // namespace

void add_explain(CommandLine& line) {
  const Command command =
      line.add_command("explain", "Explain an instruction: encoding, modes, operation, pitfalls");
  auto mnemonic = std::make_shared<std::string>();
  command.option("mnemonic", *mnemonic, "For instance SFPMAD, or TTI_SFPMAD").required();
  command.action([mnemonic] { return explain(*mnemonic); });
}

void add_isa(CommandLine& line) {
  const Command command = line.add_command("isa", "List every Tensix instruction of both chips");
  auto json = std::make_shared<bool>(false);
  command.flag("--json", *json, "The whole table as JSON: fields, modifiers, latencies");
  auto forms = std::make_shared<bool>(false);
  command.flag("--forms", *forms,
               "How each is written: operands that may be left out, and the vendor's assembly");
  command.action([json, forms] { return *forms ? list_forms() : list(*json); });
}

} // namespace lanewise::cli
