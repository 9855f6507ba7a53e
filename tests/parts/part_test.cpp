#include "study/parts/part.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

namespace lanewise::parts {
namespace {

TEST(Part, IsReadAsItIsWrittenOnACommandLine) {
  EXPECT_EQ(parse_part("3/8").value(), (Part{3, 8}));
  EXPECT_EQ(parse_part("1/1").value(), Part{});
  for (const char* text : {"", "/", "3", "3/", "/8", "0/8", "9/8", "-1/8", "3/8/2", "3 /8", "a/b",
                           "1/1000001", "1/99999999999999999999"}) {
    const auto part = parse_part(text);
    ASSERT_FALSE(part.has_value()) << text;
    EXPECT_NE(part.error().remedy.find("K/N"), std::string::npos);
  }
}

RC_GTEST_PROP(Part, RangesFollowEachOtherAndDifferByOneItemAtMost, ()) {
  const auto items = *rc::gen::arbitrary<std::uint64_t>();
  const auto of = *rc::gen::inRange<std::uint64_t>(1, 300);
  std::uint64_t next = 0;
  for (std::uint64_t number = 1; number <= of; ++number) {
    const ItemRange range = range_of({number, of}, items);
    RC_ASSERT(range.begin == next);
    RC_ASSERT(range.count() - items / of <= 1);
    next = range.end;
  }
  RC_ASSERT(next == items);
}

TEST(Part, RangesHoldForTheMostItemsAndParts) {
  constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(range_of({kMostParts, kMostParts}, kAll).end, kAll);
  EXPECT_EQ(range_of({1, kMostParts}, kAll).begin, 0U);
  EXPECT_EQ(range_of({7, 8}, 3), (ItemRange{2, 2})) << "more parts than items";
}

} // namespace
} // namespace lanewise::parts
