// Results in the form of tt-eltwise-accuracy-report's index (report_index.json): what its reviewers
// read, for kernels that no board has run.
//
// ULP are those of that report since October 2026: |found - exact| / gap above the rounded exact
// result, both flushed (UlpMeasure::AccuracyReportUnrounded). Of its entries, those fields are
// here whose meaning is public; docs/accuracy-json.md lists them.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "chip/isa/arch.h"
#include "study/sweep/statistics.h"

namespace lanewise::report {

/// The entry of an operation, from its results for every BF16 number.
nlohmann::json report_entry(std::span<const sweep::SweepCase> cases);

/// Collects entries under chip, format, operation and variant.
class ReportIndex {
 public:
  /// The operation by the name of our table: exp_fast is the variant fast_approx of exp.
  void add(Arch arch, const std::string& kernel, std::span<const sweep::SweepCase> cases);
  const nlohmann::json& json() const { return index_; }

 private:
  nlohmann::json index_ = nlohmann::json::object();
};

} // namespace lanewise::report
