#include "run/vectors/config_lines.h"

#include <fmt/format.h>

#include "base/in_quotes.h"
#include "chip/isa/config.h"
#include "chip/machine/config_effects.h"

namespace lanewise::vectors {

void take_config(Words& words, VectorCase& target) {
  const std::string_view name = words.word("field");
  const std::uint32_t value = words.hex("value");
  if (words.failed()) return;
  const auto field = isa::find_config_field(target.arch(), name);
  if (!field) {
    return words.fail(fmt::format("{} has no configuration field {}",
                                  arch_params(target.arch()).names.id, in_quotes(name)),
                      "docs/configuration.md lists the fields");
  }
  set_config_field(target.initial, *field, value);
}

void take_addr_mod(Words& words, VectorCase& target) {
  const std::uint32_t section = words.decimal("section", 7);
  AddrModSection s = target.initial.config.addr_mod_section(section);
  s.dst_increment = words.decimal("dst.incr", 1023);
  s.dst_cr = words.decimal("dst.cr", 1) != 0;
  s.dst_clear = words.decimal("dst.clr", 1) != 0;
  s.dst_c_to_cr = words.decimal("dst.ctocr", 1) != 0;
  s.srca_increment = words.decimal("srca.incr", 63);
  s.srca_cr = words.decimal("srca.cr", 1) != 0;
  s.srca_clear = words.decimal("srca.clr", 1) != 0;
  s.srcb_increment = words.decimal("srcb.incr", 63);
  s.srcb_cr = words.decimal("srcb.cr", 1) != 0;
  s.srcb_clear = words.decimal("srcb.clr", 1) != 0;
  s.fidelity_increment = words.decimal("fid.incr", 3);
  s.fidelity_clear = words.decimal("fid.clr", 1) != 0;
  if (!words.failed()) target.initial.config.set_addr_mod(section, s);
}

void take_addr_mod_bias(Words& words, VectorCase& target) {
  const std::uint32_t section = words.decimal("section", 7);
  AddrModSection s = target.initial.config.addr_mod_section(section);
  s.bias_increment = words.decimal("incr", 15);
  s.bias_clear = words.decimal("clr", 1) != 0;
  if (!words.failed()) target.initial.config.set_addr_mod(section, s);
}

} // namespace lanewise::vectors
