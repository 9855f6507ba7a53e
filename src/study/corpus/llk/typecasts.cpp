// Kernels that convert between formats.
#include <algorithm>
#include <bit>
#include <cmath>

#include "study/corpus/llk/corpus.h"
#include "study/corpus/llk/specification.h"

namespace lanewise::corpus {

namespace {

using formats::Format;

std::uint32_t bits(float number) {
  return std::bit_cast<std::uint32_t>(number);
}

constexpr std::uint32_t kUpperHalf = 0xFFFF0000U;
constexpr std::uint32_t kLargest16 = 0xFFFF;

// -------------------------------------------------------------------- to integers

/// Towards zero; what does not fit, and NaN, gives the smallest integer.
std::uint32_t to_int32(std::uint32_t x) {
  const float value = float_of(x);
  if (!(std::abs(value) < 0x1p31F)) return kSign;
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(value));
}

/// Towards zero; what is negative gives 0, what is too large, and NaN, the largest integer.
std::uint32_t to_uint32(std::uint32_t x) {
  if (x >= kSign) return 0;
  const float value = float_of(x);
  if (!(value < 0x1p32F)) return 0xFFFFFFFFU;
  return static_cast<std::uint32_t>(value);
}

/// To nearest, ties away from zero; what is negative gives 0, what is too large, and NaN, the
/// largest integer.
std::uint32_t to_uint16(std::uint32_t x) {
  if (x >= kSign) return 0;
  const double value = float_of(x);
  if (!(value < kLargest16)) return kLargest16;
  return static_cast<std::uint32_t>(std::round(value));
}

std::uint32_t saturated_16(std::uint32_t x) {
  return std::min(x, kLargest16);
}
std::uint32_t saturated_16_signed(std::uint32_t x) {
  return x >= kSign ? 0 : saturated_16(x);
}

// -------------------------------------------------------------------- to floats

/// Rounds the magnitude to the bits above `low`; what the addition carries goes to the exponent.
std::uint32_t rounded_away(std::uint32_t x, std::uint32_t low) {
  return (x + (low + 1) / 2) & ~low;
}
std::uint32_t rounded_to_even(std::uint32_t x) {
  const std::uint32_t is_odd = x >> 16 & 1;
  return (x + 0x7FFFU + is_odd) & kUpperHalf;
}

/// SFPSTOCHRND rounds ties away from zero (VU 3.5).
std::uint32_t to_bf16(float value) {
  return rounded_away(bits(value), ~kUpperHalf);
}
/// A host's conversion rounds ties to even, as SFPCAST does.
float from_int32(std::uint32_t x) {
  return static_cast<float>(static_cast<std::int32_t>(x));
}
/// The lower 31 bits are converted first, so that there are two roundings.
float from_uint32(std::uint32_t x) {
  const auto lower = static_cast<float>(x & ~kSign);
  return x < kSign ? lower : lower + 0x1p31F;
}

/// Value bits of FP16, with 10 bits of mantissa: ties away from zero; what is too small gives a
/// zero, what is too large, infinite or NaN the largest number, of the same sign (VU 3.4, 3.5).
std::uint32_t to_fp16(std::uint32_t x) {
  constexpr std::uint32_t kDropped = 0x1FFF, kDroppedBits = 13, kBias = 112, kLargestExponent = 31;
  if ((x & kInfinity) == 0) return 0; // SFPSTOCHRND drops the sign of zero
  const std::uint32_t sign = x >> 31 << 15;
  const std::uint32_t magnitude = rounded_away(std::min(x & ~kSign, kInfinity), kDropped);
  const std::uint32_t exponent = magnitude >> 23;
  if (exponent <= kBias) return sign;
  if (exponent > kBias + kLargestExponent) return sign | 0x7FFFU;
  return sign | ((magnitude >> kDroppedBits) - (kBias << 10));
}

// -------------------------------------------------------------------- the kernels

const LlkDomain kAll{.text = "all", .nan_and_infinity = true};
const LlkDomain kNoNan{.text = "all but NaN",
                       .holds = [](double x, double) { return !std::isnan(x); },
                       .nan_and_infinity = true};

enum class Parts { CallOnly, WithInit, WithInitAndTwin };

/// In 32-bit Dst a 16-bit datum is the high half of a 32-bit one, as bit 11 of DBG_FEATURE_DISABLE
/// says: what unpackers and packers of LLK see, and the kernels load and store.
LlkKernel typecast(const char* name, Parts parts, LlkInput input, LlkOutput output,
                   BitsOfOne reference) {
  const std::string function = std::string("typecast_") + name;
  return {.name = function,
          .header = "typecast",
          .init = parts == Parts::CallOnly ? "" : "_init_" + function + "_<true>()",
          .call = "_calculate_" + function + "_<true, 8>()",
          .dst = {{.format = Format::FP32}},
          .inputs = {std::move(input)},
          .outputs = {output},
          .domain = kAll,
          .has_twin = parts == Parts::WithInitAndTwin,
          .reference = reference};
}

/// The same in 16-bit Dst.
LlkKernel in_16_bits(LlkKernel kernel, Format format) {
  kernel.name += "_in_16_bits";
  kernel.dst = {{.format = format}};
  return kernel;
}

std::vector<LlkKernel> typecasts() {
  const Parts all = Parts::WithInitAndTwin;
  const LlkInput int32{.pattern = "every", .format = Format::UINT32};
  const LlkInput short_int32{.pattern = "short", .format = Format::UINT32};
  const LlkInput uint16{.pattern = "every", .format = Format::UINT16};
  const LlkOutput to_32{.format = Format::UINT32}, to_16{.format = Format::UINT16}, to_fp32{};

  LlkKernel fp32_to_fp16b =
      typecast("fp32_to_fp16b", all, {}, {.format = Format::BF16}, rounded_to_even);
  fp32_to_fp16b.domain = kNoNan;
  // Dst keeps 32 bits, of which the lower half is zero.
  const LlkKernel uint32_to_fp16b =
      typecast("uint32_to_fp16b", all, int32, to_fp32,
               [](std::uint32_t x) { return to_bf16(from_uint32(x)); });
  LlkKernel with_shift = uint32_to_fp16b, without_shift = uint32_to_fp16b;
  with_shift.init = "vConstIntPrgm0 = -31; " + with_shift.init;
  without_shift.name += "_own_init";
  without_shift.defect =
      "the initialisation leaves out LReg 12, by which the kernel shifts: -31, as for fp32";

  const LlkKernel fp32_to_uint16 = typecast("fp32_to_uint16", all, {}, to_16, to_uint16);
  const LlkKernel uint16_to_fp16b =
      typecast("uint16_to_fp16b", all, uint16, to_fp32,
               [](std::uint32_t x) { return to_bf16(static_cast<float>(x)); });
  return {
      typecast("fp32_to_int32", Parts::CallOnly, {}, to_32, to_int32),
      typecast("fp32_to_uint32", Parts::CallOnly, {}, to_32, to_uint32),
      fp32_to_uint16,
      in_16_bits(fp32_to_uint16, Format::BF16),
      fp32_to_fp16b,
      typecast("int32_to_fp32", all, int32, to_fp32,
               [](std::uint32_t x) { return bits(from_int32(x)); }),
      typecast("int32_to_fp16b", all, int32, to_fp32,
               [](std::uint32_t x) { return to_bf16(from_int32(x)); }),
      typecast("int32_to_uint16", all, short_int32, to_16, saturated_16_signed),
      typecast("uint32_to_fp32", all, int32, to_fp32,
               [](std::uint32_t x) { return bits(from_uint32(x)); }),
      with_shift,
      without_shift,
      typecast("uint32_to_uint16", all, short_int32, to_16, saturated_16),
      typecast("uint16_to_fp32", all, uint16, to_fp32,
               [](std::uint32_t x) { return bits(static_cast<float>(x)); }),
      uint16_to_fp16b,
      in_16_bits(uint16_to_fp16b, Format::BF16),
      typecast("uint16_to_uint32", all, uint16, to_32, [](std::uint32_t x) { return x; }),
  };
}

std::vector<LlkKernel> casts_to_fp16() {
  return {{.name = "cast_fp32_to_fp16a",
           .header = "cast_fp32_to_fp16a",
           .call = "_cast_fp32_to_fp16a_<true, 8>(8)",
           .dst = {{.format = Format::BF16}, {.format = Format::FP32}},
           .outputs = {{.format = Format::FP16}},
           .domain = kAll,
           .reference = to_fp16}};
}

} // namespace

std::vector<LlkKernel> llk_typecasts() {
  std::vector<LlkKernel> all = typecasts();
  for (LlkKernel& kernel : casts_to_fp16()) all.push_back(std::move(kernel));
  return all;
}

} // namespace lanewise::corpus
