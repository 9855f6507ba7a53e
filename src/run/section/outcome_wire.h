// What becomes of sections, as text, for the way from their process to the one that wants to know.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "run/section/run_sections.h"

namespace lanewise::section {

/// All but L1, which both processes see.
std::string encode_outcome(const SectionsOutcome& outcome);

/// Nothing if the text is not complete: sections may write anywhere in their process.
std::optional<SectionsOutcome> decode_outcome(std::string_view text);

/// The stretches of a core's SFPI code. Throws where something is missing.
nlohmann::json json_of(const Stretches& stretches);
Stretches stretches_of(const nlohmann::json& entry);

} // namespace lanewise::section
