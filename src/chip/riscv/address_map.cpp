#include "chip/riscv/address_map.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace lanewise::riscv {

namespace {

struct MapRow {
  Region region;
  std::uint32_t first;
  std::array<std::uint32_t, 2> last; ///< by Arch; 0: the chip has no such region
  std::string_view text;

  constexpr AddressRange on(Arch arch) const {
    return {region, first, last[static_cast<std::size_t>(arch)], text};
  }
};

constexpr auto kMap = std::to_array<MapRow>({
#define REGION(name, first, last_bh, last_wh, text) {Region::name, first, {last_bh, last_wh}, text},
#include "chip/riscv/address_map.def"
#undef REGION
});

constexpr AddressRange kUnmapped{.last = 0xFFFFFFFF};

/// The rows that a chip has, in the order of their addresses; each access of a core is looked up.
struct ChipMap {
  std::array<AddressRange, kMap.size()> ranges{};
  std::size_t count = 0;
};

constexpr ChipMap map_of(Arch arch) {
  ChipMap map;
  for (const MapRow& row : kMap)
    if (row.on(arch).last != 0) map.ranges[map.count++] = row.on(arch);
  return map;
}

constexpr auto kMaps = [] {
  std::array<ChipMap, kArchs.size()> maps;
  for (const Arch arch : kArchs) maps[static_cast<std::size_t>(arch)] = map_of(arch);
  return maps;
}();

constexpr bool is_in_order(const ChipMap& map) {
  for (std::size_t i = 1; i < map.count; ++i)
    if (map.ranges[i - 1].last >= map.ranges[i].first) return false;
  return true;
}
static_assert(
    std::ranges::all_of(kMaps, is_in_order),
    "address_map.def must be in the order of addresses, and no region reach into another");

} // namespace

AddressRange find_region(Arch arch, std::uint32_t address) {
  const ChipMap& map = kMaps[static_cast<std::size_t>(arch)];
  const auto end = map.ranges.begin() + static_cast<std::ptrdiff_t>(map.count);
  const auto behind = std::upper_bound(
      map.ranges.begin(), end, address,
      [](std::uint32_t place, const AddressRange& range) { return place < range.first; });
  const bool is_mapped = behind != map.ranges.begin() && std::prev(behind)->holds(address);
  return is_mapped ? *std::prev(behind) : kUnmapped;
}

AddressRange range_of(Arch arch, Region region) {
  if (region == Region::Unmapped) return kUnmapped;
  const AddressRange range = kMap[static_cast<std::size_t>(region)].on(arch);
  return range.last == 0 ? kUnmapped : range;
}

} // namespace lanewise::riscv
