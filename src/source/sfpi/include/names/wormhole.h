// What SFPI names on Wormhole alone, and the modes that it has.
#pragma once

#include "since_wormhole.h"

#define LANEWISE_SFPI_SHIFT_MODES Logical
#define LANEWISE_SFPI_ROUND_MODES_OF_CHIP

namespace sfpi {

// SFPLOAD and SFPSTORE
inline constexpr unsigned int SFPLOAD_MOD0_FMT_INT32_TO_SM = SFPLOAD_MOD0_FMT_SM32;
inline constexpr unsigned int SFPSTORE_MOD0_FMT_INT32_TO_SM = SFPSTORE_MOD0_FMT_SM32;

} // namespace sfpi
