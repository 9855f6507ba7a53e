// What can be written at the cursor.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/characters.h"
#include "chip/isa/config.h"
#include "chip/isa/documentation.h"
#include "chip/isa/form_text.h"
#include "chip/isa/gnu_forms.h"
#include "chip/isa/modifiers.h"
#include "chip/isa/tile_program.h"
#include "editor/questions.h"
#include "editor/statements.h"
#include "source/assembly/assembler.h"
#include "source/assembly/kernel_macros.h"

namespace lanewise::editor {

namespace {

using nlohmann::json;

/// CompletionItemKind of the protocol.
enum class ItemKind : std::uint8_t {
  Function = 3,
  Field = 5,
  Variable = 6,
  Keyword = 14,
  EnumMember = 20,
  Constant = 21
};

/// Collects items that replace the word that is being written.
class Items {
 public:
  explicit Items(const Range& replaced) : replaced_(replaced) {}

  void add(std::string_view label, ItemKind kind, std::string_view detail,
           std::string_view written = {}) {
    if (!known_.emplace(label).second) return;
    items_.push_back(
        {{"label", label},
         {"kind", static_cast<int>(kind)},
         {"detail", detail},
         {"textEdit",
          {{"range", json_of(replaced_)}, {"newText", written.empty() ? label : written}}}});
  }
  void explain(std::string_view text) { items_.back()["documentation"] = text; }
  json take() { return std::move(items_); }

 private:
  Range replaced_;
  std::set<std::string, std::less<>> known_;
  json items_ = json::array();
};

/// The word in front of the cursor, with a dot or scopes that it has.
Range written_word(const Text& text, const Position& position) {
  const std::string_view line = text.line(position.line);
  const std::size_t behind = text.byte_of(position);
  std::size_t first = behind;
  while (first > 0 && (is_name_part(line[first - 1]) || line[first - 1] == ':')) --first;
  if (first > 0 && line[first - 1] == '.') --first;
  return text.range(position.line, first, behind);
}

/// The instruction that the cursor is in, and which of its operands.
struct Place {
  const isa::Row* row = nullptr;
  bool is_macro = false;
  std::size_t operand = 0;
  std::string_view field = {}; ///< that is named in front of '='
  std::string_view directive = {};
};

Place place_of(const std::vector<RoledToken>& tokens, const Text& text, const Position& start) {
  Place place;
  const std::size_t behind = text.byte_of(start);
  std::string_view last;
  for (const RoledToken& each : tokens) {
    const assembly::Token& token = each.token;
    if (token.line > start.line + 1) break;
    if (token.line == start.line + 1 && token.column - 1 >= behind) break;
    const bool begins = each.role == TokenRole::Mnemonic || each.role == TokenRole::Macro;
    if (begins) place = {.row = each.row, .is_macro = each.role == TokenRole::Macro};
    if (each.role == TokenRole::Directive) place = {.directive = token.text};
    if (each.row != place.row) place = {};
    if (token.is(",")) ++place.operand;
    place.field = token.is("=") ? last : std::string_view();
    last = token.text;
    // A statement of the bare form ends with its line.
    if (token.line != start.line + 1 && !place.is_macro) place = {};
  }
  return place;
}

void add_mnemonics(Items& items, Dialect dialect, Arch arch) {
  for (const isa::Row& row : isa::rows()) {
    if (!isa::includes(row.chips, arch)) continue;
    const isa::GnuForm* const form = isa::find_gnu_form(arch, row.op);
    if (dialect == Dialect::Vendors) {
      if (form == nullptr || form->name.empty()) continue;
      items.add(form->name, ItemKind::Function, isa::gnu_operand_names(arch, *form));
    } else {
      items.add(row.mnemonic, ItemKind::Function, isa::bare_form_text(arch, row));
    }
    items.explain(isa::documentation(row.op).summary);
  }
}

/// With empty parentheses behind those that have operands.
void add_macros(Items& items, Arch arch) {
  for (const isa::Row& row : isa::rows()) {
    if (!isa::includes(row.chips, arch)) continue;
    std::string operands;
    for (const assembly::MacroOperand& each : assembly::macro_operands(row))
      operands += (operands.empty() ? "" : ", ") + each.name;
    items.add(fmt::format("TTI_{}", row.mnemonic), ItemKind::Function, operands);
    items.explain(isa::documentation(row.op).summary);
  }
}

void add_directives(Items& items, Dialect dialect) {
  constexpr auto kOurs = std::to_array<std::string_view>(
      {".arch", ".cfg", ".endr", ".equ", ".mop", ".repeat", ".word"});
  if (dialect == Dialect::Vendors) return;
  for (const std::string_view name : kOurs) items.add(name, ItemKind::Keyword, "directive");
  for (const std::string_view name : assembly::kTileDirectives)
    items.add(name, ItemKind::Keyword, "directive of a tile's program");
}

void add_modes(Items& items, const isa::Row& row, std::string_view field, const Place& place,
               Arch arch) {
  for (const isa::Modifier& each : isa::modifiers(row.op)) {
    if (each.field != field || !isa::includes(each.chips, arch)) continue;
    // Kernels have no constant for each of them.
    const std::string written =
        place.is_macro ? fmt::format("{} /* {} */", each.value, each.name) : std::string();
    items.add(each.name, ItemKind::EnumMember,
              fmt::format("{} of {}: {}", each.field, row.mnemonic, each.value), written);
  }
}

void add_registers(Items& items, Dialect dialect) {
  constexpr unsigned kNamed = 16; // LReg[16] is for SFPLOADMACRO only
  for (unsigned i = 0; i < kNamed; ++i) {
    items.add(dialect == Dialect::Kernel ? fmt::format("p_sfpu::LREG{}", i) : fmt::format("L{}", i),
              ItemKind::Variable, fmt::format("LReg[{}]", i));
  }
}

/// What a field can hold.
void add_values(Items& items, const isa::Row& row, const isa::Field& field, const Place& place,
                Dialect dialect, Arch arch) {
  if (field.is_lreg() || field.role == isa::Role::TemplateSelect) add_registers(items, dialect);
  if (field.role == isa::Role::AddrMod) {
    for (unsigned i = 0; i < arch_params(arch).front_end.addr_mod_sections; ++i)
      items.add(fmt::format("ADDR_MOD_{}", i), ItemKind::EnumMember, "section");
  }
  add_modes(items, row, field.name, place, arch);
}

/// The fields that an operand fills: of a macro, several may be joined.
std::vector<const isa::Field*> operand_fields(const isa::Row& row, const Place& place) {
  std::vector<const isa::Field*> fields;
  std::size_t operand = 0;
  for (const isa::Field& field : row.fields()) {
    const bool counts = place.is_macro ? field.role != isa::Role::Extra : isa::is_positional(field);
    if (!counts) continue;
    if (operand == place.operand) fields.push_back(&field);
    if (!place.is_macro || !field.joins_next) ++operand;
  }
  return fields;
}

void add_operands(Items& items, const Place& place, Dialect dialect, Arch arch) {
  const isa::Row& row = *place.row;
  if (const isa::Field* const named = row.field(place.field))
    return add_values(items, row, *named, place, dialect, arch);
  for (const isa::Field* const field : operand_fields(row, place))
    add_values(items, row, *field, place, dialect, arch);
  if (place.is_macro || dialect == Dialect::Vendors) return;
  for (const isa::Field& field : row.fields()) {
    if (field.role != isa::Role::Extra)
      items.add(fmt::format("{}=", field.name), ItemKind::Field,
                fmt::format("bits {}:{}", field.high, field.low));
  }
}

void add_constants(Items& items, const std::vector<RoledToken>& tokens) {
  for (const RoledToken& each : tokens) {
    if (each.role == TokenRole::Constant) items.add(each.token.text, ItemKind::Constant, ".equ");
  }
}

void add_directive_operands(Items& items, std::string_view directive, Arch arch) {
  if (directive == ".cfg") {
    for (const isa::ConfigPlace& place : isa::kConfigFields) {
      if (place.exists(arch)) items.add(place.name, ItemKind::Field, "configuration");
    }
  }
  if (directive == ".thread") {
    for (const std::string_view name : kTileThreadNames)
      items.add(name, ItemKind::EnumMember, "thread");
  }
  if (directive == ".arch") {
    for (const Arch each : kArchs)
      items.add(arch_params(each).names.id, ItemKind::EnumMember, arch_params(each).names.full);
  }
}

} // namespace

json completion(const Document& document, Arch arch, const Position& position) {
  const Dialect dialect = dialect_of(document);
  const Range word = written_word(document.text, position);
  Items items(word);
  if (dialect == Dialect::Other || dialect == Dialect::Words) return items.take();
  const auto tokens = tokens_of(document, dialect, arch);
  const Place place = place_of(tokens, document.text, word.start);
  const std::string_view line = document.text.line(position.line);
  if (place.row != nullptr) {
    add_operands(items, place, dialect, arch);
    add_constants(items, tokens);
  } else if (!place.directive.empty()) {
    add_directive_operands(items, place.directive, arch);
    add_constants(items, tokens);
  } else if (dialect == Dialect::Kernel) {
    if (line.substr(document.text.byte_of(word.start)).starts_with("T")) add_macros(items, arch);
  } else {
    add_mnemonics(items, dialect, arch);
    add_directives(items, dialect);
    if (dialect != Dialect::Vendors) add_macros(items, arch);
  }
  return items.take();
}

} // namespace lanewise::editor
