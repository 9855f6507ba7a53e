// The language of expressions: what binds how, what is refused and where.
#include "number/references/expression.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "number/references/expression_lexer.h"
#include "references/reference_fixture.h"

namespace lanewise::references {
namespace {

struct Equivalent {
  const char* written;
  const char* meant;
};

class Grouping : public testing::TestWithParam<Equivalent> {};

/// Parentheses make no nodes, so both have the same tree.
TEST_P(Grouping, IsThatOfParentheses) {
  const auto written = parse_expression(GetParam().written);
  const auto meant = parse_expression(GetParam().meant);
  ASSERT_TRUE(written && meant);
  EXPECT_EQ(*written, *meant);
}

INSTANTIATE_TEST_SUITE_P(
    Operators, Grouping,
    testing::Values(Equivalent{"x + y * 2", "x + (y * 2)"}, Equivalent{"x - y - 1", "(x - y) - 1"},
                    Equivalent{"x / y / 2", "(x / y) / 2"}, Equivalent{"-x^2", "-(x^2)"},
                    Equivalent{"2^-x", "2^(-x)"}, Equivalent{"2^-x^y", "2^(-(x^y))"},
                    Equivalent{"2^x^y", "2^(x^y)"}, Equivalent{"-x * y", "(-x) * y"},
                    Equivalent{"x + 1 < y * 2", "(x + 1) < (y * 2)"},
                    Equivalent{"x < y == 1", "(x < y) == 1"},
                    Equivalent{"x < 1 || y < 1 && x > y", "(x < 1) || ((y < 1) && (x > y))"},
                    Equivalent{"!x < y", "(!x) < y"},
                    Equivalent{"x ? y : 1 ? 2 : 3", "x ? y : (1 ? 2 : 3)"},
                    Equivalent{"x < 0 ? -x : x", "(x < 0) ? (-x) : x"}, Equivalent{"+x", "x"},
                    Equivalent{" x\t+\ny ", "x+y"}, Equivalent{"swish(x)", "silu(x)"},
                    Equivalent{"recip(x)", "reciprocal(x)"}));

TEST(Expression, KnowsItsOperands) {
  EXPECT_EQ(reference_of("exp(x)")->operands(), 1u);
  EXPECT_EQ(reference_of("1.5")->operands(), 1u);
  EXPECT_EQ(reference_of("x + y")->operands(), 2u);
  EXPECT_EQ(reference_of("y")->operands(), 2u);
  EXPECT_EQ(reference_of("exp(x)")->text(), "exp(x)");
  EXPECT_NE(reference_of("exp(x)")->identity(), reference_of("exp(-x)")->identity());
}

TEST(Expression, NumbersAreExact) {
  EXPECT_EQ(number_at("12", 0), 12);
  EXPECT_EQ(number_at(".5", 0), 0.5);
  EXPECT_EQ(number_at("5.", 0), 5);
  EXPECT_EQ(number_at("1e-3", 0), static_cast<double>(1e-3F));
  EXPECT_EQ(number_at("0x1.8p3", 0), 12);
  EXPECT_EQ(number_at("0XAp-1", 0), 5);
  EXPECT_EQ(number_at("inf", 0), kInf);
  EXPECT_EQ(number_at("1e400", 0), kInf);
  EXPECT_EQ(number_at("1e400 / 1e399", 0), 10) << "beyond the range of a double";
  EXPECT_TRUE(std::isnan(number_at("nan", 0)));
  // float(pi) and float(e).
  EXPECT_EQ(value_at("pi", formats::Format::FP32, 0).bits, 0x40490FDBu);
  EXPECT_EQ(value_at("e", formats::Format::FP32, 0).bits, 0x402DF854u);
}

/// 0.1 is one tenth, which is not the FP32 nearest to it, 0x1.99999ap-4.
TEST(Expression, DecimalsAreNotRounded) {
  EXPECT_EQ(number_at("x == 0.1", 0x1.99999ap-4), 0);
  EXPECT_EQ(number_at("x == fp32(0.1)", 0x1.99999ap-4), 1);
  EXPECT_FALSE(value_at("0.1 * 10 == 1", formats::Format::FP32, 0).decided)
      << "no precision is enough";
}

struct Mistake {
  const char* text;
  std::uint32_t column;
  const char* fragment; ///< of the message with its remedy
};

class Mistakes : public testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, AreNamedWithTheirColumn) {
  const auto parsed = parse_reference(GetParam().text);
  ASSERT_FALSE(parsed.has_value());
  const Fault& fault = parsed.error();
  EXPECT_EQ(fault.kind, FaultKind::BadInput);
  EXPECT_EQ(fault.column, GetParam().column) << to_string(fault);
  EXPECT_FALSE(fault.remedy.empty());
  EXPECT_NE(to_string(fault).find(GetParam().fragment), std::string::npos) << to_string(fault);
}

INSTANTIATE_TEST_SUITE_P(
    Expressions, Mistakes,
    testing::Values(Mistake{"", 1, "the expression ends"}, Mistake{"x +", 4, "the expression ends"},
                    Mistake{"x y", 3, "'y' stands"}, Mistake{"(x", 3, "')'"},
                    Mistake{"x)", 2, "')' stands"}, Mistake{"foo(x)", 1, "'foo' is not known"},
                    Mistake{"1 + sigmiod(x)", 5, "did you mean 'sigmoid'"},
                    Mistake{"z", 1, "'z' is not known"}, Mistake{"exp", 1, "write exp(x)"},
                    Mistake{"exp()", 5, "')' stands"},
                    Mistake{"exp(x, y)", 1, "has 1 operands, not 2"},
                    Mistake{"clamp(x, 1)", 1, "write clamp(x, y, z)"},
                    Mistake{"pow(x, y, x, y)", 1, "has 2 operands, not 4"},
                    Mistake{"x < y < 1", 7, "a comparison of a comparison"},
                    Mistake{"x == y == 1", 8, "a comparison of a comparison"},
                    Mistake{"x & y", 3, "write &&"}, Mistake{"x = y", 3, "write =="},
                    Mistake{"x % y", 3, "'%' means nothing"}, Mistake{"x ? y", 6, "':'"},
                    Mistake{"2x", 1, "no digit"}, Mistake{"1e", 1, "exponent has no digits"},
                    Mistake{"1e99999", 1, "beyond 9999"}, Mistake{"0x", 1, "hexadecimal digits"},
                    Mistake{"1.2.3", 1, "no digit"}, Mistake{"x + \xC3\xA4", 5, "0xc3"},
                    Mistake{"exp(x;)", 6, "';' means nothing"}));

TEST(Expression, RefusesWhatIsTooLongOrTooDeep) {
  EXPECT_FALSE(parse_expression(std::string(kLongestExpression + 1, ' ')));
  EXPECT_FALSE(parse_expression(std::string(5000, '(')));
  EXPECT_FALSE(parse_expression(std::string(5000, '-') + "x"));
  std::string sum = "x", power = "x";
  for (int i = 0; i < 2000; ++i) {
    sum += "+x";
    power += "^x";
  }
  EXPECT_FALSE(parse_expression(sum));
  EXPECT_FALSE(parse_expression(power));
  EXPECT_FALSE(parse_expression(std::string(kLongestNumber + 1, '1')));
  EXPECT_TRUE(parse_expression(std::string(100, '(') + "x" + std::string(100, ')')));
}

TEST(Expression, HelpNamesEveryFunction) {
  const std::string help = reference_help();
  for (const ReferenceFunction& function : reference_functions()) {
    EXPECT_NE(help.find(function.name), std::string::npos) << function.name;
    EXPECT_NE(help.find(function.another), std::string::npos) << function.another;
  }
}

// --- Texts that nobody would write; fuzz/expression_fuzzer.cpp searches further.

constexpr const char* kPieces[] = {
    "x",     "y",   "exp", "where", "(",  ")",      ",",    "+",   "-",   "*",
    "/",     "^",   "?",   ":",     "<",  "==",     "!",    "&&",  "1e9", "0.1",
    "0x1p4", "inf", "nan", "gelu",  "i0", "erfinv", "fmod", "pow", " ",   "\xFF"};

TEST(ExpressionFuzz, AnyTextIsEvaluatedOrRefused) {
  tensors::SplitMix64 random(1);
  unsigned taken = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (std::uint64_t left = 1 + random() % 8; left != 0; --left) {
      text += kPieces[random() % std::size(kPieces)];
    }
    const auto parsed = parse_expression(text);
    if (parsed) {
      ++taken;
      ASSERT_FALSE(parsed->nodes.empty());
      continue;
    }
    ASSERT_GE(parsed.error().column, 1u) << text;
    ASSERT_LE(parsed.error().column, text.size() + 1) << text;
  }
  EXPECT_GT(taken, 100u);
}

} // namespace
} // namespace lanewise::references
