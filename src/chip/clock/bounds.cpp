#include "chip/clock/bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "chip/isa/arch.h"

namespace lanewise::clock {

namespace {

std::uint64_t waited_for(const Figures& figures, Why why) {
  std::uint64_t sum = 0;
  for (const ThreadTime& thread : figures.thread) sum += thread.waited[static_cast<unsigned>(why)];
  return sum;
}

/// Every part, in the order of docs/timing.md.
std::vector<std::pair<std::string, std::uint64_t>> work_of_parts(Arch arch,
                                                                 const Figures& figures) {
  std::vector<std::pair<std::string, std::uint64_t>> parts;
  for (unsigned i = 0; i < kThreads; ++i)
    parts.emplace_back(fmt::format("core of T{}", i), figures.core[i].own);
  parts.emplace_back("BRISC", figures.core[tile::kBrisc].own);
  parts.emplace_back("NCRISC", figures.core[tile::kNcrisc].own);
  for (unsigned i = 0; i < kThreads; ++i)
    parts.emplace_back(fmt::format("issue of T{}", i), figures.thread[i].issuing);
  for (unsigned i = 0; i < figures.units.unpacker.size(); ++i)
    parts.emplace_back(fmt::format("unpacker {}", i), figures.units.unpacker[i]);
  parts.emplace_back("Matrix Unit", figures.units.matrix + waited_for(figures, Why::DstRows));
  parts.emplace_back("Vector Unit", figures.units.vector + waited_for(figures, Why::Vector));
  const unsigned packers = arch_params(arch).tile.packers;
  for (unsigned i = 0; i < packers; ++i)
    parts.emplace_back(packers == 1 ? "packer" : fmt::format("packer {}", i),
                       figures.units.packer[i]);
  return parts;
}

/// The bounds of what has been done between two points, each divided.
std::vector<Bound> bounds_between(Arch arch, const Figures& from, const Figures& until,
                                  double divisor) {
  const auto before = work_of_parts(arch, from), after = work_of_parts(arch, until);
  std::vector<Bound> bounds;
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (after[i].second == 0) continue;
    const auto work = static_cast<double>(after[i].second - before[i].second);
    bounds.push_back({.part = after[i].first, .cycles = work / divisor});
  }
  return bounds;
}

} // namespace

std::vector<Bound> bounds_of(Arch arch, const Figures& figures) {
  return bounds_between(arch, {}, figures, 1);
}

PerTile per_tile(Arch arch, const TimedResult& result, std::uint64_t tiles) {
  const std::size_t ended = result.ends.size();
  PerTile each{.tiles = tiles != 0 ? tiles : std::max<std::uint64_t>(ended, 1)};
  each.is_steady = ended >= kSteadyTiles;
  if (each.is_steady) {
    const std::size_t half = ended / 2;
    const TileEnd &from = result.ends[ended - 1 - half], &until = result.ends.back();
    // What the user calls a tile may be more than what a PACR ends, or less.
    const double made =
        static_cast<double>(half) * static_cast<double>(each.tiles) / static_cast<double>(ended);
    each.cycles = static_cast<double>(until.cycle - from.cycle) / made;
    each.bounds = bounds_between(arch, from.until, until.until, made);
  } else {
    const auto made = static_cast<double>(each.tiles);
    each.cycles = static_cast<double>(result.cycles) / made;
    each.bounds = bounds_between(arch, {}, result, made);
  }
  const auto largest = std::ranges::max_element(each.bounds, {}, &Bound::cycles);
  each.largest = static_cast<std::size_t>(largest - each.bounds.begin());
  return each;
}

} // namespace lanewise::clock
