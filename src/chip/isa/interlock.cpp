#include "chip/isa/interlock.h"

#include "chip/isa/effect_rules.h"
#include "chip/isa/effects.h"

namespace lanewise::isa {

bool is_mad_class(Arch arch, std::uint32_t word) {
  return Effects(arch, word).pace() == Pace::Pipelined;
}

bool takes_two_cycles(Arch arch, std::uint32_t word) {
  const Pace pace = Effects(arch, word).pace();
  return pace == Pace::Exclusive || pace == Pace::Shuffle;
}

bool holds_unit(Arch arch, std::uint32_t word) {
  const Pace pace = Effects(arch, word).pace();
  return pace == Pace::Exclusive ||
         (pace == Pace::Shuffle && arch_params(arch).vector.has_result_interlock);
}

LRegSet believed_writes(Arch arch, std::uint32_t word) {
  const Effects effects(arch, word);
  if (effects.pace() != Pace::Pipelined) return 0;
  if (effects.row()->op == Op::SFPLUTFP32) { // hears of its indirect VD by Mod1Mirror only
    const bool mirrored = rules::mirrors_indirect_vd({arch, effects.decoded(), effects.modifier()});
    return mirrored ? kGeneralLRegs : lreg_set(effects.row()->operands.vd.extract(word));
  }
  return effects.lregs_written(false);
}

LRegSet believed_reads(Arch arch, std::uint32_t word) {
  return Effects(arch, word).lregs_believed_read();
}

LRegSet first_cycle_reads(Arch arch, std::uint32_t word) {
  const Effects effects(arch, word);
  const bool reads_later =
      effects.pace() == Pace::Exclusive && has_mode<Op::SFPSWAP, "SWAP">(effects.modifier());
  return reads_later ? 0 : effects.lregs_read(false);
}

bool shares_result_port(Arch arch, std::uint32_t word) {
  return Effects(arch, word).shares_result_port();
}

} // namespace lanewise::isa
