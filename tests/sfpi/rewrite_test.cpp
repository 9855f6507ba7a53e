// What changes in a preprocessed kernel before g++ sees it, and what must not.
#include "source/sfpi/rewrite.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>

namespace lanewise::sfpi {
namespace {

const std::string kNever = "[](auto lanewise_never) { return sizeof(lanewise_never) == 0; }(0)";

void expect_same(const std::string& text) {
  EXPECT_EQ(rewrite_for_host_compiler(text), text);
}

TEST(Rewrite, AFalseAssertionDependsOnTheTemplate) {
  EXPECT_EQ(rewrite_for_host_compiler("else { static_assert(false, \"no\"); }"),
            "else { static_assert(" + kNever + ", \"no\"); }");
  EXPECT_EQ(rewrite_for_host_compiler("static_assert(false);"), "static_assert(" + kNever + ");");
  EXPECT_EQ(rewrite_for_host_compiler("static_assert ( 0 , \"\");"),
            "static_assert ( " + kNever + " , \"\");");
  EXPECT_EQ(rewrite_for_host_compiler("_Static_assert(false && \"x\");"),
            "_Static_assert(" + kNever + " && \"x\");");
  EXPECT_EQ(rewrite_for_host_compiler("static_assert(\n  /* c */ false // d\n  , \"\");"),
            "static_assert(\n  /* c */ " + kNever + " // d\n  , \"\");");
}

TEST(Rewrite, OtherAssertionsStay) {
  expect_same("static_assert(false || x);");
  expect_same("static_assert(falsehood, \"\");");
  expect_same("static_assert(0u == x);");
  expect_same("static_assert(0x0, \"\");");
  expect_same("my_static_assert(false);");
  expect_same("static_assert_all(false);");
  expect_same("static_assert(N == 0, \"false\");");
  expect_same("static_assert");
  expect_same("static_assert(");
  expect_same("static_assert(false");
}

TEST(Rewrite, CommentsAndLiteralsStay) {
  expect_same("// static_assert(false)\n");
  expect_same("// a \\\nstatic_assert(false)\n");
  expect_same("/* static_assert(false)\n#pragma GCC unroll 8\n*/");
  expect_same("const char* s = \"static_assert(false)\";");
  expect_same("\"\\\" static_assert(false)\"");
  expect_same("R\"(\" static_assert(false)\n#pragma GCC unroll 8\n)\"");
  expect_same("u8R\"xy()\" static_assert(false) )x\" )xy\"");
}

TEST(Rewrite, LiteralsEndWhereTheyEnd) {
  // Digit separators, quotes in characters, and things that only look like raw strings.
  for (const std::string before : {"1'000 + ", "'\"' ", "'\\'' ", "xR\"(\" ", "0x1p+2 ",
                                   "\"\\\\\" ", "R\"()\" ", "R\"a(x)a\" ", "\"unterminated\n"}) {
    EXPECT_EQ(rewrite_for_host_compiler(before + "static_assert(false);"),
              before + "static_assert(" + kNever + ");")
        << before;
  }
}

TEST(Rewrite, UnrollPragmasBecomeEmptyLines) {
  EXPECT_EQ(rewrite_for_host_compiler("a\n#pragma GCC unroll 8\nb"), "a\n\nb");
  EXPECT_EQ(rewrite_for_host_compiler("  #  pragma  GCC  unroll (N)\nb"), "  \nb");
  EXPECT_EQ(rewrite_for_host_compiler("#pragma GCC unroll \\\n 8\nb"), "\n\nb");
  EXPECT_EQ(rewrite_for_host_compiler("a\n#pragma GCC unroll 8\n#pragma GCC unroll N\nb", true),
            "a\n#pragma GCC unroll 8\n\nb");
  expect_same("#pragma GCC optimize 8\n");
  expect_same("#pragma GCC unrolled 8\n");
  expect_same("#pragma once\n");
  expect_same("x #pragma GCC unroll 8\n");
  expect_same("#\npragma GCC unroll 8\n");
}

TEST(Rewrite, LineMarkersStay) {
  expect_same("# 1 \"static_assert(false).h\" 1 3 4\n#pragma GCC pch_preprocess \"x.gch\"\n");
}

/// Texts made of the pieces that the scanner looks at.
std::string random_text(std::mt19937& random) {
  static constexpr std::array<const char*, 30> kPieces{"static_assert",
                                                       "(",
                                                       "false",
                                                       "0",
                                                       ",",
                                                       ")",
                                                       "&&",
                                                       "\"",
                                                       "'",
                                                       "\\",
                                                       "\n",
                                                       "\r\n",
                                                       "R\"",
                                                       "u8R\"x",
                                                       ")x\"",
                                                       ")\"",
                                                       "//",
                                                       "/*",
                                                       "*/",
                                                       "#",
                                                       "pragma ",
                                                       "GCC ",
                                                       "unroll",
                                                       " ",
                                                       "1'0",
                                                       "\\\n",
                                                       "1e+",
                                                       "\xC3",
                                                       "# 1 \"f\"",
                                                       "x"};
  std::string text;
  for (std::size_t left = random() % 40; left != 0; --left)
    text += kPieces[random() % kPieces.size()];
  if (random() % 8 == 0) text += '\0';
  return text;
}

TEST(Rewrite, AnyTextKeepsItsLinesAndIsDoneAfterOnePass) {
  std::mt19937 random(20260404);
  for (int i = 0; i < 50000; ++i) {
    const std::string text = random_text(random);
    const std::string once = rewrite_for_host_compiler(text);
    ASSERT_EQ(std::count(text.begin(), text.end(), '\n'),
              std::count(once.begin(), once.end(), '\n'))
        << text;
    ASSERT_EQ(rewrite_for_host_compiler(once), once) << text;
    const bool has_subject =
        text.find("static_assert") != std::string::npos || text.find("unroll") != std::string::npos;
    if (!has_subject) {
      ASSERT_EQ(once, text);
    }
  }
}

} // namespace
} // namespace lanewise::sfpi
