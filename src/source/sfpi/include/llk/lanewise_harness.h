// What the math library does around a kernel: state at boot, before the first tile, between faces.
//
//   init_unary();                    once
//   _init_my_kernel_();              if the kernel has one
//   start(tile);
//   each_face([] { _calculate_my_kernel_(...); });   or the kernel once, if it does the whole tile
//   done();
//
// Kernels rely on this state without setting it themselves (SFPI reference 3.2).
#pragma once

#include <cstdint>

#include "cmath_common.h"

namespace lanewise_llk {

/// What the boot code leaves: all lanes enabled with their flags in use, -1 in LReg 11.
inline void boot() {
  constexpr std::uint32_t kAllLanes = 3;           // both bits of Imm2: flags in use, flags set
  constexpr std::uint32_t kEnableAndResult = 10;   // SFPENCC: Imm2 into both
  constexpr std::uint32_t kPredefinedConstant = 1; // SFPCONFIG: the register's own constant
  TTI_SFPENCC(kAllLanes, 0, 0, kEnableAndResult);
  TTI_SFPCONFIG(0, ckernel::p_sfpu::LREG11, kPredefinedConstant);
}

/// Before the first tile: plain LaneConfig, ADDR_MOD 7 without increment, ADDR_MOD 6 with
/// `dst_step` rows after each use, counters at zero. The library programs ADDR_MOD 6 for those
/// operations only that use it: 2 rows for most of them, 32 for the local sort of topk.
inline void init(std::int16_t dst_step) {
  constexpr std::uint32_t kLaneConfig = 15;
  constexpr std::uint32_t kImmediate = 1;
  boot();
  TTI_SFPCONFIG(0, kLaneConfig, kImmediate);
  ckernel::addr_mod_t{}.set(ckernel::ADDR_MOD_7);
  ckernel::addr_mod_t{.dest = {.incr = dst_step}}.set(ckernel::ADDR_MOD_6);
  ckernel::math::reset_counters(ckernel::p_setrwc::SET_ABD_F);
}

inline void init_unary(std::int16_t dst_step = 2) {
  init(dst_step);
}
inline void init_binary(std::int16_t dst_step = 2) {
  init(dst_step);
}
inline void init_ternary(std::int16_t dst_step = 2) {
  init(dst_step);
}

/// Dst addresses count from the tile; on Wormhole ADDR_MOD operands 0..3 mean sections 4..7.
inline void start(std::uint32_t tile = 0) {
  ckernel::math::set_dst_write_addr<ckernel::DstTileShape::Tile32x32,
                                    ckernel::UnpackDestination::SrcRegs>(tile);
#if defined(ADDR_MOD_SET_Base_ADDR32)
  ckernel::math::set_addr_mod_base();
#endif
  TTI_STALLWAIT(ckernel::p_stall::STALL_SFPU, ckernel::p_stall::MATH);
}

/// On to the next face, 16 rows further.
inline void next_face() {
  ckernel::math::inc_dst_addr<8>();
  ckernel::math::inc_dst_addr<8>();
}

/// Runs a kernel that works on one face at a time on the first `faces` faces of the tile.
template <typename Kernel>
inline void each_face(Kernel&& kernel, int faces = 4) {
  for (int face = 0; face < faces; ++face) {
    kernel();
    next_face();
  }
}

/// After the last face: back to the tile's first row, Wormhole's ADDR_MOD operands as they were.
inline void done() {
  ckernel::math::clear_dst_reg_addr();
#if defined(ADDR_MOD_SET_Base_ADDR32)
  TTI_STALLWAIT(ckernel::p_stall::STALL_CFG, ckernel::p_stall::WAIT_SFPU);
  ckernel::math::clear_addr_mod_base();
#endif
}

} // namespace lanewise_llk
