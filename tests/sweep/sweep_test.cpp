#include "study/sweep/sweep.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <limits>

#include "sweep/sweep_doubles.h"

namespace lanewise::sweep {
namespace {

using formats::Format;

/// The mode of SFPLOAD and SFPSTORE that keeps every bit of a format.
std::string_view mode_of(Format format) {
  switch (format) {
    case Format::FP32: return "FP32";
    case Format::BF16: return "BF16";
    case Format::FP16: return "FP16";
    case Format::INT32:
    case Format::UINT32: return "INT32";
    case Format::INT16: return "INT16";
    case Format::UINT16: return "UINT16";
    case Format::INT8: break;
  }
  return "INT8_COMP"; // INT8 loads 8 bits of the magnitude, or 7
}

SweepSpace sample(std::uint64_t count, std::uint64_t seed = 1) {
  return {.range = std::nullopt, .sample = SweepSample{.count = count, .seed = seed}};
}

SweepSpace range(double lowest, double highest) {
  return {.range = SweepRange{lowest, highest}, .sample = std::nullopt};
}

/// Every input is in exactly one of these.
std::uint64_t inputs_of(const SweepStatistics& chip) {
  return chip.outside + chip.error.count() + chip.expected_nan.inputs + chip.denormal.inputs +
         chip.infinite.inputs + chip.nan.inputs;
}

TEST(Sweep, LoadAndStoreAreTheIdentityInEveryFormat) {
  for (const Format format : formats::kFormats) {
    const SweepOptions options{.format = format,
                               .space = formats::is_32bit(format) ? sample(40000) : SweepSpace{}};
    const auto result =
        swept(on_both_chips(tile_kernel("", mode_of(format))), identity_reference(), options);
    EXPECT_TRUE(result.complete());
    ASSERT_EQ(result.chips.size(), 2u);
    for (const SweepStatistics& chip : result.chips) {
      EXPECT_EQ(inputs_of(chip), result.total) << formats::format_name(format);
      EXPECT_EQ(chip.error.rows[0], chip.error.count()) << formats::format_name(format);
      EXPECT_EQ(chip.error.largest_exact, 0) << formats::format_name(format);
      EXPECT_EQ(chip.error.exact_count, chip.error.count());
      EXPECT_EQ(chip.infinite.differ, 0u);
      EXPECT_EQ(chip.nan.differ, 0u);
      EXPECT_EQ(chip.expected_nan.inputs, 0u) << "the result is a NaN only for a NaN";
      EXPECT_EQ(chip.zero_signs, 0u);
      EXPECT_TRUE(chip.worst.empty());
      EXPECT_TRUE(chip.faults.empty());
      EXPECT_EQ(chip.instructions, 32u * 3);
    }
  }
}

TEST(Sweep, ClassesOfBf16AreCountedByTheirPatterns) {
  const auto result = swept(on_both_chips(tile_kernel("")), identity_reference(), {.space = {}});
  for (const SweepStatistics& chip : result.chips) {
    EXPECT_EQ(chip.error.count(), 2u * (254 * 128 + 1)) << "normal numbers and zeros";
    EXPECT_EQ(chip.denormal.inputs, 2u * 127);
    EXPECT_EQ(chip.denormal.differ, 0u) << "the store flushes what the reference got as 0";
    EXPECT_EQ(chip.infinite.inputs, 2u);
    EXPECT_EQ(chip.nan.inputs, 2u * 127);
    EXPECT_TRUE(chip.symmetry.is_odd());
    EXPECT_FALSE(chip.symmetry.is_even());
    EXPECT_EQ(chip.symmetry.pairs, 254u * 128);
    EXPECT_EQ(chip.symmetry.found_not_odd, 0u);
    EXPECT_EQ(chip.symmetry.found_not_even, 254u * 128);
    EXPECT_TRUE(chip.monotonicity.looked_at);
    EXPECT_EQ(chip.monotonicity.reversals, 0u);
    ASSERT_TRUE(chip.before_store);
    EXPECT_EQ(chip.before_store->largest, 0) << "there is nothing to round";
  }
}

/// One more in the pattern of a BF16: the number one step away from zero.
constexpr std::string_view kOneUlpMore =
    "SFPLOADI L1, UPPER, 1\nSFPLOADI L1, LOWER, 0\nSFPIADD 0, L1, L0, CC_NONE";

TEST(Sweep, OneUlpMoreIsRowOne) {
  const auto result = swept(on_both_chips(tile_kernel(kOneUlpMore)), identity_reference(),
                            {.space = range(1, 1000)});
  for (const SweepStatistics& chip : result.chips) {
    EXPECT_EQ(chip.error.rows[1], result.total);
    EXPECT_EQ(chip.error.largest, 1);
    EXPECT_EQ(chip.error.mean(), 1);
    EXPECT_EQ(chip.error.largest_exact, 1);
    EXPECT_EQ(chip.error.mean_exact(), 1);
    EXPECT_EQ(chip.error.worst.x, 0x3F80u) << "the first";
    EXPECT_EQ(chip.worst.size(), 10u);
    const std::map<int, std::uint64_t> ones{{1, result.total}};
    EXPECT_EQ(chip.histogram, ones);
    ASSERT_EQ(chip.decades.size(), 4u) << "1 to 10, to 100, to 1000, and 1000 itself";
    EXPECT_EQ(chip.decades.at({false, 3}).inputs, 1u);
    EXPECT_EQ(chip.decades.at({false, 0}).sample.x, 0x3F80u);
    EXPECT_EQ(chip.decades.at({false, 1}).worst.x, 0x4120u) << "10, the first of its decade";
    for (const auto& [key, bin] : chip.bins) EXPECT_EQ(bin.largest_exact, 1);
    ASSERT_EQ(chip.near.size(), 7u * 32) << "1 to 8 in steps of 1/32, as BF16 has them from 4 on";
    EXPECT_EQ(chip.near.begin()->first, 32);
    EXPECT_EQ(chip.near.at(4 * 32 + 1).inputs, 1u);
    EXPECT_EQ(chip.near.at(4 * 32 + 1).sample.x, 0x4081u) << "4 + 1/32";
    EXPECT_EQ(chip.near.at(32).inputs, 4u) << "1 to 1 + 3/128";
  }
}

// The measure of ttnn has no distance from infinity.
TEST(Sweep, PartsWithoutAnExactErrorSaySo) {
  const DoubleReference overflow =
      function_of_x("x < 2 ? x : inf", [](double x) { return x < 2 ? x : HUGE_VAL; });
  const auto result = swept(on_both_chips(tile_kernel("")), overflow,
                            {.space = range(1, 64), .measure = formats::UlpMeasure::Ttnn});
  for (const SweepStatistics& chip : result.chips) {
    for (const auto& [key, bin] : chip.bins) {
      const bool is_finite = formats::value_of_bits(Format::BF16, bin.sample.x) < 2;
      EXPECT_EQ(bin.largest_exact, is_finite ? 0 : formats::kNotCompared) << key;
    }
  }
}

TEST(Sweep, LargestExactErrorOfAllIsThatOfAPart) {
  const auto result =
      swept(on_both_chips(tile_kernel(kOneUlpMore)),
            function_of_x("x + sin(x)", [](double x) { return x + std::sin(x); }), {});
  for (const SweepStatistics& chip : result.chips) {
    double of_bins = 0, of_decades = 0;
    for (const auto& [key, bin] : chip.bins) of_bins = std::max(of_bins, bin.largest_exact);
    for (const auto& [key, part] : chip.decades)
      of_decades = std::max(of_decades, part.largest_exact);
    EXPECT_EQ(of_bins, chip.error.largest_exact);
    EXPECT_EQ(of_decades, chip.error.largest_exact);
  }
}

TEST(Sweep, TheOneWrongResultIsTheWorst) {
  // x, but 100 for x = 3: compared by the difference of the patterns.
  constexpr std::string_view kWrongAtThree = R"(
SFPLOADI L1, FLOATB, bf16(3)
SFPIADD 0, L0, L1, CC_NONE | ARG_2SCOMP_LREG_DST
SFPSETCC VC=L1, Mod1=LREG_EQ0
SFPLOADI L0, FLOATB, bf16(100)
SFPENCC 3, Mod1=EI_RI
)";
  const auto result = swept(on_both_chips(tile_kernel(kWrongAtThree)), identity_reference(), {});
  const std::int64_t distance = formats::ulp_distance(Format::BF16, 0x4040, 0x42C8).value();
  for (const SweepStatistics& chip : result.chips) {
    const SweepCase wrong{.x = 0x4040, .expected = 0x4040, .found = 0x42C8, .exact = 3};
    ASSERT_EQ(chip.worst.size(), 1u);
    EXPECT_EQ(chip.worst[0], wrong);
    EXPECT_EQ(chip.error.largest, distance);
    EXPECT_EQ(chip.error.worst, wrong);
    EXPECT_EQ(chip.error.worst_exact, wrong);
    EXPECT_EQ(chip.error.largest_exact, chip.error.largest);
    EXPECT_EQ(chip.error.rows[5], 1u);
    EXPECT_EQ(chip.decades.at({false, 0}).worst, wrong);
    EXPECT_EQ(chip.bins.at(0x4040U >> chip.bin_shift).worst, wrong);
    EXPECT_EQ(chip.symmetry.found_not_odd, 1u);
    EXPECT_EQ(chip.symmetry.first_not_odd, wrong);
    // Up to 100 and down again: the first step goes the right way, only too far.
    EXPECT_EQ(chip.monotonicity.reversals, 1u);
    EXPECT_EQ(chip.monotonicity.left, wrong);
    EXPECT_EQ(chip.monotonicity.right.x, 0x4041u);
    EXPECT_EQ(chip.monotonicity.largest, distance - 1);
  }
}

TEST(Sweep, NaNInsteadOfNumbersIsLost) {
  const auto result = swept(on_both_chips(tile_kernel("SFPLOADI L0, FLOATB, 0x7FC0")),
                            identity_reference(), {.space = range(-1, 1)});
  for (const SweepStatistics& chip : result.chips) {
    EXPECT_EQ(chip.error.lost, chip.error.count());
    EXPECT_EQ(chip.error.rows[5], chip.error.count());
    EXPECT_EQ(chip.error.largest, 0) << "of none";
    EXPECT_EQ(chip.error.mean(), 0);
    EXPECT_TRUE(chip.histogram.empty());
    EXPECT_EQ(chip.worst.size(), 10u);
    EXPECT_EQ(chip.worst[0].found, 0x7FC0u);
  }
}

TEST(Sweep, InfinityIsLostUnlessTheLargestNumberIsExpected) {
  const auto result = swept(on_both_chips(tile_kernel("SFPLOADI L0, FLOATB, 0x7F80")),
                            identity_reference(), {.space = range(1, 0x1p200)});
  const SweepStatistics& chip = result.chips[0];
  EXPECT_EQ(chip.error.rows[1], 1u) << "the largest number";
  EXPECT_EQ(chip.error.lost, chip.error.count() - 1);
  EXPECT_EQ(chip.error.exact_count, 1u) << "what is lost has no error";
  EXPECT_EQ(chip.error.largest_exact, 1) << "infinity is a step behind the largest number";
}

TEST(Sweep, FlushedResultsAreAtMostAStepFromTheExactOnes) {
  // x / 2 is 0 below the smallest normal number; just below it, the reference rounds up.
  const auto result = swept(on_both_chips(tile_kernel("SFPMULI bf16(0.5), L0, 0\nSFPNOP")),
                            function_of_x("x/2", [](double x) { return x / 2; }),
                            {.space = range(0x1p-126, 0x1p-125)});
  for (const SweepStatistics& chip : result.chips) {
    EXPECT_EQ(chip.error.largest, 1) << "where the reference is the smallest normal number";
    EXPECT_LT(chip.error.largest_exact, 1);
    EXPECT_GT(chip.error.largest_exact, 0.99);
  }
}

TEST(Sweep, ResultsThatHaveToBeFlushedAreExact) {
  const auto result = swept(on_both_chips(tile_kernel("SFPMULI bf16(0.25), L0, 0\nSFPNOP")),
                            function_of_x("x/4", [](double x) { return x / 4; }),
                            {.space = range(0x1p-126, 0x1.Fp-126)});
  for (const SweepStatistics& chip : result.chips) {
    EXPECT_EQ(chip.error.rows[0], result.total);
    EXPECT_EQ(chip.error.largest_exact, 0);
  }
}

TEST(Sweep, SaturatedFp16IsRight) {
  // FP16 has no infinity: 4x beyond the range is the largest magnitude, for chip and reference.
  const auto result = swept(on_both_chips(tile_kernel("SFPMULI bf16(4), L0, 0\nSFPNOP", "FP16")),
                            function_of_x("4*x", [](double x) { return 4 * x; }),
                            {.format = Format::FP16, .space = range(1, 131008)});
  for (const SweepStatistics& chip : result.chips) {
    EXPECT_EQ(chip.error.rows[0], result.total);
    EXPECT_EQ(chip.error.largest_exact, 0) << "beyond the end counts as the end";
    EXPECT_EQ(chip.error.exact_count, result.total);
  }
}

TEST(Sweep, ExpectedNaNHasARowOfItsOwn) {
  // The square root of a negative number is a NaN; this kernel gives x.
  const auto root = function_of_x("sqrt(x)", [](double x) { return std::sqrt(x); });
  const auto result = swept(on_both_chips(tile_kernel("")), root, {});
  for (const SweepStatistics& chip : result.chips) {
    EXPECT_EQ(chip.expected_nan.inputs, 254u * 128) << "-0 has a root";
    EXPECT_EQ(chip.expected_nan.differ, 254u * 128);
    EXPECT_EQ(chip.expected_nan.first.x, 0x8080u);
    EXPECT_FALSE(chip.symmetry.is_even() || chip.symmetry.is_odd());
    EXPECT_EQ(inputs_of(chip), result.total);
  }
}

TEST(Sweep, SignsOfZerosAreCountedApart) {
  const auto positive_zero = function_of_x("0", [](double) { return 0.0; });
  const auto result =
      swept(on_both_chips(tile_kernel("SFPLOADI L0, FLOATB, 0x8000")), positive_zero, {});
  for (const SweepStatistics& chip : result.chips) {
    EXPECT_EQ(chip.error.largest, 0);
    EXPECT_EQ(chip.zero_signs, chip.error.count());
    EXPECT_TRUE(chip.symmetry.is_even() && chip.symmetry.is_odd());
    EXPECT_EQ(chip.symmetry.found_not_odd, 0u);
  }
}

TEST(Sweep, FallingStepsOfARisingFunctionAreReversals) {
  // The lowest mantissa bit of x the other way round: every second step goes down by one.
  const auto result =
      swept(on_both_chips(tile_kernel("SFPLOADI L1, UPPER, 1\nSFPLOADI L1, LOWER, 0\n"
                                      "SFPXOR L1, L0")),
            identity_reference(), {.space = range(-2, 2)});
  for (const SweepStatistics& chip : result.chips) {
    // Of each sign the patterns 0080..4000: pairs 80-81, 82-83 go down, and 4000-4001 is cut. 0 and
    // 80 (which becomes 81) are neighbours that go up.
    EXPECT_EQ(chip.monotonicity.reversals, 2u * (0x4000 - 0x80) / 2);
    EXPECT_EQ(chip.monotonicity.largest, 1);
    EXPECT_EQ(chip.monotonicity.left.x, 0x0080u);
    EXPECT_EQ(chip.monotonicity.right.x, 0x0081u);
  }
}

TEST(Sweep, NeighboursMeetAcrossChunks) {
  // x below 2, x - 1 from 2 on; the pattern of 2, 4000, begins a chunk.
  const auto result = swept(on_both_chips(tile_kernel(R"(
SFPLOADI L1, FLOATB, bf16(2)
SFPIADD 0, L0, L1, CC_NONE | ARG_2SCOMP_LREG_DST
SFPSETCC VC=L1, Mod1=LREG_GTE0
SFPADDI bf16(-1), L0, 0
SFPNOP
SFPENCC 3, Mod1=EI_RI
)")),
                            identity_reference(), {.space = range(1, 4)});
  for (const SweepStatistics& chip : result.chips) {
    EXPECT_EQ(chip.monotonicity.reversals, 1u);
    EXPECT_EQ(chip.monotonicity.left.x, 0x3FFFu);
    EXPECT_EQ(chip.monotonicity.right.x, 0x4000u);
    EXPECT_EQ(chip.monotonicity.largest, 0x3FFF - 0x3F80) << "from just below 2 to 1";
  }
}

TEST(Sweep, SpecialsAreShownOneByOne) {
  const auto result = swept(on_both_chips(tile_kernel("")), identity_reference(), {});
  const auto& specials = result.chips[0].specials;
  EXPECT_EQ(specials.size(), 15u) << "seven magnitudes of both signs, and a NaN";
  const auto is_there = [&](std::uint32_t x) {
    return std::any_of(specials.begin(), specials.end(),
                       [&](const SweepCase& special) { return special.x == x; });
  };
  for (const std::uint32_t x :
       {0x0000, 0x8000, 0x0001, 0x807F, 0x0080, 0x3F80, 0xBF80, 0x7F7F, 0xFF80, 0x7FC0})
    EXPECT_TRUE(is_there(x)) << std::hex << x;
  const auto few =
      swept(on_both_chips(tile_kernel("")), identity_reference(), {.space = range(0.5, 2)});
  ASSERT_EQ(few.chips[0].specials.size(), 1u) << "of the range";
  EXPECT_EQ(few.chips[0].specials[0].x, 0x3F80u);
}

TEST(Sweep, TheDomainLeavesInputsOut) {
  const auto positive = function_of_x("x > 0", [](double x) { return x > 0 ? 1.0 : 0.0; });
  const auto result = swept(on_both_chips(tile_kernel("")), identity_reference(),
                            {.space = {}, .domain = &positive});
  for (const SweepStatistics& chip : result.chips) {
    EXPECT_EQ(chip.error.count(), 254u * 128);
    EXPECT_EQ(chip.infinite.inputs, 1u);
    EXPECT_EQ(chip.denormal.inputs, 0u) << "the reference, and so the domain, sees them as zeros";
    EXPECT_EQ(inputs_of(chip), result.total);
    EXPECT_FALSE(chip.symmetry.looked_at) << "no -x is left";
  }
}

TEST(Sweep, PairsMeetInEveryCombination) {
  // x + y in BF16, of the integers -4..4 and what lies between them.
  const std::string sum = R"(
.repeat 32
SFPLOAD L0, SRCB, ADDR_MOD_3, 0
SFPLOAD L1, SRCB, ADDR_MOD_3, 64
SFPADD L10, L0, L1, L0, 0
SFPNOP
SFPSTORE L0, SRCB, ADDR_MOD_3, 0
INCRWC DstInc=2
.endr
)";
  const DoubleReference reference("x+y", 2, [](double x, double y) { return x + y; });
  const auto result = swept(on_both_chips(sum), reference, {.space = range(1, 2)});
  EXPECT_EQ(result.total, 129u * 129);
  EXPECT_EQ(result.operands, 2u);
  for (const SweepStatistics& chip : result.chips) {
    EXPECT_EQ(chip.error.count(), result.total);
    // The store truncates: half of the sums above 2 are odd and lie in the middle of two numbers,
    // of which the reference takes the even one.
    EXPECT_LE(chip.error.largest, 1);
    EXPECT_EQ(chip.before_store->largest, 0) << "an fp32 holds the whole sum";
    EXPECT_EQ(chip.error.largest_exact, 0.5);
    EXPECT_FALSE(chip.monotonicity.looked_at);
    EXPECT_FALSE(chip.symmetry.looked_at);
    EXPECT_EQ(chip.specials.size(), 1u);
    EXPECT_EQ(chip.decades.at({false, 0}).inputs, result.total);
  }
  const auto sampled = swept(on_both_chips(sum), reference, {.space = sample(3000)});
  EXPECT_EQ(sampled.total, 3000u);
  EXPECT_EQ(inputs_of(sampled.chips[0]), 3000u);
}

TEST(Sweep, OutputFormatsOfTheirOwn) {
  // BF16 in, 32 bits out, to another tile: 1 of 32 bits has the rows of 2 and 3 of 16.
  const std::string widen = R"(
.repeat 32
SFPLOAD L0, BF16, ADDR_MOD_3, 0
SFPSTORE L0, FP32, ADDR_MOD_3, 64
INCRWC DstInc=2
.endr
)";
  const auto result = swept(on_both_chips(widen), identity_reference(),
                            {.output_format = Format::FP32, .output_tile = 1});
  EXPECT_EQ(result.output_format, Format::FP32);
  for (const SweepStatistics& chip : result.chips) {
    EXPECT_EQ(chip.error.rows[0], chip.error.count());
    EXPECT_FALSE(chip.before_store) << "an fp32 is stored as it is";
  }
}

TEST(Sweep, FaultsAreThereOnce) {
  // SFPPOPC on an empty stack, in every tile of the sweep.
  const auto result = swept(on_both_chips(tile_kernel("SFPPOPC")), identity_reference(), {});
  for (const SweepStatistics& chip : result.chips) {
    ASSERT_EQ(chip.faults.size(), 1u);
    EXPECT_EQ(chip.faults[0].instruction, "SFPPOPC");
    EXPECT_EQ(chip.faults[0].file, "test.tt");
  }
}

TEST(Sweep, MistakesAreBadInput) {
  const auto programs = on_both_chips(tile_kernel(""));
  const auto reference = identity_reference();
  const DoubleReference two("x+y", 2, [](double x, double y) { return x + y; });
  const auto message = [](const Expected<SweepResult>& result) {
    return result ? std::string("no error") : result.error().message;
  };
  EXPECT_NE(message(sweep({}, reference, {})).find("without a program"), std::string::npos);
  EXPECT_NE(message(sweep(programs, reference, {.space = range(1.001, 1.002)})).find("no number"),
            std::string::npos);
  EXPECT_NE(message(sweep(programs, two, {.format = Format::FP32})).find("too many"),
            std::string::npos);
  EXPECT_NE(message(sweep(programs, reference, {.output_tile = 16})).find("output tile 16"),
            std::string::npos);
  EXPECT_NE(message(sweep(programs, reference, {.domain = &two})).find("domain"),
            std::string::npos);
  std::vector<SweepProgram> wrong = programs;
  wrong[1].program.config.push_back({.name = "NO_SUCH_FIELD", .value = 0, .line = 7});
  const auto refused = sweep(wrong, reference, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().line, 7u);
}

/// Fails at a number, as a function in C++ may.
class FailingReference : public DoubleReference {
 public:
  FailingReference() : DoubleReference("x", 1, [](double x, double) { return x; }) {}
  Expected<void> evaluate(Format format, std::span<const double> x, std::span<const double> y,
                          references::ReferenceResults& results) const override {
    if (std::find(x.begin(), x.end(), 3.0) != x.end()) return bad_input("crashed at 3");
    return DoubleReference::evaluate(format, x, y, results);
  }
};

TEST(Sweep, ErrorsOfTheReferenceEndIt) {
  const auto programs = on_both_chips(tile_kernel(""));
  for (const unsigned threads : {1U, 3U}) {
    const auto result = sweep(programs, FailingReference(), {.threads = threads});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message, "crashed at 3");
  }
}

/// How often threads of this process have waited until now.
long waits_until_now() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nvcsw;
}

TEST(Sweep, NoThreadWaitsForEachChunk) {
  const auto programs = on_both_chips(tile_kernel(""));
  const SweepOptions options{.format = Format::FP32, .space = range(1, 2), .threads = 2};
  const long before = waits_until_now();
  const SweepResult result = swept(programs, identity_reference(), options);
  const std::uint64_t chunks = result.total / (kChunkInputs / 2); // no negative numbers
  EXPECT_EQ(chunks, 512u);
  EXPECT_LT(waits_until_now() - before, static_cast<long>(chunks / 4))
      << "who merges the chunks works, too, and need not be woken for each";
}

} // namespace
} // namespace lanewise::sweep
