// Inputs, error measure, specifications and checkouts for kernels of LLK.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

#include "number/formats/ulp.h"
#include "study/corpus/llk/corpus.h"
#include "study/corpus/llk/error.h"
#include "study/corpus/llk/inputs.h"

namespace lanewise::corpus {
namespace {

using formats::Format;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kAll = 65536;

tensors::Tensor input(std::string_view pattern, Format format) {
  const auto tensor = make_llk_input(pattern, format);
  EXPECT_TRUE(tensor.has_value()) << pattern;
  return tensor.value_or(tensors::Tensor{});
}

TEST(LlkInputs, EveryHasEachUpperHalfOnce) {
  for (const Format format : {Format::BF16, Format::UINT16, Format::FP32, Format::UINT32}) {
    const tensors::Tensor tensor = input("every", format);
    ASSERT_EQ(tensor.bits.size(), kAll);
    for (std::uint32_t n = 0; n < kAll; ++n) {
      ASSERT_EQ(formats::is_32bit(format) ? tensor.bits[n] >> 16 : tensor.bits[n], n);
    }
  }
}

TEST(LlkInputs, ShuffledIsEveryInAnotherOrder) {
  const tensors::Tensor every = input("every", Format::FP32);
  tensors::Tensor shuffled = input("shuffled", Format::FP32);
  EXPECT_NE(shuffled.bits, every.bits);
  std::ranges::sort(shuffled.bits);
  EXPECT_EQ(shuffled.bits, every.bits);
}

TEST(LlkInputs, ShortHasEvery16BitNumberOfOddPlaces) {
  const tensors::Tensor every = input("every", Format::UINT32),
                        tensor = input("short", Format::UINT32);
  for (std::uint32_t n = 0; n < kAll; ++n)
    ASSERT_EQ(tensor.bits[n], n % 2 == 0 ? every.bits[n] : n);
  EXPECT_EQ(input("short", Format::UINT16).bits, input("every", Format::UINT16).bits);
}

TEST(LlkInputs, EveryHasZerosAndInfinitiesInWideFormats) {
  const tensors::Tensor tensor = input("every", Format::FP32);
  for (const std::uint32_t bits : {0U, 0x80000000U, 0x7F800000U, 0xFF800000U, 0x3F800000U}) {
    EXPECT_EQ(std::ranges::count(tensor.bits, bits), 1) << bits;
  }
}

TEST(LlkInputs, IntegersStandInEachSecondPlace) {
  const tensors::Tensor words = input("integers", Format::UINT32);
  ASSERT_EQ(words.bits.size(), kAll);
  EXPECT_EQ(words.bits[1], 0U - 0x4000);
  EXPECT_EQ(words.bits[0x8001], 0U);
  EXPECT_EQ(words.bits[kAll - 1], 0x3FFFU);
  EXPECT_EQ(words.bits[2] >> 16, 2U) << "the others are those of every";
  EXPECT_EQ(input("integers", Format::UINT16).bits[1], 0xC000U);
}

TEST(LlkInputs, HalvesAreMultiplesOfOneHalf) {
  std::set<double> seen;
  for (const std::uint32_t bits : input("halves", Format::BF16).bits) {
    seen.insert(formats::value_of_bits(Format::BF16, bits));
  }
  EXPECT_EQ(seen.size(), 32U);
  EXPECT_EQ(*seen.begin(), -8);
  EXPECT_EQ(*seen.rbegin(), 7.5);
}

TEST(LlkInputs, DistinctNumbersDiffer) {
  for (const Format format : {Format::BF16, Format::FP32}) {
    std::set<std::uint32_t> seen;
    for (const char* pattern : {"distinct:1", "distinct:2"}) {
      for (const std::uint32_t bits : input(pattern, format).bits) seen.insert(bits);
    }
    EXPECT_EQ(seen.size(), 2 * tensors::kTileElements);
  }
}

TEST(LlkInputs, TiesRepeatAFewNumbers) {
  const tensors::Tensor tensor = input("ties:1", Format::BF16);
  EXPECT_EQ(tensor.bits.size(), tensors::kTileElements);
  EXPECT_EQ(std::set(tensor.bits.begin(), tensor.bits.end()).size(), 16U);
  EXPECT_NE(tensor.bits, input("ties:2", Format::BF16).bits);
}

TEST(LlkInputs, SignedIsTwosComplementInAnyFormat) {
  const tensors::Tensor tensor = input("signed:1:-4:4", Format::UINT32);
  EXPECT_EQ(tensor.format, Format::UINT32);
  EXPECT_EQ(tensor.bits, input("random:1:-4:4", Format::INT32).bits);
  EXPECT_EQ(*std::ranges::max_element(tensor.bits), 0xFFFFFFFFU); // -1
}

TEST(LlkInputs, OtherPatternsAreThoseOfRun) {
  EXPECT_EQ(input("value:2", Format::BF16).bits[0], 0x4000U);
  EXPECT_FALSE(make_llk_input("nonsense", Format::BF16).has_value());
}

std::string nowhere() {
  return "x";
}

/// The largest error in ULP of one element.
double llk_ulps(Format format, double wanted, double got,
                formats::UlpMeasure measure = formats::UlpMeasure::Line) {
  ErrorSum sum(format, {.ulp = kInfinity}, measure);
  sum.add(wanted, got, nowhere);
  return sum.worst().ulp;
}

TEST(LlkError, UnitsInTheLastPlace) {
  EXPECT_EQ(formats::ulp(Format::FP32, 1), 0x1p-23);
  EXPECT_EQ(formats::ulp(Format::BF16, -1.5), 0x1p-7);
  EXPECT_EQ(formats::ulp(Format::BF16, 0), 0x1p-133);
  EXPECT_EQ(formats::ulp(Format::INT32, 1000), 1);
}

TEST(LlkError, CountsAsSweepsDo) {
  EXPECT_EQ(llk_ulps(Format::BF16, 1, 1 + 0x1p-7), 1);
  EXPECT_EQ(llk_ulps(Format::BF16, 1, 1 - 0x1p-8), 1) << "a step below a power of two is one";
  EXPECT_EQ(llk_ulps(Format::BF16, 1 + 0x1p-9, 1), 0.25) << "the wanted one is not rounded";
  EXPECT_EQ(llk_ulps(Format::INT32, 7, 5), 2);
  EXPECT_EQ(llk_ulps(Format::FP32, kNan, kNan), 0);
  EXPECT_EQ(llk_ulps(Format::FP32, 0x1p-130, 0), 0) << "Dst flushes denormals";
  EXPECT_EQ(llk_ulps(Format::FP32, 1e39, kInfinity), 0) << "1e39 is infinite in FP32";
  EXPECT_EQ(llk_ulps(Format::FP32, 0x1.FFFFFEp127, kInfinity), 1) << "one step behind the largest";
  for (const auto& [wanted, got] :
       {std::pair{1.0, kNan}, {kNan, 1.0}, {1.0, kInfinity}, {kInfinity, -kInfinity}})
    EXPECT_EQ(llk_ulps(Format::FP32, wanted, got), kInfinity) << wanted << ' ' << got;
}

TEST(LlkError, OtherMeasuresCountTheirWay) {
  EXPECT_EQ(llk_ulps(Format::BF16, 1, 1 - 0x1p-8, formats::UlpMeasure::Ttnn), 0.5);
  EXPECT_EQ(llk_ulps(Format::BF16, 1 + 0x1p-9, 1, formats::UlpMeasure::TtLlk), 0)
      << "rounded first";
  EXPECT_EQ(llk_ulps(Format::FP32, 0x1.FFFFFEp127, kInfinity, formats::UlpMeasure::TtLlk),
            kInfinity);
}

TEST(LlkError, AnyOfTheBoundsIsEnough) {
  ErrorSum sum(Format::FP32, {.ulp = 1, .absolute = 0.5, .relative = 0.01});
  sum.add(1, 1 + 0x1p-23, nowhere); // 1 ULP
  sum.add(2, 2.25, nowhere);        // within 0.5
  sum.add(1000, 1008, nowhere);     // within 1 %
  EXPECT_EQ(sum.wrong(), 0U);
  EXPECT_EQ(sum.worst().ulp, 1);
  EXPECT_EQ(sum.worst().absolute, 0.25);
  EXPECT_NEAR(sum.worst().relative, 0.008, 1e-12);
  sum.add(1000, 1011, nowhere);
  EXPECT_EQ(sum.wrong(), 1U);
  EXPECT_EQ(sum.compared(), 4U);
  EXPECT_NE(sum.example().find("1011 instead of 1000"), std::string::npos) << sum.example();
}

TEST(LlkError, NanWhereANumberIsWantedIsWrong) {
  ErrorSum sum(Format::FP32, {.absolute = 100});
  sum.add(1, kNan, nowhere);
  EXPECT_EQ(sum.wrong(), 1U);
}

TEST(LlkCorpus, SpecificationsAreComplete) {
  std::set<std::tuple<std::string, Arch, Format>> rows;
  for (const LlkKernel& kernel : llk_corpus()) {
    SCOPED_TRACE(kernel.name);
    EXPECT_FALSE(kernel.header.empty());
    EXPECT_FALSE(kernel.call.empty());
    EXPECT_FALSE(kernel.outputs.empty());
    EXPECT_FALSE(std::holds_alternative<NoReference>(kernel.reference));
    for (const LlkDst& dst : kernel.dst) {
      for (const Arch arch : kernel.chips) {
        EXPECT_TRUE(rows.emplace(kernel.name, arch, dst.format).second) << "two of this name";
      }
      for (const LlkInput& each : kernel.inputs) {
        EXPECT_TRUE(make_llk_input(each.pattern, each.format.value_or(dst.format)).has_value());
      }
    }
  }
}

} // namespace
} // namespace lanewise::corpus
