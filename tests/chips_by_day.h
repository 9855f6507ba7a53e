// Chips on which tests run that take long and look at little that differs between chips.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <vector>

#include "chip/isa/arch.h"

namespace lanewise {

/// By day one, that of `turn`; by night all of them.
inline std::vector<Arch> chips_by_day(std::size_t turn) {
  const bool is_night = std::getenv("LANEWISE_NIGHTLY") != nullptr;
  if (is_night) return {kArchs.begin(), kArchs.end()};
  return {kArchs[turn % kArchs.size()]};
}

} // namespace lanewise
