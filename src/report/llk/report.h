// Results of study/corpus/llk/check.h, for people and for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "report/llk/headers.h"
#include "study/corpus/llk/check.h"
#include "study/corpus/llk/kernel.h"

namespace lanewise::report {

/// Counts the results for the headers of their kernels.
void count_results(LlkHeaderRows& headers, std::span<const corpus::LlkResult> results);

/// A row per result, reasons of failures, a row per header, then how many are right.
std::string llk_table(std::span<const corpus::LlkResult> results, const LlkHeaderRows& headers);

/// An entry per result, then those of the headers' missing_json().
nlohmann::json llk_json(std::span<const corpus::LlkResult> results, const LlkHeaderRows& headers);

/// Name, chips, formats, domain and call of each kernel.
std::string llk_list(std::span<const corpus::LlkKernel* const> kernels);

} // namespace lanewise::report
