// Kernels with two operands, kernels that round, and kernels on integers.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "lab/llk_corpus.h"
#include "lab/llk_specification.h"

namespace lanewise::lab {

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
  quotient[1].wormhole = {.ulp = 1.65};
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

std::vector<LlkKernel> roundings() {
  const auto kernel = [](const char* name, NumberOfOne reference) {
    return LlkKernel{.name = name,
                     .header = "rounding_ops",
                     .call = std::string("_calculate_") + name + "_<true, 8>()",
                     .dst = both_widths({}, {}),
                     .reference = reference};
  };
  return {kernel("trunc", [](double x) { return std::trunc(x); }),
          kernel("floor", [](double x) { return std::floor(x); }),
          kernel("frac", [](double x) { return x - std::trunc(x); })};
}

// -------------------------------------------------------------------- integers

/// Two's complement in Dst: UINT32, whose bits the kernel gets as they are. Sign and magnitude in
/// Dst: INT32, of which the value bits are two's complement.
std::vector<LlkDst> integers(Format format) {
  return {{.format = format}};
}

/// Sums that sign and magnitude cannot hold are out of the domain; so is -0.
bool sum_fits(double x, double y) {
  return std::abs(x + y) < 0x1p31;
}

LlkKernel add_int(const char* name, const char* mode_and_form, Format format, LlkDomain domain,
                  BitsOfTwo reference) {
  return {.name = name,
          .header = "add_int",
          .call = std::string("_add_int_<false, 8, ") + mode_and_form + ">(0, 1, 2)",
          .dst = integers(format),
          .inputs = kTwoInputs,
          .outputs = kThirdTile,
          .domain = std::move(domain),
          .reference = reference};
}

LlkKernel left_shift(const char* name, const char* second) {
  return {
      .name = name,
      .header = "shift",
      .call = "_calculate_binary_left_shift_<true, 8, InstrModLoadStore::INT32, false>(0, 1, 2)",
      .dst = integers(Format::UINT32),
      .inputs = {{"every"}, {second}},
      .outputs = kThirdTile,
      .domain = {.text = "all"},
      // Amounts below 0 or above 31 give 0.
      .reference = [](std::uint32_t x, std::uint32_t y) { return y < 32 ? x << y : 0U; }};
}

constexpr double kZeroPoint = 3.25;

LlkKernel quant(const char* name, const char* sign_magnitude, Format out, NumberOfTwo reference) {
  return {.name = name,
          .header = "quant",
          .init = "_init_quant_zero_point_<true>(0x40500000u)",
          .call = std::string("_quant_int32_<true, 8, ") + sign_magnitude + ">(0, 1, 2)",
          // One rounding to fp32 of x y + z, and one to the nearest integer.
          .dst = {{.format = Format::FP32, .bound = {.ulp = 0.5 + 0x1p-16}}},
          .inputs = {{"random:1:-20:20"}, {"random:2:0:20"}},
          .outputs = {{.tile = 2, .format = out}},
          .domain = {.text = "-20 <= x <= 20, 0 <= scale <= 20"},
          .reference = reference};
}

double quantized(double x, double scale) {
  return std::clamp(x * scale + kZeroPoint, -127.0, 127.0);
}

std::vector<LlkKernel> integer_kernels() {
  const auto sum = [](std::uint32_t x, std::uint32_t y) { return x + y; };
  return {
      add_int("add_int32", "InstrModLoadStore::INT32, false", Format::UINT32,
              {.text = "all, modulo 2^32"}, sum),
      add_int("add_int32_sign_magnitude", "InstrModLoadStore::INT32, true", Format::INT32,
              {.text = "sums of 31 bits", .holds = sum_fits}, sum),
      add_int("add_uint16", "InstrModLoadStore::LO16, false", Format::UINT16,
              {.text = "all, modulo 2^16"},
              [](std::uint32_t x, std::uint32_t y) { return (x + y) & 0xFFFFU; }),
      {.name = "negative_int",
       .header = "negative",
       .call = "_calculate_negative_int_<true, 8>()",
       // Wormhole's kernel flips the sign bit between two conversions from and to sign and
       // magnitude, which comes to the same.
       .dst = integers(Format::UINT32),
       .domain = {.text = "all, two's complement"},
       .reference = [](std::uint32_t x) { return 0U - x; }},
      left_shift("left_shift", "random:1:0:40"),
      left_shift("left_shift_any", "shuffled"),
      quant("quant_int32", "false", Format::UINT32,
            [](double x, double scale) {
              const double q = quantized(x, scale);
              return q < -0.5 ? q + 0x1p32 : q; // two's complement, read as unsigned
            }),
      quant("quant_int32_sign_magnitude", "true", Format::INT32, quantized),
  };
}

} // namespace

std::vector<LlkKernel> llk_arithmetic() {
  return joined(float_binaries(), roundings(), integer_kernels());
}

} // namespace lanewise::lab
