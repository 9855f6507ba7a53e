// The names that kernels use for modes, modifiers and register numbers of Vector Unit instructions.
//
// Names and values are those of release 7.38 and, where that has no name, of 7.71. They are facts
// of the interface, even where a name says something else than the hardware does: SFPCONFIG's AND
// and OR are exchanged (VU C38), and SFPCAST 2 takes an absolute value on Blackhole (VU C35).
#pragma once

#include "sfpi_chip.h"

namespace sfpi {

// The register file and Dst
inline constexpr unsigned int SFP_LREG_COUNT = impl_::Chip::lreg_count;
inline constexpr unsigned int SFP_DESTREG_STRIDE = impl_::Chip::dst_stride;
inline constexpr unsigned int SFP_DESTREG_COUNT = 0x400 / SFP_DESTREG_STRIDE;

// Constant registers
inline constexpr unsigned int CREG_IDX_TILEID = 15;

// SFPLOAD and SFPSTORE
inline constexpr unsigned int SFPLOAD_MOD0_FMT_SRCB = 0;
inline constexpr unsigned int SFPLOAD_MOD0_FMT_FP16A = 1;
inline constexpr unsigned int SFPLOAD_MOD0_FMT_FP16B = 2;
inline constexpr unsigned int SFPLOAD_MOD0_FMT_FP32 = 3;
inline constexpr unsigned int SFPLOAD_MOD0_FMT_SM32 = 12;
inline constexpr unsigned int SFPLOAD_ADDR_MODE_NOINC = impl_::Chip::keep_counter;
inline constexpr unsigned int SFPSTORE_MOD0_FMT_SRCB = 0;
inline constexpr unsigned int SFPSTORE_MOD0_FMT_FP16A = 1;
inline constexpr unsigned int SFPSTORE_MOD0_FMT_FP16B = 2;
inline constexpr unsigned int SFPSTORE_MOD0_FMT_FP32 = 3;
inline constexpr unsigned int SFPSTORE_MOD0_FMT_UINT16 = 6;
inline constexpr unsigned int SFPSTORE_MOD0_FMT_BOB32 = 4;
inline constexpr unsigned int SFPSTORE_MOD0_FMT_SM32 = 12;
inline constexpr unsigned int SFPSTORE_ADDR_MODE_NOINC = SFPLOAD_ADDR_MODE_NOINC;
inline constexpr unsigned int SFPLOAD_MOD0_FMT_INT32 = 4;
inline constexpr unsigned int SFPLOAD_MOD0_FMT_INT8 = 5;
inline constexpr unsigned int SFPLOAD_MOD0_FMT_UINT16 = 6;
inline constexpr unsigned int SFPLOAD_MOD0_FMT_HI16 = 7;
inline constexpr unsigned int SFPLOAD_MOD0_FMT_INT16 = 8;
inline constexpr unsigned int SFPLOAD_MOD0_FMT_LO16 = 9;
inline constexpr unsigned int SFPSTORE_MOD0_FMT_INT32 = 4;
inline constexpr unsigned int SFPSTORE_MOD0_FMT_INT8 = 5;
inline constexpr unsigned int SFPSTORE_MOD0_FMT_HI16 = 7;
inline constexpr unsigned int SFPSTORE_MOD0_FMT_INT16 = 8;
inline constexpr unsigned int SFPSTORE_MOD0_FMT_LO16 = 9;
inline constexpr unsigned int SFPSTORE_MOD0_FMT_LO16_ONLY = 14;
inline constexpr unsigned int SFPSTORE_MOD0_FMT_HI16_ONLY = 15;
// A bag of bits: where the mode of integers converts, it is another one.
inline constexpr unsigned int SFPLOAD_MOD0_FMT_BOB32 =
    impl_::Chip::int_sm_converts ? 4 : impl_::Chip::dst_modes.load_uint;

// SFPLOADI
inline constexpr unsigned int SFPLOADI_MOD0_FLOATB = 0;
inline constexpr unsigned int SFPLOADI_MOD0_FLOATA = 1;
inline constexpr unsigned int SFPLOADI_MOD0_USHORT = 2;
inline constexpr unsigned int SFPLOADI_MOD0_SHORT = 4;
inline constexpr unsigned int SFPLOADI_MOD0_UPPER = 8;
inline constexpr unsigned int SFPLOADI_MOD0_LOWER = 10;

// Fields of a float
inline constexpr unsigned int SFPEXMAN_MOD1_PAD8 = 0;
inline constexpr unsigned int SFPEXMAN_MOD1_PAD9 = 1;
inline constexpr unsigned int SFPEXEXP_MOD1_DEBIAS = 0;
inline constexpr unsigned int SFPEXEXP_MOD1_NODEBIAS = 1;
inline constexpr unsigned int SFPEXEXP_MOD1_SET_CC_SGN_EXP = 2;
inline constexpr unsigned int SFPEXEXP_MOD1_SET_CC_COMP_EXP = 8;
inline constexpr unsigned int SFPEXEXP_MOD1_SET_CC_SGN_COMP_EXP = 10;
inline constexpr unsigned int SFPSETEXP_MOD1_CPY = 2;
inline constexpr unsigned int SFPABS_MOD1_INT = 0;
inline constexpr unsigned int SFPABS_MOD1_FLOAT = 1;
inline constexpr unsigned int SFPLZ_MOD1_CC_NONE = 0;
inline constexpr unsigned int SFPLZ_MOD1_CC_NE0 = 2;
inline constexpr unsigned int SFPLZ_MOD1_CC_COMP = 8;
inline constexpr unsigned int SFPLZ_MOD1_CC_EQ0 = 10;
inline constexpr unsigned int SFPLZ_MOD1_NOSGN_MASK = 4;
inline constexpr unsigned int SFPLZ_MOD1_NOSGN_CC_NONE = 4;
inline constexpr unsigned int SFPLZ_MOD1_NOSGN_CC_NE0 = 6;
inline constexpr unsigned int SFPLZ_MOD1_NOSGN_CC_COMP = 12;
inline constexpr unsigned int SFPLZ_MOD1_NOSGN_CC_EQ0 = 14;
inline constexpr unsigned int SFPSDIVP2_MOD1_ADD = 1;

// Moves and integers
inline constexpr unsigned int SFPMOV_MOD1_COMPSIGN = 1;
inline constexpr unsigned int SFPIADD_MOD1_ARG_LREG_DST = 0;
inline constexpr unsigned int SFPIADD_MOD1_ARG_IMM = 1;
inline constexpr unsigned int SFPIADD_MOD1_ARG_2SCOMP_LREG_DST = 2;
inline constexpr unsigned int SFPIADD_MOD1_CC_LT0 = 0;
inline constexpr unsigned int SFPIADD_MOD1_CC_NONE = 4;
inline constexpr unsigned int SFPIADD_MOD1_CC_GTE0 = 8;
inline constexpr unsigned int SFPSHFT_MOD1_LOGICAL = 0;
inline constexpr unsigned int SFPSHFT_MOD1_SHIFT_IMM = 0;
inline constexpr unsigned int SFPSHFT_MOD1_SHIFT_LREGC = 1;

// Multiply and add
inline constexpr unsigned int SFPMAD_MOD1_OFFSET_NONE = 0;

// Predication
inline constexpr unsigned int SFPSETCC_MOD1_LREG_LT0 = 0;
inline constexpr unsigned int SFPSETCC_MOD1_IMM_BIT0 = 1;
inline constexpr unsigned int SFPSETCC_MOD1_LREG_NE0 = 2;
inline constexpr unsigned int SFPSETCC_MOD1_LREG_GTE0 = 4;
inline constexpr unsigned int SFPSETCC_MOD1_LREG_EQ0 = 6;
inline constexpr unsigned int SFPSETCC_MOD1_COMP = 8;
inline constexpr unsigned int SFPENCC_IMM12_NEITHER = 0;
inline constexpr unsigned int SFPENCC_IMM12_BOTH = 3;
inline constexpr unsigned int SFPENCC_MOD1_EU_R1 = 0;
inline constexpr unsigned int SFPENCC_MOD1_EC_R1 = 1;
inline constexpr unsigned int SFPENCC_MOD1_EI_R1 = 2;
inline constexpr unsigned int SFPENCC_MOD1_EU_RI = 8;
inline constexpr unsigned int SFPENCC_MOD1_EC_RI = 9;
inline constexpr unsigned int SFPENCC_MOD1_EI_RI = 10;
inline constexpr unsigned int SFPPUSHC_MOD1_PUSH = 0;
inline constexpr unsigned int SFPPUSHC_MOD1_REPLACE = 1;
inline constexpr unsigned int SFPPOPC_MOD1_POP = 0;

// Tables and approximations
inline constexpr unsigned int SFPLUT_MOD0_SGN_UPDATE = 0;
inline constexpr unsigned int SFPLUT_MOD0_SGN_RETAIN = 4;
inline constexpr unsigned int SFPLUTFP32_MOD0_FP32_3ENTRY_TABLE = 0;
inline constexpr unsigned int SFPLUTFP32_MOD0_FP16_6ENTRY_TABLE1 = 2;
inline constexpr unsigned int SFPLUTFP32_MOD0_FP16_6ENTRY_TABLE2 = 3;
inline constexpr unsigned int SFPLUTFP32_MOD0_FP16_3ENTRY_TABLE = 10;
inline constexpr unsigned int SFPLUTFP32_MOD0_SGN_UPDATE = 0;
inline constexpr unsigned int SFPLUTFP32_MOD0_SGN_RETAIN = 4;

// Conversion and rounding
inline constexpr unsigned int SFPCAST_MOD1_INT32_TO_FP32_RNE = 0;
inline constexpr unsigned int SFPCAST_MOD1_INT32_TO_FP32_RNS = 1;
inline constexpr unsigned int SFPCAST_MOD1_RND_EVEN = SFPCAST_MOD1_INT32_TO_FP32_RNE;
inline constexpr unsigned int SFPCAST_MOD1_RND_STOCH = SFPCAST_MOD1_INT32_TO_FP32_RNS;
inline constexpr unsigned int SFPSTOCHRND_RND_EVEN = 0;
inline constexpr unsigned int SFPSTOCHRND_RND_STOCH = 1;
inline constexpr unsigned int SFPSTOCHRND_RND_ZERO = 2;
inline constexpr unsigned int SFPSTOCHRND_MOD1_FP32_TO_FP16A = 0;
inline constexpr unsigned int SFPSTOCHRND_MOD1_FP32_TO_FP16B = 1;
inline constexpr unsigned int SFPSTOCHRND_MOD1_FP32_TO_UINT8 = 2;
inline constexpr unsigned int SFPSTOCHRND_MOD1_FP32_TO_INT8 = 3;
inline constexpr unsigned int SFPSTOCHRND_MOD1_INT32_TO_UINT8 = 4;
inline constexpr unsigned int SFPSTOCHRND_MOD1_INT32_TO_INT8 = 5;
inline constexpr unsigned int SFPSTOCHRND_MOD1_FP32_TO_UINT16 = 6;
inline constexpr unsigned int SFPSTOCHRND_MOD1_FP32_TO_INT16 = 7;
inline constexpr unsigned int SFPSTOCHRND_MOD1_CONV_MASK = 7;
inline constexpr unsigned int SFPSTOCHRND_MOD1_IMM8 = 8;
inline constexpr unsigned int SFPCAST_MOD1_SM32_TO_FP32_RNE = 0;
inline constexpr unsigned int SFPCAST_MOD1_SM32_TO_FP32_RNS = 1;
inline constexpr unsigned int SFPSTOCHRND_MOD1_FP32_TO_SMAG8 = 3;
inline constexpr unsigned int SFPSTOCHRND_MOD1_SMAG32_TO_UINT8 = 4;
inline constexpr unsigned int SFPSTOCHRND_MOD1_SMAG32_TO_SMAG8 = 5;
inline constexpr unsigned int SFPSTOCHRND_MOD1_FP32_TO_SMAG16 = 7;

// Between lanes and registers
inline constexpr unsigned int SFPSHFT2_MOD1_COPY4 = 0;
inline constexpr unsigned int SFPSHFT2_MOD1_SUBVEC_CHAINED_COPY4 = 1;
inline constexpr unsigned int SFPSHFT2_MOD1_SUBVEC_SHFLROR1_AND_COPY4 = 2;
inline constexpr unsigned int SFPSHFT2_MOD1_SUBVEC_SHFLROR1 = 3;
inline constexpr unsigned int SFPSHFT2_MOD1_SUBVEC_SHFLSHR1 = 4;
inline constexpr unsigned int SFPSHFT2_MOD1_SHFT_LREG = 5;
inline constexpr unsigned int SFPSHFT2_MOD1_SHFT_IMM = 6;
inline constexpr unsigned int SFPSWAP_MOD1_SWAP = 0;
inline constexpr unsigned int SFPSWAP_MOD1_VEC_MIN_MAX = 1;
inline constexpr unsigned int SFPSWAP_MOD1_SUBVEC_MIN01_MAX23 = 2;
inline constexpr unsigned int SFPSWAP_MOD1_SUBVEC_MIN02_MAX13 = 3;
inline constexpr unsigned int SFPSWAP_MOD1_SUBVEC_MIN03_MAX12 = 4;
inline constexpr unsigned int SFPSWAP_MOD1_SUBVEC_MIN0_MAX123 = 5;
inline constexpr unsigned int SFPSWAP_MOD1_SUBVEC_MIN1_MAX023 = 6;
inline constexpr unsigned int SFPSWAP_MOD1_SUBVEC_MIN2_MAX013 = 7;
inline constexpr unsigned int SFPSWAP_MOD1_SUBVEC_MIN3_MAX012 = 8;
inline constexpr unsigned int SFPSWAP_MOD1_VEC_MAX_MIN = 9;

// SFPCONFIG
inline constexpr unsigned int SFPCONFIG_DEST_MACRO_INST0 = 0;
inline constexpr unsigned int SFPCONFIG_DEST_MACRO_INST1 = 1;
inline constexpr unsigned int SFPCONFIG_DEST_MACRO_INST2 = 2;
inline constexpr unsigned int SFPCONFIG_DEST_MACRO_INST3 = 3;
inline constexpr unsigned int SFPCONFIG_DEST_MACRO_SEQ0 = 4;
inline constexpr unsigned int SFPCONFIG_DEST_MACRO_SEQ1 = 5;
inline constexpr unsigned int SFPCONFIG_DEST_MACRO_SEQ2 = 6;
inline constexpr unsigned int SFPCONFIG_DEST_MACRO_SEQ3 = 7;
inline constexpr unsigned int SFPCONFIG_DEST_MACRO_CTRL = 8;
inline constexpr unsigned int SFPCONFIG_DEST_LREG11 = 11;
inline constexpr unsigned int SFPCONFIG_DEST_LREG12 = 12;
inline constexpr unsigned int SFPCONFIG_DEST_LREG13 = 13;
inline constexpr unsigned int SFPCONFIG_DEST_LREG14 = 14;
inline constexpr unsigned int SFPCONFIG_DEST_SFPU_CTRL = 15;
inline constexpr unsigned int SFPCONFIG_MOD1_SRC_R0_LREG0 = 0;
inline constexpr unsigned int SFPCONFIG_MOD1_ARG_IMM = 1;
inline constexpr unsigned int SFPCONFIG_MOD1_AND = 2;
inline constexpr unsigned int SFPCONFIG_MOD1_OR = 4;
inline constexpr unsigned int SFPCONFIG_MOD1_XOR = 6;

// Pseudo-instructions of the vendor's compiler, release 7.38
inline constexpr unsigned int SFPXLOADI_MOD0_32BIT_MASK = 16;
inline constexpr unsigned int SFPXLOADI_MOD0_INT32 = 16;
inline constexpr unsigned int SFPXLOADI_MOD0_UINT32 = 17;
inline constexpr unsigned int SFPXLOADI_MOD0_FLOAT = 18;
inline constexpr unsigned int SFPXIADD_MOD1_SIGNED = 8;
inline constexpr unsigned int SFPXIADD_MOD1_IS_SUB = 16;
inline constexpr unsigned int SFPXIADD_MOD1_12BIT = 32;
inline constexpr unsigned int SFPXIADD_MOD1_16BIT = 64;
inline constexpr unsigned int SFPXCMP_MOD1_CC_NONE = 0;
inline constexpr unsigned int SFPXCMP_MOD1_CC_LT = 1;
inline constexpr unsigned int SFPXCMP_MOD1_CC_EQ = 2;
inline constexpr unsigned int SFPXCMP_MOD1_CC_GTE = 3;
inline constexpr unsigned int SFPXCMP_MOD1_CC_NE = 4;
inline constexpr unsigned int SFPXCMP_MOD1_CC_LTE = 5;
inline constexpr unsigned int SFPXCMP_MOD1_CC_GT = 6;
inline constexpr unsigned int SFPXCMP_MOD1_CC_MASK = 7;
inline constexpr unsigned int SFPXSCMP_MOD1_FMT_A = 8;
inline constexpr unsigned int SFPXSCMP_MOD1_FMT_B = 16;
inline constexpr unsigned int SFPXSCMP_MOD1_FMT_FLOAT = 32;
inline constexpr unsigned int SFPXSCMP_MOD1_FMT_MASK = 0x38;
inline constexpr unsigned int SFPXBOOL_MOD1_OR = 1;
inline constexpr unsigned int SFPXBOOL_MOD1_AND = 2;
inline constexpr unsigned int SFPXBOOL_MOD1_NOT = 3;

} // namespace sfpi

// Names that not every chip has.
#include LANEWISE_SFPI_NAMES
#undef LANEWISE_SFPI_NAMES
