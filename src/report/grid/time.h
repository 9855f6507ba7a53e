// A program on many cores in time, for people and for other tools (docs/grid.md, "Time"). Of a
// program on one core it is what report/program/time.h has.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "chip/clock/bounds.h"
#include "chip/noc/carrier.h"
#include "report/program/time.h"
#include "run/grid/timed_grid.h"
#include "run/launch/launch.h"
#include "source/programs/cores.h"
#include "source/programs/program.h"

namespace lanewise::report {

struct GridCore {
  programs::Core core;
  std::vector<noc::Signal> signals = {}; ///< that came from other cores
  ProgramTime time = {};
};

/// Precondition of all that follows: there is a core.
struct GridTime {
  std::vector<GridCore> cores = {};                              ///< row by row
  std::vector<double> bank_busy = {};                            ///< cycles, by bank of DRAM
  std::array<std::vector<std::uint64_t>, kNocs> link_bytes = {}; ///< by NoC and link (routes.h)

  std::uint64_t cycles() const;
  /// The one that ends last.
  const GridCore& last() const;
};

/// What a report says besides what was measured.
struct GridTimeSettings {
  std::string name = {};        ///< of the program: its file
  std::uint64_t tiles = 0;      ///< that each core makes; 0: as many as it packs
  std::size_t shown = 0;        ///< of each core's timeline: the last instructions
  bool gathers = false;         ///< as the run has had it
  bool has_own_headers = false; ///< kernels include Lanewise's own
};

/// A run in time as a report, with what is assumed of it. `host`: the run on the host.
/// Precondition: a core runs kernels.
GridTime grid_time(const programs::Program& program, const launch::LaunchOutcome& host,
                   grid::TimedLaunch timed, const GridTimeSettings& settings);

/// What a core needs most, of all that it used, and the cycles that this alone would take: "Matrix
/// Unit", "NoC 0, into the core", "core of T1".
clock::Bound bound_of(const GridCore& core);

/// Of what the cores share and of what each of them needs, what was busy for most of the run:
/// "bank 3 of DRAM", "NoC 1, from (0, 10) to (0, 9)", "core (1, 2): Matrix Unit".
clock::Bound bound_of(const GridTime& time);

/// The cores, the critical path, banks of DRAM. Some may have no rows.
std::vector<Table> grid_time_tables(const GridTime& time);

std::string grid_time_text(const GridTime& time);

/// Fields of program_time_json() for each core in "cores", and "cycles", "last", "bound", "banks",
/// "links", "critical_path".
nlohmann::ordered_json cores_time_json(const GridTime& time);

/// What commands print: of a program on many cores that, on one core program_time_json().
nlohmann::ordered_json grid_time_json(const GridTime& time);

/// A process for each core, with the tracks of program_time_perfetto().
nlohmann::json grid_time_perfetto(const GridTime& time);

/// A page that needs nothing else: the cores, and what program_time_html() has of the one that ends
/// last. Needs a run with a timeline.
std::string grid_time_html(const GridTime& time, const std::string& command);

} // namespace lanewise::report
