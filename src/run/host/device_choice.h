// Which device a host program has: a chip, and so many of its cores.
#pragma once

#include <string>

#include "base/fault.h"
#include "chip/isa/arch.h"

namespace lanewise::host {

/// Handed to the host program in its environment; "" for what that says already.
struct DeviceChoice {
  std::string arch; ///< "bh", "wh"
  std::string grid; ///< "COLUMNSxROWS"
};

inline constexpr const char* kArchVariable = "LANEWISE_ARCH";
inline constexpr const char* kGridVariable = "LANEWISE_GRID";

/// Error: BadInput of a grid that the chip has not. Nothing where the environment names no chip:
/// the host program says so itself.
Expected<void> check_choice(const DeviceChoice& choice);

} // namespace lanewise::host
