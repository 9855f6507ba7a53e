// What SFPI names on Grayskull alone, and the modes that it has.
#pragma once

#define LANEWISE_SFPI_VECTOR_NAMES "names/vectors_of_grayskull.h"
#define LANEWISE_SFPI_SHIFT_MODES Logical
#define LANEWISE_SFPI_ROUND_MODES_OF_CHIP

namespace sfpi {

// Constant registers and Dst
inline constexpr unsigned int CREG_IDX_0 = 4;
inline constexpr unsigned int CREG_IDX_0P692871094 = 5;
inline constexpr unsigned int CREG_IDX_NEG_1P00683594 = 6;
inline constexpr unsigned int CREG_IDX_1P442382813 = 7;
inline constexpr unsigned int CREG_IDX_0P836914063 = 8;
inline constexpr unsigned int CREG_IDX_NEG_0P5 = 9;
inline constexpr unsigned int CREG_IDX_1 = 10;
inline constexpr unsigned int CREG_IDX_NEG_1 = 11;
inline constexpr unsigned int CREG_IDX_0P001953125 = 12;
inline constexpr unsigned int CREG_IDX_NEG_0P67480469 = 13;
inline constexpr unsigned int CREG_IDX_NEG_0P34472656 = 14;
inline constexpr unsigned int SFP_DESTREG_MAX_SIZE = 1024;
inline constexpr unsigned int SFP_DESTREG_MAX_ADDR = SFP_DESTREG_MAX_SIZE / SFP_DESTREG_STRIDE;

// SFPLOAD and SFPSTORE
inline constexpr unsigned int SFPLOAD_MOD0_REBIAS_EXP = 1;
inline constexpr unsigned int SFPLOAD_MOD0_NOREBIAS_EXP = 2;
inline constexpr unsigned int SFPSTORE_MOD0_FLOAT_REBIAS_EXP = 0;
inline constexpr unsigned int SFPSTORE_MOD0_INT = 2;

// Multiply and add, and tables
inline constexpr unsigned int SFPMAD_MOD1_OFFSET_POSH = 1;
inline constexpr unsigned int SFPMAD_MOD1_OFFSET_NEGH = 3;
inline constexpr unsigned int SFPLUT_MOD0_BIAS_MASK = 3;
inline constexpr unsigned int SFPLUT_MOD0_BIAS_NONE = 0;
inline constexpr unsigned int SFPLUT_MOD0_BIAS_POS = 1;
inline constexpr unsigned int SFPLUT_MOD0_BIAS_NEG = 3;

} // namespace sfpi
