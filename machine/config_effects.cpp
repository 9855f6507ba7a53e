#include "machine/config_effects.h"

#include "machine/vector/sfpconfig.h"

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

void set_config_field(MachineState& s, ConfigField field, std::uint32_t value) {
  if (!isa::config_place(field).exists(s.config.arch())) return;
  s.config.set(field, value);
  const isa::ConfigPlace& place = isa::config_place(field);
  after_config_write(s, place.scope, place.word_of(s.config.arch()), 0, 0);
}

} // namespace lanewise
