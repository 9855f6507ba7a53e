#include "number/tensors/pattern.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "number/tensors/npy.h"

namespace lanewise::tensors {
namespace {

using formats::Format;

Tensor made(std::string_view specification, Format format) {
  auto tensor = make_input(specification, format);
  if (tensor) return *std::move(tensor);
  ADD_FAILURE() << specification << ": " << to_string(tensor.error());
  return {};
}

std::vector<double> numbers(std::string_view specification, Format format) {
  std::vector<double> values;
  for (const std::uint32_t bits : made(specification, format).bits) {
    values.push_back(formats::value_of_bits(format, bits));
  }
  return values;
}

TEST(SplitMix64, GivesThePublishedSequence) {
  // Output of the reference implementation by Sebastiano Vigna for the seeds 0 and 1234567.
  SplitMix64 zero(0);
  EXPECT_EQ(zero(), 0xE220A8397B1DCDAFu);
  EXPECT_EQ(zero(), 0x6E789E6AA1B965F4u);
  EXPECT_EQ(zero(), 0x06C45D188009454Fu);
  SplitMix64 other(1234567);
  EXPECT_EQ(other(), 6457827717110365317u);
  EXPECT_EQ(other(), 3203168211198807973u);
}

TEST(Pattern, EveryKindFitsEveryFormat) {
  for (const Format format : formats::kFormats) {
    for (const std::string_view specification :
         {"ramp", "random", "random:7", "bits", "bits:0x10", "every-bf16", "special", "value:3",
          "zero", "ramp:0:100", "random:1:5:9"}) {
      SCOPED_TRACE(specification);
      const Tensor tensor = made(specification, format);
      EXPECT_EQ(tensor.format, format);
      EXPECT_EQ(element_count(tensor.shape), tensor.bits.size());
      for (const std::uint32_t bits : tensor.bits) {
        // Each is a pattern that the format has.
        ASSERT_EQ(formats::value_bits(format, formats::from_value_bits(format, bits)), bits);
      }
    }
  }
}

TEST(Pattern, RampHasItsEndsAndEqualSteps) {
  const auto floats = numbers("ramp", Format::FP32);
  ASSERT_EQ(floats.size(), kTileElements);
  EXPECT_EQ(floats.front(), -8);
  EXPECT_EQ(floats.back(), 8);
  EXPECT_TRUE(std::ranges::is_sorted(floats));
  const auto integers = numbers("ramp", Format::INT16);
  const auto naturals = numbers("ramp", Format::UINT16);
  for (unsigned i = 0; i < kTileElements; ++i) {
    EXPECT_EQ(integers[i], static_cast<double>(i) - 512);
    EXPECT_EQ(naturals[i], i);
  }
  const auto falling = numbers("ramp:+1:-1", Format::FP32);
  EXPECT_EQ(falling.front(), 1);
  EXPECT_EQ(falling.back(), -1);
}

TEST(Pattern, RampReachesTheLimitsOfAFormat) {
  const auto floats = numbers("ramp:-3.4028234663852886e38:3.4028234663852886e38", Format::FP32);
  EXPECT_EQ(floats.back(), 0x1.FFFFFEp127);
  EXPECT_TRUE(std::ranges::all_of(floats, [](double value) { return std::isfinite(value); }));
}

TEST(Pattern, RandomFollowsItsFormula) {
  SplitMix64 generator(42);
  const auto floats = numbers("random:42:2:6", Format::FP32);
  for (const double value : floats) {
    // (r >> 11) / 2^53 times 4 plus 2: exact in a double but for the last addition.
    const double expected = 2 + 4 * (static_cast<double>(generator() >> 11) * 0x1p-53);
    EXPECT_EQ(value,
              formats::value_of_bits(Format::FP32, formats::round_to_bits(Format::FP32, expected)));
  }
  // First outputs of the seed 0: E220A839 * 10 >> 32 = 8, 6E789E6A * 10 >> 32 = 4.
  const auto integers = numbers("random:0:0:9", Format::INT16);
  EXPECT_EQ(integers[0], 8);
  EXPECT_EQ(integers[1], 4);
}

TEST(Pattern, RandomStaysBetweenItsEndsAndReachesThem) {
  const auto values = numbers("random:3:-2:2", Format::INT8);
  EXPECT_EQ(std::set<double>(values.begin(), values.end()), (std::set<double>{-2, -1, 0, 1, 2}));
  for (const double value : numbers("random", Format::BF16)) EXPECT_LE(std::abs(value), 8);
}

TEST(Pattern, SeedsDiffer) {
  EXPECT_EQ(made("random:5", Format::FP32), made("random:0x5", Format::FP32));
  EXPECT_NE(made("random:5", Format::FP32), made("random:6", Format::FP32));
  EXPECT_NE(made("bits:5", Format::FP32), made("bits:6", Format::FP32));
  EXPECT_EQ(made("bits", Format::FP32).bits[0], 0xE220A839u) << "the upper half of the output";
}

TEST(Pattern, EveryBf16IsEveryPatternInOrder) {
  const Tensor bf16 = made("every-bf16", Format::BF16);
  const Tensor fp32 = made("every-bf16", Format::FP32);
  EXPECT_EQ(split_into_tiles(bf16).size(), 64u);
  for (std::uint32_t bits = 0; bits < 0x1'0000; ++bits) {
    ASSERT_EQ(bf16.bits[bits], bits);
    ASSERT_EQ(fp32.bits[bits], bits << 16);
  }
  EXPECT_EQ(made("every-bf16", Format::FP16).bits[0x3F80], 0x3C00u) << "1.0";
  EXPECT_EQ(made("every-bf16", Format::INT16).bits[0xC040], 0xFFFDu) << "-3.0";
}

TEST(Pattern, SpecialHasTheValuesWhereArithmeticBreaks) {
  const auto expect_patterns = [](Format format, std::initializer_list<std::uint32_t> patterns) {
    const Tensor tensor = made("special", format);
    for (const std::uint32_t pattern : patterns) {
      EXPECT_EQ(std::ranges::count(tensor.bits, pattern), 1)
          << formats::format_name(format) << ' ' << std::hex << pattern;
    }
    EXPECT_LE(tensor.bits.size(), kTileElements);
  };
  expect_patterns(Format::BF16, {0x0000, 0x8000, 0x0001, 0x007F, 0x0080, 0x3F7F, 0x3F80, 0x3F81,
                                 0x7F7F, 0x7F80, 0xFF80, 0x7F81, 0x7FC0, 0xFFFF, 0x7F00, 0xC000});
  expect_patterns(Format::FP32, {0x8000'0000, 0x0000'0001, 0x007F'FFFF, 0x0080'0000, 0x3F80'0001,
                                 0x7F7F'FFFF, 0x7F80'0000, 0x7F80'0001, 0x7FC0'0000, 0xFFFF'FFFF});
  expect_patterns(Format::FP16, {0x0001, 0x03FF, 0x0400, 0x3C00, 0x7BFF, 0x7C00, 0x7FFF, 0xFFFF});
  expect_patterns(Format::INT32, {0, 1, 0xFFFF'FFFF, 0x7FFF'FFFF, 0x8000'0001, 0x8000'0000});
  expect_patterns(Format::INT8, {0, 1, 0xFFFF, 0x03FF, 0xFC01, 0x8000});
  expect_patterns(Format::UINT32, {0, 1, 0x7FFF'FFFF, 0x8000'0000, 0xFFFF'FFFF});
}

TEST(Pattern, ValueAndZero) {
  EXPECT_EQ(made("value:-1.5", Format::BF16).bits, std::vector<std::uint32_t>(1024, 0xBFC0));
  EXPECT_EQ(made("value:inf", Format::FP32).bits[0], 0x7F80'0000u);
  EXPECT_TRUE(std::isnan(numbers("value:nan", Format::FP32)[0]));
  EXPECT_EQ(made("zero", Format::INT8).bits, std::vector<std::uint32_t>(1024, 0));
}

TEST(Pattern, FileIsReadInTheFormat) {
  const auto path = std::filesystem::path(testing::TempDir()) / "lanewise_pattern_test.npy";
  const Tensor tensor{.shape = {2}, .bits = {0x3F80'0000, 0xBF80'0000}, .format = Format::FP32};
  ASSERT_TRUE(write_npy(path, tensor));
  EXPECT_EQ(made(path.string(), Format::FP32), tensor);
  EXPECT_EQ(made(path.string(), Format::INT16).bits, (std::vector<std::uint32_t>{1, 0xFFFF}));
  std::filesystem::remove(path);
}

TEST(Pattern, UnknownOneListsThePossibilities) {
  const auto tensor = make_input("ramps", Format::FP32);
  ASSERT_FALSE(tensor);
  EXPECT_EQ(to_string(tensor.error()),
            "error: 'ramps' is neither an input pattern nor a file; use one of ramp[:LO:HI], "
            "random[:SEED[:LO:HI]], bits[:SEED], every-bf16, special, value:X, zero, FILE.npy");
}

TEST(Pattern, BadArgumentsAreFaults) {
  for (const std::string_view specification :
       {"",           ":",          "ramp:",        "ramp:1",      "ramp:a:b",
        "ramp:1:2:3", "ramp:nan:1", "ramp:0:inf",   "ramp:0:1e39", "random:-1",
        "random:0x",  "random:1:2", "random:1:3:2", "bits:1:2",    "value",
        "value:",     "value:1x",   "value:1e999",  "zero:1",      "every-bf16:",
        "none.npy",   "value:+-1"}) {
    const auto tensor = make_input(specification, Format::FP32);
    ASSERT_FALSE(tensor) << specification;
    EXPECT_EQ(tensor.error().kind, FaultKind::BadInput) << specification;
    EXPECT_FALSE(tensor.error().remedy.empty()) << specification;
  }
  EXPECT_FALSE(make_input("value:0.5", Format::INT16));
  EXPECT_FALSE(make_input("ramp:0:32768", Format::INT16));
  EXPECT_FALSE(make_input("random:0:-1:1", Format::UINT16));
}

TEST(Pattern, HelpNamesEveryPattern) {
  const std::string help = pattern_help();
  for (const std::string_view usage : {"ramp[:LO:HI]", "random[:SEED[:LO:HI]]", "bits[:SEED]",
                                       "every-bf16", "special", "value:X", "zero", "FILE.npy"}) {
    EXPECT_NE(help.find(usage), std::string::npos) << usage;
  }
}

} // namespace
} // namespace lanewise::tensors
