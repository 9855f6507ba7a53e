// What is said to mend a program is tried before it is printed: the program runs once more, with
// changes that its kernels do not have (run/launch/mend.h), and what is then no longer found is
// gone.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "run/grid/outcomes.h"
#include "run/grid/races.h"
#include "run/launch/mend.h"

namespace lanewise::grid {

/// " (tried: with it, this is gone)", " (tried: by itself, it is not enough)", or nothing.
std::string_view trial_text(Trial trial);

/// Whether a program has come to its end on all cores.
bool are_done(std::span<const CoreOutcome> cores);

/// What may be tried, by group of cores, of what was found on each, and of its races.
std::vector<std::vector<launch::Mend>> mends_to_try(std::span<const CoreOutcome> cores,
                                                    std::span<const std::size_t> group_of,
                                                    const Races& races);

/// Says of everything that has a mend what became of it in a run with all of them.
void judge(std::span<CoreOutcome> cores, Races& races, std::span<const CoreOutcome> tried,
           const Races& races_tried);

} // namespace lanewise::grid
