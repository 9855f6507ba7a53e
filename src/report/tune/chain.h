// What 'lanewise tune A B C' found, as text and JSON.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

#include "study/tune/chain.h"

namespace lanewise::report {

/// Cycles of the kernels and of both forms, conflicts, what was taken and its proof: without the
/// code.
std::string chain_text(const tune::ChainResult& result);

/// docs/tuning.md describes the fields.
nlohmann::ordered_json chain_json(const tune::ChainResult& result);

} // namespace lanewise::report
