// What a core asks of the NoC: a packet that goes out, and what comes back.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "chip/isa/noc_record.h"

namespace lanewise::noc {

/// Where an end of a transaction lies: in L1 of the core, or in a bank of DRAM.
struct Location {
  enum class Memory : std::uint8_t { L1, Dram } memory = Memory::L1;
  unsigned bank = 0;         ///< of DRAM
  std::uint64_t address = 0; ///< in L1, or in the bank

  /// Whether two ranges have a byte in common.
  bool meets(std::uint64_t bytes, const Location& other, std::uint64_t other_bytes) const {
    return memory == other.memory && bank == other.bank && address < other.address + other_bytes &&
           other.address < address + bytes;
  }

  friend bool operator==(const Location&, const Location&) = default;
};

/// "0x1b300 of L1", "0x100080 of bank 3 of DRAM".
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
  /// Where the old value of an atomic operation goes.
  std::uint32_t result_address = 0;
  bool is_sent = false;                ///< it has left the core, with its data
  std::vector<std::uint8_t> data = {}; ///< of one that has left
};

/// "a read of 2048 bytes from 0x100080 of bank 3 of DRAM to 0x1b300 of L1".
std::string transaction_text(const Transaction& transaction);

} // namespace lanewise::noc
