// Who has a core's port to L1 when.
#include "chip/riscv/l1_port.h"

#include <gtest/gtest.h>

namespace lanewise::test {
namespace {

using riscv::L1Ports;
using riscv::Turns;

TEST(L1Port, WhoComesLaterIsNext) {
  Turns turns;
  EXPECT_EQ(turns.take(10, 5), 10);
  EXPECT_EQ(turns.free_from(12, 5), 15);
  EXPECT_EQ(turns.take(12, 5), 15);
  EXPECT_EQ(turns.take(20, 1), 20);
}

TEST(L1Port, WhoIsBehindTakesAGapIfItIsLongEnough) {
  Turns turns;
  turns.take(10, 5);
  turns.take(20, 5);
  EXPECT_EQ(turns.take(12, 6), 25);
  EXPECT_EQ(turns.take(12, 5), 15); // exactly the gap
  EXPECT_EQ(turns.free_from(0, 11), 31);
  EXPECT_EQ(turns.free_from(0, 10), 0);
}

TEST(L1Port, PartsOfCyclesCount) {
  Turns turns;
  EXPECT_DOUBLE_EQ(turns.take(0, 5.25), 0);
  EXPECT_DOUBLE_EQ(turns.take(5, 5.25), 5.25);
}

TEST(L1Port, T1AndT2HaveOneAndT0HasOneWithBriscAndNcrisc) { // ISA L1
  const L1Ports ports;
  EXPECT_EQ(ports.of(1), ports.of(2));
  EXPECT_EQ(ports.of(0), ports.of(3));
  EXPECT_EQ(ports.of(0), ports.of(4));
  EXPECT_NE(ports.of(0), ports.of(1));
}

} // namespace
} // namespace lanewise::test
