// Tables of cycles that were measured on silicon: a CSV file, in which a row is a group of
// measurements of one operation on one engine, in several formats.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fault.h"
#include "chip/isa/arch.h"

namespace lanewise::silicon {

/// Who worked: a thread of the tile, and what it drives. In the order of the threads.
enum class Engine : std::uint8_t { Unpack, Math, Pack };
inline constexpr unsigned kEngines = 3;

/// What the cycles of a row are for.
enum class Unit : std::uint8_t {
  PerTile, ///< a tile of the loop
  PerCall  ///< an initialisation
};
inline constexpr unsigned kUnits = 2;

/// "unpack", "math", "pack"; "PerTile", "PerCall".
std::string_view engine_name(Engine engine);
std::string_view unit_name(Unit unit);

/// The chip on which such tables are measured: their columns name none.
inline constexpr Arch kMeasuredChip = Arch::Blackhole;

using Options = std::vector<std::pair<std::string, std::string>>;

struct CostRow {
  std::string op;
  Engine engine = Engine::Math;
  Unit unit = Unit::PerTile;
  std::vector<std::string> inputs = {}, outputs = {}; ///< formats of tiles in L1
  std::vector<bool> wide = {};                        ///< whether Dst has 32 bits (dest_acc)
  Options options = {};
  double least = 0, median = 0, most = 0; ///< cycles, over the group
  unsigned measured = 0;                  ///< measurements in the group
  std::uint32_t line = 0;
};

/// The columns, as they stand in the first line.
inline constexpr std::string_view kCostColumns =
    "op,engine,unit,in_formats,out_formats,dest_acc,options,cycles_min,cycles_median,cycles_max,"
    "rows";

/// Every line, or the first that is wrong. Error: BadInput with line and column.
Expected<std::vector<CostRow>> parse_cost_table(std::string_view text);

/// Errors as of parse_cost_table(), with the file; one that cannot be read.
Expected<std::vector<CostRow>> read_cost_table(const std::string& file);

} // namespace lanewise::silicon
