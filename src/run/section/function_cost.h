// What the functions of a core's program cost in a run in time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lanewise::section {

/// A function of a core's program: its own instructions, not those of functions that it calls.
struct FunctionCost {
  unsigned thread = 0;
  std::string name;               ///< "ns::f(unsigned int)"; empty: code outside of all functions
  std::uint64_t instructions = 0; ///< that were executed
  /// From the instruction before to each of them: what it waited for counts for it.
  std::uint64_t cycles = 0;
};

} // namespace lanewise::section
