// What a user wants to hold of a sweep, and whether it does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "study/sweep/sweep.h"

namespace lanewise::sweep {

/// What a user wants to hold; a sweep that misses it ends with status 1.
struct SweepGates {
  std::optional<double> max_ulp;       ///< of every result, and none of them lost
  std::optional<double> max_exact_ulp; ///< against the reference before rounding
  bool specials = false; ///< NaN, infinite and denormal inputs, and signs of zero, as the reference
};

enum class Gate : std::uint8_t { MaxUlp, MaxExactUlp, Specials };

/// Something in a gate's way.
struct GateMiss {
  enum class Kind : std::uint8_t {
    Stopped,         ///< before the last input
    NoResults,       ///< no chip has any
    Fault,           ///< one that makes results worthless
    NothingCompared, ///< nothing that was compared is nothing that holds
    TooFar,          ///< the largest error is above the bound, or a NaN
    Lost,            ///< a lost result has no error that could be within a bound
    Class,           ///< inputs of a kind of their own differ
    ZeroSigns
  };
  Kind kind;
  std::size_t chip = 0;                               ///< in SweepResult::chips, if it is of one
  ClassStatistics SweepStatistics::*inputs = nullptr; ///< of Kind::Class
};

struct GateVerdict {
  Gate gate;
  std::vector<GateMiss> misses;

  bool holds() const { return misses.empty(); }
};

/// Whether results hold in spite of the faults. Hazards have their own command, 'check'; no gate
/// holds with them.
bool leave_results_valid(const std::vector<Fault>& faults);

/// The verdict of every gate that is set. An incomplete sweep or one with faults that make results
/// worthless holds none.
std::vector<GateVerdict> gate_verdicts(const SweepResult& result, const SweepGates& gates);

/// Whether a sweep has come to its end, its results mean something, and all gates hold.
bool sweep_holds(const SweepResult& result, const SweepGates& gates);

} // namespace lanewise::sweep
