// Floats out of text by the C library, as std::from_chars() reads them: it is the oracle here.
#include "base/float_chars.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>

namespace lanewise {
namespace {

template <class Real>
void expect_same(const std::string& text, std::chars_format format) {
  const char* const first = text.data();
  const char* const last = first + text.size();
  Real expected = 42, found = 42;
  const auto [stop, error] = std::from_chars(first, last, expected, format);
  const auto told = float_by_c_library(first, last, found, format);
  SCOPED_TRACE(text);
  EXPECT_EQ(told.ec, error);
  EXPECT_EQ(told.ptr - first, stop - first);
  EXPECT_EQ(std::isnan(found), std::isnan(expected));
  if (std::isnan(expected)) return; // of which the sign means nothing
  EXPECT_EQ(std::signbit(found), std::signbit(expected));
  EXPECT_EQ(found, expected);
}

void expect_same_everywhere(const std::string& text) {
  expect_same<double>(text, std::chars_format::general);
  expect_same<float>(text, std::chars_format::general);
  expect_same<double>(text, std::chars_format::hex);
  expect_same<float>(text, std::chars_format::hex);
}

TEST(FloatChars, WhatIsANumberAndWhatIsNot) {
  for (const char* text : {"1",
                           "-1",
                           "+1",
                           "--1",
                           "1.5",
                           ".5",
                           "-.5",
                           "5.",
                           ".",
                           "-",
                           "",
                           " 1",
                           "\t1",
                           "1 ",
                           "1e",
                           "1e+",
                           "1e5",
                           "1e-5",
                           "1E5",
                           "1x",
                           "0x10",
                           "-0x10",
                           "x",
                           "0",
                           "-0",
                           "1.8p3",
                           "1p-3",
                           "f.8",
                           "g",
                           "ff",
                           "inf",
                           "-inf",
                           "INF",
                           "infinity",
                           "infinit",
                           "nan",
                           "-nan",
                           "NaN",
                           "+inf",
                           "i",
                           "1.2.3",
                           "1,5",
                           "16777217",
                           "0.1",
                           "1e23",
                           "9007199254740993",
                           "2.2250738585072011e-308"})
    expect_same_everywhere(text);
}

TEST(FloatChars, EndsOfTheRange) {
  for (const char* text : {"1e308", "1.7976931348623157e308", "1e309", "-1e309", "3.4028235e38",
                           "3.5e38", "1e-45", "4.9e-324", "1p-1074", "1p-149", "1p1023", "1p127"})
    expect_same<double>(text, std::chars_format::general);
  for (const char* text : {"1e-400", "-1e-400", "1e400", "-1e400"}) {
    double value = 42;
    const std::string copy = text;
    const auto told = float_by_c_library(copy.data(), copy.data() + copy.size(), value);
    EXPECT_EQ(told.ec, std::errc::result_out_of_range) << text;
    EXPECT_EQ(value, 42) << text;
  }
}

RC_GTEST_PROP(FloatChars, AnyNumber, ()) {
  const auto bits = *rc::gen::arbitrary<std::uint64_t>();
  const auto number = std::bit_cast<double>(bits);
  if (!std::isfinite(number)) return;
  char text[64];
  std::snprintf(text, sizeof text, "%.17g", number);
  expect_same<double>(text, std::chars_format::general);
  std::snprintf(text, sizeof text, "%.9g", static_cast<double>(static_cast<float>(number)));
  expect_same<float>(text, std::chars_format::general);
  std::snprintf(text, sizeof text, "%a", number);
  std::string hexadecimal = text;
  hexadecimal.erase(hexadecimal.find("0x"), 2);
  expect_same<double>(hexadecimal, std::chars_format::hex);
}

} // namespace
} // namespace lanewise
