#include "chip/isa/modifiers.h"

#include "chip/isa/encoding.h"
#include "chip/isa/table.h"

namespace lanewise::isa {

namespace {

constexpr bool fits_its_field(const Modifier& modifier, Arch arch) {
  for (const Row& row : kTable) {
    if (row.op != modifier.op || !includes(row.chips, arch)) continue;
    for (const Field& field : row.fields()) {
      if (field.name != modifier.field) continue;
      return field.role == Role::Modifier && modifier.mask < (1U << field.width()) &&
             (modifier.value & ~modifier.mask) == 0;
    }
  }
  return false;
}

constexpr bool modifiers_fit_their_fields() {
  for (const Modifier& modifier : kModifiers) {
    for (Arch arch : kEveryArch) {
      if (includes(modifier.chips, arch) && !fits_its_field(modifier, arch)) return false;
    }
  }
  return true;
}

constexpr bool modifiers_stand_together() {
  std::size_t seen = 0;
  while (seen < kModifiers.size()) {
    const std::span<const Modifier> run = modifiers(kModifiers[seen].op);
    for (const Modifier& modifier : run) {
      if (modifier.name != kModifiers[seen].name) return false;
      ++seen;
    }
  }
  return true;
}

} // namespace

static_assert(modifiers_fit_their_fields(),
              "a row of modifiers.def names a value that its field cannot hold");
static_assert(modifiers_stand_together(), "rows of one mnemonic are apart in modifiers.def");

std::string describe_modifiers(Arch arch, std::uint32_t word) {
  std::string text;
  const Decoded decoded = decode(arch, word);
  if (decoded.row == nullptr) return text;
  for (const Modifier& modifier : modifiers(decoded.row->op)) {
    if (!includes(modifier.chips, arch)) continue;
    if (!modifier.applies_to(decoded[modifier.field])) continue;
    if (!text.empty()) text += " | ";
    text += modifier.name;
  }
  return text;
}

} // namespace lanewise::isa
