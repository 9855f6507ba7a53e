#include "chip/tile/floors.h"

#include <fmt/format.h>

#include <algorithm>

#include "chip/isa/row.h"

namespace lanewise::tile {

namespace {

using isa::Op;

/// Writes of 16 bytes that packers make in a cycle: each of Wormhole's four one, Blackhole's one
/// as many as it has ways to read Dst (silicon: both come near 32 cycles for a tile of 2048 bytes,
/// core.md 17).
constexpr unsigned kWritesPerCycle = 4;
/// L1 takes this long for a write that adds (core.md 14.10).
constexpr unsigned kAccumulateCycles = 5;

double pack_cycles(Arch arch, const Traffic& traffic) {
  const auto cycles = [](const Traffic::OfPacker& packer) {
    return static_cast<double>(packer.writes - packer.accumulated +
                               kAccumulateCycles * packer.accumulated);
  };
  if (arch_params(arch).tile.packers == 1) return cycles(traffic.packer[0]) / kWritesPerCycle;
  double longest = 0;
  for (const Traffic::OfPacker& packer : traffic.packer)
    longest = std::max(longest, cycles(packer));
  return longest;
}

std::uint64_t ended_tiles(const Traffic& traffic) {
  std::uint64_t most = 0;
  for (const Traffic::OfPacker& packer : traffic.packer) most = std::max(most, packer.ends);
  return std::max<std::uint64_t>(most, 1);
}

} // namespace

unsigned issue_cost(Op op) {
  struct Cost {
    Op op;
    unsigned cycles;
  };
  static constexpr Cost kCosts[] = {{Op::UNPACR, 2},       {Op::REG2FLOP, 2},    {Op::FLUSHDMA, 2},
                                    {Op::ADDDMAREG, 3},    {Op::SUBDMAREG, 3},   {Op::MULDMAREG, 3},
                                    {Op::BITWOPDMAREG, 3}, {Op::SHIFTDMAREG, 3}, {Op::CMPDMAREG, 3},
                                    {Op::LOADIND, 3},      {Op::STOREIND, 3},    {Op::LOADREG, 3},
                                    {Op::STOREREG, 3},     {Op::ATINCGET, 3},    {Op::ATSWAP, 3},
                                    {Op::ATINCGETPTR, 15}, {Op::ATCAS, 15}};
  const auto* const found = std::ranges::find(kCosts, op, &Cost::op);
  return found == std::end(kCosts) ? 1 : found->cycles;
}

Floors floors_of(Arch arch, const Traffic& traffic, std::uint64_t tiles) {
  Floors result;
  result.tiles = tiles == 0 ? ended_tiles(traffic) : tiles;
  const auto add = [&](unsigned thread, std::string resource, double cycles) {
    if (cycles > 0)
      result.floors.push_back(
          {std::move(resource), thread, cycles / static_cast<double>(result.tiles)});
  };
  for (unsigned thread = 0; thread < kThreads; ++thread)
    add(thread, fmt::format("issue of T{}", thread),
        static_cast<double>(traffic.issue_cycles[thread]));
  for (unsigned u = 0; u < traffic.unpacker.size(); ++u)
    add(0, fmt::format("fetch of unpacker {}", u),
        static_cast<double>(traffic.unpacker[u].fetch_cycles));
  add(2, "writes of the packers", pack_cycles(arch, traffic));
  std::ranges::stable_sort(result.floors, [](const Floor& a, const Floor& b) {
    return a.thread != b.thread ? a.thread < b.thread : a.cycles > b.cycles;
  });
  const auto largest = std::ranges::max_element(result.floors, {}, &Floor::cycles);
  result.bottleneck = static_cast<std::size_t>(largest - result.floors.begin());
  return result;
}

} // namespace lanewise::tile
