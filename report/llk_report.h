// Results of lab/llk_check.h, for people and for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "lab/llk_check.h"
#include "lab/llk_kernel.h"

namespace lanewise::report {

/// A row per result, then how many are right. Reasons of failures follow the table.
std::string llk_table(std::span<const lab::LlkResult> results);

nlohmann::json llk_json(std::span<const lab::LlkResult> results);

/// Name, chips, formats, domain and call of each kernel.
std::string llk_list(std::span<const lab::LlkKernel* const> kernels);

} // namespace lanewise::report
