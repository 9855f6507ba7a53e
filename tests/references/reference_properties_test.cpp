// What must hold between references: symmetry, order, inverses, and that no input makes a
// difference to another.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "references/reference_fixture.h"

namespace lanewise::references {
namespace {

using formats::Format;

/// Any FP32 but a NaN, or one of moderate size.
double any_number() {
  const auto pattern = *rc::gen::arbitrary<std::uint32_t>();
  const double number = formats::value_of_bits(Format::FP32, pattern);
  if (number == number && *rc::gen::arbitrary<bool>()) return number;
  return static_cast<double>(static_cast<float>(static_cast<std::int32_t>(pattern) * 0x1p-27));
}

RC_GTEST_PROP(ReferenceProperties, OddFunctions, ()) {
  const std::string name = *rc::gen::element<std::string>(
      "sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh", "erf", "erfinv", "i1", "cbrt",
      "softsign", "trunc", "round", "rint", "sign");
  const double x = any_number();
  const ReferenceValue plus = value_at(name + "(x)", Format::FP32, x);
  const ReferenceValue minus = value_at("-" + name + "(-x)", Format::FP32, x);
  RC_ASSERT(plus.bits == minus.bits);
}

RC_GTEST_PROP(ReferenceProperties, EvenFunctions, ()) {
  const std::string name = *rc::gen::element<std::string>("cos", "cosh", "i0", "square", "abs");
  const double x = any_number();
  RC_ASSERT(value_at(name + "(x)", Format::FP32, x).bits ==
            value_at(name + "(-x)", Format::FP32, x).bits);
}

RC_GTEST_PROP(ReferenceProperties, RisingFunctions, ()) {
  const std::string name = *rc::gen::element<std::string>(
      "exp", "exp2", "exp10", "expm1", "cbrt", "atan", "sinh", "tanh", "asinh", "erf", "i1",
      "sigmoid", "softplus", "softsign", "hardsigmoid", "relu", "floor", "ceil", "trunc", "round",
      "rint", "step", "sign", "int32", "uint8", "bf16", "fp16", "tf32");
  const double x = any_number(), y = any_number();
  const Format format = *rc::gen::element(Format::FP32, Format::BF16, Format::FP16, Format::INT32);
  const double low = number_at(name + "(x)", std::min(x, y), 0, format);
  const double high = number_at(name + "(x)", std::max(x, y), 0, format);
  RC_ASSERT(low <= high);
}

RC_GTEST_PROP(ReferenceProperties, InversesGiveBackWhatWentIn, ()) {
  const std::string pair = *rc::gen::element<std::string>(
      "asinh(sinh(x))", "sinh(asinh(x))", "atanh(tanh(x))", "erfinv(erf(x))", "log1p(expm1(x))",
      "expm1(log1p(x))", "cbrt(x^3)", "log(exp(x))", "tan(atan(x))", "x * y / y", "x + y - y");
  const double x =
      static_cast<double>(static_cast<float>(*rc::gen::inRange(-9999, 99999) * 0x1p-17));
  RC_ASSERT(number_at(pair, x, 3.7) == x);
}

RC_GTEST_PROP(ReferenceProperties, TwoWaysToSayTheSame, ()) {
  const auto [a, b] = *rc::gen::element<std::pair<std::string, std::string>>(
      std::pair{"exp(x)", "2^(x / log(2))"}, std::pair{"tanh(x)", "sinh(x) / cosh(x)"},
      std::pair{"sigmoid(x)", "0.5 + 0.5 * tanh(x / 2)"},
      std::pair{"gelu(x)", "x * erfc(-x / sqrt(2)) / 2"}, std::pair{"silu(x)", "x / (1 + exp(-x))"},
      std::pair{"mish(x)", "x * tanh(log(1 + exp(x)))"}, std::pair{"erfc(x)", "1 - erf(x)"},
      std::pair{"hardswish(x)", "x * hardsigmoid(x)"}, std::pair{"rsqrt(x)", "x^-0.5"},
      std::pair{"log2(x)", "log(x) / log(2)"}, std::pair{"cosh(x)", "(exp(x) + exp(-x)) / 2"},
      std::pair{"tan(x)", "sin(x) / cos(x)"}, std::pair{"frac(x)", "fmod(x, 1)"},
      std::pair{"relu(x)", "x > 0 ? x : 0"}, std::pair{"clamp(x, -1, 1)", "min(max(x, -1), 1)"},
      std::pair{"x^5", "x*x*x*x*x"});
  const double x =
      static_cast<double>(static_cast<float>(*rc::gen::inRange(1, 1'000'000) * 0x1p-17));
  const ReferenceValue first = value_at(a, Format::FP32, x), second = value_at(b, Format::FP32, x);
  RC_ASSERT(first.decided);
  RC_ASSERT(second.decided);
  RC_ASSERT(first.bits == second.bits);
}

TEST(ReferenceThreads, EvaluateOneObjectTogether) {
  // Some of these inputs need MPFR: ties beside which the sine lies.
  const auto reference = reference_of("sin(x) + gelu(x) * 0");
  std::vector<double> x;
  for (int i = 0; i < 600; ++i) x.push_back((1 + (2 * i + 1) * 0x1p-8) * 0x1p-100);
  std::vector<ReferenceValue> expected(x.size());
  ASSERT_TRUE(reference->evaluate(Format::BF16, x, {}, expected));
  std::vector<std::vector<ReferenceValue>> found(4, std::vector<ReferenceValue>(x.size()));
  std::vector<std::thread> threads;
  for (auto& results : found) {
    threads.emplace_back([&] { (void)reference->evaluate(Format::BF16, x, {}, results); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& results : found) EXPECT_EQ(results, expected);
}

TEST(ReferenceBlocks, DoNotDependOnTheirNeighbours) {
  RandomNumbers random(Format::FP32);
  std::vector<double> x(1000);
  for (double& number : x) number = random();
  const auto reference = reference_of("x < 0 ? gelu(x) : sqrt(x) + 1 / 3");
  std::vector<ReferenceValue> together(x.size());
  ASSERT_TRUE(reference->evaluate(Format::FP32, x, {}, together));
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(value_at(*reference, Format::FP32, x[i]), together[i]);
  }
}

} // namespace
} // namespace lanewise::references
