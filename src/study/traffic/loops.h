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
  std::uint32_t begin = 0;
  std::uint32_t end = 0; ///< cycles behind the last answer
};

/// All loops of a series at one size, or nothing where the programs do not say what happens.
std::vector<Loop> loops_of(const Series& series, std::uint32_t bytes);

/// How many packets they send.
std::uint64_t packets_of(const std::vector<Loop>& loops);

/// The cycles of all loops, which begin together: as the table has them, the median over the cores.
double cycles_of(Arch arch, const std::vector<Loop>& loops);

} // namespace lanewise::traffic
