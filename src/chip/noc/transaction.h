// What a core asks of the NoC: a packet that goes out, and what comes back.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "chip/isa/noc_record.h"

namespace lanewise::noc {

/// A compute core as transactions name it.
constexpr unsigned core_number(unsigned x, unsigned y) {
  return y * 64 + x;
}
constexpr NocPlace core_of_number(unsigned number) {
  return {static_cast<std::uint8_t>(number % 64), static_cast<std::uint8_t>(number / 64)};
}

/// Where an end of a transaction lies: in L1 of the core, in that of another one, or in a bank of
/// DRAM; or in L1 of all cores that a multicast reaches (Transaction::receivers).
struct Location {
  enum class Memory : std::uint8_t { L1, Dram, OtherL1, Many } memory = Memory::L1;
  unsigned bank = 0;         ///< of DRAM; of OtherL1 the core_number()
  std::uint64_t address = 0; ///< in L1, or in the bank

  /// Whether two ranges have a byte in common.
  bool meets(std::uint64_t bytes, const Location& other, std::uint64_t other_bytes) const {
    return memory == other.memory && bank == other.bank && address < other.address + other_bytes &&
           other.address < address + bytes;
  }

  friend bool operator==(const Location&, const Location&) = default;
};

/// "0x1b300 of L1", "0x1b300 of L1 of core (1, 2)", "0x100080 of bank 3 of DRAM".
std::string location_text(const Location& location);

struct Transaction {
  enum class Kind : std::uint8_t {
    Read,      ///< of `source`, into `destination`
    Write,     ///< of `source`, to `destination`
    Inline,    ///< of `value`, to `destination`
    Increment, ///< of the word at `destination` by `value`
    Swap       ///< of the word at `destination` for `value`
  };
  Kind kind = Kind::Read;
  std::uint64_t number = 0; ///< in the order in which they were asked for
  unsigned core = 0, noc = 0, buffer = 0;
  std::uint32_t line = 0; ///< of the core's program, where it was asked for
  Location source = {}, destination = {};
  std::uint32_t bytes = 0;
  std::uint32_t value = 0;
  std::uint32_t mask = ~std::uint32_t{0}; ///< bits that an increment changes
  unsigned tag = 0;                       ///< its transaction id
  unsigned channel = 0;                   ///< the virtual channel that it is fixed to
  bool is_posted = false;                 ///< no answer comes
  std::vector<unsigned> receivers = {};   ///< of a multicast: core_number(), the own one included
  bool is_linked = false;                 ///< the next one goes the same way
  bool comes_back = false;                ///< the sender of a multicast receives, too
  /// Where the old value of an atomic operation goes.
  std::uint32_t result_address = 0;
  bool is_sent = false;                ///< it has left the core, with its data
  std::vector<std::uint8_t> data = {}; ///< of one that has left

  /// How many answers come to one that wants them.
  std::uint32_t answers() const {
    return destination.memory == Location::Memory::Many
               ? static_cast<std::uint32_t>(receivers.size())
               : 1;
  }
  /// Whether it needs somebody beside the core: another one, or DRAM that others share.
  bool goes_beyond() const {
    return source.memory != Location::Memory::L1 || destination.memory != Location::Memory::L1;
  }
};

/// "a read of 2048 bytes from 0x100080 of bank 3 of DRAM to 0x1b300 of L1".
std::string transaction_text(const Transaction& transaction);

} // namespace lanewise::noc
