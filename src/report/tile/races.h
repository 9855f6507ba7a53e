// Races of a program of a whole tile, for people and for other tools.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "chip/isa/arch.h"
#include "chip/tile/races.h"

namespace lanewise::report {

/// What differs, which two instructions it depends on first, and what would mend it.
std::string race_text(Arch arch, const tile::RaceReport& races);

nlohmann::json race_json(Arch arch, const tile::RaceReport& races);

} // namespace lanewise::report
