// The headers of a checkout of tt-llk, and what became of the kernels in them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "study/corpus/llk/coverage.h"

namespace lanewise::report {

/// A header, and how often its kernels were run or checked, chip by chip and with each
/// configuration.
struct LlkHeaderRow {
  corpus::LlkHeader header;
  std::size_t runs = 0, failed = 0, defects = 0;
};

/// The headers of a checkout, all of which a report shows unless it is about some kernels only.
class LlkHeaderRows {
 public:
  explicit LlkHeaderRows(std::vector<corpus::LlkHeader> headers, bool shows_all = true);

  /// Counts a run of a kernel of that header, if the checkout has it. `has_defect`: it is wrong,
  /// but known to be.
  void count(const std::string& header, bool failed, bool has_defect = false);

  /// A line for each header that is shown: all, or those with runs. Entry functions without a
  /// reference stand behind the verdict.
  std::string table() const;
  /// "31 of 52 headers": those with runs, of all.
  std::string summary() const;
  /// For each of the shown headers and each chip that has no reference, or entry functions without
  /// one, an entry that names them, with the verdict "no reference".
  nlohmann::json missing_json() const;

 private:
  std::vector<LlkHeaderRow> shown() const;

  std::vector<LlkHeaderRow> rows_;
  bool shows_all_;
};

} // namespace lanewise::report
