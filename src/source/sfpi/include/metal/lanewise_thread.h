// How a thread's core gives work to the coprocessor: instructions, configuration in their order,
// and what they wait for. Sections of the ISA documentation: TensixCoprocessor, Wait Gate.
#pragma once

#include "ckernel_ops.h"
#include "lanewise_rings.h"

namespace lanewise_metal {

/// One instruction word, behind what was pushed before. Inside SFPI code it becomes part of it.
FORCE_INLINE void push(u32 word) {
  *lanewise_register(INSTRN_BUF_BASE) = word;
}

// What STALLWAIT and SEMWAIT hold back, and what STALLWAIT waits for the end of.
inline constexpr u32 kSync = 1 << 1, kPack = 1 << 2, kUnpack = 1 << 3, kScalar = 1 << 5,
                     kMatrix = 1 << 6, kConfig = 1 << 7, kVector = 1 << 8;
namespace conditions {
enum : u32 { LANEWISE_STALL_CONDITIONS };
} // namespace conditions
inline constexpr u32 kUnpacks = conditions::UNPACK0 | conditions::UNPACK1;
inline constexpr u32 kPacks = conditions::PACK0;
inline constexpr u32 kMultiplies = conditions::MATH, kComputes = conditions::SFPU1;
inline constexpr u32 kHasNoA = conditions::SRCA_VLD, kHasNoB = conditions::SRCB_VLD;

/// `held` does not begin before what `busy` names has ended.
FORCE_INLINE void stall(u32 held, u32 busy) {
  push(TT_OP_STALLWAIT(held, busy));
}

/// A field of the configuration, in the order of the instructions: byte by byte, so that other
/// threads may write the rest of the word meanwhile.
FORCE_INLINE void configure(u32 word, u32 shift, u32 mask, u32 value) {
  const u32 bits = value << shift & mask;
  if ((mask & 0x000000FF) != 0) push(TT_OP_RMWCIB0(mask & 0xFF, bits & 0xFF, word));
  if ((mask & 0x0000FF00) != 0) push(TT_OP_RMWCIB1(mask >> 8 & 0xFF, bits >> 8 & 0xFF, word));
  if ((mask & 0x00FF0000) != 0) push(TT_OP_RMWCIB2(mask >> 16 & 0xFF, bits >> 16 & 0xFF, word));
  if ((mask & 0xFF000000) != 0) push(TT_OP_RMWCIB3(mask >> 24, bits >> 24, word));
}

/// A thread's own word of the configuration.
FORCE_INLINE void configure_thread(u32 word, u32 value) {
  push(TT_OP_SETC16(word, value));
}

/// Stores a counter of a circular buffer once `busy` has ended. A GPR passes it on, whose upper
/// half stays zero.
FORCE_INLINE void store_counter(u32 address, std::uint16_t value, u32 busy) {
  constexpr u32 kGpr = 60, kRegisters = 0xFFB00000;
  push(TT_OP_SETDMAREG(value >> 14, value & 0x3FFF, 0, 2 * kGpr));
  stall(kScalar, busy);
  push(TT_OP_STOREREG(kGpr, (address - kRegisters) >> 2));
}

/// The semaphore by which math and pack hand over a section of Dst, and that by which math and
/// unpack do so where numbers go straight there.
inline constexpr u32 kDstFilled = 1 << 1, kDstOffered = 1 << 2;
/// Conditions of SEMWAIT.
inline constexpr u32 kWhileZero = 1, kWhileAtMost = 2;

/// Dst, in rows: a section is all of it or a half, a tile takes 64.
inline constexpr bool kHasHalves = DST_SYNC_MODE == ckernel::DstSync::SyncHalf;
inline constexpr u32 kTileRows = 64, kHalfRows = 512;
inline constexpr u32 kDstTiles = (DST_ACCUM_MODE ? 8 : 16) / (kHasHalves ? 2 : 1);

/// Where the section begins that this thread works on.
inline u32 section_row = 0;

inline void next_section() {
  if (kHasHalves) section_row ^= kHalfRows;
}

FORCE_INLINE u32 dst_row(u32 tile) {
  if (tile >= kDstTiles)
    lanewise_llk::fail("there is no tile of this number in a section of Dst",
                       "a section has 8 tiles, half of that with fp32_dest_acc_en, and twice as "
                       "many with dst_full_sync_en");
  return section_row + tile * kTileRows;
}

/// The hardware's number of a format, which software's have more bits than.
constexpr u32 format_code(u32 format) {
  return format & 0xF;
}
/// Bytes of a number of a format, as addresses count them.
constexpr u32 number_bytes(u32 format) {
  return (format & 3) == 0 ? 4 : (format & 3) == 1 ? 2 : 1;
}
/// Integers of 16 and of 8 bits, Int32 and UInt32; of 8 bits there are some without a sign.
inline constexpr u32 kInt16 = 9, kInt8 = 14, kInt32 = 8, kUInt8 = 30;
constexpr bool has_32_bits(u32 format) {
  return format_code(format) == 0 || format_code(format) == kInt32;
}

/// All but tiles of 32 x 32 numbers is refused.
template <class Formats, class Sizes>
FORCE_INLINE void check_tile(const Formats& formats, const Sizes& rows, const Sizes& columns,
                             u32 cb) {
  if (rows[cb] != 32 || columns[cb] != 32)
    refuse("tiles of another shape than 32 x 32 are not among Lanewise's own headers");
  if (formats[cb] == 0xFF)
    lanewise_llk::fail("the circular buffer has no format", "create it, or use one that is there");
  if (format_code(formats[cb]) == kInt32 && !DST_ACCUM_MODE)
    lanewise_llk::fail("integers of 32 bits have no room in a Dst of 16",
                       "set fp32_dest_acc_en for the compute kernel");
}

#if !defined(UCK_CHLKC_PACK)

/// Whether an unpacker takes a tile straight to Dst, since the sources have no room for its
/// numbers.
constexpr bool goes_to_dst(u32 cb) {
  return has_32_bits(unpack_dst_format[cb]);
}
/// Whether a copy is the sum with zeros: a move would reach half of a cell of 32 bits only.
constexpr bool copies_by_sum(u32 cb) {
  const u32 format = unpack_dst_format[cb];
  return format == kUInt8 || (DST_ACCUM_MODE && format_code(format) != kInt16);
}

#endif

} // namespace lanewise_metal
