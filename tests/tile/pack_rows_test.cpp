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

} // namespace
} // namespace lanewise::test
