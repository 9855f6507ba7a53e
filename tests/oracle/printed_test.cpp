// What a kernel prints, without what repeats.
#include "run/oracle/printed_lines.h"

#include <gtest/gtest.h>

#include "chip/machine/vector/vector_state.h"

namespace lanewise::oracle {
namespace {

constexpr std::uint32_t kOne = 0x3F800000, kTwo = 0x40000000;

Printed printed(std::uint32_t bits) {
  Printed result;
  result.label = "x";
  result.lanes.assign(kLanes, bits);
  result.enabled = result.defined = kAllLanes;
  return result;
}

TEST(PrintedText, LanesThatAreAllEqualTakeOneLine) {
  EXPECT_EQ(to_text(printed(kOne)), "x: vFloat: 1 in all lanes\n");
}

TEST(PrintedText, RowsThatAreEqualStandOnce) {
  Printed some = printed(kOne);
  some.lanes[3 * kColumns] = kTwo;
  EXPECT_EQ(to_text(some),
            "x: vFloat\n"
            "  1  1  1  1  1  1  1  1  in rows 0 to 2\n"
            "  2  1  1  1  1  1  1  1\n");
}

TEST(PrintedText, LanesThatAreOffOrEmptyDiffer) {
  Printed some = printed(kOne);
  some.enabled = 0xFFFFFF00;
  some.defined = 0xFFFFFFFE;
  EXPECT_EQ(to_text(some),
            "x: vFloat\n"
            "    -  (1)  (1)  (1)  (1)  (1)  (1)  (1)\n"
            "    1    1    1    1    1    1    1    1  in rows 1 to 3\n");
}

TEST(PrintedText, RepetitionsAreCounted) {
  std::string text;
  PrintedLines lines([&text](const std::string& more) { text += more; });
  for (const std::uint32_t bits : {kOne, kOne, kOne, kTwo, kTwo}) lines.add(printed(bits));
  lines.finish();
  EXPECT_EQ(text,
            "x: vFloat: 1 in all lanes\n  the same 2 more times\n"
            "x: vFloat: 2 in all lanes\n  the same 1 more time\n");
}

} // namespace
} // namespace lanewise::oracle
