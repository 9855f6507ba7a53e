// What a tile asks of the NoC's interface beside it (chip/noc/), where there is one.
#pragma once

#include <cstdint>

#include "base/fault.h"

namespace lanewise::tile {

class NocPort {
 public:
  NocPort() = default;
  NocPort(const NocPort&) = delete;
  NocPort& operator=(const NocPort&) = delete;
  virtual ~NocPort() = default;

  /// A core loads or stores a word among the registers of NIU `noc`, `offset` bytes behind its
  /// first. Error: a register that is not there, a request that cannot be carried out; a fault
  /// without a place.
  virtual Expected<std::uint32_t> load(unsigned core, unsigned noc, std::uint32_t offset) = 0;
  virtual Expected<void> store(unsigned core, unsigned noc, std::uint32_t offset,
                               std::uint32_t value, std::uint32_t line) = 0;
};

} // namespace lanewise::tile
