// What becomes of a program, as text, for the way from its process to the one that wants to know.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "run/launch/launch.h"

namespace lanewise::launch {

/// All but the buffers, which both processes see.
std::string encode_outcome(const LaunchOutcome& outcome);

/// Nothing if the text is not complete: kernels may write anywhere in their process.
std::optional<LaunchOutcome> decode_outcome(std::string_view text);

} // namespace lanewise::launch
