// The kernels of a checkout, tuned and patched, in one table.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "study/corpus/tune/patch_corpus.h"

namespace lanewise::report {

/// A row per kernel in Markdown, with its patch or why there is none, and totals.
std::string patch_markdown(const corpus::PatchedCorpus& corpus);

/// {"kernels": [...], "patches": N}; docs/tuning.md describes the fields.
nlohmann::ordered_json patch_json(const corpus::PatchedCorpus& corpus);

} // namespace lanewise::report
