// What the gates of a sweep say.
#pragma once

#include <string>
#include <vector>

#include "report/sweep/report.h"

namespace lanewise::report {

/// The verdict of one gate: the option that sets it, and a sentence for each thing in its way.
struct GateText {
  std::string option; ///< "--max-ulp 1"
  std::vector<std::string> misses;
  /// What is not right, and what the gate does not look at, with the chip.
  std::vector<std::string> not_gated;
};

/// A line for each thing in its way, or one that says that it holds.
std::vector<std::string> gate_lines(const GateText& gate);

/// Every gate that is set.
std::vector<GateText> gate_texts(const SweepReport& report);

} // namespace lanewise::report
