// What fills the last 16 bytes of a packer's output up (core.md 14.3, 14.10).
#include "tile/datacopy_fixture.h"

namespace lanewise::test {
namespace {

class PackPadding : public Datacopy {
 protected:
  /// Packs four data of a row of ones over ones in L1.
  void pack_four() {
    for (auto& row : rig.machine().dst.cell) std::ranges::fill(row, std::uint16_t{0x7F});
    for (unsigned k = 0; k < 8; ++k) rig.state().l1.store(kOut + 2 * k, 2, kOne);
    rig.run(2, "SETADCXX PK=1, X0Val=0, X1Val=3");
    rig.run(2, is_blackhole() ? "PACR ReadIntfSel=1, Last=1" : "PACR PackerMask=1, Last=1");
  }
  std::uint32_t at(unsigned k) { return rig.state().l1.load(kOut + 2 * k, 2); }

  static constexpr std::uint32_t kOne = 0x3F80;
};
LANEWISE_ON_BOTH_CHIPS(PackPadding);

TEST_P(PackPadding, IsZeros) {
  pack_four();
  EXPECT_EQ(at(3), kOne);
  EXPECT_EQ(at(4), 0U);
  EXPECT_EQ(at(7), 0U);
}

TEST_P(PackPadding, IsWrittenAndNotAdded) { // as the vendor's simulator does
  rig.set("THCON_SEC0_REG1_Pack_L1_Acc", 1);
  pack_four();
  constexpr std::uint32_t kTwo = 0x4000;
  EXPECT_EQ(at(0), kTwo);
  EXPECT_EQ(at(3), kTwo);
  EXPECT_EQ(at(4), 0U);
  EXPECT_EQ(at(7), 0U);
}

} // namespace
} // namespace lanewise::test
