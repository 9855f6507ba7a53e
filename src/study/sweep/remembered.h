// Sweeps that were finished before (base/remembered.h).
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/remembered.h"
#include "study/sweep/engine.h"
#include "study/sweep/worker.h"

namespace lanewise::sweep {

inline constexpr const char* kSweepKind = "sweeps";

/// Everything that decides about the totals of a sweep, as a text.
std::string remembered_key(const SweepPlan& plan);

class RememberedSweep {
 public:
  /// Nothing is taken or kept of a sweep that has a file or is a part of one, nor where a function
  /// is known by its name alone.
  explicit RememberedSweep(const SweepPlan& plan);

  /// The totals of the whole sweep, if this program has been through it.
  std::optional<SweepTotals> find() const;

  /// Keeps the totals of a whole sweep that took so long that it is worth a file, since this object
  /// was made.
  void keep(const SweepTotals& totals) const;

 private:
  const SweepPlan& plan_;
  std::optional<Remembered> results_;
  std::string key_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

} // namespace lanewise::sweep
