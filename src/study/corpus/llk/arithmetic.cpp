// Kernels with two float operands, and kernels that round.
#include <algorithm>
#include <cmath>
#include <limits>

#include "study/corpus/llk/corpus.h"
#include "study/corpus/llk/specification.h"

namespace lanewise::corpus {

namespace {

/// Two inputs in the tiles 0 and 1, the result in tile 2.
const std::vector<LlkInput> kTwoInputs{{"every"}, {"shuffled"}};
const std::vector<LlkOutput> kThirdTile{{.tile = 2}};

/// The result is a normal number, so that it is rounded and neither flushed nor infinite.
bool is_normal(double number) {
  return number == 0 || (std::abs(number) >= 0x1p-126 && std::abs(number) < 0x1p127);
}

LlkKernel binary(const char* name, std::vector<LlkDst> dst, bool (*holds)(double, double),
                 NumberOfTwo reference) {
  const std::string operation = std::string("BinaryOp::") + name;
  return {.name = std::string("binary_") + name,
          .header = "binary",
          .init = "_sfpu_binary_init_<true, " + operation + ">()",
          .call = "_calculate_sfpu_binary_<true, " + operation + ", 8>(0, 1, 2)",
          .dst = std::move(dst),
          .inputs = kTwoInputs,
          .outputs = kThirdTile,
          .domain = {.text = "finite, with a normal result", .holds = holds},
          .reference = reference};
}

std::vector<LlkKernel> float_binaries() {
  // One rounding each, of the multiply-add datapath (VU 3.1, 3.2), which is not IEEE's.
  const auto one_rounding = both_widths({.ulp = 1}, {.ulp = 0.51});
  // x times the reciprocal, whose last Newton step has two roundings more; Blackhole's computes
  // 2 - x y in one number, Wormhole's the smaller 1 - x y.
  std::vector<LlkDst> quotient = both_widths({.ulp = 1}, {.ulp = 2.3});
  quotient[1].exception = {Arch::Wormhole, {.ulp = 1.65}};
  return {
      binary(
          "ADD", one_rounding, [](double x, double y) { return is_normal(x + y); },
          [](double x, double y) { return x + y; }),
      binary(
          "SUB", one_rounding, [](double x, double y) { return is_normal(x - y); },
          [](double x, double y) { return x - y; }),
      binary(
          "RSUB", one_rounding, [](double x, double y) { return is_normal(y - x); },
          [](double x, double y) { return y - x; }),
      binary(
          "MUL", one_rounding, [](double x, double y) { return is_normal(x * y); },
          [](double x, double y) { return x * y; }),
      binary(
          "DIV", quotient,
          [](double x, double y) {
            return std::abs(y) >= 0x1p-126 && std::abs(y) < 0x1p126 && is_normal(x / y);
          },
          [](double x, double y) { return x / y; }),
  };
}

const LlkDomain kAll{.text = "all", .nan_and_infinity = true};

LlkKernel rounding(const char* name, const char* arguments, const LlkDomain& domain,
                   NumberOfOne reference) {
  return {.name = name,
          .header = "rounding_ops",
          .call = std::string("_calculate_") + name + "_<true, 8>(" + arguments + ")",
          .dst = both_widths(),
          .domain = domain,
          .reference = reference};
}

/// The products with a power of ten are rounded, so that what is next to a tie can go either way.
bool is_no_tie(double x, double limit) {
  constexpr double kDistance = 0.01;
  return std::abs(x) <= limit && std::abs(std::abs(x - std::trunc(x)) - 0.5) > kDistance;
}

std::vector<LlkKernel> roundings() {
  LlkKernel hundredths =
      rounding("round", "2", {}, [](double x) { return std::rint(x * 100) / 100; });
  hundredths.name = "round_to_hundredths";
  // 1/100 is rounded, and so is the product with it.
  hundredths.dst = both_widths({.ulp = 1.01}, {.ulp = 1.5});
  hundredths.domain = {.text = "|x| <= 1000, no ties",
                       .holds = [](double x, double) { return is_no_tie(x * 100, 1e5); }};
  LlkKernel hundreds =
      rounding("round", "-2", {}, [](double x) { return std::rint(x / 100) * 100; });
  hundreds.name = "round_to_hundreds";
  hundreds.dst = both_widths({.ulp = 1}, {});
  hundreds.domain = {.text = "|x| <= 10^6, no ties",
                     .holds = [](double x, double) { return is_no_tie(x / 100, 1e4); }};
  return {rounding("trunc", "", kAll, [](double x) { return std::trunc(x); }),
          rounding("floor", "", kAll, [](double x) { return std::floor(x); }),
          rounding("ceil", "", kAll, [](double x) { return std::ceil(x); }),
          rounding("frac", "", {}, [](double x) { return x - std::trunc(x); }),
          rounding("round", "0", {}, [](double x) { return std::rint(x); }),
          hundredths,
          hundreds};
}

std::vector<LlkKernel> squares() {
  LlkKernel square{
      .name = "square",
      .header = "square",
      .call = "_calculate_square_<true, 8>()",
      .dst = both_widths({.ulp = 1}, {.ulp = 0.51}),
      .domain = {.text = "2^-63 <= |x| < 2^64",
                 .holds = [](double x,
                             double) { return std::abs(x) >= 0x1p-63 && std::abs(x) < 0x1p64; }},
      .reference = [](double x) { return x * x; }};
  LlkKernel limits = square;
  limits.name = "square_limits";
  limits.dst = both_widths();
  limits.domain = {.text = "0, |x| >= 2^64, infinity",
                   .holds = [](double x, double) { return x == 0 || std::abs(x) >= 0x1p64; },
                   .nan_and_infinity = true};
  limits.reference = [](double x) { return x == 0 ? 0 : std::numeric_limits<double>::infinity(); };
  return {square, limits};
}

} // namespace

std::vector<LlkKernel> llk_arithmetic() {
  return joined(float_binaries(), squares(), roundings());
}

} // namespace lanewise::corpus
