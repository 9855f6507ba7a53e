// Instructions on address counters (core.md 10; ISA SETADC, SETADCXY, INCADCXY, ADDRCRXY, ADCs).
#include "tile/model/model.h"

namespace lanewise::test::model {

std::uint32_t Model::cut(unsigned axis, std::uint32_t value) const {
  const unsigned zw = is_blackhole ? 13 : 8;
  const unsigned bits = axis == 0 ? 18 : axis == 1 ? 13 : zw;
  return value & ((1U << bits) - 1);
}

void Model::set_counter(AdcChannel& channel, unsigned axis, std::uint32_t value) {
  channel.value[axis] = channel.cr[axis] = cut(axis, value);
}

void Model::increment(AdcChannel& channel, unsigned axis, std::uint32_t by) {
  channel.value[axis] = cut(axis, channel.value[axis] + by);
}

bool Model::counters(unsigned thread, std::uint32_t word) {
  const unsigned opcode = word >> 24;
  // SETADC's upper two bits of the value, and bits 19:18 of the others: unsupported.
  if ((opcode == 0x50 && (word >> 16 & 3) != 0) ||
      (opcode != 0x50 && opcode != 0x5E && (word >> 18 & 3) != 0))
    undefined = true;
  if ((word >> 21 & 7) == 0) undefined = true;
  for (unsigned unit = 0; unit < 3; ++unit) {
    if ((word >> (21 + unit) & 1) == 0) continue;
    auto& channel = adc[thread][unit];
    if (opcode == 0x50) {
      set_counter(channel[word >> 20 & 1], word >> 18 & 3, word & 0xFFFF);
      continue;
    }
    if (opcode == 0x5E) {
      set_counter(channel[0], 0, word & 0x3FF);
      set_counter(channel[1], 0, word >> 10 & 0x3FF);
      continue;
    }
    const unsigned first = opcode >= 0x54 ? 2 : 0; // X and Y, or Z and W
    for (unsigned which = 0; which < 4; ++which) {
      AdcChannel& each = channel[which / 2];
      const unsigned axis = first + which % 2;
      const std::uint32_t number = word >> (6 + 3 * which) & 7;
      const bool selected = (word >> which & 1) != 0;
      if (opcode == 0x52 || opcode == 0x55) increment(each, axis, number);
      if ((opcode == 0x51 || opcode == 0x54) && selected) set_counter(each, axis, number);
      if ((opcode == 0x53 || opcode == 0x56) && selected)
        set_counter(each, axis, each.cr[axis] + number);
    }
  }
  return true;
}

} // namespace lanewise::test::model
