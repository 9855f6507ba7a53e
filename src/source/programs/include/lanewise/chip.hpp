// What a host can know of a chip, and the grid of cores that its device has.
#pragma once

#include <charconv>

#include "channel.hpp"
#include "work_split.hpp"

namespace lanewise_host {

/// What the device has not, or cannot do. 'lanewise program' tells it, whatever becomes of the
/// exception.
[[noreturn]] inline void refuse_at(const std::string& origin, std::string_view text) {
  const std::string message = fmt::format("{}: {}", origin, text);
  if (Channel::is_inherited()) Channel::own().ask(Ask::Refused, message);
  throw std::runtime_error(message);
}
[[noreturn]] inline void refuse(const Location& location, std::string_view text) {
  refuse_at(origin_of(location), text);
}

/// docs/programs.md, "The device".
struct Chip {
  const char* name;
  tt::ARCH arch;
  std::uint64_t dram_banks, dram_alignment, dram_begin, bank_bytes;
  std::uint64_t l1_bytes, l1_begin;
  tt::tt_metal::CoreCoord noc_grid;         ///< columns and rows of the NoC
  tt::tt_metal::CoreCoord grid;             ///< of the cores that programs see of a card
  tt::tt_metal::CoreCoord worker;           ///< virtual coordinates of the core (0, 0)
  std::size_t columns_before_gap, gap;      ///< of cores; then so many columns are not of cores
};
inline constexpr std::array<Chip, 2> kChips{
    {{"bh", tt::ARCH::BLACKHOLE, 8, 64, 0x100080, 4278190080, 1536 * 1024, 0x1B300, {17, 12}, {11, 10}, {1, 2}, 7, 2},
     {"wh", tt::ARCH::WORMHOLE_B0, 12, 32, 0x100040, 1U << 30, 1464 * 1024, 0x19720, {10, 12}, {8, 8}, {18, 18}, 8, 0}}};

/// $LANEWISE_ARCH, bh or wh; or $ARCH_NAME, as tt-metal has it.
inline const Chip& chip() {
  static const Chip& chosen = []() -> const Chip& {
    for (const char* variable : {"LANEWISE_ARCH", "ARCH_NAME"}) {
      const char* const value = std::getenv(variable);
      if (value == nullptr) continue;
      const std::string_view name(value);
      if (name == "bh" || name == "blackhole") return kChips[0];
      if (name == "wh" || name == "wormhole_b0") return kChips[1];
      throw std::runtime_error(fmt::format("{}={} is no chip that is here: choose bh or wh", variable, name));
    }
    return kChips[0];
  }();
  return chosen;
}

/// "COLUMNSxROWS", of at least one core and at most those of the chip.
inline std::optional<tt::tt_metal::CoreCoord> grid_of(const Chip& of, std::string_view text) {
  tt::tt_metal::CoreCoord grid;
  const char* const end = text.data() + text.size();
  const auto columns = std::from_chars(text.data(), end, grid.x);
  if (columns.ec != std::errc() || columns.ptr == end || *columns.ptr != 'x') return std::nullopt;
  const auto rows = std::from_chars(columns.ptr + 1, end, grid.y);
  if (rows.ec != std::errc() || rows.ptr != end) return std::nullopt;
  if (grid.x == 0 || grid.y == 0 || grid.x > of.grid.x || grid.y > of.grid.y) return std::nullopt;
  return grid;
}

/// What $LANEWISE_FLAGS tell 'lanewise device' of its grid, where this program starts it.
inline std::string grid_of_device() {
  const char* const flags = std::getenv("LANEWISE_FLAGS");
  const bool has_grid = flags != nullptr && std::string_view(flags).find("--grid") != std::string_view::npos;
  if (Channel::is_inherited() || !has_grid) return {};
  const Reply reply = Channel::own().ask(Ask::Grid, "");
  const std::string text(reply.bytes.begin(), reply.bytes.end());
  if (reply.answer != Answer::Done) throw std::runtime_error(text);
  return text;
}

/// Columns and rows of the device: those of the chip, or less with its --grid or $LANEWISE_GRID,
/// such as 4x2.
inline const tt::tt_metal::CoreCoord& grid() {
  static const tt::tt_metal::CoreCoord chosen = [] {
    std::string value = grid_of_device();
    if (const char* const own = std::getenv("LANEWISE_GRID"); value.empty() && own != nullptr) value = own;
    if (value.empty()) return chip().grid;
    if (const auto given = grid_of(chip(), value)) return *given;
    refuse_at(fmt::format("LANEWISE_GRID={}", value),
              fmt::format("the grid is no COLUMNSxROWS from 1x1 to {}x{}", chip().grid.x, chip().grid.y));
  }();
  return chosen;
}

/// Banks over which buffers in L1 are interleaved: all cores.
inline std::uint64_t l1_banks() { return std::uint64_t{grid().x} * grid().y; }

/// Virtual coordinates of a core, by which the NoC knows it.
inline tt::tt_metal::CoreCoord place_of(const Chip& of, const tt::tt_metal::CoreCoord& core) {
  return {of.worker.x + core.x + (core.x >= of.columns_before_gap ? of.gap : 0), of.worker.y + core.y};
}

/// Cores that the device has not are refused where they are asked for.
inline void check_core(const tt::tt_metal::CoreCoord& core, const Location& location) {
  if (core.x < grid().x && core.y < grid().y) return;
  refuse(location, fmt::format("asks for core ({}, {}), which is outside of the grid of {} x {}", core.x, core.y,
                               grid().x, grid().y));
}
inline tt::tt_metal::CoreRangeSet check_cores(const tt::tt_metal::CoreSpec& cores, const Location& location) {
  auto set = std::visit([](const auto& each) { return tt::tt_metal::CoreRangeSet(each); }, cores);
  for (const auto& range : set.ranges()) check_core(range.end_coord, location);
  return set;
}

} // namespace lanewise_host
