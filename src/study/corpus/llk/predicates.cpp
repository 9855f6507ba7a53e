// Kernels whose result is a bit pattern: signs, comparisons, constants. All of them are exact.
#include <bit>

#include "study/corpus/llk/corpus.h"
#include "study/corpus/llk/specification.h"

namespace lanewise::corpus {

namespace {

constexpr std::uint32_t kMagnitude = 0x7FFFFFFF;

/// For kernels that look at bits: NaN and infinity are like any other pattern.
const LlkDomain kAllBits{.text = "all", .holds = nullptr, .nan_and_infinity = true};

LlkKernel negation() {
  return {.name = "negative",
          .header = "negative",
          .call = "_calculate_negative_<true, 8>()",
          .dst = both_widths(),
          .domain = kAllBits,
          .reference = [](std::uint32_t x) { return x ^ kSign; }};
}

LlkKernel classification(const char* name, BitsOfOne reference) {
  return {.name = name,
          .header = "isinf_isnan",
          .call = std::string("_calculate_sfpu_isinf_isnan_<SfpuType::") + name + ", true, 8>()",
          .dst = both_widths(),
          .domain = kAllBits,
          .reference = reference};
}

/// Comparisons with zero look at the bits on both chips (ISA: SFPSETCC): -0 counts as negative.
LlkKernel zero_comparison(const char* name, BitsOfOne reference) {
  return {.name = name,
          .header = "comp",
          .call = std::string("_calculate_zero_comp_<true, SfpuType::") + name + ", 8>(1)",
          .dst = both_widths(),
          .domain = kAllBits,
          .reference = reference};
}

constexpr float kScalar = 3;

LlkKernel comparison(const char* name, BitsOfOne reference) {
  return {.name = name,
          .header = "comp",
          .call = std::string("_calculate_comp_unary_<true, SfpuType::") + name + ", 8>(3)",
          .dst = both_widths(),
          .domain = all_but_nan(),
          .reference = reference};
}

LlkKernel zero_test(const char* name, const char* exponent_size_8, BitsOfOne reference) {
  return {.name = name,
          .header = "is_fp16_zero",
          .call = each_vector(std::string("vFloat r = 0.0f; v_if (_sfpu_is_fp16_zero_(v, ") +
                              exponent_size_8 + ")) { r = 1.0f; } v_endif; dst_reg[0] = r;"),
          .dst = both_widths(),
          .domain = kAllBits,
          .reference = reference};
}

LlkKernel fill(const char* name, const char* call, std::vector<LlkDst> dst, BitsOfOne reference) {
  return {.name = name,
          .header = "fill",
          .call = call,
          .dst = std::move(dst),
          .inputs = {{"random"}},
          .reference = reference};
}

} // namespace

std::vector<LlkKernel> llk_predicates() {
  return {
      {.name = "abs",
       .header = "abs",
       .call = "_calculate_abs_<true, 8>(8)",
       .dst = both_widths(),
       .domain = kAllBits,
       // SFPABS leaves negative NaNs alone (VU C29).
       .reference = [](std::uint32_t x) { return x > (kSign | kInfinity) ? x : x & kMagnitude; }},
      negation(),
      classification("isinf",
                     [](std::uint32_t x) { return one_if((x & kMagnitude) == kInfinity); }),
      classification("isposinf", [](std::uint32_t x) { return one_if(x == kInfinity); }),
      classification("isneginf", [](std::uint32_t x) { return one_if(x == (kSign | kInfinity)); }),
      classification("isnan", [](std::uint32_t x) { return one_if((x & kMagnitude) > kInfinity); }),
      classification("isfinite",
                     [](std::uint32_t x) { return one_if((x & kMagnitude) < kInfinity); }),
      zero_comparison("equal_zero", [](std::uint32_t x) { return one_if(x == 0); }),
      zero_comparison("not_equal_zero", [](std::uint32_t x) { return one_if(x != 0); }),
      zero_comparison("less_than_zero", [](std::uint32_t x) { return one_if(x >= kSign); }),
      zero_comparison("greater_than_equal_zero", [](std::uint32_t x) { return one_if(x < kSign); }),
      zero_comparison("greater_than_zero",
                      [](std::uint32_t x) { return one_if(x < kSign && x != 0); }),
      zero_comparison("less_than_equal_zero",
                      [](std::uint32_t x) { return one_if(x >= kSign || x == 0); }),
      comparison("unary_eq", [](std::uint32_t x) { return one_if(float_of(x) == kScalar); }),
      comparison("unary_ne", [](std::uint32_t x) { return one_if(float_of(x) != kScalar); }),
      comparison("unary_gt", [](std::uint32_t x) { return one_if(float_of(x) > kScalar); }),
      comparison("unary_lt", [](std::uint32_t x) { return one_if(float_of(x) < kScalar); }),
      comparison("unary_ge", [](std::uint32_t x) { return one_if(float_of(x) >= kScalar); }),
      comparison("unary_le", [](std::uint32_t x) { return one_if(float_of(x) <= kScalar); }),
      zero_test("is_fp16_zero", "1", [](std::uint32_t x) { return one_if(x == 0); }),
      // With a 5-bit exponent the test is that of an older chip, where a zero is loaded as C8000000
      // shifted into 19 bits; here it finds that pattern as 32 bits.
      zero_test("is_fp16a_zero", "0", [](std::uint32_t x) { return one_if(x == 0xFFFFC800); }),
      fill("fill", "_calculate_fill_<true, 8>(2.5f)", both_widths(),
           [](std::uint32_t) { return 0x40200000U; }),
      fill("fill_bitcast", "_calculate_fill_bitcast_<true, 8>(0xC0490000u)", both_widths(),
           [](std::uint32_t) { return 0xC0490000U; }),
      fill("fill_int32", "_calculate_fill_int_<true, InstrModLoadStore::INT32, 8>(0x89ABCDEFu)",
           {{.format = formats::Format::UINT32}}, [](std::uint32_t) { return 0x89ABCDEFU; }),
      fill("fill_uint16", "_calculate_fill_int_<true, InstrModLoadStore::LO16, 8>(0xCDEFu)",
           {{.format = formats::Format::UINT16}}, [](std::uint32_t) { return 0xCDEFU; }),
  };
}

} // namespace lanewise::corpus
