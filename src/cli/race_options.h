// --races of the commands that run a whole tile: in one piece, in parts, or going on.
#pragma once

#include <functional>
#include <string_view>

#include "chip/isa/arch.h"
#include "chip/tile/races.h"
#include "cli/command_line.h"
#include "cli/exit_status.h"
#include "cli/part_options.h"

namespace lanewise::cli {

struct RaceOptions {
  bool races = false;                             ///< try other orders of the threads
  unsigned schedules = tile::RaceSearch().orders; ///< as many, at most
  PartOptions part;

  bool is_given() const {
    return races || !part.part.empty() || !part.file.empty() || !part.resume.empty();
  }
};

void add_race_options(const Command& command, RaceOptions& options);

/// Error: BadInput where there is a part of nothing, or none.
Expected<void> check_race_options(const RaceOptions& options);

/// Looks for an order of the threads with another result, and prints what was found. `command`
/// names the file of a part; `how` says how to follow cores, to mend, and when a run is too long;
/// `find` searches so.
ExitStatus search_races(
    const RaceOptions& options, std::string_view command, Arch arch, bool json,
    tile::RaceSearch how,
    const std::function<Expected<tile::RaceReport>(const tile::RaceSearch&)>& find);

} // namespace lanewise::cli
