// The thread that unpacks: a tile of one circular buffer into SrcA, of another into SrcB, or of one
// alone (UNPACR, core.md 12).
#pragma once

#include "lanewise_thread.h"

namespace lanewise_metal {

inline constexpr u32 kTileData = 1024, kFaceData = 256, kFaces = 4, kFaceRows = 16;

/// The unpacker leaves out what would be the first four rows of SrcA, or of Dst.
inline constexpr u32 kRowsBefore = 4;

/// The circular buffers that the unpackers are configured for.
inline u32 unpacked_cb[2] = {~0U, ~0U};

/// Formats and strides of an unpacker. It must not be at work.
inline void configure_unpacker(u32 unpacker, u32 cb) {
  check_tile(unpack_src_format, unpack_tile_r_dim, unpack_tile_c_dim, cb);
  const u32 in = format_code(unpack_src_format[cb]), out = format_code(unpack_dst_format[cb]);
  unpacked_cb[unpacker] = cb;
  const u32 descriptor =
      unpacker == 0 ? THCON_SEC0_REG0_TileDescriptor_ADDR32 : THCON_SEC1_REG0_TileDescriptor_ADDR32;
  constexpr u32 kUncompressed = 1 << 4;
  configure(descriptor, 0, ~0U, in | kUncompressed | kFaceData << 16);
  configure(descriptor + 1, 0, ~0U, 1 | kFaces << 16);
  const u32 stride = kFaceData * number_bytes(out);
  const u32 is_unsigned = unpack_dst_format[cb] == kUInt8 ? 1 : 0;
  if (unpacker == 0) {
    configure(THCON_SEC0_REG2_Out_data_format_RMW, out);
    configure(ALU_FORMAT_SPEC_REG0_SrcAUnsigned_RMW, is_unsigned);
    configure(UNP0_ADDR_BASE_REG_1_Base_RMW, kRowsBefore * 16 * number_bytes(out));
    configure(UNP0_ADDR_CTRL_ZW_REG_1_Zstride_RMW, stride);
  } else {
    configure(THCON_SEC1_REG2_Out_data_format_RMW, out);
    configure(ALU_FORMAT_SPEC_REG0_SrcBUnsigned_RMW, is_unsigned);
    configure(UNP1_ADDR_CTRL_ZW_REG_1_Zstride_RMW, stride);
  }
}

inline void set_unpackers_up(u32 cb_a, u32 cb_b) {
  stall(kConfig, kUnpacks);
  configure_unpacker(0, cb_a);
  configure_unpacker(1, cb_b);
  configure_thread(SRCA_SET_SetOvrdWithAddr_ADDR32, SRCA_SET_SetOvrdWithAddr_MASK);
  section_row = 0;
}

/// As reconfig_data_format() has it: the unpackers' formats, where the next operation's are others.
inline void change_unpacked(u32 unpacker, u32 cb) {
  if (unpacked_cb[unpacker] == cb) return;
  stall(kConfig, kUnpacks);
  configure_unpacker(unpacker, cb);
}

/// What an UNPACR does to address counters and banks.
enum class Unpacked { Keeps, HandsOver };
FORCE_INLINE u32 unpack_word(u32 unpacker, u32 increments, Unpacked what) {
  const u32 hands_over = what == Unpacked::HandsOver ? 1 : 0;
  return TT_OP_UNPACR(unpacker, increments, 0, 0, 0, 0, hands_over, 0, 0, 0, 0, 0, 1);
}
/// Increments of the Z counters, which count faces: of the tile in L1, and of SrcA or SrcB.
constexpr u32 faces_on(u32 of_tile, u32 of_source) {
  return of_source << 4 | of_tile;
}

/// Where tile number `tile` of a circular buffer begins, as the configuration has addresses.
FORCE_INLINE u32 unpack_address(u32 cb, u32 tile) {
  const LocalCBInterface& ring = get_local_cb_interface(cb);
  return ring.fifo_rd_ptr + tile * ring.fifo_page_size - 1;
}

FORCE_INLINE void set_base(u32 unpacker, u32 address) {
  if (unpacker == 0) {
    configure(THCON_SEC0_REG3_Base_address_RMW, address);
  } else {
    configure(THCON_SEC1_REG3_Base_address_RMW, address);
  }
}

/// Zeros in all of a source, which is handed over.
FORCE_INLINE void unpack_zeros(u32 unpacker) {
#if LANEWISE_UNPACR_NOP_HAS_FIELDS
  push(TT_OP_UNPACR_NOP(unpacker, 0, 0, 1, 0, 0, 0, 0, 1));
#else
  push(TT_OP_UNPACR_NOP(unpacker, 1));
  push(TT_OP_UNPACR_NOP(unpacker, 7));
#endif
}

/// Whether faces, and what is in them, are exchanged on the way into SrcA.
inline bool transposes_a = false;

/// All numbers of a tile at once, or a face of it.
FORCE_INLINE void set_range(u32 numbers) {
  push(TT_OP_SETADCXX(3, numbers - 1, 0));
  push(TT_OP_SETADCZW(3, 0, 0, 0, 0, 0xF));
}

/// `rows_only`: each face is transposed where it is.
inline void set_transpose(bool transposes) {
  transposes_a = transposes;
  stall(kConfig, kUnpacks);
  configure(THCON_SEC0_REG2_Haloize_mode_RMW, transposes ? 1 : 0);
  set_range(kTileData);
}

/// A tile into SrcA, faces and what is in them exchanged: faces 0, 2, 1, 3 to 0, 1, 2, 3.
FORCE_INLINE void unpack_transposed() {
  push(TT_OP_SETADCXX(1, kFaceData - 1, 0));
  push(TT_OP_SETADCZW(1, 0, 0, 0, 0, 0xF));
  push(unpack_word(0, faces_on(2, 1), Unpacked::Keeps));
  push(unpack_word(0, faces_on(0, 1), Unpacked::Keeps));
  push(TT_OP_SETADCZW(1, 0, 0, 0, 1, 1));
  push(unpack_word(0, faces_on(2, 1), Unpacked::Keeps));
  push(unpack_word(0, faces_on(0, 0), Unpacked::HandsOver));
  set_range(kTileData);
}

FORCE_INLINE void unpack_to_a() {
  if (transposes_a) return unpack_transposed();
  push(unpack_word(0, 0, Unpacked::HandsOver));
}

/// A tile into SrcA, and zeros into SrcB where the sum with them is what goes to Dst.
inline void unpack_a(u32 cb, u32 tile) {
  stall(kConfig, kUnpacks);
  set_base(0, unpack_address(cb, tile));
  unpack_to_a();
  if (copies_by_sum(cb)) unpack_zeros(1);
}

/// The unpacker writes Dst from row `row` on, or SrcA again.
inline void aim_at_dst(bool is_dst, u32 row) {
  constexpr u32 kBytes = 4;
  stall(kConfig, kUnpacks);
  configure(UNP0_ADDR_BASE_REG_1_Base_RMW, (kRowsBefore + row) * 16 * kBytes);
  configure(THCON_SEC0_REG2_Unpack_If_Sel_RMW, is_dst ? 1 : 0);
  configure_thread(SRCA_SET_SetOvrdWithAddr_ADDR32, is_dst ? 0 : SRCA_SET_SetOvrdWithAddr_MASK);
}

/// A tile of 32 bits a number straight to Dst, once the math thread has offered it.
inline void unpack_to_dst(u32 cb, u32 tile, u32 dst_tile) {
  if (transposes_a)
    refuse("transposition of numbers of 32 bits is not among Lanewise's own headers");
  aim_at_dst(true, dst_row(dst_tile));
  set_base(0, unpack_address(cb, tile));
  push(TT_OP_SEMWAIT(kUnpack, kDstOffered, kWhileZero));
  push(unpack_word(0, 0, Unpacked::Keeps));
  aim_at_dst(false, 0);
  stall(kSync, kUnpacks);
  push(TT_OP_SEMGET(kDstOffered));
}

/// Not for numbers that the sources have no room for.
FORCE_INLINE void check_source(u32 cb) {
  if (goes_to_dst(cb))
    lanewise_llk::fail("numbers of 32 bits go to Dst by copy_tile only, and into no source",
                       "copy them, or leave unpack_to_dest_mode of this circular buffer as it is");
}

inline void unpack_ab(u32 cb_a, u32 cb_b, u32 tile_a, u32 tile_b) {
  check_source(cb_a);
  check_source(cb_b);
  stall(kConfig, kUnpacks);
  set_base(0, unpack_address(cb_a, tile_a));
  set_base(1, unpack_address(cb_b, tile_b));
  unpack_to_a();
  push(unpack_word(1, 0, Unpacked::HandsOver));
}

} // namespace lanewise_metal
