// What llk-test writes into files, as JSON: --zones and --state.
#pragma once

#include <string>
#include <vector>

#include "run/section/run_sections.h"

namespace lanewise::cli {

/// The zones of a run, and by section the texts of the profiler's markers. Error: of
/// section::read_markers().
Expected<std::string> zones_text(const section::SectionObjects& objects,
                                 const std::vector<section::ZoneEvent>& events);

/// The state that is left behind, by kind and name; what is 0 is there, too.
std::string state_text(Arch arch, const section::EndState& state);

} // namespace lanewise::cli
