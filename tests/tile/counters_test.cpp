// What the documents say of address counters, fact by fact (core.md 10).
#include "tile/tile_fixture.h"

namespace lanewise::test {
namespace {

using tile::AddressCounter;
using tile::Axis;

class Counters : public TileOnBothChips {
 protected:
  /// Of thread 0.
  const AddressCounter& at(unsigned unit, unsigned channel, Axis axis) {
    return rig.state().counters.of(0, unit)[channel][axis];
  }
};
LANEWISE_ON_BOTH_CHIPS(Counters);

TEST_P(Counters, SetadcSetsValueAndShadowOfTheUnitsItNames) {
  rig.run(0, "SETADC U1=1, PK=1, Channel=1, XYZW=1, NewValue=77");
  EXPECT_EQ(at(1, 1, Axis::Y), (AddressCounter{77, 77}));
  EXPECT_EQ(at(2, 1, Axis::Y), (AddressCounter{77, 77}));
  EXPECT_EQ(at(0, 1, Axis::Y), AddressCounter());
  EXPECT_EQ(at(1, 0, Axis::Y), AddressCounter());
}

TEST_P(Counters, ThreadsHaveTheirOwn) {
  rig.run(1, "SETADC PK=1, Channel=0, XYZW=0, NewValue=5");
  EXPECT_EQ(at(2, 0, Axis::X).value, 0U);
  EXPECT_EQ(rig.state().counters.of(1, 2)[0][Axis::X].value, 5U);
}

TEST_P(Counters, SetadcxxSetsFirstAndLastDatum) {
  rig.run(0, "SETADCXX U0=1, X0Val=1, X1Val=1023");
  EXPECT_EQ(at(0, 0, Axis::X), (AddressCounter{1, 1}));
  EXPECT_EQ(at(0, 1, Axis::X), (AddressCounter{1023, 1023}));
}

TEST_P(Counters, OnlySelectedOnesAreSet) {
  rig.run(0, "SETADCXY U0=1, Y0=1, Y0Val=3, Y1Val=4, X0Val=5, X1Val=6");
  EXPECT_EQ(at(0, 0, Axis::Y).value, 3U);
  EXPECT_EQ(at(0, 1, Axis::Y).value, 0U);
  EXPECT_EQ(at(0, 0, Axis::X).value, 0U);
}

TEST_P(Counters, IncrementsLeaveTheShadow) {
  rig.run(0, "SETADCZW U0=1, Z0=1, Z0Val=2\nINCADCZW U0=1, Z0Inc=3, W1Inc=1");
  EXPECT_EQ(at(0, 0, Axis::Z), (AddressCounter{5, 2}));
  EXPECT_EQ(at(0, 1, Axis::W), (AddressCounter{1, 0}));
}

TEST_P(Counters, AddrcrCountsFromTheShadow) {
  rig.run(0, "SETADCXY U0=1, Y0=1, Y0Val=2\nINCADCXY U0=1, Y0Inc=7\nADDRCRXY U0=1, Y0=1, Y0Inc=4");
  EXPECT_EQ(at(0, 0, Axis::Y), (AddressCounter{6, 6})) << "2 and 4; the 7 are gone";
}

TEST_P(Counters, AddrcrOfOthersIsLeft) {
  rig.run(0, "INCADCXY U0=1, Y0Inc=7\nADDRCRXY U0=1, X0=1, Y0Inc=4, X0Inc=1");
  EXPECT_EQ(at(0, 0, Axis::Y), (AddressCounter{7, 0}));
}

TEST_P(Counters, EachHasItsBits) {
  const std::uint32_t zw = is_blackhole() ? 13 : 8;
  for (const auto& [axis, bits] :
       {std::pair{Axis::Y, 13U}, std::pair{Axis::Z, zw}, std::pair{Axis::W, zw}}) {
    rig.run(0, fmt::format("SETADC U0=1, Channel=0, XYZW={}, NewValue={}",
                           static_cast<unsigned>(axis), (1U << bits) - 1));
    rig.run(0, "INCADCXY U0=1, Y0Inc=1\nINCADCZW U0=1, Z0Inc=1, W0Inc=1");
    EXPECT_EQ(at(0, 0, axis).value, 0U) << bits << " bits";
  }
}

// ISA REG2FLOP_ADC: which bits of the register count.
TEST_P(Counters, Reg2flopTakesAWordAHalfOrAByte) {
  if (is_blackhole()) return; // has none for counters
  struct Case {
    unsigned size, shift;
    std::uint32_t value;
  };
  const std::uint32_t word = 0x0001'8203;
  for (const Case& each : {Case{1, 0, 0x1'8203}, Case{1, 1, 0}, Case{1, 2, 0}, Case{2, 0, 0x8203},
                           Case{2, 1, 0}, Case{2, 2, 1}, Case{2, 3, 0}, Case{3, 0, 3},
                           Case{3, 1, 0x82}, Case{3, 2, 1}, Case{3, 3, 0}, Case{0, 0, 0}}) {
    for (const bool sets_cr : {false, true}) {
      rig.state().counters.of(0, 0)[0][Axis::X] = {7, 9};
      rig.machine().gpr_of(0)[5] = word;
      rig.run(0,
              fmt::format("REG2FLOP {}, 2, {}, 0, {}, 5", each.size, each.shift, sets_cr ? 4 : 0));
      EXPECT_EQ(at(0, 0, Axis::X),
                sets_cr ? (AddressCounter{7, each.value}) : (AddressCounter{each.value, 9}))
          << each.size << " " << each.shift;
    }
  }
  rig.machine().gpr_of(0)[5] = 0xABCD'0001;
  rig.run(0, "REG2FLOP 2, 2, 2, 0, 0, 5");
  EXPECT_EQ(at(0, 0, Axis::X).value, 0xABCDU);
  rig.run(0, "REG2FLOP 2, 3, 2, 2, 0x31, 5"); // thread 2, the packers' channel 1, Y: 13 bits
  EXPECT_EQ(rig.state().counters.of(2, 2)[1][Axis::Y].value, 0xBCDU);
}

TEST_P(Counters, XHas18Bits) {
  rig.run(0, "SETADC U0=1, Channel=0, XYZW=0, NewValue=65535\nINCADCXY U0=1, X0Inc=1");
  EXPECT_EQ(at(0, 0, Axis::X).value, 0x10000U);
}

} // namespace
} // namespace lanewise::test
