// A whole operation: a tile of BF16 from L1 through SrcA and Dst back to L1 (core.md 15.1).
#pragma once

#include "tile/tile_fixture.h"

namespace lanewise::test {

inline constexpr std::uint32_t kIn = 0x20000, kOut = 0x30000;
inline constexpr unsigned kFaces = 4, kFaceData = 256;

class Datacopy : public TileOnBothChips {
 protected:
  void SetUp() override {
    constexpr std::uint32_t kBf16 = 5;
    // The descriptor: format, uncompressed, a face in X, faces in Z.
    rig.set("THCON_SEC0_REG0_TileDescriptor", kBf16 | 1U << 4 | kFaceData << 16);
    const unsigned word =
        isa::config_place(*isa::find_config_field(GetParam(), "THCON_SEC0_REG0_TileDescriptor"))
            .word_of(GetParam());
    rig.machine().config.write_shared(word + 1, 1 | kFaces << 16, ~0U, 0);
    rig.set("THCON_SEC0_REG2_Out_data_format", kBf16);
    rig.set("THCON_SEC0_REG3_Base_address", kIn / 16 - 1);
    rig.set("UNP0_ADDR_BASE_REG_1_Base", 4 * 16 * 2); // rows 0 to 3 are none of SrcA's
    rig.set("SRCA_SET_SetOvrdWithAddr", 1, 0);
    rig.set("ALU_FORMAT_SPEC_REG0_SrcA", kBf16);
    rig.set("ALU_FORMAT_SPEC_REG2_Dstacc", kBf16);
    if (is_blackhole()) rig.set("DISABLE_IMPLIED_SRCA_FMT_Base", 1, 1);
    rig.set("THCON_SEC0_REG1_In_data_format", kBf16);
    rig.set("THCON_SEC0_REG1_Out_data_format", kBf16);
    rig.set("THCON_SEC0_REG1_Disable_zero_compress", 1);
    rig.set("THCON_SEC0_REG1_L1_Dest_addr", kOut / 16 - 1);
    rig.set("PCK0_ADDR_CTRL_XY_REG_0_Ystride", 16 * 2); // a row of Dst
    rig.set("PCK0_ADDR_CTRL_ZW_REG_0_Zstride", kFaceData * 2);
    rig.set("ADDR_MOD_PACK_SEC0_YsrcIncr", 4, 2);
    rig.set("ADDR_MOD_PACK_SEC1_ZsrcIncr", 1, 2);
    for (unsigned i = 0; i < 4; ++i) {
      const auto mask = isa::of_section(isa::ConfigField::PCK_EDGE_OFFSET_SEC0_mask, i);
      rig.machine().config.set(mask, 0xFFFF, 0);
    }
    rig.machine().config.act_for(1);
    rig.machine().config.set_addr_mod(0, {.dst_increment = 8, .srca_increment = 8});
    rig.state().sync.semaphore[1].max = 1;
    for (unsigned k = 0; k < kFaces * kFaceData; ++k)
      rig.state().l1.store(kIn + 2 * k, 2, 0x3F80 + k % 0x7F + (k % 3 == 0 ? 0x8000 : 0));
  }

  std::array<std::string, 3> programs() const {
    std::string unpack = "SETADCXX U0=1, X0Val=0, X1Val=255\nSETADCZW U0=1, Z0=1, Z0Val=0\n";
    std::string math = "SETRWC Dst=1, SrcA=1\n";
    std::string pack = "SEMWAIT SemaphoreMask=2, ConditionMask=1, BlockMask=4\n";
    for (unsigned face = 0; face < kFaces; ++face) {
      unpack += "UNPACR WhichUnpacker=0, Ch0ZInc=1, FlipSrc=1, Last=1\n";
      math += "MOVA2D Move8Rows=1\nMOVA2D Move8Rows=1\nSETRWC FlipSrcA=1, SrcA=1\n";
    }
    math += "SEMPOST SemaphoreMask=2\n";
    if (is_blackhole()) {
      pack += "SETADCXX PK=1, X0Val=0, X1Val=15\nSETADCXY PK=1, Y0=1, Y0Val=0\n";
      for (unsigned row = 0; row < 64; row += 4)
        pack += row == 60 ? "PACR Last=1\n" : "PACR ReadIntfSel=15\n";
    } else {
      pack += "SETADCXX PK=1, X0Val=0, X1Val=255\nSETADCZW PK=1, Z0=1, Z0Val=0\n";
      for (unsigned face = 0; face < kFaces; ++face)
        pack += fmt::format("PACR PackerMask=1, AddrMod=1, Last={}\n", face + 1 == kFaces ? 1 : 0);
    }
    return {unpack, math, pack + "SEMGET SemaphoreMask=2\n"};
  }

  std::vector<std::uint32_t> data(std::uint32_t address) {
    std::vector<std::uint32_t> found;
    for (unsigned k = 0; k < kFaces * kFaceData; ++k)
      found.push_back(rig.state().l1.load(address + 2 * k, 2));
    return found;
  }
};

} // namespace lanewise::test
