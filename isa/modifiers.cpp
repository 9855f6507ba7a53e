#include "isa/modifiers.h"

#include "isa/encoding.h"

namespace lanewise::isa {

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
