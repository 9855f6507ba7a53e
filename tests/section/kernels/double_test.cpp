// A test as those of tt-llk are: three sections, of which each is compiled alone. Tiles of BF16 go
// from L1 through SrcA and Dst to L1 again; on the way SFPI doubles every datum.
//
// Parameters: TILES, IN and OUT, places in L1.
#include <cstdint>

#include "build.h"
#include "ckernel_ops.h"
#include "tensix.h"

namespace {

constexpr std::uint32_t kBf16 = 5, kFaces = 4, kFaceData = 256, kTileBytes = kFaces * kFaceData * 2;
constexpr std::uint32_t kFilled = 1; // semaphore: tiles in Dst, for the packer
constexpr std::uint32_t kReady = 5;  // semaphore: unpack and pack are configured
// What a STALLWAIT waits for: that the Matrix and the Vector Unit, or packer 0, have done their
// work. The chips number the conditions differently (ckernel_ops.h).
enum : std::uint32_t { LANEWISE_STALL_CONDITIONS };
constexpr std::uint32_t kComputes = std::uint32_t{MATH} | SFPU1, kPacks = PACK0;

volatile std::uint32_t* at(std::uint32_t address) {
  return reinterpret_cast<volatile std::uint32_t*>(std::uintptr_t{address});
}

/// Loads back what it has stored: an instruction goes another way, and could come before it.
void configure(std::uint32_t word, std::uint32_t shift, std::uint32_t mask, std::uint32_t value) {
  volatile std::uint32_t* place = at(TENSIX_CFG_BASE) + word;
  *place = (*place & ~mask) | (value << shift & mask);
  (void)*place;
}

volatile std::uint32_t* semaphore(std::uint32_t index) {
  return at(PC_BUF_BASE + 0x20) + index;
}

} // namespace

#ifdef LLK_TRISC_UNPACK

void run_kernel(RUNTIME_PARAMETERS params) {
  constexpr std::uint32_t kDescriptor = THCON_SEC0_REG0_TileDescriptor_ADDR32;
  at(TENSIX_CFG_BASE)[kDescriptor] = kBf16 | 1U << 4 | kFaceData << 16;
  at(TENSIX_CFG_BASE)[kDescriptor + 1] = 1 | kFaces << 16;
  configure(THCON_SEC0_REG2_Out_data_format_RMW, kBf16);
  configure(UNP0_ADDR_BASE_REG_1_Base_RMW, 4 * 16 * 2); // rows 0 to 3 are none of SrcA's
  configure(ALU_FORMAT_SPEC_REG0_SrcA_RMW, kBf16);
  configure(ALU_FORMAT_SPEC_REG2_Dstacc_RMW, kBf16);
  TTI_SETC16(SRCA_SET_SetOvrdWithAddr_ADDR32, SRCA_SET_SetOvrdWithAddr_MASK);
  TTI_SETADCXX(1, kFaceData - 1, 0);
  *semaphore(kReady) = 0;
  for (std::uint32_t tile = 0; tile < params.TILES; ++tile) {
    // What the unpacker may still read must not change under it.
    *at(PC_BUF_BASE + 4) = 0;
    (void)*at(PC_BUF_BASE + 4);
    configure(THCON_SEC0_REG3_Base_address_RMW, (params.IN + tile * kTileBytes) / 16 - 1);
    TTI_SETADCZW(1, 0, 0, 0, 0, 1);
    for (std::uint32_t face = 0; face < kFaces; ++face)
      TTI_UNPACR(0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1);
  }
}

#endif

#ifdef LLK_TRISC_MATH

#include "sfpi.h"

void run_kernel(RUNTIME_PARAMETERS params) {
  TTI_SEMINIT(2, 0, 1U << kFilled);
  while (*semaphore(kReady) < 2) {
  }
#if !defined(ARCH_WORMHOLE)
  TTI_SETC16(DISABLE_IMPLIED_SRCA_FMT_Base_ADDR32, 1);
#endif
  TTI_SETC16(ADDR_MOD_AB_SEC0_SrcAIncr_ADDR32, 8);
  TTI_SETC16(ADDR_MOD_DST_SEC0_DestIncr_ADDR32, 8);
  for (std::uint32_t tile = 0; tile < params.TILES; ++tile) {
    TTI_SEMWAIT(0x40, 1U << kFilled, 2); // Matrix Unit, until the packer has taken a tile
    TTI_SETC16(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32, tile % 2 * 512);
    TTI_SETRWC(0, 0, 0, 0, 0, 5);
    for (std::uint32_t face = 0; face < kFaces; ++face) {
      TTI_MOVA2D(0, 0, 0, 2, 0);
      TTI_MOVA2D(0, 0, 0, 2, 0);
      TTI_SETRWC(1, 0, 0, 0, 0, 1);
    }
    TTI_SETRWC(0, 0, 0, 0, 0, 4);
    for (int row = 0; row < 32; ++row) {
      const sfpi::vFloat x = sfpi::dst_reg[0];
      sfpi::dst_reg[0] = x + x;
      sfpi::dst_reg++;
    }
    TTI_STALLWAIT(2, kComputes); // the semaphore, until the tile is in Dst
    TTI_SEMPOST(1U << kFilled);
  }
}

#endif

#ifdef LLK_TRISC_PACK

void run_kernel(RUNTIME_PARAMETERS params) {
  configure(THCON_SEC0_REG1_In_data_format_RMW, kBf16);
  configure(THCON_SEC0_REG1_Out_data_format_RMW, kBf16);
  configure(THCON_SEC0_REG1_Disable_zero_compress_RMW, 1);
  configure(PCK0_ADDR_CTRL_XY_REG_0_Ystride_RMW, 16 * 2); // a row of Dst
  configure(PCK0_ADDR_CTRL_ZW_REG_0_Zstride_RMW, kFaceData * 2);
  at(TENSIX_CFG_BASE)[PCK_EDGE_OFFSET_SEC0_mask_ADDR32] = 0xFFFF;
  TTI_SETC16(ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR32, 4);
  TTI_SETC16(ADDR_MOD_PACK_SEC1_YsrcIncr_ADDR32, 1U << 12); // Z by one
  *semaphore(kReady) = 0;
  for (std::uint32_t tile = 0; tile < params.TILES; ++tile) {
    while (*semaphore(kFilled) == 0) {
    }
    configure(THCON_SEC0_REG1_L1_Dest_addr_RMW, (params.OUT + tile * kTileBytes) / 16 - 1);
    configure(DEST_TARGET_REG_CFG_PACK_SEC0_Offset_RMW, tile % 2 * 512);
#if defined(ARCH_WORMHOLE)
    TTI_SETADCXX(4, kFaceData - 1, 0);
    TTI_SETADCZW(4, 0, 0, 0, 0, 1);
    for (std::uint32_t face = 0; face < kFaces; ++face) TTI_PACR(1, 0, 1, 0, 0, 0, face == 3);
#else
    TTI_SETADCXX(4, 15, 0);
    TTI_SETADCXY(4, 0, 0, 0, 0, 2);
    for (std::uint32_t row = 0; row < 60; row += 4) TTI_PACR(0, 0, 0, 0, 0, 0, 15, 0, 0, 0, 0, 0);
    TTI_PACR(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
#endif
    TTI_STALLWAIT(2, kPacks);
    TTI_SEMGET(1U << kFilled);
    *at(PC_BUF_BASE + 4) = 0;
    (void)*at(PC_BUF_BASE + 4);
  }
}

#endif
