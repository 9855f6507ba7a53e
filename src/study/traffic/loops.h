// The programs that were measured: which cores ask whom, and how often (noc_estimator_tests of
// tt-metal: test_noc_estimator.cpp, kernels/).
#pragma once

#include <optional>
#include <vector>

#include "chip/noc/network.h"
#include "study/traffic/series.h"

namespace lanewise::traffic {

/// A core's program: calls in a loop, then a barrier.
struct Loop {
  struct Call {
    noc::Shipment shipment; ///< `key` is not set
    std::uint32_t gap = 0;  ///< cycles behind the one before
  };
  std::vector<Call> calls;
  std::uint32_t begin = 0; ///< cycles after the first core
};

/// All loops of a series at one size.
std::vector<Loop> loops_of(const Series& series, std::uint32_t bytes);

/// Cores that programs saw on the card that was measured.
unsigned cores_of(Arch arch);

/// How many packets they send.
std::uint64_t packets_of(const std::vector<Loop>& loops);

/// Their cycles, as the table has them: the median over cores that begin together; of those that
/// come from a barrier one after the other, from the first one's begin to the last one's end.
double cycles_of(Arch arch, const std::vector<Loop>& loops);

} // namespace lanewise::traffic
