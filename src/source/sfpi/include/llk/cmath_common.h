// Helpers of math threads: counters, the tile in Dst, waiting for operands.
#pragma once

#include <cstdint>

#include "ckernel.h"
#include "ckernel_defs.h"
#include "ckernel_globals.h"
#include "ckernel_template.h"
#include "llk_defs.h"

#ifndef SFPU_OP_PARAM
#define SFPU_OP_PARAM 0
#endif
#ifndef FUSE_SQRT_RECIP
#define FUSE_SQRT_RECIP 0
#endif

using namespace ckernel;

namespace ckernel::math {

/// The replay buffer's first half belongs to the Vector Unit, the second to the Matrix Unit.
inline constexpr std::uint32_t replay_buf_offset = 16;

inline void reset_counters(std::uint32_t setrwc) {
  TTI_SETRWC(p_setrwc::CLR_NONE, 0, 0, 0, 0, setrwc);
}

inline void incr_counters(std::uint32_t incr_a, std::uint32_t incr_b, std::uint32_t incr_d,
                          std::uint32_t incr_cr) {
  TT_INCRWC(incr_cr, incr_d, incr_b, incr_a);
}

template <std::uint32_t SrcReg>
inline void wait_bank_valid() {
  TTI_STALLWAIT(p_stall::STALL_MATH, SrcReg == Srcs::SrcA ? p_stall::SRCA_VLD : p_stall::SRCB_VLD);
}

template <std::uint32_t SrcReg>
inline void clear_bank_valid() {
  if constexpr (SrcReg == Srcs::SrcA) {
    TTI_SETRWC(p_setrwc::CLR_A, 0, 0, 0, 0, p_setrwc::SET_A);
  } else {
    TTI_SETRWC(p_setrwc::CLR_B, 0, 0, 0, 0, p_setrwc::SET_B);
  }
}

inline void wait_math_semaphores() {
  TTI_SEMWAIT(p_stall::STALL_MATH | p_stall::STALL_SFPU, semaphore::t6_sem(semaphore::MATH_PACK),
              p_stall::STALL_ON_MAX);
}

inline void set_math_semaphores() {
  t6_semaphore_post<p_stall::MATH | p_stall::WAIT_SFPU>(semaphore::MATH_PACK);
}

inline void math_dest_wait() {
  TTI_SEMWAIT(p_stall::STALL_MATH | p_stall::STALL_SFPU | p_stall::STALL_SYNC,
              semaphore::t6_sem(semaphore::MATH_PACK), p_stall::STALL_ON_MAX);
}

/// Makes Dst addresses relative to a tile. Unpacking to Dst is not the math thread's own work: the
/// unpacker, which would be told the row, does not run here.
template <DstTileShape tile_shape, UnpackDestination unpack_destination>
inline void set_dst_write_addr(std::uint32_t tile_index) {
  static_assert(unpack_destination == UnpackDestination::SrcRegs,
                "the host has no unpacker that could write to Dst");
  TT_SETC16(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32,
            (tile_index << DstTileSizeLog2[tile_shape]) + get_dest_buffer_base());
}

#if defined(ADDR_MOD_SET_Base_ADDR32)
/// ADDR_MOD operands 0..3 mean sections 4..7.
inline void set_addr_mod_base() {
  TTI_SETC16(ADDR_MOD_SET_Base_ADDR32, 1);
}
inline void clear_addr_mod_base() {
  TTI_SETC16(ADDR_MOD_SET_Base_ADDR32, 0);
}
#endif

/// Back to the first row of the tile.
inline void clear_dst_reg_addr() {
  TTI_SETRWC(p_setrwc::CLR_NONE, 0, 0, 0, 0, p_setrwc::SET_D);
}

/// On by `num_rows` rows of Dst.
template <std::uint32_t num_rows = 8>
inline void inc_dst_addr() {
  static_assert(num_rows <= 15, "the increment of SETRWC has four bits");
  TTI_SETRWC(p_setrwc::CLR_NONE, p_setrwc::CR_D, num_rows, 0, 0, p_setrwc::SET_D);
}

/// The other half of Dst.
inline void dest_section_flip() {
  update_dest_offset_id();
  TTI_STALLWAIT(p_stall::STALL_CFG, p_stall::MATH | p_stall::SFPU1);
  TT_SETC16(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32, get_dest_buffer_base());
}

template <DstStart Dst>
inline void set_dest_section_base() {
  TTI_SETC16(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32,
             Dst == DstStart::StartZero ? 0 : DEST_REGISTER_HALF_SIZE);
}

constexpr bool is_32bit_input(std::uint32_t src_format, std::uint32_t dst_format) {
  const auto is_32bit = [](std::uint32_t format) {
    const auto masked = static_cast<DataFormat>(masked_data_format(format));
    return masked == DataFormat::Int32 || masked == DataFormat::Float32;
  };
  return is_32bit(src_format) && is_32bit(dst_format);
}

constexpr bool is_high_fidelity(MathFidelity fidelity) {
  return fidelity != MathFidelity::LoFi;
}

/// A face of a tile, counted in faces from the start of Dst.
inline std::uint32_t get_dest_index_in_faces(std::uint32_t dst_index, std::uint32_t face_index) {
  LLK_ASSERT(face_index < TILE_NUM_FACES, "a tile has four faces, numbered 0..3");
  return dst_index * TILE_NUM_FACES + face_index;
}

} // namespace ckernel::math
