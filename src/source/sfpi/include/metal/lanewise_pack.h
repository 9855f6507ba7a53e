// The thread that packs: a tile of Dst into a page of a circular buffer (PACR, core.md 14).
#pragma once

#include "lanewise_thread.h"

namespace lanewise_metal {

inline u32 packed_cb = ~0U;

/// Formats and strides. The packer must not be at work.
inline void configure_packer(u32 cb) {
  check_tile(pack_dst_format, pack_tile_r_dim, pack_tile_c_dim, cb);
  packed_cb = cb;
  const u32 in = format_code(pack_src_format[cb]), out = format_code(pack_dst_format[cb]);
  configure(ALU_FORMAT_SPEC_REG2_Dstacc_RMW, in);
  configure(THCON_SEC0_REG1_In_data_format_RMW, in);
  configure(THCON_SEC0_REG1_Out_data_format_RMW, out);
  configure(THCON_SEC0_REG1_Disable_zero_compress_RMW, 1);
  // Exponents of a tile of block floats, in units of 16 bytes.
  const bool has_exponents = (out & 2) != 0 && out != 10 && out != 14;
  configure(THCON_SEC0_REG1_Exp_section_size_RMW, has_exponents ? 4 : 0);
  const u32 bytes = number_bytes(in);
  constexpr u32 kRow = 16, kFace = 256;
  configure(PCK0_ADDR_CTRL_XY_REG_0_Ystride_RMW, kRow * bytes);
  configure(PCK0_ADDR_CTRL_ZW_REG_0_Zstride_RMW, kFace * bytes);
  configure(PCK_DEST_RD_CTRL_Read_32b_data_RMW, DST_ACCUM_MODE ? 1 : 0);
  configure(PCK_DEST_RD_CTRL_Read_int8_RMW, !DST_ACCUM_MODE && in == kInt8 ? 1 : 0);
  configure(PCK_DEST_RD_CTRL_Read_unsigned_RMW, pack_dst_format[cb] == kUInt8 ? 1 : 0);
}

/// One tile, in the replay buffer: by rows that the four ways of a packer read at once, or by faces
/// where there is a packer for each.
inline constexpr bool kByRows = LANEWISE_PACKERS == 1;
inline constexpr u32 kPackSteps = kByRows ? 16 : 4;
inline void record_pack() {
  constexpr u32 kRow = 16, kFace = 256, kAllWays = 15;
  push(TT_OP_SETADCXX(4, (kByRows ? kRow : kFace) - 1, 0));
  push(TT_OP_REPLAY(0, kPackSteps, 0, 1));
  for (u32 i = 1; i <= kPackSteps; ++i)
    push(LANEWISE_OP_PACR(kByRows ? 0 : 1, kByRows ? kAllWays : 1, i == kPackSteps ? 1 : 0));
}
FORCE_INLINE void replay_pack() {
  push(TT_OP_REPLAY(0, kPackSteps, 0, 0));
}

/// Which columns and rows are kept; of the others zeros are packed.
enum class Kept { All, FirstRow, FirstColumn, FirstNumber };
inline void keep(Kept kept) {
  constexpr u32 kAllColumns = 0xFFFF, kFirst = 1, kAllRows = 0x55555555;
  stall(kConfig, kPacks);
  configure(PACK_COUNTERS_SEC0_pack_reads_per_xy_plane_RMW, 16);
  // Rows of a face to one of two masks, by two bits each.
  configure(PCK_EDGE_TILE_ROW_SET_SELECT_select_RMW, kept == Kept::All ? 0 : 1);
  configure(TILE_ROW_SET_MAPPING_1_row_set_mapping_0_ADDR32, 0, ~0U,
            kept == Kept::FirstColumn ? kAllRows : kFirst);
  configure(PCK_EDGE_OFFSET_SEC0_mask_RMW, kept == Kept::All ? kAllColumns : 0);
  configure(PCK_EDGE_OFFSET_SEC1_mask_RMW, kept == Kept::FirstRow ? kAllColumns : kFirst);
}

inline void set_packer_up(u32 cb) {
  stall(kConfig, kPacks);
  configure_packer(cb);
  configure(THCON_SEC0_REG1_Pack_L1_Acc_RMW, 0);
  configure(STACC_RELU_ApplyRelu_RMW, 0);
  constexpr u32 kNextFace = 1 << 12;
  configure_thread(ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR32, 4);
  configure_thread(ADDR_MOD_PACK_SEC1_YsrcIncr_ADDR32, kNextFace);
  keep(Kept::All);
  record_pack();
  section_row = 0;
}

inline void change_packed(u32 cb) {
  if (packed_cb == cb) return;
  stall(kConfig, kPacks);
  configure_packer(cb);
}

/// Tile `tile` of the section to page `page` of a circular buffer, counted from its write pointer.
inline void pack(u32 tile, u32 cb, u32 offset) {
  const LocalCBInterface& ring = get_local_cb_interface(cb);
  stall(kConfig, kPacks);
  configure(DEST_TARGET_REG_CFG_PACK_SEC0_Offset_RMW, dst_row(tile));
  configure(THCON_SEC0_REG1_L1_Dest_addr_RMW, ring.fifo_wr_ptr + offset - 1);
  push(TT_OP_SETADCXY(4, 0, 0, 0, 0, 0xA)); // Y: X ends where a row or face does
  push(TT_OP_SETADCZW(4, 0, 0, 0, 0, 0xF));
  replay_pack();
}

FORCE_INLINE void wait_for_section() {
  push(TT_OP_SEMWAIT(kPack | kConfig | kSync | kMatrix, kDstFilled, kWhileZero));
}

/// The section goes back, and counts as zero.
inline void release_section() {
  stall(kSync | kMatrix, kPacks);
  const u32 mode = kHasHalves ? 2 : 3;
  const u32 half = section_row / kHalfRows;
  push(LANEWISE_OP_ZEROACC(mode, 0, half));
  push(TT_OP_SEMGET(kDstFilled));
  next_section();
}

} // namespace lanewise_metal
