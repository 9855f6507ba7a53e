// 1/x: by table on Blackhole, from a parabola on Wormhole, then by Newton steps.
#include <cmath>

#include "study/corpus/llk/corpus.h"
#include "study/corpus/llk/specification.h"

namespace lanewise::corpus {

namespace {

double reciprocal(double x) {
  return 1 / x;
}

const LlkDomain kInvertible{.text = "2^-126 <= |x| < 2^126", .holds = [](double x, double) {
                              return std::abs(x) >= 0x1p-126 && std::abs(x) < 0x1p126;
                            }};
/// Their reciprocals are infinite and 0.
const LlkDomain kLimits{.text = "0 and infinity",
                        .holds = [](double x, double) { return x == 0 || std::isinf(x); },
                        .nan_and_infinity = true};

LlkKernel recip(const char* name, bool approximate, Arch chip, std::vector<LlkDst> dst) {
  const std::string mode = approximate ? "true" : "false";
  return {.name = name,
          .header = "recip",
          .init = "_init_reciprocal_<" + mode + ", {FP32}>()",
          .call = "_calculate_reciprocal_<" + mode + ", 8, {FP32}>(8)",
          .chips = {chip},
          .dst = std::move(dst),
          .domain = kInvertible,
          .reference = reciprocal};
}

/// Made of SFPLOADMACROs, with a version that is not.
LlkKernel of_macros(LlkKernel kernel) {
  kernel.has_twin = true;
  return kernel;
}

LlkKernel at_limits(LlkKernel kernel) {
  kernel.name += "_limits";
  kernel.dst = both_widths();
  kernel.domain = kLimits;
  return kernel;
}

/// The function that other kernels call, with so many Newton steps.
LlkKernel steps(int count, Arch chip, std::vector<LlkDst> dst) {
  const std::string iterations = std::to_string(count);
  return {.name = "recip_steps_" + iterations,
          .header = "recip",
          .init = "_init_sfpu_reciprocal_<false>()",
          .call = each_vector_is("_sfpu_reciprocal_<" + iterations + ">(v)"),
          .chips = {chip},
          .dst = std::move(dst),
          .domain = kInvertible,
          .reference = reciprocal};
}

} // namespace

std::vector<LlkKernel> llk_reciprocals() {
  const Arch bh = Arch::Blackhole, wh = Arch::Wormhole;
  // SFPARECIP's table has 7 bits.
  const std::vector<LlkDst> table =
      both_widths({.ulp = 1, .relative = 0.0056}, {.relative = 0.0056});
  // A parabola and one Newton step, too small by up to 1.1e-4, and the truncation.
  const std::vector<LlkDst> parabola = both_widths({.ulp = 1.02}, {.relative = 1.1e-4});
  const LlkKernel approximate_bh = of_macros(recip("recip_approx", true, bh, table));
  const LlkKernel approximate_wh = recip("recip_approx", true, wh, parabola);
  // In bf16, the sign of x y - 1 corrects the last bit of the table's value; in fp32, a polynomial
  // of degree 3 in 1 - x y, whose own error is the fourth power of the table's. What it adds to the
  // table's value is lost where it is a denormal.
  const LlkKernel exact_bh = of_macros(
      recip("recip", false, bh, both_widths({.ulp = 1}, {.ulp = 1, .absolute = 0x1p-126})));
  // Rounded to nearest in bf16; two Newton steps in fp32.
  const LlkKernel exact_wh = recip("recip", false, wh, both_widths({.ulp = 0.52}, {.ulp = 0.9}));
  return {
      approximate_bh,
      approximate_wh,
      exact_bh,
      exact_wh,
      at_limits(approximate_bh),
      at_limits(approximate_wh),
      at_limits(exact_bh),
      at_limits(exact_wh),
      steps(0, bh, table),
      // A Newton step squares the relative error.
      steps(1, bh, both_widths({.ulp = 1.02}, {.relative = 3.2e-5})),
      // The last step rounds 2 - x y and the product.
      steps(2, bh, both_widths({.ulp = 1}, {.ulp = 1.5})),
      steps(1, wh, parabola),
      steps(2, wh, both_widths({.ulp = 1}, {.ulp = 0.9})),
  };
}

} // namespace lanewise::corpus
