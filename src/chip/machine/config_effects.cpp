#include "chip/machine/config_effects.h"

#include <array>
#include <vector>

#include "chip/machine/vector/sfpconfig.h"

namespace lanewise {

using isa::ConfigField;

void after_config_write(MachineState& s, isa::ConfigScope scope, unsigned word,
                        std::uint32_t instruction, std::uint32_t line) {
  const auto lies_there = [&](ConfigField field) {
    const isa::ConfigPlace& place = isa::config_place(field);
    return place.scope == scope && place.word_of(s.config.arch()) == word;
  };
  if (lies_there(ConfigField::PRNG_SEED_Seed_Val))
    seed_prng(s.vector, s.config.get(ConfigField::PRNG_SEED_Seed_Val));
  if (lies_there(ConfigField::DEST_REGW_BASE_Base) &&
      s.config.get(ConfigField::DEST_REGW_BASE_Base) != 0) {
    s.faults.add(RuntimeFault::DestBaseIgnored, instruction, line, 0);
  }
}

std::uint32_t bits_of_fields(Arch arch, unsigned word) {
  static const auto kBits = [] {
    std::array<std::vector<std::uint32_t>, kEveryArch.size()> bits;
    for (const Arch each : kEveryArch) {
      auto& words = bits[static_cast<std::size_t>(each)];
      words.resize(arch_params(each).config.shared_words);
      for (const isa::ConfigPlace& place : isa::kConfigFields) {
        if (place.scope == isa::ConfigScope::Shared && place.exists(each))
          words[place.word_of(each)] |= place.mask(each);
      }
      // A descriptor has four words, of which the table has the first (core.md 12.8).
      constexpr unsigned kDescriptorWords = 4;
      for (const ConfigField first : {ConfigField::THCON_SEC0_REG0_TileDescriptor,
                                      ConfigField::THCON_SEC1_REG0_TileDescriptor}) {
        const isa::ConfigPlace& place = isa::config_place(first);
        for (unsigned i = 0; place.exists(each) && i < kDescriptorWords; ++i)
          words[place.word_of(each) + i] = ~0U;
      }
    }
    return bits;
  }();
  return kBits[static_cast<std::size_t>(arch)][word];
}

void set_config_field(MachineState& s, ConfigField field, std::uint32_t value) {
  if (!isa::config_place(field).exists(s.config.arch())) return;
  s.config.set(field, value);
  const isa::ConfigPlace& place = isa::config_place(field);
  after_config_write(s, place.scope, place.word_of(s.config.arch()), 0, 0);
}

} // namespace lanewise
