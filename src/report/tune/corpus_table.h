// The kernels of a checkout, tuned, in one table.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "report/table/table.h"
#include "study/corpus/tune/tune_corpus.h"

namespace lanewise::report {

/// The figures, without markup: kernel, tiles, chip, cycles per row and tile as shipped and tuned,
/// bound and what sets it, result. Cycles are those of the kernel's own instructions.
Table tuned_corpus_table(std::span<const corpus::TunedCase> cases);

/// How many were taken, are faster, and by how much: sentences.
std::vector<std::string> tune_total_sentences(std::span<const corpus::TunedCase> cases);

/// Reasons for which kernels are not tuned, and how often: the most frequent first.
Table tune_reasons_table(std::span<const corpus::TunedCase> cases);

/// All three in Markdown. The same results give the same text: it has neither dates nor paths.
std::string tuned_corpus_markdown(std::span<const corpus::TunedCase> cases);

/// {"kernels": [...], "totals": {...}}; docs/tuning.md describes the fields.
nlohmann::ordered_json tuned_corpus_json(std::span<const corpus::TunedCase> cases);

} // namespace lanewise::report
