// What SFPI names on Blackhole alone, and the modes that it has.
#pragma once

#include "since_wormhole.h"

#define LANEWISE_SFPI_SHIFT_MODES Logical, Arithmetic
#define LANEWISE_SFPI_ROUND_MODES_OF_CHIP Zero

namespace sfpi {

// Moves and integers
inline constexpr unsigned int SFPMOV_MOD1_CONFIG = 8;
inline constexpr unsigned int SFPSHFT_MOD1_ARITHMETIC = 2;
inline constexpr unsigned int SFPSHFT_MOD1_SRC_LREGC = 4;

// Multiply and add
inline constexpr unsigned int SFPMAD_MOD1_SRCA_LREG7 = 4;
inline constexpr unsigned int SFPMAD_MOD1_DST_LREG7 = 8;
inline constexpr unsigned int SFPADD_MOD1_SRCA_LREG7 = 4;
inline constexpr unsigned int SFPADD_MOD1_DST_LREG7 = 8;
inline constexpr unsigned int SFPMUL_MOD1_SRCA_LREG7 = 4;
inline constexpr unsigned int SFPMUL_MOD1_DST_LREG7 = 8;
inline constexpr unsigned int SFPMUL24_MOD1_NONE = 0;
inline constexpr unsigned int SFPMUL24_MOD1_LOWER = 0;
inline constexpr unsigned int SFPMUL24_MOD1_UPPER = 1;
inline constexpr unsigned int SFPMUL24_MOD1_SRCA_LREG7 = 4;
inline constexpr unsigned int SFPMUL24_MOD1_DST_LREG7 = 8;

// Tables and approximations
inline constexpr unsigned int SFPARECIP_MOD1_RECIP = 0;
inline constexpr unsigned int SFPARECIP_MOD1_COND_RECIP = 1;
inline constexpr unsigned int SFPARECIP_MOD1_EXP = 2;

// Conversion and rounding
inline constexpr unsigned int SFPCAST_MOD1_SM32_TO_INT32 = 2;
inline constexpr unsigned int SFPCAST_MOD1_INT32_TO_SM32 = 3;
inline constexpr unsigned int SFPCAST_MOD1_INT32_ABS = 2;

// SFPCONFIG
inline constexpr unsigned int SFPCONFIG_SRC_RAND = 9;

} // namespace sfpi
