// Blocks of inputs in vectors, at every x86-64 level, against one input at a time.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "chip/machine/simd_level.h"
#include "number/formats/number_line.h"
#include "number/references/flat.h"
#include "number/references/kernels/level_kernels.h"
#include "number/references/lines.h"
#include "number/references/point.h"
#include "reference_fixture.h"

namespace lanewise::references {
namespace {

/// Calls `check` at every level that there is here.
template <class Check>
void at_every_level(Check check) {
  const SimdLevel before = simd_level();
  for (const SimdLevel level : available_simd_levels()) {
    set_simd_level(level);
    SCOPED_TRACE(simd_level_name(level));
    check();
  }
  set_simd_level(before);
}

// --- The same values as one by one

/// What calls a function: with its operands as they are, or with intervals in place of points.
std::vector<std::string> expressions_of(const ReferenceFunction& function) {
  const std::string name(function.name);
  if (name == "?:") return {"x ? y : 0.1"};
  if (name == "!") return {"!x"};
  if (name == "-x") return {"-x"};
  if (function.group == FunctionGroup::Operator) return {fmt::format("x {} y", name)};
  // Beyond their domains MPFR takes its time over intervals, and vectors leave these to points.
  if (name == "erfinv" || name == "i0" || name == "i1") return {name + "(x)"};
  if (function.operands == 1) return {name + "(x)", name + "(x * 0.3 + 1)"};
  if (function.operands == 2) return {name + "(x, y)", name + "(x, 0.1)"};
  return {name + "(x, y, 1.5)"};
}

std::vector<std::string> all_expressions() {
  std::vector<std::string> all{"x * exp(-x * x / 2) + y",
                               "x^3 - 2 * x^2 + 1 / 3",
                               "x^0.5",
                               "x^-2",
                               "2^x",
                               "abs(x)^0.3",
                               "2^(x / log(2))",
                               "(x - y) / (x + y)",
                               "1e300 * x * 1e100",
                               "1e-300 * x * 1e-100",
                               "log(-1) * x",
                               "0 / x"};
  for (const ReferenceFunction& function : reference_functions()) {
    for (std::string& expression : expressions_of(function)) all.push_back(std::move(expression));
  }
  return all;
}

/// Every pair of these comes before the random ones: ends of ranges, on both sides.
std::vector<double> edges() {
  return {0.0,     -0.0,   1.0,    -1.0,      kInf,     -kInf,      kNotANumber, 0.5,
          -2.0,    3.0,    709.7,  709.8,     -700.5,   -746.0,     88.72,       26.45,
          -37.5,   710.4,  -64.0,  0x1p22,    -0x1p127, 0x1p-126,   1023.999,    -0x1p-149,
          -1009.5, 308.25, -304.5, 0x1p-1074, 0x1p1023, -0x1p-1000, 0x1p60,      0x1p-60};
}

struct NumberPairs {
  std::vector<double> x, y;
};
NumberPairs number_pairs(std::size_t random_ones) {
  NumberPairs all;
  for (const double x : edges()) {
    for (const double y : edges()) {
      all.x.push_back(x);
      all.y.push_back(y);
    }
  }
  RandomNumbers random(formats::Format::FP32);
  for (std::size_t i = 0; i < random_ones; ++i) {
    all.x.push_back(random());
    all.y.push_back(random());
  }
  return all;
}

/// Within 2^-39: each of two lies within 2^-40 of the true result. What is negligible may be 0.
bool are_close(double a, double b) {
  if (std::fabs(a) <= kNegligible && std::fabs(b) <= kNegligible) return true;
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::fabs(a - b) <= 0x1p-39 * std::min(std::fabs(a), std::fabs(b));
}

class ReferenceLevels : public testing::TestWithParam<std::string> {};

TEST_P(ReferenceLevels, DecideAsPointsOneByOne) {
  const auto parsed = parse_expression(GetParam());
  const auto reference = reference_of(GetParam());
  ASSERT_TRUE(parsed);
  const BlockProgram program(*parsed);
  const NumberPairs at = number_pairs(sample_count());
  for (const formats::Format format : {formats::Format::FP32, formats::Format::BF16,
                                       formats::Format::FP16, formats::Format::INT32}) {
    std::vector<ReferenceValue> expected;
    for (std::size_t i = 0; i < at.x.size(); ++i)
      expected.push_back(evaluate_at_point(*parsed, program, format, at.x[i], at.y[i]));
    std::vector<std::uint64_t> of_first_level;
    at_every_level([&] {
      std::vector<std::uint64_t> exact;
      std::vector<ReferenceValue> found(at.x.size());
      ASSERT_TRUE(reference->evaluate(format, at.x, at.y, found));
      for (std::size_t i = 0; i < found.size(); ++i) {
        const std::string where = fmt::format("{} as {} at {:a}, {:a}", GetParam(),
                                              formats::format_name(format), at.x[i], at.y[i]);
        ASSERT_EQ(found[i].bits, expected[i].bits) << where;
        ASSERT_EQ(found[i].decided, expected[i].decided) << where;
        ASSERT_PRED2(are_close, found[i].exact, expected[i].exact) << where;
        // What parts of one work are made with on machines of several kinds adds up to the same.
        exact.push_back(std::bit_cast<std::uint64_t>(found[i].exact));
      }
      if (of_first_level.empty()) of_first_level = exact;
      ASSERT_EQ(exact, of_first_level) << GetParam();
    });
    if (sample_count() > 10'000) break; // at night the first format only, at many points
  }
}

std::string expression_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = fmt::format("{}_", info.index);
  for (const char c : info.param) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
  }
  return name;
}
INSTANTIATE_TEST_SUITE_P(Table, ReferenceLevels, testing::ValuesIn(all_expressions()),
                         expression_name);

// --- The library's vectors, well inside what is granted to them

struct LibraryFunction {
  const char* name;
  long double (*of)(long double);
};
constexpr LibraryFunction kLibraryFunctions[] = {
    {"exp", expl},     {"exp2", exp2l},   {"exp10", exp10l}, {"expm1", expm1l}, {"log", logl},
    {"log2", log2l},   {"log10", log10l}, {"log1p", log1pl}, {"cbrt", cbrtl},   {"sin", sinl},
    {"cos", cosl},     {"tan", tanl},     {"asin", asinl},   {"acos", acosl},   {"atan", atanl},
    {"sinh", sinhl},   {"cosh", coshl},   {"tanh", tanhl},   {"asinh", asinhl}, {"acosh", acoshl},
    {"atanh", atanhl}, {"erf", erfl},     {"erfc", erfcl}};

/// How far a result lies from the true one at most, where kLibraryMargin is 64 of 2^-52.
constexpr long double kWellInside = 8 * 0x1p-52L;

/// Whether an end is that much farther away, or that of a function's range.
bool has_room(double end, long double wanted) {
  const bool is_of_range = std::fabs(end) == 1 || end == 2;
  const long double room = (kLibraryMargin - kWellInside) * std::fabs(wanted);
  return is_of_range || std::fabs(wanted - end) >= room;
}

bool is_near(Interval found, long double wanted) {
  if (wanted != wanted) return is_nan(found);
  if (is_point(found)) return found.low == wanted;
  if (found.low > wanted || found.high < wanted) return false;
  const bool is_ordinary = std::fabs(wanted) > 2 * kTiny && std::fabs(wanted) < kOverflow;
  return !is_ordinary || (has_room(found.low, wanted) && has_room(found.high, wanted));
}

/// Where a function's interval at one of the points is not near what `wanted` says, or "".
template <class Wanted>
std::string far_off(const std::string& name, const NumberPairs& at, Wanted wanted) {
  const ReferenceFunction* function = find_reference_function(name);
  const auto row = static_cast<std::size_t>(function - reference_functions().data());
  std::vector<double> low(kBlockSize), high(kBlockSize);
  for (std::size_t first = 0; first + kBlockSize <= at.x.size(); first += kBlockSize) {
    const double* x = at.x.data() + first;
    const double* y = at.y.data() + first;
    const std::array<IntervalBlock, 2> from{IntervalBlock{x, x}, IntervalBlock{y, y}};
    reference_kernels().functions[row](from.data(), kBlockSize, low.data(), high.data(),
                                       function->evaluate_interval);
    for (std::size_t i = 0; i < kBlockSize; ++i) {
      if (is_near({low[i], high[i]}, wanted(x[i], y[i]))) continue;
      return fmt::format("{} at {:a}, {:a}: [{:a}, {:a}]", name, x[i], y[i], low[i], high[i]);
    }
  }
  return {};
}

class VectorLibrary : public testing::TestWithParam<LibraryFunction> {};

TEST_P(VectorLibrary, StaysWellInsideItsMargin) {
  NumberPairs at = number_pairs(std::max<std::size_t>(sample_count(), 4000));
  // Squares of FP32's numbers are doubles; those of seventeenths are rounded.
  for (std::size_t i = at.x.size() / 2; i < at.x.size(); ++i)
    at.x[i] = (static_cast<double>(i % 1024) - 512) / 17;
  at_every_level([&] {
    const auto wanted = [](double x, double) { return GetParam().of(x); };
    EXPECT_EQ(far_off(GetParam().name, at, wanted), "");
  });
}
INSTANTIATE_TEST_SUITE_P(Table, VectorLibrary, testing::ValuesIn(kLibraryFunctions),
                         [](const auto& function) { return std::string(function.param.name); });

TEST(VectorPower, StaysWellInsideItsMargin) {
  NumberPairs at = number_pairs(std::max<std::size_t>(sample_count(), 4000));
  // Whole exponents are products, with margins of their own.
  for (double& y : at.y) y = std::fabs(y) <= 64 && y == std::floor(y) ? 0.3 : y;
  at_every_level([&] {
    const auto wanted = [](long double x, long double y) { return std::pow(x, y); };
    EXPECT_EQ(far_off("pow", at, wanted), "");
  });
}

// --- Blocks whose results are flat

/// Numbers of one binade.
std::vector<double> numbers_of_binade(int exponent, double sign) {
  std::vector<double> x;
  for (int i = 0; i < 64; ++i) x.push_back(sign * std::ldexp(1 + i / 64.0, exponent));
  return x;
}

using ReferenceNeighbours = testing::TestWithParam<const char*>;

/// Where all of a vector have results like 1 or 0, no library is called.
TEST_P(ReferenceNeighbours, DoNotChangeAResult) {
  const auto reference = parse_reference(GetParam()).value();
  const auto value_of = [&](const std::vector<double>& x) {
    std::vector<ReferenceValue> values(x.size());
    EXPECT_TRUE(reference->evaluate(formats::Format::FP32, x, {}, values));
    return values;
  };
  at_every_level([&] {
    for (int exponent = -70; exponent < 12; ++exponent) {
      for (const double sign : {1.0, -1.0}) {
        const std::vector<double> x = numbers_of_binade(exponent, sign);
        std::vector<double> among_others;
        for (const double each : x) among_others.insert(among_others.end(), {each, 0.7});
        const auto alone = value_of(x), beside = value_of(among_others);
        for (std::size_t i = 0; i < x.size(); ++i) {
          ASSERT_EQ(std::bit_cast<std::uint64_t>(alone[i].exact),
                    std::bit_cast<std::uint64_t>(beside[2 * i].exact))
              << fmt::format("{:a}", x[i]);
          ASSERT_EQ(alone[i].bits, beside[2 * i].bits) << fmt::format("{:a}", x[i]);
        }
      }
    }
  });
}
INSTANTIATE_TEST_SUITE_P(Functions, ReferenceNeighbours,
                         testing::Values("exp(x)", "exp2(x)", "exp10(x)", "tanh(x)", "erf(x)",
                                         "erfc(x)", "gelu(x)", "x*(1+erf(x/sqrt(2)))/2"));

/// Numbers of a part: next to both ends of it, and of any size between.
std::vector<double> numbers_of(FlatPart part, std::size_t count) {
  std::vector<double> x{std::nextafter(part.above, kInf), std::nextafter(part.below, -kInf)};
  tensors::SplitMix64 random(2);
  while (x.size() < count) {
    const auto any = std::bit_cast<double>(random());
    if (part.above < any && any < part.below) x.push_back(any);
  }
  return x;
}

using ReferenceFlatParts = testing::TestWithParam<std::string_view>;

/// One result serves a whole block there. A block that is not whole is evaluated number by number.
TEST_P(ReferenceFlatParts, HaveOneResult) {
  std::vector<std::unique_ptr<Reference>> references; // the others are not flat there
  for (const char* text : {"{}(x)", "{}(x * 1e20)", "x + {}(x)"})
    references.push_back(reference_of(fmt::format(fmt::runtime(text), GetParam())));
  const auto expect_same_of = [&](const Reference& reference, formats::Format format,
                                  std::span<const double> x) {
    std::vector<ReferenceValue> whole(x.size()), pieces(x.size());
    ASSERT_TRUE(reference.evaluate(format, x, {}, whole));
    for (std::size_t first = 0; first < x.size(); first += x.size() / 2) {
      ASSERT_TRUE(reference.evaluate(format, x.subspan(first, x.size() / 2), {},
                                     std::span(pieces).subspan(first, x.size() / 2)));
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(whole[i].exact),
                std::bit_cast<std::uint64_t>(pieces[i].exact))
          << fmt::format("{:a}", x[i]);
      ASSERT_EQ(whole[i].bits, pieces[i].bits) << fmt::format("{:a}", x[i]);
      ASSERT_EQ(whole[i].decided, pieces[i].decided) << fmt::format("{:a}", x[i]);
    }
  };
  const auto expect_same_in_pieces = [&](formats::Format format, std::span<const double> x) {
    for (const auto& reference : references) expect_same_of(*reference, format, x);
  };
  at_every_level([&] {
    for (const FlatPart part : flat_parts(GetParam())) {
      std::vector<double> x = numbers_of(part, kBlockSize);
      for (const formats::Format format : {formats::Format::FP32, formats::Format::BF16})
        expect_same_in_pieces(format, x);
      // A number that is not in it, at any place.
      for (const double other :
           {part.above, part.below, 0.0, 1.5, -1.5, kInf, -kInf, kNotANumber}) {
        for (const std::size_t place : {std::size_t{0}, std::size_t{9}, kBlockSize - 1}) {
          const double before = std::exchange(x[place], other);
          expect_same_in_pieces(formats::Format::FP32, x);
          x[place] = before;
        }
      }
    }
  });
}

std::vector<std::string_view> flat_functions() {
  std::vector<std::string_view> names;
  for (const ReferenceFunction& function : reference_functions()) {
    if (!flat_parts(function.name).empty()) names.push_back(function.name);
  }
  return names;
}
INSTANTIATE_TEST_SUITE_P(Functions, ReferenceFlatParts, testing::ValuesIn(flat_functions()),
                         [](const auto& function) { return std::string(function.param); });

TEST(ReferenceFlatFunctions, AreTheExponentialsAndThoseMadeOfThem) {
  EXPECT_EQ(flat_functions().size(), 9U);
  EXPECT_FALSE(flat_parts("exp").empty());
  EXPECT_TRUE(flat_parts("log").empty());
}

// --- Lists of numbers

/// Inputs as value bits, of any number of blocks, against the numbers that they stand for.
TEST(ReferenceInputsOfFormats, HaveTheResultsOfTheirNumbers) {
  tensors::SplitMix64 random(7);
  for (const formats::Format format : formats::kFormats) {
    std::vector<std::uint32_t> bits_x, bits_y;
    for (std::size_t i = 0; i < 2 * kBlockSize + 77; ++i) {
      // A block of one part in which exp() is flat, and any others.
      const std::uint32_t any = static_cast<std::uint32_t>(random());
      const std::uint32_t x = i < kBlockSize ? static_cast<std::uint32_t>(i) + 0x0100'0000 : any;
      bits_x.push_back(x >> (formats::is_32bit(format) ? 0 : 16));
      bits_y.push_back((any * 5) >> (formats::is_32bit(format) ? 0 : 16));
    }
    std::vector<double> x, y;
    reference_numbers(format, bits_x, x);
    reference_numbers(format, bits_y, y);
    for (const char* text : {"exp(x)", "x - y", "sqrt(x)"}) {
      SCOPED_TRACE(fmt::format("{} of {}", text, formats::format_name(format)));
      const auto reference = reference_of(text);
      std::vector<std::uint32_t> bits(x.size()), wanted_bits(x.size());
      std::vector<double> exact(x.size()), wanted_exact(x.size());
      ReferenceResults found{.bits = bits, .exact = exact, .undecided = {}};
      ReferenceResults wanted{.bits = wanted_bits, .exact = wanted_exact, .undecided = {}};
      at_every_level([&] {
        ASSERT_TRUE(
            reference->evaluate_inputs(formats::Format::FP32, {format, bits_x, bits_y}, found));
        ASSERT_TRUE(reference->evaluate(formats::Format::FP32, x, y, wanted));
        EXPECT_EQ(bits, wanted_bits);
        EXPECT_EQ(found.undecided, wanted.undecided);
        for (std::size_t i = 0; i < exact.size(); ++i)
          ASSERT_TRUE(is_point(Interval{exact[i], wanted_exact[i]})) << i;
      });
    }
  }
}

TEST(ReferenceLines, AreThoseOfEachNumber) {
  tensors::SplitMix64 random(5);
  std::vector<std::uint32_t> bits(1003);
  std::vector<double> numbers;
  for (const formats::Format format : formats::kFormats) {
    for (std::size_t i = 0; i < bits.size(); ++i) {
      const std::uint32_t any =
          static_cast<std::uint32_t>(random()) >> (formats::is_32bit(format) ? 0 : 16);
      bits[i] = i % 5 == 0 ? any & 0x8000'807F : any; // zeros and denormals of most formats
    }
    at_every_level([&] {
      SCOPED_TRACE(formats::format_name(format));
      reference_numbers(format, bits, numbers);
      bool any_nan = false, any_special = false;
      formats::with_line(format, [&]<class Line>(Line) {
        for (std::size_t i = 0; i < bits.size(); ++i) {
          const auto one = std::span(bits).subspan(i, 1);
          const formats::NumberClass kind = Line::kind(bits[i]);
          const double number = Line::number(bits[i]);
          const double wanted =
              kind == formats::NumberClass::Denormal ? std::copysign(0.0, number) : number;
          ASSERT_TRUE(std::isnan(wanted) ? std::isnan(numbers[i])
                                         : is_point(Interval{numbers[i], wanted}));
          const bool is_special =
              kind != formats::NumberClass::Normal && kind != formats::NumberClass::Zero;
          ASSERT_EQ(has_specials(format, one), is_special) << bits[i];
          ASSERT_EQ(has_nans(format, one), Line::is_nan(bits[i])) << bits[i];
          any_nan |= Line::is_nan(bits[i]);
          any_special |= is_special;
        }
      });
      EXPECT_EQ(has_nans(format, bits), any_nan);
      EXPECT_EQ(has_specials(format, bits), any_special);
    });
  }
}

} // namespace
} // namespace lanewise::references
