// What is said of races between cores: both accesses with their lines, which order is missing, and
// the shortest mend.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/fault.h"
#include "run/grid/races.h"
#include "source/programs/cores.h"

namespace lanewise::grid {

/// Who is who in races.
struct Sources {
  std::vector<programs::Core> cores;
  /// The file of the kernel that a core of the tile of one of these runs.
  std::function<std::string(std::size_t core, unsigned risc)> file;
  /// " of buffer 'a'", or "" where there is none.
  std::function<std::string(const Memory& memory, std::uint64_t address)> buffer =
      [](const Memory&, std::uint64_t) { return std::string(); };
};

/// One fault for each race, in the order in which they were found; then of reads of what nobody has
/// written; and one of what was not looked at.
std::vector<Fault> race_faults(const Races& races, const Sources& sources);

} // namespace lanewise::grid
