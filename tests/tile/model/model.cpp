#include "tile/model/model.h"

namespace lanewise::test::model {

Model::Model(bool blackhole) : is_blackhole(blackhole) {
  constexpr std::size_t kWormholeL1 = 1464UL * 1024, kBlackholeL1 = 1536UL * 1024;
  l1.resize(blackhole ? kBlackholeL1 : kWormholeL1);
  dst_valid.fill(true);
}

std::uint32_t Model::get(const Field& field, unsigned thread) const {
  const Place& at = place(field);
  if (at.bits == 0) return 0;
  const unsigned bank = thread_config[thread][0] & 1;
  std::uint32_t value = 0;
  for (unsigned i = 0; i < at.bits; ++i) value |= (config[bank][at.word] >> (at.low + i) & 1) << i;
  return value;
}

std::uint32_t Model::get_thread(const Field& field, unsigned thread) const {
  const Place& at = place(field);
  std::uint32_t value = 0;
  for (unsigned i = 0; i < at.bits; ++i)
    value |= static_cast<std::uint32_t>(thread_config[thread][at.word] >> (at.low + i) & 1) << i;
  return value;
}

void Model::set(const Field& field, std::uint32_t value) {
  const Place& at = place(field);
  for (unsigned i = 0; i < at.bits; ++i) {
    for (auto& bank : config) {
      bank[at.word] &= ~(1U << (at.low + i));
      bank[at.word] |= (value >> i & 1) << (at.low + i);
    }
  }
}

void Model::set_thread(const Field& field, std::uint32_t value, unsigned thread) {
  const Place& at = place(field);
  const std::uint32_t mask = ((1U << at.bits) - 1) << at.low;
  std::uint32_t word = thread_config[thread][at.word];
  word = (word & ~mask) | (value << at.low & mask);
  thread_config[thread][at.word] = static_cast<std::uint16_t>(word);
}

void Model::write_config(unsigned bank, unsigned word, std::uint32_t value) {
  config[bank][word] = value;
  if (word >= first_single_word()) config[1 - bank][word] = value;
}

bool Model::step(unsigned thread, std::uint32_t word) {
  if (is_held(thread, word) || !execute(thread, word)) return false;
  for (auto& each : latch) { // the gate looks at its conditions all the time
    if (each && !keeps_waiting(*each)) each.reset();
  }
  return true;
}

bool Model::execute(unsigned thread, std::uint32_t word) {
  switch (word >> 24) {
    case 0x02: // NOP
    case 0x60: // DMANOP
      return true;
    case 0x42: return unpack(thread, word);
    case 0x43: return unpack_nop(thread, word);
    case 0x41: return pack(thread, word);
    case 0x36: // CLEARDVALID
    case 0x37: // SETRWC
    case 0x57: // SETDVALID
      return banks(thread, word);
    case 0x50: // SETADC
    case 0x51: // SETADCXY
    case 0x52: // INCADCXY
    case 0x53: // ADDRCRXY
    case 0x54: // SETADCZW
    case 0x55: // INCADCZW
    case 0x56: // ADDRCRZW
    case 0x5E: // SETADCXX
      return counters(thread, word);
    case 0xB0: // WRCFG
    case 0xB1: // RDCFG
    case 0xB2: // SETC16
    case 0xB3: // RMWCIB0
    case 0xB4: // RMWCIB1
    case 0xB5: // RMWCIB2
    case 0xB6: // RMWCIB3
    case 0xB8: // CFGSHIFTMASK
      return configuration(thread, word);
    case 0xA0: // ATGETM
    case 0xA1: // ATRELM
    case 0xA2: // STALLWAIT
    case 0xA3: // SEMINIT
    case 0xA4: // SEMPOST
    case 0xA5: // SEMGET
    case 0xA6: // SEMWAIT
      return sync(thread, word);
    default: return scalar(thread, word);
  }
}

} // namespace lanewise::test::model
