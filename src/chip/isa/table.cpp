#include "chip/isa/table.h"

#include <algorithm>

namespace lanewise::isa {
namespace {

constexpr std::array<const Row*, 256> index_by_opcode(Arch arch) {
  std::array<const Row*, 256> index{};
  for (const Row& row : kTable) {
    if (includes(row.chips, arch)) index[row.opcode] = &row;
  }
  return index;
}

constexpr FormMasks forms_by_opcode(Arch arch) {
  FormMasks masks{};
  masks.fill(~0U);
  for (const Row& row : kTable) {
    if (includes(row.chips, arch)) masks[row.opcode] = row.form;
  }
  return masks;
}

constexpr auto index_by_op(Arch arch) {
  std::array<const Row*, static_cast<std::size_t>(kTable.back().op) + 1> index{};
  for (const Row& row : kTable) {
    if (includes(row.chips, arch)) index[static_cast<std::size_t>(row.op)] = &row;
  }
  return index;
}

constexpr auto kByOp = for_every_arch(index_by_op);
constexpr auto kByOpcode = for_every_arch(index_by_opcode);

constexpr bool fields_are_disjoint(const Row& row) {
  std::uint32_t taken = 0xFF000000U;
  for (const Field& field : row.fields()) {
    if (field.high < field.low || field.high > 23 || (taken & field.mask()) != 0) return false;
    taken |= field.mask();
  }
  return true;
}

constexpr bool every_row_is_disjoint() {
  return std::all_of(kTable.begin(), kTable.end(), fields_are_disjoint);
}

constexpr bool no_opcode_twice() {
  for (Arch arch : kEveryArch) {
    std::array<bool, 256> seen{};
    for (const Row& row : kTable) {
      if (!includes(row.chips, arch)) continue;
      if (seen[row.opcode]) return false;
      seen[row.opcode] = true;
    }
  }
  return true;
}

static_assert(every_row_is_disjoint(), "a row of instructions.def has overlapping fields");
static_assert(no_opcode_twice(), "a chip has two rows for one opcode");

/// OperandPlaces has room for one immediate, and for one modifier of as many modes as lists have.
constexpr bool has_one_of_each(const Row& row) {
  unsigned immediates = 0, modifiers = 0;
  for (const Field& field : row.fields()) {
    const bool is_number = field.role == Role::Immediate && field.name.starts_with("Imm");
    immediates += is_number || field.role == Role::SignedImmediate ? 1 : 0;
    modifiers += field.name == "Mod0" || field.name == "Mod1" ? 1 : 0;
  }
  return immediates <= 1 && modifiers <= 1 && row.operands.modifier.mask <= 15;
}

static_assert(std::ranges::all_of(kTable, has_one_of_each),
              "a row of instructions.def has two immediates or modifiers, or a wide modifier");

constexpr char to_upper(char letter) {
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

/// A name in capitals, as mnemonics are written; as far as any of them goes.
class Capitals {
 public:
  static constexpr std::size_t kLongest = 32;

  constexpr explicit Capitals(std::string_view name) : size_(std::min(name.size(), kLongest)) {
    for (std::size_t i = 0; i < size_; ++i) letters_[i] = to_upper(name[i]);
  }
  constexpr std::string_view text() const { return {letters_.data(), size_}; }

 private:
  std::array<char, kLongest> letters_{};
  std::size_t size_;
};

struct NamedOp {
  std::string_view name;
  Op op = {};
};

/// Every spelling of every mnemonic, by a hash of its letters: in its place or in one of the next.
class OpsByName {
 public:
  constexpr OpsByName() {
    for (const Row& row : kTable) add({row.mnemonic, row.op});
    for (const Alias& alias : kAliases) add({alias.name, alias.op});
  }

  constexpr const NamedOp* find(std::string_view name) const {
    for (std::size_t i = hash(name); !places_[i].name.empty(); i = (i + 1) % kPlaces) {
      if (places_[i].name == name) return &places_[i];
    }
    return nullptr;
  }

  /// Places between a name's hash and the end of the row that it stands in, at most.
  constexpr std::size_t longest_search() const {
    std::size_t longest = 0, row = 0;
    for (std::size_t i = 0; i < 2 * kPlaces; ++i) {
      row = places_[i % kPlaces].name.empty() ? 0 : row + 1;
      longest = std::max(longest, row);
    }
    return longest;
  }

 private:
  static constexpr std::size_t kPlaces = 1024;

  static constexpr std::size_t hash(std::string_view name) {
    std::uint32_t value = 0;
    for (const char c : name) value = value * 31 + static_cast<unsigned char>(c);
    constexpr unsigned kUnused = 22; // of 32 bits
    return value * 0x9E3779B1U >> kUnused;
  }

  constexpr void add(const NamedOp& named) {
    std::size_t i = hash(named.name);
    // Rows of a mnemonic are one for each encoding: the first of its name stays.
    while (!places_[i].name.empty() && places_[i].name != named.name) i = (i + 1) % kPlaces;
    if (places_[i].name.empty()) places_[i] = named;
  }

  std::array<NamedOp, kPlaces> places_{};
};

constexpr OpsByName kOpsByName;
static_assert(kOpsByName.longest_search() < 10, "mnemonics stand too close together");

constexpr bool is_plain_name(std::string_view name) {
  return name.size() < Capitals::kLongest && Capitals(name).text() == name;
}
static_assert(std::ranges::all_of(kTable, is_plain_name, &Row::mnemonic) &&
                  std::ranges::all_of(kAliases, is_plain_name, &Alias::name),
              "a mnemonic is too long, or has small letters");

/// The mnemonic inside the name of a kernel macro ("TTI_SFPMAD", "TT_OP_SFPMAD"), both in capitals.
std::string_view without_macro_prefix(std::string_view name) {
  if (!name.starts_with("TT")) return name;
  for (std::string_view prefix : {"TT_OP_", "TTI_", "TT_"}) {
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  }
  return name;
}

} // namespace

std::span<const Row> rows() {
  return kTable;
}

std::span<const Alias> aliases() {
  return kAliases;
}

constinit const std::array<FormMasks, kEveryArch.size()> kFormMasks =
    for_every_arch(forms_by_opcode);

const Row* find_row(Arch arch, std::uint8_t opcode) {
  return kByOpcode[static_cast<std::size_t>(arch)][opcode];
}

const Row* find_row(Arch arch, Op op) {
  return kByOp[static_cast<std::size_t>(arch)][static_cast<std::size_t>(op)];
}

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
  for (const Arch arch : kEveryArch) {
    if (includes(chips, arch)) names.push_back(arch_params(arch).names.id);
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
  if (mnemonic.size() > Capitals::kLongest) return std::nullopt;
  const Capitals capitals(mnemonic);
  const std::string_view wanted = without_macro_prefix(capitals.text());
  const NamedOp* found = kOpsByName.find(wanted);
  return found == nullptr ? std::nullopt : std::optional(found->op);
}

const Row* find_row(Arch arch, std::string_view mnemonic) {
  const std::optional<Op> op = find_op(mnemonic);
  return op ? find_row(arch, *op) : nullptr;
}

} // namespace lanewise::isa
