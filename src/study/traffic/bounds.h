// Bandwidths that tt-metal's own tests of data movement demand of silicon (test_bounds.yaml), and
// those of the model.
#pragma once

#include <string_view>
#include <vector>

#include "study/traffic/series.h"

namespace lanewise::traffic {

struct Bound {
  std::string_view name;
  Arch arch;
  double demanded = 0, modelled = 0; ///< bytes in a cycle
  bool holds() const;
};

std::vector<Bound> bounds();

} // namespace lanewise::traffic
