// Where an unpacker goes on when it has left its buffer (ISA UNPACR_Regular, "WrapAddr").
#include "tile/datacopy_fixture.h"

namespace lanewise::test {
namespace {

class UnpackWrap : public Datacopy {
 protected:
  void SetUp() override {
    Datacopy::SetUp();
    rig.set("THCON_SEC0_REG2_Unpack_limit_address", kIn / 16 + kLimit);
    rig.set("THCON_SEC0_REG2_Unpack_fifo_size", kFifo);
    row_data = is_blackhole() ? 32 : 16;
    rig.run(0, "SETADCXX U0=1, X0Val=0, X1Val=255\nUNPACR WhichUnpacker=0, Last=1");
  }
  /// The datum of the buffer that stands at a place of SrcA.
  std::uint32_t at(unsigned place) {
    return rig.machine().srca.cell[0][place / 16][place % 16] >> 16;
  }
  std::uint32_t in_buffer(unsigned datum) { return rig.state().l1.load(kIn + 2 * datum, 2); }

  static constexpr unsigned kLimit = 6, kFifo = 4; // 16 bytes each, 8 data
  unsigned row_data = 0;
};
LANEWISE_ON_BOTH_CHIPS(UnpackWrap);

TEST_P(UnpackWrap, IsLookedForAtTheStartOfEachRow) {
  // Only a row that begins behind datum 48, the first at the limit, has left the buffer of 32.
  unsigned row = 0;
  for (unsigned place = 0; place < kFaceData; ++place) {
    if (place % row_data == 0 && place != 0) {
      row += row_data;
      if (row > 8 * kLimit) row -= 8 * kFifo;
    }
    ASSERT_EQ(at(place), in_buffer(row + place % row_data)) << "datum " << place;
  }
}

} // namespace
} // namespace lanewise::test
