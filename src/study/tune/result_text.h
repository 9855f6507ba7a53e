// What the tuner has found and proved, as a text that gives back every bit.
#pragma once

#include <optional>
#include <string>

#include "study/tune/tune.h"

namespace lanewise::tune {

/// What a search has found: trials, and the program with its proof. What is known of the plain
/// program without a search is not in it.
std::string write_tuning(const TuneResult& result);
/// The same back into a result. False if the text is none; the result is then as it was.
bool read_tuning(const std::string& text, TuneResult& result);

std::string write_proof(const Proof& proof);
std::optional<Proof> read_proof(const std::string& text);

} // namespace lanewise::tune
