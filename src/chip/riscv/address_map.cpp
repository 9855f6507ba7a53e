#include "chip/riscv/address_map.h"

#include <array>

namespace lanewise::riscv {

namespace {

struct MapRow {
  Region region;
  std::uint32_t first;
  std::array<std::uint32_t, 2> last; ///< by Arch; 0: the chip has no such region
  std::string_view text;

  AddressRange on(Arch arch) const {
    return {region, first, last[static_cast<std::size_t>(arch)], text};
  }
};

constexpr auto kMap = std::to_array<MapRow>({
#define REGION(name, first, last_bh, last_wh, text) {Region::name, first, {last_bh, last_wh}, text},
#include "chip/riscv/address_map.def"
#undef REGION
});

constexpr AddressRange kUnmapped{.last = 0xFFFFFFFF};

} // namespace

AddressRange find_region(Arch arch, std::uint32_t address) {
  for (const MapRow& row : kMap) {
    const AddressRange range = row.on(arch);
    if (range.holds(address)) return range;
  }
  return kUnmapped;
}

AddressRange range_of(Arch arch, Region region) {
  if (region == Region::Unmapped) return kUnmapped;
  const AddressRange range = kMap[static_cast<std::size_t>(region)].on(arch);
  return range.last == 0 ? kUnmapped : range;
}

} // namespace lanewise::riscv
