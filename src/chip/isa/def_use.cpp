#include "chip/isa/def_use.h"

#include "chip/isa/effects.h"

namespace lanewise::isa {

LRegSet lregs_written(Arch arch, std::uint32_t word, bool tracks_index) {
  return Effects(arch, word).lregs_written(tracks_index);
}

LRegSet lregs_read(Arch arch, std::uint32_t word, bool tracks_index) {
  return Effects(arch, word).lregs_read(tracks_index);
}

bool is_template_write(Arch arch, std::uint32_t word) {
  return Effects(arch, word).is_template_write();
}

unsigned latency(Arch arch, std::uint32_t word) {
  const Effects effects(arch, word);
  if (effects.row() == nullptr) return 0;
  const bool is_vector = effects.row()->unit == Unit::Vector;
  return is_vector && effects.pace() == Pace::Single ? 1 : effects.row()->latency;
}

} // namespace lanewise::isa
