// What the passes in vectors count is what the loops count that look at one result after the other:
// on chunks of every kind, at every level.
#include "study/sweep/vector_counter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "chip/machine/simd_level.h"
#include "number/formats/number_line.h"
#include "study/sweep/counter.h"
#include "sweep/sweep_doubles.h"

namespace lanewise::sweep {
namespace {

using formats::Format;

constexpr std::array kFloats{Format::FP32, Format::BF16, Format::FP16};

using Random = std::mt19937_64;

std::uint64_t below(Random& random, std::uint64_t end) {
  return random() % end;
}

/// Ways in which results differ from what is expected.
enum class Wrongness : std::uint8_t {
  None,
  Few,      ///< one step, now and then
  Steps,    ///< up to 3 steps
  Sizes,    ///< of any size
  Growing,  ///< by the index
  Sign,     ///< the other one, now and then
  Zero,     ///< of either sign, or a denormal
  Infinite, ///< or the largest number
  NaN,      ///< now and then
  Any,      ///< any bits
  Constant, ///< the same everywhere
  Count
};

std::uint32_t wrong_result(Format format, Wrongness wrongness, std::uint32_t expected,
                           std::size_t i, Random& random) {
  return formats::with_line(format, [&]<class Line>(Line) -> std::uint32_t {
    if constexpr (Line::kIsInteger) {
      return expected;
    } else {
      const std::uint32_t sign = below(random, 2) != 0 ? Line::kSign : 0;
      const std::uint32_t all = Line::kSign | Line::kMagnitude;
      const bool now_and_then = below(random, 50) == 0;
      switch (wrongness) {
        case Wrongness::Few:
          return now_and_then ? (expected + (sign != 0 ? 1 : all)) & all : expected;
        case Wrongness::Steps:
          return (expected + static_cast<std::uint32_t>(below(random, 7)) - 3) & all;
        case Wrongness::Sizes:
          return (expected + (static_cast<std::uint32_t>(random()) >> below(random, 32))) & all;
        case Wrongness::Growing: return (expected + static_cast<std::uint32_t>(i)) & all;
        case Wrongness::Sign: return now_and_then ? expected ^ Line::kSign : expected;
        case Wrongness::Zero:
          return sign |
                 (now_and_then ? static_cast<std::uint32_t>(below(random, Line::kSmallestNormal))
                               : 0);
        case Wrongness::Infinite: return sign | (Line::kLargest + (now_and_then ? 0 : 1));
        case Wrongness::NaN:
          return now_and_then ? all & ~static_cast<std::uint32_t>(below(random, 3)) : expected;
        case Wrongness::Any: return static_cast<std::uint32_t>(random()) & all;
        case Wrongness::Constant: return Line::kSmallestNormal + 5;
        case Wrongness::None:
        case Wrongness::Count: break;
      }
      return expected;
    }
  });
}

/// Results that are wrong in one way or, stretch by stretch, in many.
std::vector<std::uint32_t> wrong_results(Format format, const ChunkExpectation& expected,
                                         Random& random) {
  const auto any_way = [&] {
    return static_cast<Wrongness>(below(random, static_cast<std::uint64_t>(Wrongness::Count)));
  };
  const bool is_mixed = below(random, 2) != 0;
  Wrongness way = any_way();
  std::vector<std::uint32_t> found;
  for (std::size_t i = 0; i < expected.bits.size(); ++i) {
    if (is_mixed && below(random, 40) == 0) way = any_way();
    found.push_back(wrong_result(format, way, expected.bits[i], i, random));
  }
  return found;
}

DoubleReference any_function(Format output_format, Random& random) {
  const double largest = formats::value_range(output_format).highest;
  const double smallest =
      formats::value_of_bits(output_format, line_numbers(output_format).smallest_normal);
  switch (below(random, 11)) {
    case 0: return function_of_x("-x*x", [](double x) { return -x * x; });
    case 1: return function_of_x("exp(x)", [](double x) { return std::exp(x); });
    case 2: return function_of_x("log(x)", [](double x) { return std::log(x); });
    case 3: return function_of_x("1e30*x", [](double x) { return 1e30 * x; });
    case 4: return function_of_x("tanh(x)", [](double x) { return std::tanh(x); });
    case 5: return function_of_x("0", [](double) { return 0.0; });
    case 6: return function_of_x("sin(1/x)", [](double x) { return std::sin(1 / x); });
    case 7: return function_of_x("largest", [=](double x) { return std::copysign(largest, x); });
    case 8: return function_of_x("smallest", [=](double x) { return std::copysign(smallest, x); });
    case 9: // a NaN for every second stretch
      return function_of_x("sqrt(sin(64*x))", [](double x) { return std::sqrt(std::sin(64 * x)); });
    default: return identity_reference();
  }
}

/// A chunk with two sets of results.
struct Case {
  Format format, output_format;
  SweepOrder order;
  SweepParts parts;
  SweepChunk chunk;
  FoundBits found;
  std::vector<PartSegment> segments;
  CountRules rules;
};

/// Leaves inputs out, as a domain does: a stretch, or here and there.
void leave_out_some(ChunkInputs& inputs, Random& random) {
  const std::size_t count = inputs.x.size();
  const std::size_t begin = below(random, count), end = begin + below(random, count);
  const bool is_stretch = below(random, 2) != 0;
  ChunkInputs kept;
  for (std::size_t i = 0; i < count; ++i) {
    const bool leaves = is_stretch ? i >= begin && i < end : below(random, 30) == 0;
    if (leaves && count - i > 2 * kFewestTallied) continue;
    kept.x.push_back(inputs.x[i]);
    if (!inputs.y.empty()) kept.y.push_back(inputs.y[i]);
    if (i < inputs.positives) ++kept.positives;
  }
  inputs = kept;
}

/// The first chunks, which have the denormals, the last ones with the infinities, and all others.
std::uint64_t any_chunk(const SweepOrder& order, Random& random) {
  switch (below(random, 4)) {
    case 0: return 0;
    case 1: return order.chunks() - 1;
    case 2:
      return std::min<std::uint64_t>(order.chunks() - 1, 512); // of FP32, the first normal ones
    default: return below(random, order.chunks());
  }
}

Case random_case(Random& random) {
  const auto any_float = [&] { return kFloats[below(random, kFloats.size())]; };
  const Format format = any_float(), output_format = any_float();
  const bool is_pair = format != Format::FP32 && below(random, 4) == 0;
  SweepSpace space;
  if (below(random, 4) == 0) space.range = SweepRange{-1.5, 100};
  auto order = SweepOrder::make(format, is_pair ? 2 : 1, space);
  Case made{.format = format,
            .output_format = output_format,
            .order = *order,
            .parts = SweepParts(order->patterns()),
            .chunk = {},
            .found = {},
            .segments = {},
            .rules = {}};
  SweepChunk& chunk = made.chunk;
  made.order.fill(any_chunk(made.order, random), chunk.inputs);
  if (below(random, 3) == 0) leave_out_some(chunk.inputs, random);
  const DoubleReference sum("x+y", 2, [](double x, double y) { return x + y; });
  const DoubleReference of_x = any_function(output_format, random);
  const references::Reference& function = is_pair ? sum : of_x;
  EXPECT_TRUE(ChunkEvaluator(format, output_format, &function, nullptr).evaluate(chunk));
  made.found.found = wrong_results(output_format, chunk.expected, random);
  if (output_format != Format::FP32)
    made.found.before_store = wrong_results(output_format, chunk.expected, random);
  cut_into_segments(made.parts, chunk.inputs.x, chunk.inputs.positives, made.segments);
  constexpr std::array<std::size_t, 4> kWorst{10, 0, 1, 1000};
  made.rules = {.format = format,
                .judgement = {.output_format = output_format,
                              .measure = formats::UlpMeasure::Line,
                              .worst_cases = kWorst[below(random, kWorst.size())]},
                .symmetry = !is_pair,
                .monotonicity = !is_pair};
  return made;
}

/// The sum of exact errors is added in another order.
void expect_near_sums(UlpStatistics& vectors, const UlpStatistics& loops) {
  const double sum = loops.sum_exact.value();
  EXPECT_NEAR(vectors.sum_exact.value(), sum, 1e-11 * sum);
  vectors.sum_exact = loops.sum_exact;
  EXPECT_EQ(vectors.rows, loops.rows);
  EXPECT_EQ(vectors.lost, loops.lost);
  EXPECT_EQ(vectors.wrong, loops.wrong);
  EXPECT_EQ(vectors.exact_count, loops.exact_count);
  EXPECT_EQ(vectors.worst, loops.worst);
  EXPECT_EQ(vectors.worst_exact, loops.worst_exact);
  EXPECT_EQ(vectors, loops);
}

void expect_same(ChunkStatistics vectors, const ChunkStatistics& loops) {
  SweepStatistics& ours = vectors.statistics;
  const SweepStatistics& theirs = loops.statistics;
  expect_near_sums(ours.error, theirs.error);
  ASSERT_EQ(ours.before_store.has_value(), theirs.before_store.has_value());
  if (ours.before_store) expect_near_sums(*ours.before_store, *theirs.before_store);
  EXPECT_EQ(ours.histogram, theirs.histogram);
  EXPECT_EQ(ours.worst, theirs.worst);
  EXPECT_EQ(ours.zero_signs, theirs.zero_signs);
  EXPECT_EQ(ours.expected_nan, theirs.expected_nan);
  EXPECT_EQ(ours.denormal, theirs.denormal);
  EXPECT_EQ(ours.infinite, theirs.infinite);
  EXPECT_EQ(ours.nan, theirs.nan);
  EXPECT_EQ(ours.symmetry, theirs.symmetry);
  EXPECT_EQ(ours.monotonicity, theirs.monotonicity);
  EXPECT_EQ(vectors.ends, loops.ends);
  EXPECT_EQ(vectors.parts, loops.parts);
  EXPECT_EQ(vectors, loops) << "something that is not named above";
}

/// Every level for a test, and the level of before behind it.
class EveryLevel : public testing::Test {
 protected:
  void TearDown() override { set_simd_level(level_); }

 private:
  SimdLevel level_ = simd_level();
};

using VectorCounting = EveryLevel;

TEST_F(VectorCounting, IsWhatLoopsCount) {
  constexpr int kCases = 400;
  Random random(20);
  int looked_at = 0;
  for (int i = 0; i < kCases && !HasFailure(); ++i) {
    const Case made = random_case(random);
    if (!VectorCounter::can_count(made.rules.judgement, made.chunk.inputs.x.size(),
                                  made.segments.size()))
      continue; // the end of a range
    ++looked_at;
    ChunkCounter counter(made.rules, made.parts);
    const ChunkStatistics loops = counter.one_by_one(made.chunk, made.found, made.segments);
    std::vector<double> sums;
    for (const SimdLevel level : available_simd_levels()) {
      SCOPED_TRACE(fmt::format("case {} at {}: {} to {}, {} inputs", i, simd_level_name(level),
                               formats::format_name(made.format),
                               formats::format_name(made.output_format),
                               made.chunk.inputs.x.size()));
      set_simd_level(level);
      const ChunkStatistics vectors = counter.count(made.chunk, made.found, made.segments);
      sums.push_back(vectors.statistics.error.sum_exact.value());
      expect_same(vectors, loops);
    }
    for (const double sum : sums)
      EXPECT_EQ(sum, sums[0]) << "case " << i << ": one order of adding";
  }
  EXPECT_TRUE(HasFailure() || looked_at > kCases * 3 / 4);
}

/// The worst cases of all chunks, where each leaves out what cannot be among them.
TEST_F(VectorCounting, LeavesOutWhatEarlierChunksBeat) {
  constexpr Format kFormat = Format::FP32;
  constexpr std::uint64_t kFirstChunk = 0x3F80'0000 / kChunkMagnitudes;
  const auto order = SweepOrder::make(kFormat, 1, {});
  const SweepParts parts(order->patterns());
  const DoubleReference identity = identity_reference();
  Random random(22);
  for (const std::size_t most : {std::size_t{0}, std::size_t{1}, std::size_t{5}}) {
    const CountRules rules{.format = kFormat,
                           .judgement = {.output_format = kFormat, .worst_cases = most}};
    ChunkCounter counter(rules, parts);
    WorstSizes before(most);
    std::vector<SweepCase> all, of_places;
    std::size_t left_out = 0;
    for (std::uint64_t number = kFirstChunk; number < kFirstChunk + 12; ++number) {
      SweepChunk chunk;
      order->fill(number, chunk.inputs);
      ASSERT_TRUE(ChunkEvaluator(kFormat, kFormat, &identity, nullptr).evaluate(chunk));
      FoundBits found;
      const auto sizes = static_cast<std::uint32_t>(1 + below(random, 40));
      for (const std::uint32_t bits : chunk.expected.bits)
        found.found.push_back(bits + static_cast<std::uint32_t>(below(random, sizes)));
      if (number % 4 == 3) found.found[below(random, found.found.size())] = 0x7F80'0000; // lost
      std::vector<PartSegment> segments;
      cut_into_segments(parts, chunk.inputs.x, chunk.inputs.positives, segments);
      const auto whole = counter.count(chunk, found, segments).statistics.worst;
      const auto some = counter.count(chunk, found, segments, &before).statistics.worst;
      merge_worst(rules.judgement, all, whole);
      merge_worst(rules.judgement, of_places, some);
      EXPECT_EQ(of_places, all) << number;
      left_out += whole.size() - some.size();
    }
    EXPECT_EQ(left_out != 0, most != 0);
  }
}

/// Zero and the smallest normal number are neighbours, also where only some of the denormals
/// between them are left. Here every result is a step below that of the input before: of many
/// reversals of one size the first one counts.
TEST_F(VectorCounting, NeighboursStandApartAtZero) {
  constexpr Format kFormat = Format::BF16;
  constexpr std::uint32_t kSmallest = 0x80, kResult = 0x4000;
  SweepChunk chunk;
  chunk.inputs.x = {0, kSmallest - 2, kSmallest - 1};
  for (std::uint32_t i = 0; i < 100; ++i) chunk.inputs.x.push_back(kSmallest + i);
  chunk.inputs.positives = chunk.inputs.x.size();
  const DoubleReference identity = identity_reference();
  ASSERT_TRUE(ChunkEvaluator(kFormat, kFormat, &identity, nullptr).evaluate(chunk));
  FoundBits found;
  for (std::uint32_t i = 0; i < chunk.inputs.x.size(); ++i)
    found.found.push_back(kResult - (i < 3 ? 0 : i - 2));
  const auto order = SweepOrder::make(kFormat, 1, {});
  const SweepParts parts(order->patterns());
  std::vector<PartSegment> segments;
  cut_into_segments(parts, chunk.inputs.x, chunk.inputs.positives, segments);
  const CountRules rules{.format = kFormat,
                         .judgement = {.output_format = kFormat, .worst_cases = 10},
                         .symmetry = true,
                         .monotonicity = true};
  ChunkCounter counter(rules, parts);
  expect_same(counter.count(chunk, found, segments), counter.one_by_one(chunk, found, segments));
  for (const SimdLevel level : available_simd_levels()) {
    set_simd_level(level);
    const Monotonicity monotonicity = counter.count(chunk, found, segments).statistics.monotonicity;
    EXPECT_EQ(monotonicity.reversals, 100u);
    EXPECT_EQ(monotonicity.largest, 1);
    EXPECT_EQ(monotonicity.left.x, 0u);
    EXPECT_EQ(monotonicity.right.x, kSmallest);
  }
}

/// Where all results of a vector are right, and all but one are the exact results as well.
TEST_F(VectorCounting, OneExactResultLiesBetweenTwoNumbers) {
  constexpr Format kFormat = Format::FP32;
  constexpr std::uint32_t kOne = 0x3F80'0000;
  constexpr double kQuarterOfAStep = 0x1p-25;
  SweepChunk chunk;
  for (std::uint32_t i = 0; i < 4 * kTallyGroup; ++i) chunk.inputs.x.push_back(kOne + i);
  chunk.inputs.positives = chunk.inputs.x.size();
  const DoubleReference identity = identity_reference();
  ASSERT_TRUE(ChunkEvaluator(kFormat, kFormat, &identity, nullptr).evaluate(chunk));
  const FoundBits found{.found = chunk.inputs.x, .before_store = {}};
  const auto order = SweepOrder::make(kFormat, 1, {});
  const SweepParts parts(order->patterns());
  std::vector<PartSegment> segments;
  cut_into_segments(parts, chunk.inputs.x, chunk.inputs.positives, segments);
  ChunkCounter counter({.format = kFormat, .judgement = {.output_format = kFormat}}, parts);
  for (const SimdLevel level : available_simd_levels()) {
    set_simd_level(level);
    for (std::size_t i = 0; i < chunk.inputs.x.size(); ++i) {
      chunk.expected.exact[i] += kQuarterOfAStep;
      const UlpStatistics errors = counter.count(chunk, found, segments).statistics.error;
      EXPECT_EQ(errors.largest, 0) << i;
      EXPECT_EQ(errors.largest_exact, 0.25) << i;
      EXPECT_EQ(errors.sum_exact.value(), 0.25) << i;
      EXPECT_EQ(errors.worst_exact.x, kOne + i);
      chunk.expected.exact[i] -= kQuarterOfAStep;
    }
  }
}

TEST(VectorCounter, HasOneMeasureAndFloatFormatsAndLongSegments) {
  const Judgement line{
      .output_format = Format::BF16, .measure = formats::UlpMeasure::Line, .worst_cases = 1};
  EXPECT_TRUE(VectorCounter::can_count(line, 100, 2));
  EXPECT_FALSE(VectorCounter::can_count(line, kFewestTallied - 1, 1));
  EXPECT_FALSE(VectorCounter::can_count(line, 100, 100)) << "a sample";
  Judgement other = line;
  other.measure = formats::UlpMeasure::Ttnn;
  EXPECT_FALSE(VectorCounter::can_count(other, 100, 2));
  other = line;
  other.output_format = Format::INT32;
  EXPECT_FALSE(VectorCounter::can_count(other, 100, 2));
}

/// What the passes know of a format is what its line says.
TEST(VectorCounter, KnowsTheLines) {
  for (const Format format : kFloats) {
    const LineNumbers line = line_numbers(format);
    EXPECT_EQ(formats::number_class(format, line.smallest_normal), formats::NumberClass::Normal);
    EXPECT_EQ(formats::number_class(format, line.smallest_normal - 1),
              formats::NumberClass::Denormal);
    EXPECT_EQ(formats::number_class(format, line.infinity - 1), formats::NumberClass::Normal);
    EXPECT_EQ(line.sign, line.magnitude + 1);
    const bool has_infinity = format != Format::FP16;
    EXPECT_EQ(has_infinity,
              formats::number_class(format, line.infinity) == formats::NumberClass::Infinite);
    EXPECT_EQ(has_infinity, line.infinity <= line.magnitude);
  }
}

} // namespace
} // namespace lanewise::sweep
