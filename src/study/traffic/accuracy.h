// How far the model of the NoC is from cycles that were measured (docs/noc.md).
#pragma once

#include <functional>
#include <vector>

#include "study/traffic/series.h"

namespace lanewise::traffic {

struct Compared {
  const Series* series = nullptr;
  std::uint32_t bytes = 0;
  double measured = 0, modelled = 0; ///< cycles

  double error() const { return modelled / measured - 1; }
};

/// Errors of what belongs together: one chip, pattern, mechanism and memory.
struct Group {
  Arch arch;
  Pattern pattern;
  Mechanism mechanism;
  Memory memory;
  std::size_t points = 0;
  double mean = 0, median = 0, ninetieth = 0, most = 0; ///< of relative errors, without a sign
  double bias = 0;                                      ///< mean with the sign
};

struct Accuracy {
  std::vector<Compared> points;
  std::size_t left_out = 0; ///< points that take more packets than allowed
};

/// Simulates every series in every size of at most so many packets. `goes_on`: asked before each
/// point. `all` must live as long.
Accuracy compare(const std::vector<Series>& all, std::uint64_t most_packets,
                 const std::function<bool(std::size_t done, std::size_t all)>& goes_on);

std::vector<Group> groups_of(const std::vector<Compared>& points);

/// Of all points; of none, 0.
double mean_error(const std::vector<Compared>& points);

} // namespace lanewise::traffic
