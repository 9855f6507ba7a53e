#include "isa/table.h"

namespace lanewise::isa {
namespace {

constexpr char to_upper(char letter) {
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

bool equal_ignoring_case(std::string_view left, std::string_view right) {
  return std::ranges::equal(left, right, {}, to_upper, to_upper);
}

/// The mnemonic inside the name of a kernel macro ("TTI_SFPMAD", "TT_OP_SFPMAD").
std::string_view without_macro_prefix(std::string_view name) {
  for (std::string_view prefix : {"TT_OP_", "TTI_", "TT_"}) {
    if (equal_ignoring_case(name.substr(0, prefix.size()), prefix)) {
      return name.substr(prefix.size());
    }
  }
  return name;
}

} // namespace

std::string_view unit_name(Unit unit) {
  switch (unit) {
    case Unit::FrontEnd: return "FrontEnd";
    case Unit::Vector: return "Vector";
    case Unit::Matrix: return "Matrix";
    case Unit::Unpacker: return "Unpacker";
    case Unit::Packer: return "Packer";
    case Unit::Scalar: return "Scalar";
    case Unit::Sync: return "Sync";
    case Unit::Configuration: return "Configuration";
    case Unit::Mover: return "Mover";
    case Unit::Miscellaneous: return "Miscellaneous";
  }
  return {};
}

std::string_view sub_unit_name(SubUnit sub_unit) {
  switch (sub_unit) {
    case SubUnit::None: return "None";
    case SubUnit::Load: return "Load";
    case SubUnit::Simple: return "Simple";
    case SubUnit::Mad: return "Mad";
    case SubUnit::Round: return "Round";
    case SubUnit::Store: return "Store";
  }
  return {};
}

std::vector<std::string_view> chip_names(Chips chips) {
  std::vector<std::string_view> names;
  for (const Arch arch : kArchs) {
    if (includes(chips, arch)) names.push_back(arch_params(arch).name);
  }
  return names;
}

std::string_view role_name(Role role) {
  switch (role) {
    case Role::Read: return "Read";
    case Role::Write: return "Write";
    case Role::ReadWrite: return "ReadWrite";
    case Role::TemplateSelect: return "TemplateSelect";
    case Role::Modifier: return "Modifier";
    case Role::AddrMod: return "AddrMod";
    case Role::Immediate: return "Immediate";
    case Role::SignedImmediate: return "SignedImmediate";
    case Role::Switch: return "Switch";
    case Role::Ignored: return "Ignored";
    case Role::Extra: return "Extra";
  }
  return {};
}

std::optional<Op> find_op(std::string_view mnemonic) {
  mnemonic = without_macro_prefix(mnemonic);
  for (const Row& row : kTable) {
    if (equal_ignoring_case(row.mnemonic, mnemonic)) return row.op;
  }
  for (const Alias& alias : kAliases) {
    if (equal_ignoring_case(alias.name, mnemonic)) return alias.op;
  }
  return std::nullopt;
}

const Row* find_row(Arch arch, std::string_view mnemonic) {
  const std::optional<Op> op = find_op(mnemonic);
  return op ? find_row(arch, *op) : nullptr;
}

} // namespace lanewise::isa
