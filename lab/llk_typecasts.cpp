// Kernels that convert between formats.
#include <algorithm>
#include <bit>
#include <cmath>

#include "lab/llk_corpus.h"

namespace lanewise::lab {

namespace {

std::uint32_t bits(float number) {
  return std::bit_cast<std::uint32_t>(number);
}
float number(std::uint32_t bits) {
  return std::bit_cast<float>(bits);
}

/// Towards zero; what does not fit, and NaN, gives the smallest integer.
std::uint32_t to_int32(std::uint32_t x) {
  const float value = number(x);
  if (!(std::abs(value) < 0x1p31F)) return 0x80000000U;
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(value));
}

/// Towards zero; what is negative gives 0, what is too large, and NaN, the largest integer.
std::uint32_t to_uint32(std::uint32_t x) {
  if (x >= 0x80000000U) return 0;
  const float value = number(x);
  if (!(value < 0x1p32F)) return 0xFFFFFFFFU;
  return static_cast<std::uint32_t>(value);
}

LlkKernel typecast(const char* name, bool has_init, bool has_twin) {
  return {.name = std::string("typecast_") + name,
          .header = "typecast",
          .init = has_init ? std::string("_init_typecast_") + name + "_<true>()" : "",
          .call = std::string("_calculate_typecast_") + name + "_<true, 8>()",
          .has_twin = has_twin,
          .reference = NumberOfOne{}};
}

} // namespace

std::vector<LlkKernel> llk_typecasts() {
  const LlkDomain all{.text = "all", .holds = nullptr, .nan_and_infinity = true};

  LlkKernel fp32_to_int32 = typecast("fp32_to_int32", false, false);
  fp32_to_int32.dst = {{.format = Format::FP32}};
  fp32_to_int32.outputs = {{.format = Format::UINT32}};
  fp32_to_int32.domain = all;
  fp32_to_int32.reference = to_int32;

  LlkKernel fp32_to_uint32 = typecast("fp32_to_uint32", false, false);
  fp32_to_uint32.dst = {{.format = Format::FP32}};
  fp32_to_uint32.outputs = {{.format = Format::UINT32}};
  fp32_to_uint32.domain = all;
  fp32_to_uint32.reference = to_uint32;

  // To nearest, ties to even: half a unit, never more.
  LlkKernel fp32_to_fp16b = typecast("fp32_to_fp16b", true, true);
  fp32_to_fp16b.dst = {{.format = Format::FP32, .bound = {.ulp = 0.5}}};
  fp32_to_fp16b.outputs = {{.format = Format::BF16}};
  fp32_to_fp16b.domain = {.text = "|x| < 2^127",
                          .holds = [](double x, double) { return std::abs(x) < 0x1p127; }};
  fp32_to_fp16b.reference = [](double x) { return x; };

  // In 32-bit Dst a 16-bit datum is the high half of a 32-bit one, as bit 11 of DBG_FEATURE_DISABLE
  // says: what unpackers and packers of LLK see, and the kernels load and store.
  LlkKernel uint16_to_fp32 = typecast("uint16_to_fp32", true, true);
  uint16_to_fp32.dst = {{.format = Format::FP32}};
  uint16_to_fp32.inputs = {{.format = Format::UINT16}};
  uint16_to_fp32.domain = all;
  uint16_to_fp32.reference = [](std::uint32_t x) { return bits(static_cast<float>(x)); };

  LlkKernel uint16_to_uint32 = typecast("uint16_to_uint32", true, true);
  uint16_to_uint32.dst = {{.format = Format::UINT32}};
  uint16_to_uint32.inputs = {{.format = Format::UINT16}};
  uint16_to_uint32.domain = all;
  uint16_to_uint32.reference = [](std::uint32_t x) { return x; };

  // Two roundings: to fp32, and to the 8 bits of bf16. Dst has 32 bits, of which the lower half is
  // zero.
  LlkKernel int32_to_fp16b = typecast("int32_to_fp16b", true, true);
  int32_to_fp16b.dst = {{.format = Format::FP32, .bound = {.relative = 0x1p-8 + 0x1p-24}}};
  int32_to_fp16b.inputs = {{.pattern = "every", .format = Format::UINT32}};
  int32_to_fp16b.domain = all;
  int32_to_fp16b.reference = [](double x) { return x < 0x1p31 ? x : x - 0x1p32; };

  LlkKernel uint32_to_uint16 = typecast("uint32_to_uint16", true, true);
  uint32_to_uint16.dst = {{.format = Format::UINT32}};
  uint32_to_uint16.inputs = {{.pattern = "short"}};
  uint32_to_uint16.outputs = {{.format = Format::UINT16}};
  uint32_to_uint16.domain = all;
  uint32_to_uint16.reference = [](std::uint32_t x) { return std::min(x, 0xFFFFU); };

  return {fp32_to_int32,    fp32_to_uint32, fp32_to_fp16b,   uint16_to_fp32,
          uint16_to_uint32, int32_to_fp16b, uint32_to_uint16};
}

} // namespace lanewise::lab
