// Options of commands that run a whole tile in time, and what they print of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/fault.h"
#include "chip/clock/timed_run.h"
#include "chip/tile/run.h"
#include "cli/command.h"
#include "report/tile/time.h"

namespace lanewise::cli {

/// What the options are given, as typed.
struct TileTimeOptions {
  bool time = false;
  std::uint64_t tiles = 0;    ///< that the program makes; 0: as many as are packed
  std::size_t timeline = 0;   ///< instructions to print
  std::string perfetto;       ///< a file for a trace
  std::string html;           ///< a file for a page
  std::string gather = "off"; ///< "on" or "off"; where cores run programs of their own

  bool keeps_timeline() const { return timeline != 0 || !perfetto.empty() || !html.empty(); }
  bool gathers() const { return gather == "on"; }
  /// Whether any of what goes with --time is given; a command's own --html is not asked here.
  bool asks() const { return tiles != 0 || keeps_timeline() || gathers(); }
};

void add_tile_time_options(const Command& command, TileTimeOptions& options);

/// --html, for commands that have no other page.
void add_time_page_option(const Command& command, TileTimeOptions& options);

/// --gather, for commands that run the cores' own programs.
void add_gather_option(const Command& command, TileTimeOptions& options);

/// Error: BadInput where an option goes with --time, which is not given, where time leaves no order
/// to choose, and where a file cannot be written.
Expected<void> check_tile_time(const TileTimeOptions& options, const tile::ScheduleChoice& choice,
                               bool races);

/// A report of a run, as the options ask for it.
report::TileTime tile_time(const TileTimeOptions& options, Arch arch, const std::string& program,
                           clock::TimedResult run);

/// With --perfetto, the trace; with --html, the page. Error: BadInput.
Expected<void> write_tile_trace(const TileTimeOptions& options, const report::TileTime& time);

/// The report, as text or JSON, and the trace. Error: BadInput.
Expected<void> print_tile_time(const TileTimeOptions& options, const report::TileTime& time,
                               bool json);

} // namespace lanewise::cli
