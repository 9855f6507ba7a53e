// Lists of cores, and how work is split over them.
#pragma once

#include "cores.hpp"

namespace tt::tt_metal {

/// The cores of a rectangle, row by row or column by column.
inline std::vector<CoreCoord> grid_to_cores(CoreCoord start, CoreCoord end, bool row_wise = false) {
  std::vector<CoreCoord> cores;
  if (row_wise) {
    for (std::size_t y = start.y; y <= end.y; ++y)
      for (std::size_t x = start.x; x <= end.x; ++x) cores.emplace_back(x, y);
  } else {
    for (std::size_t x = start.x; x <= end.x; ++x)
      for (std::size_t y = start.y; y <= end.y; ++y) cores.emplace_back(x, y);
  }
  return cores;
}
/// The first cores of a grid.
inline std::vector<CoreCoord> grid_to_cores(std::uint32_t cores, std::uint32_t columns, std::uint32_t rows,
                                            bool row_wise = false,
                                            lanewise_host::Location location = lanewise_host::Location::current()) {
  if (std::uint64_t{columns} * rows < cores)
    lanewise_host::throw_at(location, fmt::format("{} cores of a grid of {} x {}", cores, columns, rows));
  std::vector<CoreCoord> first;
  for (std::uint32_t i = 0; i < cores; ++i)
    first.push_back(row_wise ? CoreCoord(i % columns, i / columns) : CoreCoord(i / rows, i % rows));
  return first;
}
/// The cores of a set, range by range; at most `most`.
inline std::vector<CoreCoord> corerange_to_cores(const CoreRangeSet& set,
                                                 std::optional<std::uint32_t> most = std::nullopt,
                                                 bool row_wise = false) {
  std::vector<CoreCoord> cores;
  for (const CoreRange& range : set.ranges()) {
    const auto own = grid_to_cores(range.start_coord, range.end_coord, row_wise);
    cores.insert(cores.end(), own.begin(), own.end());
  }
  if (most && cores.size() > *most) cores.resize(*most);
  return cores;
}
/// From the core `first` up to the core `last` of a set, each as a range of its own.
inline CoreRangeSet select_from_corerangeset(
    const CoreRangeSet& set, std::uint32_t first, std::uint32_t last, bool row_wise = false,
    lanewise_host::Location location = lanewise_host::Location::current()) {
  const auto cores = corerange_to_cores(set, std::nullopt, row_wise);
  if (last >= cores.size())
    lanewise_host::throw_at(location, fmt::format("core {} of a set of {}", last, cores.size()));
  std::vector<CoreRange> chosen;
  for (std::uint32_t i = first; i <= last; ++i) chosen.emplace_back(cores[i]);
  return CoreRangeSet(std::move(chosen));
}

} // namespace tt::tt_metal

namespace lanewise_host {

/// Cores that follow each other row by row, or column by column, as rectangles of whole rows or
/// columns, and of parts of them at both ends.
inline tt::tt_metal::CoreRangeSet as_ranges(std::span<const tt::tt_metal::CoreCoord> cores, bool row_wise) {
  using tt::tt_metal::CoreRange;
  std::vector<CoreRange> lines, ranges;
  for (const auto& core : cores) {
    const bool goes_on = !lines.empty() && (row_wise ? lines.back().end_coord.y == core.y && lines.back().end_coord.x + 1 == core.x
                                                     : lines.back().end_coord.x == core.x && lines.back().end_coord.y + 1 == core.y);
    if (goes_on) lines.back().end_coord = core;
    else lines.emplace_back(core);
  }
  for (const CoreRange& line : lines) {
    const bool fits = !ranges.empty() &&
                      (row_wise ? ranges.back().start_coord.x == line.start_coord.x && ranges.back().end_coord.x == line.end_coord.x &&
                                      ranges.back().end_coord.y + 1 == line.start_coord.y
                                : ranges.back().start_coord.y == line.start_coord.y && ranges.back().end_coord.y == line.end_coord.y &&
                                      ranges.back().end_coord.x + 1 == line.start_coord.x);
    if (fits) ranges.back().end_coord = line.end_coord;
    else ranges.push_back(line);
  }
  return tt::tt_metal::CoreRangeSet(std::move(ranges));
}

/// `count` of `cores` that follow each other, the first of which is `start`.
inline std::span<const tt::tt_metal::CoreCoord> cores_from(const std::vector<tt::tt_metal::CoreCoord>& cores,
                                                           const tt::tt_metal::CoreCoord& start, std::size_t count,
                                                           const Location& location) {
  const auto at = std::find(cores.begin(), cores.end(), start);
  if (at == cores.end()) throw_at(location, fmt::format("core {} is none of the cores to choose from", start.str()));
  const auto left = static_cast<std::size_t>(cores.end() - at);
  if (count > left) throw_at(location, fmt::format("{} cores from {} on, where {} are left", count, start.str(), left));
  return std::span(cores).subspan(static_cast<std::size_t>(at - cores.begin()), count);
}

/// So many cores as there are units, at most all: those of group 1 get one unit more than those of
/// group 2, if the units do not come out even.
inline std::tuple<std::uint32_t, tt::tt_metal::CoreRangeSet, tt::tt_metal::CoreRangeSet, tt::tt_metal::CoreRangeSet,
                  std::uint32_t, std::uint32_t>
split_work(const std::vector<tt::tt_metal::CoreCoord>& all, std::uint32_t units, bool row_wise) {
  const auto cores = std::min(units, static_cast<std::uint32_t>(all.size()));
  if (cores == 0) return {0, {}, {}, {}, 0, 0};
  const std::uint32_t each = units / cores, more = units % cores;
  const auto used = std::span(all).first(cores);
  if (more == 0) return {cores, as_ranges(used, row_wise), as_ranges(used, row_wise), {}, each, 0};
  return {cores, as_ranges(used, row_wise), as_ranges(used.first(more), row_wise), as_ranges(used.subspan(more), row_wise),
          each + 1, each};
}

} // namespace lanewise_host

namespace tt::tt_metal {

inline CoreRangeSet num_cores_to_corerangeset(
    const CoreCoord& start, std::uint32_t cores, const CoreCoord& grid, bool row_wise = false,
    lanewise_host::Location location = lanewise_host::Location::current()) {
  if (grid.x == 0 || grid.y == 0) lanewise_host::throw_at(location, "a grid without cores");
  const auto all = grid_to_cores({0, 0}, {grid.x - 1, grid.y - 1}, row_wise);
  return lanewise_host::as_ranges(lanewise_host::cores_from(all, start, cores, location), row_wise);
}
inline CoreRangeSet num_cores_to_corerangeset(
    std::uint32_t cores, const CoreCoord& grid, bool row_wise = false,
    lanewise_host::Location location = lanewise_host::Location::current()) {
  return num_cores_to_corerangeset({0, 0}, cores, grid, row_wise, location);
}
inline CoreRangeSet num_cores_to_corerangeset_in_subcoregrids(
    const CoreCoord& start, std::uint32_t cores, const CoreRangeSet& from, bool row_wise = false,
    lanewise_host::Location location = lanewise_host::Location::current()) {
  const auto all = corerange_to_cores(from, std::nullopt, row_wise);
  return lanewise_host::as_ranges(lanewise_host::cores_from(all, start, cores, location), row_wise);
}

/// (number of cores, all of them, group 1, group 2, units of each core of group 1, of group 2).
inline auto split_work_to_cores(const CoreCoord& grid, std::uint32_t units, bool row_wise = false) {
  return lanewise_host::split_work(
      grid_to_cores(static_cast<std::uint32_t>(grid.x * grid.y), static_cast<std::uint32_t>(grid.x),
                    static_cast<std::uint32_t>(grid.y), row_wise),
      units, row_wise);
}
inline auto split_work_to_cores(const CoreRangeSet& cores, std::uint32_t units, bool row_wise = false) {
  return lanewise_host::split_work(corerange_to_cores(cores, std::nullopt, row_wise), units, row_wise);
}

} // namespace tt::tt_metal

namespace tt {
using tt_metal::split_work_to_cores;
}

using tt::tt_metal::corerange_to_cores;
using tt::tt_metal::grid_to_cores;
using tt::tt_metal::select_from_corerangeset;
