// Kernels that pass on one of their inputs, or a bound of them.
#include <algorithm>
#include <bit>
#include <cmath>

#include "study/corpus/llk/corpus.h"
#include "study/corpus/llk/specification.h"

namespace lanewise::corpus {

namespace {

using formats::Format;

// -------------------------------------------------------------------- where

/// Element by element: the second input where the first is not 0, else the third.
void chosen(std::span<const NumberTile> in, std::span<Answers> out) {
  for (unsigned i = 0; i < tensors::kTileElements; ++i)
    out[0][i] = in[0][i] != 0 ? in[1][i] : in[2][i];
}

/// What is chosen is passed on bit by bit, so that the choices are integers of the same width.
struct WhereFormat {
  const char* name; ///< in DataFormat
  Format format;
  Format choices;
  const char* condition;
};

LlkKernel where(const WhereFormat& format, const char* suffix, const char* tiles, unsigned out) {
  return {.name = std::string("where_") + format.name + suffix,
          .header = "where",
          .init = "_init_where_<true>()",
          .call = std::string("_calculate_where_<true, DataFormat::") + format.name + ", 8>(" +
                  tiles + ")",
          .dst = {{.format = format.format}},
          .inputs = {{format.condition}, {"every", format.choices}, {"shuffled", format.choices}},
          .outputs = {{.tile = out, .format = format.choices}},
          .domain = {.text = "conditions 0 and others"},
          .has_twin = true,
          .reference = chosen};
}

std::vector<LlkKernel> wheres() {
  std::vector<LlkKernel> all;
  for (const WhereFormat& format :
       {WhereFormat{"Float32", Format::FP32, Format::UINT32, "ties"},
        WhereFormat{"Float16_b", Format::BF16, Format::UINT16, "ties"},
        WhereFormat{"Int32", Format::UINT32, Format::UINT32, "signed:1:-4:4"},
        WhereFormat{"UInt32", Format::UINT32, Format::UINT32, "random:1:0:7"}}) {
    // The version that writes over its first input has macros of its own.
    all.push_back(where(format, "", "0, 1, 2, 3", 3));
    all.push_back(where(format, "_to_first", "0, 1, 2, 0", 0));
  }
  return all;
}

// -------------------------------------------------------------------- relu

const LlkDomain kNumbersAndInfinity{.text = "all but NaN",
                                    .holds = [](double x, double) { return !std::isnan(x); },
                                    .nan_and_infinity = true};

LlkKernel relu(const char* name, std::string call, NumberOfOne reference) {
  return {.name = name,
          .header = "relu",
          .call = std::move(call),
          .dst = both_widths(),
          .domain = kNumbersAndInfinity,
          .reference = reference};
}

LlkKernel relu_of_integers(const char* name, std::string call, BitsOfOne reference) {
  return {.name = name,
          .header = "relu",
          .call = std::move(call),
          .dst = {{.format = Format::UINT32}},
          .inputs = {{"signed:1:-1000000000:1000000000"}},
          .domain = {.text = "|x| <= 10^9, two's complement"},
          .reference = reference};
}

std::uint32_t at_least(std::uint32_t x, std::int32_t bound) {
  return static_cast<std::uint32_t>(std::max(static_cast<std::int32_t>(x), bound));
}

std::vector<LlkKernel> relus() {
  const NumberOfOne clamped = [](double x) { return std::clamp(x, 0.0, 1.5); };
  const NumberOfOne at_least_1_5 = [](double x) { return std::fmax(x, 1.5); };
  LlkKernel of_a_float =
      relu("relu_min_of_a_float", "_relu_min_<vFloat, true, 8, float>(1.5f)", at_least_1_5);
  of_a_float.chips = {Arch::Blackhole};
  LlkKernel of_a_float_on_wormhole = of_a_float;
  of_a_float_on_wormhole.chips = {Arch::Wormhole};
  of_a_float_on_wormhole.defect =
      "the threshold as a float never reaches LReg 2, with which the kernel compares";
  return {
      relu("relu_min", "_relu_min_<vFloat, true, 8, std::uint32_t>(0x3FC00000u)", at_least_1_5),
      of_a_float,
      of_a_float_on_wormhole,
      relu("relu_max", "_relu_max_<vFloat, true, 8, std::uint32_t>(0x3FC00000u)", clamped),
      relu("relu_max_of_a_float", "_relu_max_<vFloat, true, 8, float>(1.5f)", clamped),
      relu_of_integers("relu_min_int", "_relu_min_<vInt, true, 8, std::uint32_t>(1000u)",
                       [](std::uint32_t x) { return at_least(x, 1000); }),
      relu_of_integers("relu_min_int_negative", "_relu_min_<vInt, true, 8, std::uint32_t>(-1000u)",
                       [](std::uint32_t x) { return at_least(x, -1000); }),
      // Of relu_max, a threshold for integers is the bits of a float as well.
      relu_of_integers("relu_max_int", "_relu_max_<vInt, true, 8, std::uint32_t>(0x447A0000u)",
                       [](std::uint32_t x) {
                         return static_cast<std::uint32_t>(
                             std::clamp(static_cast<std::int32_t>(x), 0, 1000));
                       }),
      {.name = "lrelu",
       .header = "relu",
       .call = "_calculate_lrelu_<true>(8, 0x3DCCCCCDu)",
       .dst = both_widths({.ulp = 1}, {.ulp = 0.5}),
       .domain = kNumbersAndInfinity,
       .reference = [](double x) { return x < 0 ? x * 0.1f : x; }},
  };
}

} // namespace

std::vector<LlkKernel> llk_choices() {
  return joined(wheres(), relus());
}

} // namespace lanewise::corpus
