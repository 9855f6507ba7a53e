// Named operand values of the instructions that a math thread issues. Values are those of the
// instruction encodings; the names are LLK's.
#pragma once

#include <cstdint>

#include "ckernel_ops.h"

namespace ckernel {

/// SETRWC: banks to flip (CLR), counters to set (SET), counters that go through their Cr copy (CR).
struct p_setrwc {
  static constexpr std::uint32_t CLR_NONE = 0, CLR_A = 1, CLR_B = 2, CLR_AB = 3;
  static constexpr std::uint32_t SET_A = 1, SET_B = 2, SET_AB = 3, SET_D = 4, SET_AD = 5,
                                 SET_BD = 6, SET_ABD = 7;
  static constexpr std::uint32_t SET_F = 8, SET_A_F = 9, SET_B_F = 10, SET_AB_F = 11, SET_D_F = 12,
                                 SET_AD_F = 13, SET_BD_F = 14, SET_ABD_F = 15;
  static constexpr std::uint32_t CR_A = 1, CR_B = 2, CR_AB = 3, CR_D = 4, CR_AD = 5, CR_BD = 6,
                                 CR_ABD = 7, C_TO_CR_MODE = 8;
};

struct p_setibrwc {
  static constexpr std::uint32_t SET_BIAS = 0, INC_BIAS = 1;
  static constexpr std::uint32_t CR_NONE = 0, CR_BIAS = 1;
};

struct p_srcb {
  static constexpr std::uint32_t FORWARD_PASS = 0, BACKWARD_PASS = 1;
};

struct p_mov {
  static constexpr std::uint32_t DEST_NORM = 0, DEST_32B_LOW = 1;
};

struct p_mova2d {
  static constexpr std::uint32_t MATH_HALO_ROWS = 0, MOV_1_ROW = 0, MOV_8_ROWS = 2;
};

struct p_movd2a {
  static constexpr std::uint32_t MOV_1_ROW = 0, MOV_4_ROWS = 2;
};

struct p_movb2d {
  static constexpr std::uint32_t SRC_ZERO_OFFSET = 0, SRC_ROW16_OFFSET = 16;
  static constexpr std::uint32_t MOV_1_ROW = 0, MOV_1_ROW_D0_BRCST = 1, MOV_8_ROW_BRCST = 2,
                                 MOV_8_ROW_BRCST_D0_BRCST = 3, MOV_4_ROWS = 4,
                                 MOV_4_ROWS_D0_BRCST = 5;
};

struct p_movd2b {
  static constexpr std::uint32_t SRC_ZERO_OFFSET = 0, SRC_ROW16_OFFSET = 16;
  static constexpr std::uint32_t MOV_1_ROW = 0, MOV_4_ROWS = 2;
};

struct p_movb2a {
  static constexpr std::uint32_t SRCA_ZERO_OFFSET = 0, SRCB_ZERO_OFFSET = 0, SRCB_ROW16_OFFSET = 16;
  static constexpr std::uint32_t MOV_1_ROW = 0, MOV_4_ROWS = 2;
};

/// STALLWAIT and SEMWAIT: what to wait for, what to hold back meanwhile. The chips number the
/// conditions differently.
struct p_stall {
  static constexpr std::uint32_t NONE = 0, LANEWISE_STALL_CONDITIONS;
  static constexpr std::uint32_t UNPACK = UNPACK0 | UNPACK1, WAIT_SFPU = SFPU1;
  static constexpr std::uint32_t ALL_THREAD_RES = THCON | UNPACK | PACK | MATH | XMOV;

  static constexpr std::uint32_t STALL_TDMA = 1U << 0, STALL_SYNC = 1U << 1, STALL_PACK = 1U << 2,
                                 STALL_UNPACK = 1U << 3, STALL_XMOV = 1U << 4,
                                 STALL_THCON = 1U << 5, STALL_MATH = 1U << 6, STALL_CFG = 1U << 7,
                                 STALL_SFPU = 1U << 8, STALL_THREAD = 0x1FF;

  static constexpr std::uint32_t STALL_ON_ZERO = 1, STALL_ON_MAX = 2;

  static constexpr std::uint32_t SEMAPHORE_0 = 1U << 0, SEMAPHORE_1 = 1U << 1,
                                 SEMAPHORE_2 = 1U << 2, SEMAPHORE_3 = 1U << 3,
                                 SEMAPHORE_4 = 1U << 4, SEMAPHORE_5 = 1U << 5,
                                 SEMAPHORE_6 = 1U << 6, SEMAPHORE_7 = 1U << 7,
                                 SEMAPHORE_BIAS = SEMAPHORE_4;
};

struct p_zeroacc {
  static constexpr std::uint32_t CLR_SPECIFIC = 0, CLR_16 = 1, CLR_HALF = 2, CLR_ALL = 3,
                                 CLR_HALF_32B = 6, CLR_ALL_32B = 7;
};

struct p_zerosrc {
  static constexpr std::uint32_t CLR_A = 1, CLR_B = 2, CLR_AB = 3;
};

struct p_shiftx {
  static constexpr std::uint32_t SHIFT_1 = 0, SHIFT_2 = 1, SHIFT_4 = 2, SHIFT_8 = 3;
  static constexpr std::uint32_t RESERVED0 = 0, RESERVED1 = 1, RIGHT_AWAY0 = 2, LEFT_TOWARD0 = 3;
};

struct p_cfg {
  static constexpr std::uint32_t WRCFG_32b = 0, WRCFG_128b = 1;
};

struct p_alu {
  static constexpr std::uint32_t AND = 0, OR = 1, XOR = 2;
};

struct p_gpool {
  static constexpr std::uint32_t DIM_1X16 = 0, DIM_16X16 = 1;
  static constexpr std::uint32_t INDEX_DIS = 0, INDEX_EN = 1;
};

struct p_elwise {
  static constexpr std::uint32_t SRCB_NO_BCAST = 0, SRCB_BCAST_COL = 1, SRCB_BCAST_ROW = 2,
                                 SRCB_BCAST_ALL = 3;
  static constexpr std::uint32_t DEST_ACCUM_DIS = 0, DEST_ACCUM_EN = 1;
  static constexpr std::uint32_t CLR_A = 1, CLR_B = 2, CLR_AB = 3;
};

struct p_setdmareg {
  static constexpr std::uint32_t PAYLOAD_IMMEDIATE = 0;
  static constexpr std::uint32_t PAYLOAD_16BIT = 0, PAYLOAD_32BIT = 1, PAYLOAD_128BIT = 2,
                                 PAYLOAD_TILE_HEADER = 3;
  static constexpr std::uint32_t MODE_IMMEDIATE = 0, MODE_SIGNAL = 1;
};

struct p_mop {
  static constexpr std::uint32_t MASK_LOOP = 0, DOUBLE_LOOP = 1;
};

/// Numbers of the Vector Unit's registers, and bit patterns of 1 and 0.
struct p_sfpu {
  static constexpr std::uint32_t LREG0 = 0, LREG1 = 1, LREG2 = 2, LREG3 = 3, LREG4 = 4, LREG5 = 5,
                                 LREG6 = 6, LREG7 = 7;
  static constexpr std::uint32_t LCONST_0_8373 = 8, LCONST_0 = 9, LCONST_1 = 10;
  static constexpr std::uint32_t LREG11 = 11, LREG12 = 12, LREG13 = 13, LREG14 = 14,
                                 LCONST_neg1 = LREG11;
  static constexpr std::uint32_t LTILEID = 15;

  static constexpr std::uint32_t kCONST_1_FP16B = 0x3F80, kCONST_1_FP16A = 0x3C00, kCONST_0 = 0;
  static constexpr std::uint32_t kCONST_Exp_8Bit = 0, kCONST_Exp_5Bit = 1;
};

/// SFPSWAP modes: in which rows of the register the larger value goes to VC.
struct p_sfpswap {
  static constexpr std::uint32_t UNCONDITIONALLY = 0, ALL_ROWS_MAX = 1, ROWS_01_MAX = 2,
                                 ROWS_02_MAX = 3, ROWS_03_MAX = 4;
  static constexpr std::uint32_t ROW_0_MAX = 5, ROW_1_MAX = 6, ROW_2_MAX = 5, ROW_3_MAX = 6;
};

/// Constants of the approximate exponential, which works with FRAC_BITS fraction bits.
struct p_exp {
  static constexpr std::uint32_t FRAC_BITS = 3;
  static constexpr std::uint32_t C23_73 = 0x4340;
  /// 63 - (0x4300 as a 16-bit number): takes the offset out and puts the exponent in.
  static constexpr std::uint32_t ADJ_EXP = (0x3FU - 0x4300U) & 0xFFFFU;
};

} // namespace ckernel
