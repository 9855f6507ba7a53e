// Which rows of Dst a PACR reads (ISA Dst, core.md 14.2).
#include "tile/datacopy_fixture.h"

namespace lanewise::test {
namespace {

class PackRows : public Datacopy {};
LANEWISE_ON_BOTH_CHIPS(PackRows);

/// A row of 32 bits has 10 bits, of which Adj32 makes one of 512: bit 9 is put into the place to
/// which bit 8 goes.
TEST_P(PackRows, Of32BitsFrom512OnNameTheCellsOfOthers) {
  rig.set("PCK_DEST_RD_CTRL_Read_32b_data", 1);
  for (const char* field : {"THCON_SEC0_REG1_In_data_format", "THCON_SEC0_REG1_Out_data_format",
                            "ALU_FORMAT_SPEC_REG2_Dstacc"})
    rig.set(field, 0);
  for (unsigned column = 0; column < 16; ++column)
    rig.machine().dst.store_32(256, column, 0x3F80U + column);
  rig.set("DEST_TARGET_REG_CFG_PACK_SEC0_Offset", 512);
  rig.run(2, "SETADCXX PK=1, X0Val=0, X1Val=15");
  rig.run(2, is_blackhole() ? "PACR ReadIntfSel=1, AddrMod=2, Last=1"
                            : "PACR PackerMask=1, AddrMod=2, Last=1");
  const std::uint32_t of_row_256 = rig.state().l1.load(kOut + 4, 4);
  rig.set("DEST_TARGET_REG_CFG_PACK_SEC0_Offset", 256);
  rig.run(2, is_blackhole() ? "PACR ReadIntfSel=1, AddrMod=2, Last=1"
                            : "PACR PackerMask=1, AddrMod=2, Last=1");
  EXPECT_EQ(of_row_256, rig.state().l1.load(kOut + 4, 4));
  EXPECT_NE(of_row_256, 0U);
}

class PackPlace : public Datacopy {
 protected:
  void pack_a_row(std::string_view more = "") {
    rig.run(2, "SETADCXX PK=1, X0Val=0, X1Val=15");
    rig.run(2, fmt::format("PACR {}=1, AddrMod=2, Last=1{}",
                           is_blackhole() ? "ReadIntfSel" : "PackerMask", more));
  }
};
LANEWISE_ON_BOTH_CHIPS(PackPlace);

// core.md 14.3: beyond 2 * limit + 1 the address goes back by 2 * fifo, in units of 16 bytes.
TEST_P(PackPlace, GoesBackBehindItsLimit) {
  constexpr std::uint32_t kLimit = 0x1800, kFifo = 0x80;
  rig.set("THCON_SEC0_REG9_Pack_0_2_limit_address", kLimit);
  rig.set("THCON_SEC0_REG9_Pack_0_2_fifo_size", kFifo);
  rig.machine().dst.cell[0][0] = 0x1234;
  const auto expect_at = [&](std::uint32_t wanted, std::uint32_t found) {
    rig.set("THCON_SEC0_REG1_L1_Dest_addr", wanted - 1);
    rig.state().l1.store(16 * found, 4, 0);
    pack_a_row();
    EXPECT_NE(rig.state().l1.load(16 * found, 4), 0U) << wanted;
  };
  expect_at(2 * kLimit, 2 * kLimit);
  expect_at(2 * kLimit + 1, 2 * kLimit + 1);
  expect_at(2 * kLimit + 2, 2 * kLimit + 2 - 2 * kFifo);
  expect_at(2 * kLimit + 9, 2 * kLimit + 9 - 2 * kFifo);
  EXPECT_EQ(rig.faults(), "");
}

// core.md Q1: no source shows a packer with one of the two, or DstAccessMode without both.
TEST_P(PackPlace, SaysWhereRemappedRowsAreOpen) {
  if (!is_blackhole()) return;
  for (const bool remaps : {false, true}) {
    for (const bool swizzles : {false, true}) {
      for (const bool strides : {false, true}) {
        rig.set("DEST_ACCESS_CFG_remap_addrs", remaps ? 1 : 0);
        rig.set("DEST_ACCESS_CFG_swizzle_32b", swizzles ? 1 : 0);
        pack_a_row(strides ? ", DstAccessMode=1" : "");
        const bool open = strides ? !(remaps && swizzles) : remaps != swizzles;
        EXPECT_EQ(rig.has_fault("core.md Q1"), open) << remaps << swizzles << strides;
        rig.state().findings = {};
      }
    }
  }
}

// core.md Q2: 16 exponents fill the 16 bytes that Exp_section_size of 1 leaves them.
TEST_P(PackPlace, SaysWhereExponentsMeetData) {
  constexpr std::uint32_t kBfp8 = 6;
  rig.set("THCON_SEC0_REG1_Out_data_format", kBfp8);
  for (const auto& [size, rows, meets] :
       {std::tuple{0U, 1U, true}, std::tuple{1U, 1U, false}, std::tuple{1U, 16U, false},
        std::tuple{1U, 17U, true}, std::tuple{2U, 17U, false}, std::tuple{2U, 32U, false}}) {
    SCOPED_TRACE(fmt::format("{} units, {} rows", size, rows));
    rig.state().findings = {};
    rig.set("THCON_SEC0_REG1_Exp_section_size", size);
    rig.run(2, "SETADCXX PK=1, X0Val=0, X1Val=15");
    for (unsigned row = 0; row < rows; ++row)
      rig.run(2,
              fmt::format("PACR {}=1, AddrMod=2, Last={}",
                          is_blackhole() ? "ReadIntfSel" : "PackerMask", row + 1 == rows ? 1 : 0));
    EXPECT_EQ(rig.has_fault("core.md Q2"), meets);
  }
}

} // namespace
} // namespace lanewise::test
