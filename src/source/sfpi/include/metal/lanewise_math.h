// The thread that computes: programs of one fidelity phase in the replay buffer, which an operation
// on a tile plays as often as its fidelity asks (matrix-unit.md 3 to 7).
#pragma once

#include "lanewise_thread.h"

namespace lanewise_metal {

inline constexpr u32 kPhases =
    MATH_FIDELITY == ckernel::MathFidelity::LoFi ? 1 : static_cast<u32>(MATH_FIDELITY);

// Bits of an ADDR_MOD section: steps of SrcA, SrcB and Dst, each back to where a row began (CR) or
// to zero, and the next fidelity phase.
inline constexpr u32 kACr = 1 << 6, kAClear = 1 << 7, kBCr = 1 << 14, kBClear = 1 << 15;
inline constexpr u32 kDstCr = 1 << 10, kDstClear = 1 << 11, kNextPhase = 1 << 13;
constexpr u32 sources(u32 a, u32 b) {
  return a | b << 8;
}

inline constexpr u32 kFaceRowsOfSource = 16;

/// A section of ADDR_MOD. `turns`: on Wormhole, whose fields have two bits, the next instruction
/// names sections from 4 on, or again from 0 on.
FORCE_INLINE void set_section(u32 section, u32 ab, u32 dst, [[maybe_unused]] bool turns = false) {
  configure_thread(ADDR_MOD_AB_SEC0_SrcAIncr_ADDR32 + section * (ADDR_MOD_AB_SEC1_SrcAIncr_ADDR32 -
                                                                 ADDR_MOD_AB_SEC0_SrcAIncr_ADDR32),
                   ab);
  configure_thread(ADDR_MOD_DST_SEC0_DestIncr_ADDR32 + section, dst);
#if defined(ADDR_MOD_SET_Base_ADDR32)
  configure_thread(ADDR_MOD_BIAS_SEC0_BiasIncr_ADDR32 + section, turns ? 1 : 0);
#endif
}

/// Which banks go back to the unpackers.
inline constexpr u32 kNone = 0, kA = 1, kB = 2, kBoth = 3;

/// All counters to zero, and banks back.
FORCE_INLINE void end_tile(u32 banks) {
  constexpr u32 kAllCounters = 0xF;
  push(TT_OP_SETRWC(banks, 0, 0, 0, 0, kAllCounters));
}

/// What the replay buffer holds: a phase of the operation that was set up last.
inline u32 replay_length = 0;

FORCE_INLINE void record(u32 length) {
  replay_length = length;
  push(TT_OP_REPLAY(0, length, 0, 1));
}
FORCE_INLINE void replay(u32 phases) {
  for (u32 phase = 0; phase < phases; ++phase) push(TT_OP_REPLAY(0, replay_length, 0, 0));
}

/// Tile `tile` of the section is what instructions count rows from.
FORCE_INLINE void aim_at(u32 tile) {
  configure_thread(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32, dst_row(tile));
}

/// Whether moves and sums take numbers without an exponent as they are, and zeros with their sign;
/// else as zero.
inline void keep_small(bool keeps) {
  stall(kConfig, kMultiplies | kComputes);
  configure(ALU_ACC_CTRL_Zero_Flag_disabled_src_RMW, keeps ? 1 : 0);
}

/// Formats of the sources as software has them. Integers of 16 bits would look like numbers without
/// an exponent.
inline u32 source_format[2];
inline void follow_formats() {
  const auto has = [](u32 code) {
    return format_code(source_format[0]) == code || format_code(source_format[1]) == code;
  };
  keep_small(has(kInt16));
  configure(ALU_ACC_CTRL_INT8_math_enabled_RMW, has(kInt8) || has(kInt32) ? 1 : 0);
}

/// The formats of the sources, which Blackhole takes from their banks.
inline void configure_a(u32 cb) {
  configure(ALU_FORMAT_SPEC_REG0_SrcA_RMW, format_code(unpack_dst_format[cb]));
}
inline void configure_b(u32 cb) {
  configure(ALU_FORMAT_SPEC_REG1_SrcB_RMW, format_code(unpack_dst_format[cb]));
}

inline void set_math_up(u32 cb_a, u32 cb_b) {
  source_format[0] = unpack_dst_format[cb_a];
  source_format[1] = unpack_dst_format[cb_b];
  follow_formats();
  configure_a(cb_a);
  configure_b(cb_b);
  configure(ALU_ACC_CTRL_Fp32_enabled_RMW, DST_ACCUM_MODE ? 1 : 0);
  configure(ALU_ACC_CTRL_SFPU_Fp32_enabled_RMW, DST_ACCUM_MODE ? 1 : 0);
  section_row = 0;
  push(TT_OP_SEMINIT(kHasHalves ? 2 : 1, 0, kDstFilled));
  push(TT_OP_SEMINIT(1, 0, kDstOffered));
  end_tile(kNone);
}

inline void change_multiplied_a(u32 cb) {
  source_format[0] = unpack_dst_format[cb];
  follow_formats();
  if constexpr (!LANEWISE_IMPLIES_FORMATS) configure_a(cb);
}
inline void change_multiplied_b(u32 cb) {
  source_format[1] = unpack_dst_format[cb];
  follow_formats();
  if constexpr (!LANEWISE_IMPLIES_FORMATS) configure_b(cb);
}

/// One row of Dst, counted from where its counter stands, reads as zero. `section` of ADDR_MOD.
FORCE_INLINE void clear_row(u32 row, u32 section) {
  push(LANEWISE_OP_ZEROACC(0, section, row));
}

// ---------------------------------------------------------------- Sections of Dst

FORCE_INLINE void acquire_section() {
  push(TT_OP_SEMWAIT(kSync | kMatrix | kVector, kDstFilled, kWhileAtMost));
}
FORCE_INLINE void commit_section() {
  stall(kSync, kMultiplies | kComputes);
  push(TT_OP_SEMPOST(kDstFilled));
  next_section();
}

// ---------------------------------------------------------------- A tile as it is

/// Integers of 16 bits lie in the lower half of a cell of 32.
inline void set_up_copy(u32 cb) {
  const bool sums = copies_by_sum(cb);
  const u32 to_low = DST_ACCUM_MODE && !sums ? 1 : 0;
  set_section(0, sources(8, sums ? 8 : 0), 8);
  record(8);
  for (u32 i = 0; i < 8; ++i)
    push(sums ? TT_OP_ELWADD(0, 0, 0, 0, 0) : TT_OP_MOVA2D(to_low, 0, 0, 2, 0));
}

FORCE_INLINE void copy(u32 cb, u32 tile) {
  aim_at(tile);
  replay(1);
  end_tile(copies_by_sum(cb) ? kBoth : kA);
}

/// The section is the unpacker's until it has written a tile.
FORCE_INLINE void offer_dst() {
  stall(kSync, kMultiplies | kComputes);
  push(TT_OP_SEMPOST(kDstOffered));
  push(TT_OP_SEMWAIT(kSync | kMatrix | kVector, kDstOffered, kWhileAtMost));
}

// ---------------------------------------------------------------- Element by element

enum class Elementwise { Add, Sub, Mul };
/// Which numbers of SrcB stand for a whole row, column or tile; as instructions have it.
enum class Broadcast : u32 { None = 0, Column = 1, Row = 2, Scalar = 3 };

FORCE_INLINE u32 elementwise_word(Elementwise what, Broadcast broadcast, bool adds, u32 section) {
  const u32 bits = static_cast<u32>(broadcast);
  switch (what) {
    case Elementwise::Add: return TT_OP_ELWADD(0, adds ? 1 : 0, bits, section, 0);
    case Elementwise::Sub: return TT_OP_ELWSUB(0, adds ? 1 : 0, bits, section, 0);
    case Elementwise::Mul: break;
  }
  return TT_OP_ELWMUL(0, 0, bits, section, 0);
}

inline u32 elementwise_phases = 1;

/// Eight instructions go over a tile, upper faces first; behind the eighth all begins again, in the
/// next phase.
inline void set_up_elementwise(Elementwise what, Broadcast broadcast, bool adds) {
  constexpr u32 kStep = 8, kFace = 16;
  u32 next = sources(kStep, kStep), face_end = next, upper_end = next;
  if (broadcast == Broadcast::Row) {
    next = sources(kStep, 0);
    face_end = sources(kStep, kFace);
    upper_end = sources(kStep, 0) | kBClear;
  } else if (broadcast == Broadcast::Column) {
    face_end = sources(kStep, 0) | kBCr;
    upper_end = sources(kStep, 2 * kFace) | kBCr;
  } else if (broadcast == Broadcast::Scalar) {
    next = face_end = upper_end = sources(kStep, 0);
  }
  set_section(0, next, kStep);
  set_section(1, face_end, kStep);
  set_section(2, upper_end, kStep);
  set_section(3, kAClear | kBClear, kDstClear | kNextPhase);
  elementwise_phases = what == Elementwise::Mul ? kPhases : 1;
  record(8);
  constexpr u32 kOrder[] = {0, 1, 0, 2, 0, 1, 0, 3};
  for (const u32 section : kOrder) push(elementwise_word(what, broadcast, adds, section));
}

FORCE_INLINE void elementwise(u32 tile) {
  aim_at(tile);
  replay(elementwise_phases);
  end_tile(kBoth);
}

// ---------------------------------------------------------------- Matrices

/// Dst += SrcB x SrcA, as in examples/matmul_bh.tt and examples/matmul_wh.tt: sixteen instructions
/// multiply eight rows with a face each.
inline void set_up_matmul() {
  constexpr u32 kUpper = 8, kFace = 16;
  set_section(0, sources(0, kUpper), kUpper);
  set_section(1, sources(kFace, 0) | kBCr, kUpper);
  set_section(2, sources(0, 2 * kFace) | kACr | kBCr, kUpper);
  const u32 to_right = sources(2 * kFace, 3 * kFace) | kACr | kBCr;
  record(16);
#if defined(ADDR_MOD_SET_Base_ADDR32)
  constexpr u32 kOrder[] = {0, 1, 0, 2, 0, 1, 3, 0, 0, 1, 0, 2, 0, 1, 3, 1};
#else
  constexpr u32 kOrder[] = {0, 1, 0, 2, 0, 1, 0, 4, 0, 1, 0, 2, 0, 1, 0, 5};
#endif
  for (const u32 section : kOrder) push(TT_OP_MVMUL(0, 0, section, 0));
  set_section(3, sources(0, kUpper), kUpper, true);
  set_section(4, to_right, kDstCr, true);
  set_section(5, kAClear | kBClear, kDstClear | kNextPhase, true);
}

FORCE_INLINE void matmul(u32 tile) {
  aim_at(tile);
  replay(kPhases);
  end_tile(kBoth);
}

} // namespace lanewise_metal
