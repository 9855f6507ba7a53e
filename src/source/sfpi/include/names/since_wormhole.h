// What kernels name from Wormhole on: constant registers, four of which are programmable.
#pragma once

#define LANEWISE_SFPI_VECTOR_NAMES "names/vectors_since_wormhole.h"

namespace sfpi {

// Constant registers
inline constexpr unsigned int CREG_IDX_0P837300003 = 8;
inline constexpr unsigned int CREG_IDX_0 = 9;
inline constexpr unsigned int CREG_IDX_1 = 10;
inline constexpr unsigned int CREG_IDX_PRGM0 = 11;
inline constexpr unsigned int CREG_IDX_PRGM1 = 12;
inline constexpr unsigned int CREG_IDX_PRGM2 = 13;
inline constexpr unsigned int CREG_IDX_PRGM3 = 14;
inline constexpr unsigned int CREG_IDX_NEG_1 = CREG_IDX_PRGM0;

} // namespace sfpi
