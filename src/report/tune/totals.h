// What a table of tuned kernels comes to.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "study/corpus/tune/tune_corpus.h"

namespace lanewise::report {

struct TuneTotals {
  std::size_t cases = 0; ///< kernels in their configurations, on each chip
  std::size_t not_compiled = 0, failed = 0, refused = 0;
  std::size_t taken = 0;          ///< by the tuner
  std::size_t blocks = 0;         ///< of these: as a block
  std::size_t not_proved = 0;     ///< of these: a proof of what was found would take minutes
  std::size_t searched = 0;       ///< the others of these
  std::size_t faster = 0;         ///< of those that were searched
  std::size_t best = 0;           ///< likewise: not faster, and nothing is, as the bound says
  std::size_t slower = 0;         ///< likewise; a tuned program is never one
  std::size_t optimal = 0;        ///< of the faster ones: at their bound
  std::size_t by_solver = 0;      ///< likewise: proved by z3
  std::size_t by_expressions = 0; ///< likewise: by the expressions that both programs compute
  std::size_t was_stopped = 0;    ///< of those that were searched: by the limit of time
  /// Geometric mean of tuned to shipped cycles of a tile over those that were searched; where
  /// nothing faster was found it is 1.
  double ratio = 1;
  /// Reasons for which kernels are refused or do not compile, with how many, the most frequent
  /// first. Numbers are left out where they are all that differs.
  std::vector<std::pair<std::string, std::size_t>> reasons = {};
};

TuneTotals tune_totals(std::span<const corpus::TunedCase> cases);

} // namespace lanewise::report
