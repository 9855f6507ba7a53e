// What lies where in the address space of the cores that push to the coprocessor.
#pragma once

#include <cstdint>
#include <string_view>

#include "chip/isa/arch.h"

namespace lanewise::riscv {

enum class Region : std::uint8_t {
#define REGION(name, ...) name,
#include "chip/riscv/address_map.def"
#undef REGION
  Unmapped
};

/// Both ends belong to it.
struct AddressRange {
  Region region = Region::Unmapped;
  std::uint32_t first = 0, last = 0;
  std::string_view text = "nothing is mapped there";

  constexpr bool holds(std::uint32_t address) const { return address >= first && address <= last; }
};

/// Where an address lies; Region::Unmapped with the whole address space if nowhere.
AddressRange find_region(Arch arch, std::uint32_t address);

/// The addresses of a region; of one that the chip lacks, Region::Unmapped.
AddressRange range_of(Arch arch, Region region);

} // namespace lanewise::riscv
