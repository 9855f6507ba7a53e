// Sums and maxima of a tile's rows, columns or of all of it, face by face: the Matrix Unit pools
// sixteen rows of SrcA into one of Dst, with the first row of a face of the scaler in SrcB
// (GAPOOL, GMPOOL; matrix-unit.md 7).
#pragma once

#include "lanewise_compute.h"

namespace lanewise_metal {

using ckernel::PoolType;
using ckernel::ReduceDim;

#if defined(UCK_CHLKC_UNPACK)

/// Rows are pooled as columns of faces that the unpacker transposes.
template <ReduceDim dim>
void set_up_pool_unpack() {
  transposes_a = false; // not the whole tile
  stall(kConfig, kUnpacks);
  configure(THCON_SEC0_REG2_Haloize_mode_RMW, dim == ReduceDim::REDUCE_ROW ? 1 : 0);
  push(TT_OP_SETADCXX(1, kFaceData - 1, 0));
  push(TT_OP_SETADCXX(2, kFaceRows - 1, 0)); // one row
}

/// The faces of the tile one by one, each into the first rows of SrcA, beside one of the scaler.
inline void unpack_faces(u32 cb, u32 scaler, u32 tile, u32 scaler_tile) {
  check_source(cb);
  check_source(scaler);
  stall(kConfig, kUnpacks);
  set_base(0, unpack_address(cb, tile));
  set_base(1, unpack_address(scaler, scaler_tile));
  push(TT_OP_SETADCZW(3, 0, 0, 0, 0, 0xF));
  for (u32 face = 0; face < kFaces; ++face) {
    push(unpack_word(0, faces_on(1, 0), Unpacked::HandsOver));
    push(unpack_word(1, faces_on(1, 0), Unpacked::HandsOver));
  }
}

#elif defined(UCK_CHLKC_MATH)

inline constexpr u32 kStay = 0, kDown = 2, kPhase = 3; ///< sections of ADDR_MOD

inline void set_up_pool_math() {
  constexpr u32 kFirstPhase = 1 << 15;
  set_section(kStay, 0, kFirstPhase);
  set_section(kDown, sources(0, 8), 8);
  set_section(kPhase, 0, kNextPhase);
  end_tile(kNone);
}

/// A face into row `row` of Dst, counted from where its counter stands. A maximum has one phase.
template <PoolType type>
void pool(u32 banks, u32 row) {
  if (type == PoolType::MAX) return push(TT_OP_GMPOOL(banks, 1, kStay, 0, row));
  for (u32 phase = 1; phase < kPhases; ++phase) push(TT_OP_GAPOOL(kNone, 1, kPhase, 0, row));
  push(TT_OP_GAPOOL(banks, 1, kStay, 0, row));
}

/// Dst's counter sixteen rows further, and banks back.
inline void next_face_of_dst(u32 banks) {
  constexpr u32 kFromRow = 4, kHalfFace = 8, kDst = 4;
  push(TT_OP_SETRWC(kNone, kFromRow, kHalfFace, 0, 0, kDst));
  push(TT_OP_SETRWC(banks, kFromRow, kHalfFace, 0, 0, kDst));
}

inline void reset_sources() {
  constexpr u32 kFromRow = 4, kSources = 3;
  push(TT_OP_SETRWC(kNone, kFromRow, 0, 0, 0, kSources));
}

/// The lower half of SrcB, which no scaler reaches: there a row becomes a column.
inline constexpr u32 kScratch = 16;

/// A row of Dst becomes the first column of its face; its first row keeps what it holds, for
/// further tiles.
inline void row_to_column() {
  constexpr u32 kB = 2, kFromB = 2, kHalfFace = 8;
  keep_small(true);
  reset_sources();
  push(TT_OP_MOVD2B(0, kScratch, kStay, 0, 0));
  push(TT_OP_TRNSPSRCB);
  push(TT_OP_MOVD2B(0, kScratch, kStay, 0, 0));
  push(TT_OP_SETRWC(kNone, kFromB, 0, kHalfFace, 0, kB));
  push(TT_OP_SETRWC(kNone, kFromB, 0, kHalfFace, 0, kB));
  push(TT_OP_ZEROSRC(0, 1, 0, 1));
  push(TT_OP_ELWADD(0, 0, 0, kDown, 0));
  push(TT_OP_ELWADD(0, 0, 0, kDown, 0));
  follow_formats();
}

/// The first row is the result of half of the faces: it goes back to SrcA as a column, of which the
/// sum is taken.
template <PoolType type>
void pool_row(u32 row) {
  constexpr u32 kFourRows = 2, kOneRow = 0;
  reset_sources();
  push(TT_OP_MOVD2B(0, kScratch, kStay, kOneRow, row));
  push(TT_OP_GATESRCRST(1, 1));
  push(TT_OP_TRNSPSRCB);
  push(TT_OP_GATESRCRST(1, 1));
  for (u32 i = 0; i < kFaceRowsOfSource; i += 4)
    push(TT_OP_MOVB2A(i, kStay, kFourRows, kScratch + i));
  push(TT_OP_GATESRCRST(1, 1));
  clear_row(row, kStay);
  pool<type>(kBoth, 0);
}

template <PoolType type, ReduceDim dim>
void reduce(u32 tile) {
  aim_at(tile);
  if constexpr (dim == ReduceDim::REDUCE_ROW) {
    for (u32 half = 0; half < 2; ++half) {
      pool<type>(kBoth, 0);
      pool<type>(kNone, 0);
      row_to_column();
      if (half == 0) {
        reset_sources();
        next_face_of_dst(kNone);
        next_face_of_dst(kBoth);
      }
    }
    end_tile(kBoth);
  } else if constexpr (dim == ReduceDim::REDUCE_COL) {
    for (u32 half = 0; half < 2; ++half) {
      pool<type>(kNone, 0);
      next_face_of_dst(kBoth);
      pool<type>(kNone, 0);
      end_tile(kBoth);
    }
  } else {
    constexpr u32 kPartRow = 4;
    for (u32 face = 0; face < 3; ++face) pool<type>(kBoth, kPartRow);
    pool<type>(kNone, kPartRow);
    pool_row<type>(kPartRow);
    end_tile(kNone);
  }
}

#else

/// Where a result lies; of the rest of a tile zeros are packed.
template <ReduceDim dim>
constexpr Kept kept_of() {
  return dim == ReduceDim::REDUCE_ROW   ? Kept::FirstColumn
         : dim == ReduceDim::REDUCE_COL ? Kept::FirstRow
                                        : Kept::FirstNumber;
}

#endif

} // namespace lanewise_metal
