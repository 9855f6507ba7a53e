#include "chip/isa/interlock.h"

#include "chip/isa/effect_rules.h"
#include "chip/isa/effects.h"

namespace lanewise::isa {

bool is_mad_class(const Effects& effects) {
  return effects.pace() == Pace::Pipelined;
}

bool is_mad_class(Arch arch, std::uint32_t word) {
  return is_mad_class(Effects(arch, word));
}

bool takes_two_cycles(const Effects& effects) {
  const Pace pace = effects.pace();
  return pace == Pace::Exclusive || pace == Pace::Shuffle;
}

bool takes_two_cycles(Arch arch, std::uint32_t word) {
  return takes_two_cycles(Effects(arch, word));
}

bool holds_unit(const Effects& effects) {
  const Pace pace = effects.pace();
  return pace == Pace::Exclusive ||
         (pace == Pace::Shuffle && arch_params(effects.arch()).vector.has_result_interlock);
}

bool holds_unit(Arch arch, std::uint32_t word) {
  return holds_unit(Effects(arch, word));
}

LRegSet believed_writes(const Effects& effects) {
  if (effects.pace() != Pace::Pipelined) return 0;
  if (effects.row()->op == Op::SFPLUTFP32) { // hears of its indirect VD by Mod1Mirror only
    const bool mirrored =
        rules::mirrors_indirect_vd({effects.arch(), effects.decoded(), effects.modifier()});
    return mirrored ? kGeneralLRegs
                    : lreg_set(effects.row()->operands.vd.extract(effects.decoded().word));
  }
  return effects.lregs_written(false);
}

LRegSet believed_writes(Arch arch, std::uint32_t word) {
  return believed_writes(Effects(arch, word));
}

LRegSet believed_reads(Arch arch, std::uint32_t word) {
  return Effects(arch, word).lregs_believed_read();
}

LRegSet first_cycle_reads(const Effects& effects) {
  const bool reads_later =
      effects.pace() == Pace::Exclusive && has_mode<Op::SFPSWAP, "SWAP">(effects.modifier());
  return reads_later ? 0 : effects.lregs_read(false);
}

LRegSet first_cycle_reads(Arch arch, std::uint32_t word) {
  return first_cycle_reads(Effects(arch, word));
}

bool shares_result_port(Arch arch, std::uint32_t word) {
  return Effects(arch, word).shares_result_port();
}

} // namespace lanewise::isa
