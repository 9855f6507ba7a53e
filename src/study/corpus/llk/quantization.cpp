// Kernels that turn numbers into int8 and back: x s + z, and (x + z) s.
#include <algorithm>
#include <cmath>

#include "study/corpus/llk/corpus.h"
#include "study/corpus/llk/specification.h"

namespace lanewise::corpus {

namespace {

constexpr double kZeroPoint = 3.25;

/// Integers lie in Dst as sign and magnitude, or in two's complement as UINT32.
struct Integers {
  const char* suffix;
  const char* flag; ///< template argument SIGN_MAGNITUDE_FORMAT
  formats::Format format;
};
constexpr Integers kQuantizedTwosComplement{"", "false", formats::Format::UINT32};
constexpr Integers kQuantizedSignMagnitude{"_sign_magnitude", "true", formats::Format::INT32};

double quantized(double x, double scale) {
  return std::clamp(x * scale + kZeroPoint, -127.0, 127.0);
}
/// The number whose two's complement was read as unsigned, and back.
double as_signed(double x) {
  return x < 0x1p31 ? x : x - 0x1p32;
}
double as_unsigned(double x) {
  return x < -0.5 ? x + 0x1p32 : x;
}

LlkKernel kernel(const char* name, const Integers& integers) {
  return {.name = std::string(name) + integers.suffix,
          .header = "quant",
          .init = "_init_quant_zero_point_<true>(0x40500000u)",
          .call = std::string("_") + name + "_<true, 8, " + integers.flag + ">(0, 1, 2)",
          .reference = NumberOfTwo{}};
}

LlkKernel quant(const Integers& integers, NumberOfTwo reference) {
  LlkKernel quant = kernel("quant_int32", integers);
  // One rounding to fp32 of x s + z, and one to the nearest integer.
  quant.dst = {{.format = formats::Format::FP32, .bound = {.ulp = 0.5 + 0x1p-16}}};
  quant.inputs = {{"random:1:-20:20"}, {"random:2:0:20"}};
  quant.outputs = {{.tile = 2, .format = integers.format}};
  quant.domain = {.text = "-20 <= x <= 20, 0 <= scale <= 20"};
  quant.reference = reference;
  return quant;
}

LlkKernel requant(const Integers& integers, NumberOfTwo reference) {
  LlkKernel requant = kernel("requant_int32", integers);
  requant.dst = {{.format = formats::Format::FP32, .bound = {.ulp = 0.5 + 0x1p-16}}};
  requant.inputs = {{"signed:1:-500:500", integers.format}, {"random:2:0:0.4"}};
  requant.outputs = {{.tile = 2, .format = integers.format}};
  requant.domain = {.text = "-500 <= x <= 500, 0 <= scale <= 0.4"};
  requant.reference = reference;
  return requant;
}

LlkKernel dequant(const Integers& integers, NumberOfTwo reference) {
  LlkKernel dequant = kernel("dequant_int32", integers);
  // The sum is exact; the product is rounded once, and a denormal is flushed.
  dequant.dst = {{.format = formats::Format::FP32, .bound = {.ulp = 0.51}}};
  dequant.inputs = {{"signed:1:-1000000:1000000", integers.format}, {"random:2:-20:20"}};
  dequant.outputs = {{.tile = 2}};
  dequant.domain = {.text = "-1000000 <= x <= 1000000, -20 <= scale <= 20"};
  dequant.reference = reference;
  return dequant;
}

} // namespace

std::vector<LlkKernel> llk_quantization() {
  return {
      quant(kQuantizedTwosComplement,
            [](double x, double s) { return as_unsigned(quantized(x, s)); }),
      quant(kQuantizedSignMagnitude, quantized),
      requant(kQuantizedTwosComplement,
              [](double x, double s) { return as_unsigned(quantized(as_signed(x), s)); }),
      requant(kQuantizedSignMagnitude, quantized),
      dequant(kQuantizedTwosComplement,
              [](double x, double s) { return (as_signed(x) + kZeroPoint) * s; }),
      dequant(kQuantizedSignMagnitude, [](double x, double s) { return (x + kZeroPoint) * s; }),
  };
}

} // namespace lanewise::corpus
