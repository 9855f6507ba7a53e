#include "chip/machine/machine.h"

#include <fmt/format.h>

#include <optional>

#include "chip/machine/config_effects.h"

namespace lanewise {

void Machine::reset() {
  front_end_.reset();
  state_.reset();
}

namespace {

/// The thread word of the name ADDR_MOD_AB_SECi, ADDR_MOD_DST_SECi or ADDR_MOD_BIAS_SECi (MU 2.1).
std::optional<unsigned> addr_mod_word(const ArchParams& chip, std::string_view name) {
  const auto section_of = [name](std::string_view prefix) -> std::optional<unsigned> {
    if (name.size() != prefix.size() + 1 || !name.starts_with(prefix)) return std::nullopt;
    const char digit = name.back();
    return digit >= '0' && digit <= '7' ? std::optional(static_cast<unsigned>(digit - '0'))
                                        : std::nullopt;
  };
  if (const auto section = section_of("ADDR_MOD_AB_SEC"))
    return chip.config.addr_mod_ab_word + chip.config.addr_mod_ab_stride * *section;
  if (const auto section = section_of("ADDR_MOD_DST_SEC"))
    return chip.config.addr_mod_dst_word + *section;
  if (const auto section = section_of("ADDR_MOD_BIAS_SEC"))
    return chip.config.addr_mod_bias_word + *section;
  return std::nullopt;
}

Expected<void> check_width(std::string_view name, std::uint32_t value, std::uint32_t largest) {
  if (value <= largest) return {};
  return bad_input(fmt::format("{} holds values up to {:#x}, not {:#x}", name, largest, value),
                   "give a value that fits");
}

} // namespace

Expected<void> set_config(MachineState& state, std::string_view name, std::uint32_t value) {
  const Arch arch = state.config.arch();
  if (const auto word = addr_mod_word(arch_params(arch), name)) {
    if (auto fits = check_width(name, value, 0xFFFF); !fits) return fits;
    state.config.write_thread(*word, static_cast<std::uint16_t>(value), state.config.thread());
    return {};
  }
  const auto field = isa::find_config_field(arch, name);
  if (!field) {
    return bad_input(
        fmt::format("{} has no configuration field {}", arch_params(arch).names.full, name),
        "docs/configuration.md lists the fields");
  }
  const isa::ConfigPlace& place = isa::config_place(*field);
  if (auto fits = check_width(name, value, place.largest(arch)); !fits) return fits;
  set_config_field(state, *field, value);
  return {};
}

Expected<void> Machine::set_config(std::string_view name, std::uint32_t value) {
  return lanewise::set_config(state_, name, value);
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
    if (fault.file.empty()) fault.file = program.name;
    faults.push_back(std::move(fault));
  }
  state_.faults.clear(); // the next program is not to blame for them
  return faults;
}

} // namespace lanewise
