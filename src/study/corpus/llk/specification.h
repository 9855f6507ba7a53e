// Shorthands for the files that specify kernels of LLK.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "study/corpus/llk/kernel.h"

namespace lanewise::corpus {

/// Place of an element in a tile.
constexpr unsigned at(unsigned row, unsigned column) {
  return row * tensors::kTileEdge + column;
}

/// A domain: LlkDomain::holds.
template <int kLowest, int kHighest>
bool is_between(double x, double /*y*/) {
  return x >= kLowest && x <= kHighest;
}

/// The float formats that Dst holds in 16 and in 32 bits.
inline std::vector<LlkDst> both_widths(LlkBound bf16 = {}, LlkBound fp32 = {}) {
  return {{.format = formats::Format::BF16, .bound = bf16},
          {.format = formats::Format::FP32, .bound = fp32}};
}

/// The call of a function of one vector, which is no kernel itself: for each vector v of a face,
/// the statements, which leave their result in dst_reg[0].
inline std::string each_vector(const std::string& statements) {
  return "for (int d = 0; d < 8; d++) { vFloat v = dst_reg[0]; " + statements + " dst_reg++; }";
}

/// The same where an expression gives the result.
inline std::string each_vector_is(const std::string& expression) {
  return each_vector("dst_reg[0] = " + expression + ";");
}

/// Where a kernel has a result for every number and for infinities.
inline LlkDomain all_but_nan() {
  return {.text = "all but NaN",
          .holds = [](double x, double) { return !std::isnan(x); },
          .nan_and_infinity = true};
}

/// The kernel again, against its own formula, which it has to meet within its roundings.
inline LlkKernel by_formula(LlkKernel kernel, std::vector<LlkDst> dst, LlkReference formula) {
  kernel.name += "_formula";
  kernel.dst = std::move(dst);
  kernel.reference = std::move(formula);
  return kernel;
}

/// Patterns of fp32.
constexpr std::uint32_t kSign = 0x80000000, kInfinity = 0x7F800000, kOne = 0x3F800000;

inline float float_of(std::uint32_t bits) {
  return std::bit_cast<float>(bits);
}

constexpr std::uint32_t one_if(bool condition) {
  return condition ? kOne : 0;
}

/// The kernels of several lists.
template <class... Parts>
std::vector<LlkKernel> joined(Parts... parts) {
  std::vector<LlkKernel> all;
  for (std::vector<LlkKernel>* part : {&parts...}) {
    for (LlkKernel& kernel : *part) all.push_back(std::move(kernel));
  }
  return all;
}

} // namespace lanewise::corpus
