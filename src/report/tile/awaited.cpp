#include "report/tile/awaited.h"

#include <fmt/format.h>

#include "chip/isa/noc_record.h"
#include "chip/riscv/address_map.h"
#include "chip/tile/overlay.h"
#include "chip/tile/tile.h"

namespace lanewise::report {

using riscv::Region;

std::string core_text(unsigned core) {
  if (core == tile::kBrisc) return "brisc";
  if (core == tile::kNcrisc) return "ncrisc";
  return fmt::format("core of T{}", core);
}

Awaited awaited_of(clock::Why why) {
  switch (why) {
    case clock::Why::Nothing: return Awaited::Nobody;
    case clock::Why::Push: return Awaited::Core;
    case clock::Why::Banks:
    case clock::Why::BanksAsked:
    case clock::Why::Semaphore: return Awaited::Thread;
    case clock::Why::FrontEnd:
    case clock::Why::Issue:
    case clock::Why::Unit:
    case clock::Why::DstRows:
    case clock::Why::Vector:
    case clock::Why::Queue:
    case clock::Why::UnitsIdle: return Awaited::Unit;
    case clock::Why::Others: break;
  }
  return Awaited::Other;
}

Awaited awaited_of(Arch arch, std::optional<std::uint32_t> address) {
  if (!address) return Awaited::Thread;
  const riscv::AddressRange range = riscv::find_region(arch, *address);
  switch (range.region) {
    case Region::Noc0:
    case Region::Noc1: return Awaited::Noc;
    case Region::Semaphores: return Awaited::Thread;
    case Region::NocOverlay:
      return tile::Overlay::has(arch, *address - range.first) ? Awaited::CircularBuffer
                                                              : Awaited::Other;
    default: return Awaited::Other;
  }
}

std::string awaited_text(Arch arch, std::optional<std::uint32_t> address) {
  if (!address) return "its thread";
  const riscv::AddressRange range = riscv::find_region(arch, *address);
  const std::uint32_t offset = *address - range.first;
  switch (awaited_of(arch, address)) {
    case Awaited::Noc:
      return fmt::format("answers of NoC {}", range.region == Region::Noc1 ? 1 : 0);
    case Awaited::CircularBuffer: {
      const std::uint32_t number = offset % tile::Overlay::kStream / 4;
      return fmt::format("{} c_{}", number == noc_record(arch)->received ? "pages of" : "room in",
                         offset / tile::Overlay::kStream);
    }
    case Awaited::Nobody:
    case Awaited::Core:
    case Awaited::Thread:
    case Awaited::Unit:
    case Awaited::Other: break;
  }
  if (range.region == Region::L1) return fmt::format("the word 0x{:x} of L1", *address);
  if (range.region == Region::Semaphores) return "a semaphore";
  return fmt::format("the register 0x{:x}", *address);
}

} // namespace lanewise::report
