// Kernels that compare or limit: with zero, with a scalar, floats and integers.
#include <algorithm>
#include <cmath>

#include "study/corpus/llk/corpus.h"
#include "study/corpus/llk/specification.h"

namespace lanewise::corpus {

namespace {

const LlkDomain kAllBits{.text = "all", .nan_and_infinity = true};

// -------------------------------------------------------------------- older comparisons with zero

LlkKernel older_comparison(const char* name, const std::string& modes, BitsOfOne reference) {
  return {.name = std::string("comp_") + name,
          .header = "comp",
          .call = "_calculate_comp_<true, " + modes + ", 8>(8, 1)",
          .dst = both_widths(),
          .domain = kAllBits,
          .reference = reference};
}

LlkKernel with_second_check(const char* name, const std::string& modes, BitsOfOne reference) {
  LlkKernel kernel = older_comparison(name, modes, reference);
  kernel.defect = "both flags come from the one test of the sign, and 0 is none";
  return kernel;
}

std::vector<LlkKernel> older_comparisons() {
  // The modes are: inverts the output, compares with zero instead of the sign, makes a second
  // check, combines both checks by OR instead of AND.
  const auto is_negative = [](std::uint32_t x) { return one_if(x >= kSign); };
  const auto is_positive = [](std::uint32_t x) { return one_if(x < kSign); };
  return {
      older_comparison("equal_zero", "false, true, false, false",
                       [](std::uint32_t x) { return one_if(x == 0); }),
      older_comparison("not_equal_zero", "true, true, false, false",
                       [](std::uint32_t x) { return one_if(x != 0); }),
      older_comparison("less_than_zero", "false, false, false, false", is_negative),
      older_comparison("greater_than_equal_zero", "true, false, false, false", is_positive),
      with_second_check("less_than_equal_zero", "false, false, true, true",
                        [](std::uint32_t x) { return one_if(x >= kSign || x == 0); }),
      with_second_check("greater_than_zero", "true, false, true, false",
                        [](std::uint32_t x) { return one_if(x < kSign && x != 0); }),
      // What is left of them without the second check.
      older_comparison("less_than_equal_zero_as_is", "false, false, true, true", is_negative),
      older_comparison("greater_than_zero_as_is", "true, false, true, false", is_positive),
  };
}

// -------------------------------------------------------------------- integers

constexpr std::int32_t as_signed(std::uint32_t bits) {
  return static_cast<std::int32_t>(bits);
}

/// Dst holds two's complement on both chips; Wormhole's loads make sign and magnitude of it.
LlkKernel integer_comparison(const std::string& name, const std::string& call, LlkDomain domain,
                             BitsOfOne reference) {
  return {.name = name,
          .header = "comp",
          .call = call,
          .dst = {{.format = formats::Format::UINT32}},
          .inputs = {{"integers"}},
          .domain = std::move(domain),
          .reference = reference};
}

/// -2^31 has no sign and magnitude.
const LlkDomain kMagnitudes{.text = "-2^31 < x < 2^31, two's complement",
                            .holds = [](double x, double) { return x != 0x1p31; }};

LlkKernel zero_comparison(const std::string& name, BitsOfOne reference) {
  return integer_comparison(name + "_int",
                            "_calculate_zero_comp_int_<true, SfpuType::" + name + ", 8>()",
                            kMagnitudes, reference);
}

constexpr std::int32_t kPositive = 1234, kNegative = -1234;

LlkKernel with_positive(const std::string& name, BitsOfOne reference) {
  return integer_comparison(name + "_int",
                            "_calculate_comp_unary_int_<true, SfpuType::" + name + ", 8>(1234)",
                            kMagnitudes, reference);
}
LlkKernel with_negative(const std::string& name, BitsOfOne reference) {
  return integer_comparison(name + "_int_negative",
                            "_calculate_comp_unary_int_<true, SfpuType::" + name + ", 8>(-1234)",
                            kMagnitudes, reference);
}

std::vector<LlkKernel> integer_comparisons() {
  using Bits = std::uint32_t;
  return {
      zero_comparison("equal_zero", [](Bits x) { return Bits{x == 0}; }),
      zero_comparison("not_equal_zero", [](Bits x) { return Bits{x != 0}; }),
      zero_comparison("less_than_zero", [](Bits x) { return Bits{as_signed(x) < 0}; }),
      zero_comparison("greater_than_zero", [](Bits x) { return Bits{as_signed(x) > 0}; }),
      zero_comparison("less_than_equal_zero", [](Bits x) { return Bits{as_signed(x) <= 0}; }),
      zero_comparison("greater_than_equal_zero", [](Bits x) { return Bits{as_signed(x) >= 0}; }),
      with_positive("unary_eq", [](Bits x) { return Bits{as_signed(x) == kPositive}; }),
      with_positive("unary_ne", [](Bits x) { return Bits{as_signed(x) != kPositive}; }),
      with_positive("unary_gt", [](Bits x) { return Bits{as_signed(x) > kPositive}; }),
      with_positive("unary_lt", [](Bits x) { return Bits{as_signed(x) < kPositive}; }),
      with_positive("unary_ge", [](Bits x) { return Bits{as_signed(x) >= kPositive}; }),
      with_positive("unary_le", [](Bits x) { return Bits{as_signed(x) <= kPositive}; }),
      with_negative("unary_eq", [](Bits x) { return Bits{as_signed(x) == kNegative}; }),
      with_negative("unary_ne", [](Bits x) { return Bits{as_signed(x) != kNegative}; }),
      with_negative("unary_gt", [](Bits x) { return Bits{as_signed(x) > kNegative}; }),
      with_negative("unary_lt", [](Bits x) { return Bits{as_signed(x) < kNegative}; }),
      with_negative("unary_ge", [](Bits x) { return Bits{as_signed(x) >= kNegative}; }),
      with_negative("unary_le", [](Bits x) { return Bits{as_signed(x) <= kNegative}; }),
  };
}

// -------------------------------------------------------------------- limits

LlkKernel threshold(const char* name, const char* arguments) {
  return {.name = name,
          .header = "threshold",
          .call = std::string("_calculate_threshold_<true, 8, ") + arguments,
          .dst = both_widths(),
          .domain = all_but_nan(),
          .reference = [](double x) { return x <= 1.5 ? -3.25 : x; }};
}

std::vector<LlkKernel> limit_kernels() {
  return {
      {.name = "sign",
       .header = "sign",
       .call = "_calculate_sign_<true, 8>(8, 1)",
       .dst = both_widths(),
       .domain = kAllBits,
       // -0 has a sign, and is no zero.
       .reference = [](std::uint32_t x) { return x == 0 ? 0 : kOne | (x & kSign); }},
      threshold("threshold", "float>(1.5f, -3.25f)"),
      threshold("threshold_bits", "std::uint32_t>(0x3FC00000u, 0xC0500000u)"),
      {.name = "clamp",
       .header = "clamp",
       // Limits are FP16 and the offset is BF16: -1.5, 2.25 and 0.75.
       .call = "_calculate_clamp_<true, 8>(8, 0xBE00, 0x4080, 0x3F40)",
       .dst = both_widths({.ulp = 1}, {.ulp = 0.51}),
       .domain = all_but_nan(),
       .reference = [](double x) { return std::clamp(x, -1.5, 2.25) + 0.75; }},
      {.name = "hardtanh",
       .header = "hardtanh",
       // Three sums: x - low, with 0 as the lower limit; less the distance of the limits, with 0 as
       // the upper one; and the higher limit. Here they are -1 and 2.
       .call = "_calculate_hardtanh_<true, 8>(8, 0x3F80, 0xC040, 0x4000)",
       // The first two are rounded at most to 2^-23, half a unit of a number below 4.
       .dst = both_widths({.ulp = 1, .absolute = 0x1p-22}, {.absolute = 0x1p-22}),
       .domain = all_but_nan(),
       .reference = [](double x) { return std::clamp(x, -1.0, 2.0); }},
  };
}

} // namespace

std::vector<LlkKernel> llk_comparisons() {
  return joined(older_comparisons(), integer_comparisons(), limit_kernels());
}

} // namespace lanewise::corpus
