// A program in time, for people and for other tools (docs/programs.md, "Time").
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "chip/noc/carrier.h"
#include "report/tile/time.h"
#include "run/grid/timed_grid.h"

namespace lanewise::report {

struct ProgramTime {
  TileTime tile; ///< threads and their cores
  noc::Carrier::Traffics traffic = {};
  std::vector<double> bank_busy = {};     ///< cycles, by bank of DRAM
  std::vector<noc::NocSpan> spans = {};   ///< of the trace
  std::vector<grid::CbLevel> levels = {}; ///< of circular buffers
};

/// The cores that move data, who waits for what, the NoC, and circular buffers. Some may have no
/// rows.
std::vector<Table> program_time_tables(const ProgramTime& time);

/// These, and then what the tile's report has.
std::string program_time_text(const ProgramTime& time);

/// The same: fields of tile_time_json(), and "movers", "core_waits", "noc", "banks",
/// "circular_buffers".
nlohmann::ordered_json program_time_json(const ProgramTime& time);

/// The tile's trace with tracks for the cores that move data, for each NoC's reads and writes, and
/// a counter for the pages of each circular buffer.
nlohmann::json program_time_perfetto(const ProgramTime& time);

} // namespace lanewise::report
