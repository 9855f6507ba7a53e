// Random words of the short instructions, by family.
#pragma once

#include "tile/model/tile_pair.h"

namespace lanewise::test::model {

/// Bits of an instruction, from the lowest.
inline std::uint32_t at_bit(std::uint32_t value, unsigned low) {
  return value << low;
}

inline std::uint32_t counter_word(TilePair& p) {
  constexpr std::uint32_t kOpcodes[] = {0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x5E};
  const std::uint32_t opcode = p.any_of(kOpcodes);
  std::uint32_t word = opcode << 24 | at_bit(1 + p.below(7), 21);
  if (opcode == 0x50) return word | (p.bits() & 0x1CFFFF);
  if (opcode == 0x5E) return word | (p.bits() & 0xFFFFF);
  word |= p.bits() & 0x3FFC0;
  return opcode == 0x52 || opcode == 0x55 ? word : word | (1 + p.below(15));
}

inline std::uint32_t register_word(TilePair& p) {
  switch (p.below(8)) {
    case 0: // SETDMAREG
    case 1: return 0x45000000U | (p.bits() & 0xFFFF7F);
    case 2: // BITWOPDMAREG, CMPDMAREG
      return (p.one_in(2) ? 0x5B000000U : 0x5D000000U) | (p.bits() & 0x83FFFF) | p.below(3) << 18;
    case 3: // SHIFTDMAREG, by a constant of 5 bits
      return 0x5C000000U | (p.bits() & 0x83F7FF) | p.below(2) << 18;
    default: // ADDDMAREG, SUBDMAREG, MULDMAREG
      return (0x58U + p.below(3)) << 24 | (p.bits() & 0x83FFFF);
  }
}

/// Any word but the one that resets the state, and the first two of a thread's words.
inline std::uint32_t config_word(TilePair& p) {
  const unsigned words = p.model.shared_words();
  const auto any_index = [&] {
    const unsigned index = p.below(words);
    return index / 4 == 1 ? index + 4 : index;
  };
  const unsigned byte_indexed = any_index();
  switch (p.below(p.model.is_blackhole ? 5 : 4)) {
    case 0: return 0xB0000000U | at_bit(p.below(64), 16) | at_bit(p.below(2), 15) | any_index();
    case 1: return 0xB1000000U | at_bit(p.below(64), 16) | any_index();
    case 2: {
      const unsigned index = p.below(p.model.thread_words());
      return 0xB2000000U | at_bit(index, 16) | (index == 0 ? p.below(2) : p.bits() & 0xFFFF);
    }
    case 3: return (0xB3U + p.below(4)) << 24 | (p.bits() & 0xFFFF00) | byte_indexed;
    default: return 0xB8000000U | (p.bits() & 0xFFFF00) | byte_indexed;
  }
}

/// Registers 0 to 3 hold addresses (reloaded now and then), register 4 the offsets.
inline std::uint32_t memory_word(TilePair& p) {
  const std::uint32_t address = p.below(4), data = 8 + p.below(56);
  switch (p.below(5)) {
    case 0: // LOADIND
      return 0x49000000U | at_bit(p.below(4), 22) | at_bit(8 + p.below(2), 14) |
             at_bit(p.below(4), 12) | at_bit(data, 6) | address;
    case 1: // STOREIND to L1
      return 0x66800000U | at_bit(p.below(4), 21) | at_bit(8 + p.below(2), 14) |
             at_bit(p.below(4), 12) | at_bit(data, 6) | address;
    case 2: // ATINCGET
      return 0x61000000U | at_bit(p.below(32), 14) | at_bit(p.below(4), 12) | at_bit(data, 6) |
             address;
    case 3: // ATSWAP
      return 0x63000000U | at_bit(p.below(512), 14) | at_bit(data, 6) | address;
    default: // ATCAS, which mostly waits
      return 0x64000000U | at_bit(p.below(16), 18) | at_bit(p.below(4), 14) |
             at_bit(p.below(4), 12) | address;
  }
}

inline std::uint32_t bank_word(TilePair& p) {
  const std::uint32_t unpacker = at_bit(p.below(2), 23);
  switch (p.below(4)) {
    case 0: return 0x36000000U | at_bit(p.below(4), 22) | at_bit(p.below(2), 1);
    case 1: return 0x37000000U | at_bit(p.below(4), 22);
    case 2:
      if (!p.model.is_blackhole) return 0x57000000U | p.below(4);
      [[fallthrough]];
    default: break;
  }
  if (p.model.is_blackhole) // clears, with or without hand-over
    return 0x43000001U | unpacker | at_bit(p.below(2), 2) | at_bit(p.below(2), 5) |
           at_bit(p.below(2), 8);
  constexpr std::uint32_t kForms[] = {0x1, 0x5, 0x11, 0x15, 0x7, 0x2};
  return 0x43000000U | unpacker | p.any_of(kForms);
}

inline std::uint32_t sync_word(TilePair& p) {
  const std::uint32_t mask = at_bit(p.below(256), 2);
  constexpr std::uint32_t kMutexes[] = {0, 2, 3, 4};
  switch (p.below(8)) {
    case 0: return 0xA3000000U | (p.bits() & 0xFF0000) | mask;
    case 1:
    case 2: return 0xA4000000U | mask;
    case 3: return 0xA5000000U | mask;
    case 4: return 0xA0000000U | p.any_of(kMutexes);
    case 5: return 0xA1000000U | p.any_of(kMutexes);
    case 6: // STALLWAIT
      return 0xA2000000U | at_bit(p.below(512), 15) |
             (p.bits() & (p.model.is_blackhole ? 0x1FFFU : 0x7FFFU));
    default: return 0xA6000000U | at_bit(p.below(512), 15) | mask | (1 + p.below(3));
  }
}

using WordMaker = std::uint32_t (*)(TilePair&);

} // namespace lanewise::test::model
