// Instruction words that a kernel writes itself.
#pragma once

#include <cstdint>

#include "sfpi_node.h"

namespace lanewise_sfpi {

/// Issues the instruction word at this point of the kernel, verbatim.
inline void emit(std::uint32_t word) {
  leaf(LanewiseKind::Raw, static_cast<std::int32_t>(word));
}

} // namespace lanewise_sfpi
