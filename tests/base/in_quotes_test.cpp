// What messages repeat of what a user wrote.
#include <gtest/gtest.h>

#include <string>

#include "base/in_quotes.h"

namespace lanewise {
namespace {

TEST(InQuotes, ShortTextIsWhole) {
  EXPECT_EQ(in_quotes("SFPMAD"), "'SFPMAD'");
  EXPECT_EQ(in_quotes(""), "''");
  EXPECT_EQ(in_quotes(std::string(kLongestQuotation, 'x')),
            "'" + std::string(kLongestQuotation, 'x') + "'");
}

TEST(InQuotes, LongTextIsItsBeginningAndItsLength) {
  EXPECT_EQ(in_quotes(std::string(100'000, 'x')),
            "'" + std::string(kLongestQuotation, 'x') + "...' (100000 bytes)");
}

TEST(InQuotes, NothingMovesTheCursor) {
  EXPECT_EQ(in_quotes("a\nb\x1b[2J\x7f"), R"('a\x0Ab\x1B[2J\x7F')");
  EXPECT_EQ(in_quotes("\u00e9"), R"('\xC3\xA9')");
}

} // namespace
} // namespace lanewise
