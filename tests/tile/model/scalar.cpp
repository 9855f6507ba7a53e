// The scalar and the configuration unit (core.md 8 and 9; ISA pages of the instructions).
#include <algorithm>

#include "tile/model/model.h"

namespace lanewise::test::model {

namespace {

constexpr unsigned kFirstThconWordWormhole = 52;

std::uint32_t low_bits(unsigned count) {
  return count >= 32 ? ~0U : (1U << count) - 1;
}
std::uint32_t rotated_right(std::uint32_t value, unsigned by) {
  return by == 0 ? value : value >> by | value << (32 - by);
}

} // namespace

std::uint32_t Model::load(std::uint32_t address, unsigned bytes) {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < bytes; ++i) {
    if (address + i >= l1.size()) {
      undefined = true;
      return 0;
    }
    if (traces) l1_read.insert(address + i);
    value |= static_cast<std::uint32_t>(l1[address + i]) << (8 * i);
  }
  return value;
}

void Model::store(std::uint32_t address, unsigned bytes, std::uint32_t value) {
  for (unsigned i = 0; i < bytes; ++i) {
    if (address + i >= l1.size()) {
      undefined = true;
      return;
    }
    l1[address + i] = static_cast<std::uint8_t>(value >> (8 * i));
  }
}

bool Model::scalar(unsigned thread, std::uint32_t word) {
  auto& registers = gpr[thread];
  const unsigned opcode = word >> 24;
  if (opcode == 0x45) { // SETDMAREG
    if ((word >> 7 & 1) != 0) undefined = true;
    const std::uint32_t value = (word >> 8 & 0x3FFF) | (word >> 22 & 3) << 14;
    std::uint32_t& to = registers[word >> 1 & 63];
    to = (word & 1) != 0 ? (to & 0xFFFF) | value << 16 : (to & 0xFFFF0000) | value;
    return true;
  }
  if (opcode == 0x48) { // REG2FLOP
    const std::uint32_t value = registers[word & 63];
    if (is_blackhole || (word >> 22 & 3) == 0 || (word >> 16 & 63) != 0) undefined = true;
    const unsigned to = kFirstThconWordWormhole + (word >> 6 & 0x7F);
    if (to >= first_single_word()) {
      undefined = true;
      return true;
    }
    write_config(thread_config[thread][0] & 1, to, value);
    return true;
  }
  if (opcode < 0x58 || opcode > 0x5D) return memory(thread, word);
  const std::uint32_t a = registers[word & 63];
  const bool constant = (word >> 23 & 1) != 0;
  const std::uint32_t b = constant ? word >> 6 & 63 : registers[word >> 6 & 63];
  const unsigned mode = word >> 18 & 7;
  std::uint32_t result = 0;
  if (opcode == 0x58) result = a + b;
  if (opcode == 0x59) result = a - b;
  if (opcode == 0x5A) result = (a & 0xFFFF) * (b & 0xFFFF);
  if (opcode == 0x5B) result = mode == 0 ? a & b : mode == 1 ? a | b : a ^ b;
  if (opcode == 0x5C) result = mode == 0 ? a << (b & 31) : a >> (b & 31);
  if (opcode == 0x5D) result = mode == 0 ? a > b : mode == 1 ? a < b : a == b;
  if (opcode >= 0x5B && mode >= (opcode == 0x5C ? 2U : 3U)) undefined = true;
  registers[word >> 12 & 63] = result;
  return true;
}

bool Model::memory(unsigned thread, std::uint32_t word) {
  auto& registers = gpr[thread];
  const unsigned opcode = word >> 24;
  const std::uint32_t base = registers[word & 63] * 16;
  const unsigned data = word >> 6 & 63;
  if (opcode == 0x49 || opcode == 0x66) { // LOADIND, STOREIND to L1
    // STOREIND: bit 23 says L1, and the size is in 22 (size[1]) and 21 (size[0]).
    const unsigned size = opcode == 0x49 ? word >> 22 & 3 : word >> 21 & 3;
    if (opcode == 0x66 && (word >> 23 & 1) == 0) undefined = true;
    const unsigned half = word >> 14 & 0x7F;
    std::uint32_t& holder = registers[half / 2];
    const unsigned shift = 16 * (half % 2);
    const std::uint32_t offset = holder >> shift & 0xFFFF;
    const std::uint32_t address = base + offset;
    constexpr std::uint32_t kIncrement[] = {0, 2, 4, 16};
    const std::uint32_t next = (offset + kIncrement[word >> 12 & 3]) & 0xFFFF;
    holder = (holder & ~(0xFFFFU << shift)) | next << shift;
    if (size == 0) {
      for (unsigned i = 0; i < 4; ++i) {
        const std::uint32_t at = (address & ~15U) + 4 * i;
        std::uint32_t& reg = registers[(data & ~3U) + i];
        if (opcode == 0x49) reg = load(at, 4);
        if (opcode == 0x66) store(at, 4, reg);
      }
      return true;
    }
    const unsigned bytes = size == 1 ? 4 : size == 2 ? 2 : 1;
    const std::uint32_t at = address & ~(bytes - 1);
    std::uint32_t& reg = registers[data];
    if (opcode == 0x66) store(at, bytes, reg);
    if (opcode == 0x49) reg = (reg & ~low_bits(8 * bytes)) | load(at, bytes);
    return true;
  }
  if (opcode == 0x63) { // ATSWAP
    std::array<std::uint32_t, 4> values{};
    if ((word >> 22 & 1) != 0) {
      values[data & 3] = registers[data];
    } else {
      for (unsigned i = 0; i < 4; ++i) values[i] = registers[(data & ~3U) + i];
    }
    for (unsigned i = 0; i < 8; ++i) {
      if ((word >> (14 + i) & 1) != 0) store(base + 2 * i, 2, values[i / 2] >> (16 * (i % 2)));
    }
    return true;
  }
  const std::uint32_t at = base + 4 * (word >> 12 & 3);
  if (opcode == 0x61) { // ATINCGET
    const std::uint32_t old = load(at, 4), mask = low_bits((word >> 14 & 31) + 1);
    store(at, 4, ((old + registers[data]) & mask) | (old & ~mask));
    registers[data] = old;
    return true;
  }
  if (opcode == 0x64) { // ATCAS
    if (load(at, 4) != (word >> 14 & 15)) return false;
    store(at, 4, word >> 18 & 15);
    return true;
  }
  undefined = true;
  return true;
}

bool Model::configuration(unsigned thread, std::uint32_t word) {
  const unsigned opcode = word >> 24, bank = thread_config[thread][0] & 1;
  auto& registers = gpr[thread];
  if (opcode == 0xB2) { // SETC16
    const unsigned to = word >> 16 & 0xFF;
    if (to >= thread_words()) {
      undefined = true;
      return true;
    }
    thread_config[thread][to] = static_cast<std::uint16_t>(word);
    for (unsigned u = 0; u < 2; ++u) {
      const Field reset = context_counter_reset(u);
      if (to == (is_blackhole ? reset.bh.word : reset.wh.word) && get_thread(reset, thread) != 0)
        source[u].context[thread] = 0;
    }
    return true;
  }
  if (opcode == 0xB0 || opcode == 0xB1) { // WRCFG, RDCFG
    const unsigned reg = word >> 16 & 63, index = word & 0x7FF;
    if (index >= shared_words()) {
      undefined = true;
      return true;
    }
    if (opcode == 0xB1) {
      registers[reg] = config[bank][index];
      return true;
    }
    const bool four = (word >> 15 & 1) != 0;
    for (unsigned i = 0; i < (four ? 4U : 1U); ++i) {
      const unsigned to = (four ? index & ~3U : index) + i;
      if (to == kStateResetWord) undefined = true; // sets off more
      write_config(bank, to, registers[(four ? reg & ~3U : reg) + i]);
    }
    return true;
  }
  const unsigned index = word & 0xFF;
  if (index >= shared_words() || index == kStateResetWord || (opcode == 0xB8 && !is_blackhole)) {
    undefined = true;
    return true;
  }
  std::uint32_t value = config[bank][index];
  if (opcode != 0xB8) { // RMWCIB0 to RMWCIB3
    const unsigned shift = 8 * (opcode - 0xB3);
    const std::uint32_t mask = (word >> 16 & 0xFF) << shift, now = (word >> 8 & 0xFF) << shift;
    write_config(bank, index, (now & mask) | (value & ~mask));
    return true;
  }
  const unsigned selected = word >> 8 & 3, amount = word >> 10 & 31;
  const std::uint32_t mask = low_bits((word >> 15 & 31) + 1);
  const std::uint32_t from = config[bank][kScratchWord + (selected == 3 ? thread : selected)];
  const std::uint32_t scratch = rotated_right(from & mask, amount);
  if ((word >> 23 & 1) == 0) value &= ~rotated_right(mask, amount);
  const std::array<std::uint32_t, 8> results{value | scratch,  value & scratch,  value ^ scratch,
                                             value + scratch,  value | ~scratch, value & ~scratch,
                                             value ^ ~scratch, value - scratch};
  write_config(bank, index, results[word >> 20 & 7]);
  return true;
}

} // namespace lanewise::test::model
