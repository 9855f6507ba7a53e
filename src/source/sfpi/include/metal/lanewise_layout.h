// Rows of numbers to tiles and back: the unpacker takes sixteen numbers at once, wherever they lie,
// into the next row of SrcA; the packer puts rows of a tile wherever they belong.
#pragma once

#include "lanewise_compute.h"

namespace lanewise_metal {

inline constexpr u32 kTileSide = 32, kFaceSide = 16;

#if defined(UCK_CHLKC_UNPACK)

/// What SrcA has room for, in rows of sixteen numbers; a row of L1 has `row_numbers` numbers.
inline void set_up_rows(u32 cb, u32 row_numbers, u32 rows) {
  check_source(cb);
  stall(kConfig, kUnpacks);
  configure(THCON_SEC0_REG2_Haloize_mode_RMW, 0);
  configure(THCON_SEC0_REG0_TileDescriptor_ADDR32, 16, 0xFFFF0000, row_numbers);
  configure(THCON_SEC0_REG0_TileDescriptor_ADDR32 + 1, 0, ~0U, rows | 1 << 16);
  configure(UNP0_ADDR_CTRL_XY_REG_1_Ystride_RMW,
            kFaceSide * number_bytes(format_code(unpack_dst_format[cb])));
  push(TT_OP_SETADCXX(1, kFaceSide - 1, 0));
}

/// Back to whole tiles.
inline void leave_rows(u32 cb) {
  stall(kConfig, kUnpacks);
  configure_unpacker(0, cb);
  set_transpose(false);
}

/// Sixteen numbers of row `row`, from number `first` of it on, into the next row of SrcA.
FORCE_INLINE void aim_at_row(u32 row) {
  constexpr u32 kY = 1;
  push(TT_OP_SETADC(1, 0, kY, row));
}
FORCE_INLINE void unpack_row(Unpacked what) {
  constexpr u32 kNextOfBoth = 1 << 6 | 1 << 2; // Y of SrcA, Y of L1
  push(unpack_word(0, kNextOfBoth, what));
}
FORCE_INLINE void begin_rows() {
  push(TT_OP_SETADCXY(1, 0, 0, 0, 0, 0xA)); // Y of both
  push(TT_OP_SETADCZW(1, 0, 0, 0, 0, 0xF));
}

/// The numbers of a tile at an address, out of rows: face by face.
inline void unpack_tilized(u32 address) {
  stall(kConfig, kUnpacks);
  set_base(0, address);
  begin_rows();
  for (u32 face = 0; face < kFaces; ++face) {
    const u32 first = face % 2 * kFaceSide;
    push(TT_OP_SETADCXX(1, first + kFaceSide - 1, first));
    aim_at_row(face / 2 * kFaceSide);
    for (u32 row = 0; row < kFaceSide; ++row)
      unpack_row(face + 1 == kFaces && row + 1 == kFaceSide ? Unpacked::HandsOver
                                                            : Unpacked::Keeps);
  }
  begin_rows();
  push(TT_OP_SETADCXX(1, kFaceSide - 1, 0));
}

/// Bytes of so many numbers of a circular buffer, as addresses count them.
FORCE_INLINE u32 in_words(u32 cb, u32 numbers) {
  return numbers * number_bytes(format_code(unpack_src_format[cb])) / 16;
}

/// As many numbers as a tile has, number `part` of the rows of `tiles` tiles beside each other.
inline void unpack_untilized(u32 cb, u32 tiles, u32 part) {
  begin_rows();
  const u32 in_row = 2 * tiles; // of sixteen numbers each
  u32 open = ~0U;
  for (u32 i = 0; i < kTileData / kFaceSide; ++i) {
    const u32 at = part * (kTileData / kFaceSide) + i;
    const u32 row = at / in_row, tile = at % in_row / 2, right = at % 2;
    if (tile != open) {
      stall(kConfig, kUnpacks);
      set_base(0, unpack_address(cb, tile));
      open = tile;
    }
    aim_at_row((row / kFaceSide * 2 + right) * kFaceSide + row % kFaceSide);
    unpack_row(i + 1 == kTileData / kFaceSide ? Unpacked::HandsOver : Unpacked::Keeps);
  }
  begin_rows();
}

#elif defined(UCK_CHLKC_PACK)

inline void set_up_pack_rows(u32 cb) {
  change_packed(cb);
  const u32 code = format_code(pack_dst_format[cb]);
  if (code > 1 && code != 5)
    refuse(
        "rows of another format than Float32, Float16 and Float16_b are not among Lanewise's own "
        "headers");
  stall(kConfig, kPacks);
  push(TT_OP_SETADCXX(4, kFaceSide - 1, 0));
}

inline void leave_pack_rows(u32 cb) {
  stall(kConfig, kPacks);
  configure_packer(cb);
  record_pack();
}

/// Sixteen numbers of Dst, the next ones in L1.
FORCE_INLINE void pack_row(bool is_last) {
  push(LANEWISE_OP_PACR(2, 1, is_last ? 1 : 0));
}

/// Tiles of Dst beside each other, from `first` on, as rows that begin `row_bytes` apart.
inline void pack_untilized(u32 first, u32 tiles, u32 address, u32 row_words) {
  constexpr u32 kY = 1;
  for (u32 row = 0; row < kTileSide; ++row) {
    stall(kConfig, kPacks);
    configure(THCON_SEC0_REG1_L1_Dest_addr_RMW, address + row * row_words);
    for (u32 tile = 0; tile < tiles; ++tile) {
      stall(kConfig, kPacks);
      configure(DEST_TARGET_REG_CFG_PACK_SEC0_Offset_RMW, dst_row(first + tile));
      push(TT_OP_SETADCZW(4, 0, 0, 0, 0, 0xF));
      for (u32 right = 0; right < 2; ++right) {
        push(TT_OP_SETADC(4, 0, kY, (row / kFaceSide * 2 + right) * kFaceSide + row % kFaceSide));
        pack_row(right == 1 && tile + 1 == tiles);
      }
    }
  }
  push(TT_OP_SETADCXY(4, 0, 0, 0, 0, 0xA));
}

#endif

} // namespace lanewise_metal
