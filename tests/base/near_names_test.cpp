#include "base/near_names.h"

#include <gtest/gtest.h>

#include <array>

namespace lanewise {
namespace {

std::vector<std::string_view> near(std::string_view word, std::string_view name) {
  return near_names(word, std::array{name});
}

TEST(NearNames, ShareMoreThanHalfOfTheirLetters) {
  EXPECT_TRUE(near("abcd", "abxy").empty()); // half of them
  EXPECT_EQ(near("abcde", "abcxy").size(), 1u);
}

TEST(NearNames, AreThreeAtMostTheNearestFirst) {
  constexpr std::array<std::string_view, 5> kNames{"abcxyf", "abcdex", "abcdef", "abcdef",
                                                   "xbcdef"};
  EXPECT_EQ(near_names("abcdef", kNames),
            (std::vector<std::string_view>{"abcdef", "abcdex", "xbcdef"}));
}

} // namespace
} // namespace lanewise
