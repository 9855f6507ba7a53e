#include "machine/machine.h"

#include <fmt/format.h>

#include "machine/config_effects.h"

namespace lanewise {

void Machine::reset() {
  front_end_.reset();
  state_.reset();
}

Expected<void> Machine::set_config(std::string_view name, std::uint32_t value) {
  const auto field = isa::find_config_field(arch(), name);
  if (!field) {
    return bad_input(
        fmt::format("{} has no configuration field {}", arch_params(arch()).long_name, name),
        "docs/configuration.md lists the fields");
  }
  const isa::ConfigPlace& place = isa::config_place(*field);
  const std::uint32_t largest = place.mask() >> place.low;
  if (value > largest) {
    return bad_input(fmt::format("{} holds values up to {:#x}, not {:#x}", name, largest, value),
                     "give a value that fits");
  }
  set_config_field(state_, *field, value);
  return {};
}

std::vector<Fault> Machine::run(const Program& program) {
  std::vector<Fault> faults;
  for (const ConfigSetting& setting : program.config) {
    if (auto done = set_config(setting.name, setting.value); !done) {
      Fault fault = done.error();
      fault.file = program.name;
      fault.line = setting.line;
      faults.push_back(std::move(fault));
    }
  }
  MicroProgram prepared = prepare(program);
  execute(prepared);
  faults.insert(faults.end(), prepared.faults.begin(), prepared.faults.end());
  for (Fault& fault : state_.faults.to_faults(arch())) {
    fault.file = program.name;
    faults.push_back(std::move(fault));
  }
  state_.faults.clear(); // the next program is not to blame for them
  return faults;
}

} // namespace lanewise
