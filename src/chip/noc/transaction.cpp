#include "chip/noc/transaction.h"

#include <fmt/format.h>

namespace lanewise::noc {

std::string location_text(const Location& location) {
  switch (location.memory) {
    case Location::Memory::L1: return fmt::format("0x{:x} of L1", location.address);
    case Location::Memory::Many:
      return fmt::format("0x{:x} of L1 of a rectangle of cores", location.address);
    case Location::Memory::OtherL1: {
      const NocPlace core = core_of_number(location.bank);
      return fmt::format("0x{:x} of L1 of core ({}, {})", location.address, core.x, core.y);
    }
    case Location::Memory::Dram: break;
  }
  return fmt::format("0x{:x} of bank {} of DRAM", location.address, location.bank);
}

std::string transaction_text(const Transaction& t) {
  const bool is_multicast = t.destination.memory == Location::Memory::Many;
  const std::string to = is_multicast ? fmt::format("0x{:x} of L1 of {} cores",
                                                    t.destination.address, t.receivers.size())
                                      : location_text(t.destination);
  switch (t.kind) {
    case Transaction::Kind::Read:
      return fmt::format("a read of {} bytes from {} to {}", t.bytes, location_text(t.source), to);
    case Transaction::Kind::Write:
      return fmt::format("a write of {} bytes from {} to {}", t.bytes, location_text(t.source), to);
    case Transaction::Kind::Inline: return fmt::format("a write of {:#x} to {}", t.value, to);
    case Transaction::Kind::Increment:
      return fmt::format("an increment of {} by {}", to, static_cast<std::int32_t>(t.value));
    case Transaction::Kind::Swap: return fmt::format("a swap of {} for {:#x}", to, t.value);
  }
  return {};
}

} // namespace lanewise::noc
