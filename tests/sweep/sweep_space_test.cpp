#include "study/sweep/space.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "number/formats/number_line.h"
#include "study/sweep/order.h"
#include "study/sweep/parts.h"

namespace lanewise::sweep {
namespace {

using formats::Format;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

SweepSpace parsed(std::string_view text) {
  auto space = parse_sweep_space(text);
  EXPECT_TRUE(space) << text;
  return space.value_or(SweepSpace{});
}

/// All inputs of an order, chunk by chunk; checks that the chunks are as long as they say.
std::vector<ChunkInputs> chunks_of(Format format, unsigned operands, const SweepSpace& space) {
  const auto order = SweepOrder::make(format, operands, space);
  EXPECT_TRUE(order);
  std::vector<ChunkInputs> chunks;
  std::uint64_t inputs = 0;
  for (std::uint64_t chunk = 0; chunk < order->chunks(); ++chunk) {
    EXPECT_EQ(order->inputs_before(chunk), inputs);
    order->fill(chunk, chunks.emplace_back());
    inputs += chunks.back().x.size();
  }
  EXPECT_EQ(order->inputs(), inputs);
  EXPECT_EQ(order->inputs_before(order->chunks()), inputs);
  return chunks;
}

std::multiset<std::uint32_t> all_x(const std::vector<ChunkInputs>& chunks) {
  std::multiset<std::uint32_t> x;
  for (const ChunkInputs& chunk : chunks) x.insert(chunk.x.begin(), chunk.x.end());
  return x;
}

TEST(SweepSpace, ARangeMayBeOneNumber) {
  EXPECT_TRUE(parse_sweep_space("range:1.5:1.5").has_value());
  EXPECT_FALSE(parse_sweep_space("range:1.5:1.25").has_value());
}

TEST(SweepSpace, TextsAndBack) {
  EXPECT_EQ(parsed("every"), SweepSpace{});
  EXPECT_EQ(parsed("range:-1.5:1e3"), (SweepSpace{.range = SweepRange{-1.5, 1000}}));
  EXPECT_EQ(parsed("range:-inf:+inf"), (SweepSpace{.range = SweepRange{-kInfinity, kInfinity}}));
  EXPECT_EQ(parsed("sample:5"), (SweepSpace{.sample = SweepSample{5, 0}}));
  EXPECT_EQ(parsed("sample:5:7"), (SweepSpace{.sample = SweepSample{5, 7}}));
  EXPECT_EQ(parsed("sample:5:7:0:1"),
            (SweepSpace{.range = SweepRange{0, 1}, .sample = SweepSample{5, 7}}));
  for (const char* text : {"every", "range:-1.5:1000", "range:-inf:inf", "range:0.1:0.3",
                           "sample:5", "sample:5:7", "sample:5:0:0:1"}) {
    EXPECT_EQ(to_string(parsed(text)), text);
  }
}

TEST(SweepSpace, MistakesSayWhatIsWrong) {
  const std::map<std::string, std::string> mistakes{
      {"", "which inputs"},        {"all", "which inputs"},
      {"every:1", "which inputs"}, {"range:1", "which inputs"},
      {"range:1:2:3", "which"},    {"sample", "which inputs"},
      {"sample:1:2:3", "which"},   {"range:a:2", "'a'"},
      {"range:1:", "''"},          {"range:nan:2", "'nan'"},
      {"range:2:1", "above"},      {"sample:0", "0 samples"},
      {"sample:-1", "'-1'"},       {"sample:1e6", "'1e6'"},
      {"sample:1:x", "a seed"},    {"sample:18446744073709551616", "2^64"}};
  for (const auto& [text, message] : mistakes) {
    const auto space = parse_sweep_space(text);
    ASSERT_FALSE(space) << text;
    EXPECT_EQ(space.error().kind, FaultKind::BadInput);
    EXPECT_NE(space.error().message.find(message), std::string::npos)
        << text << ": " << space.error().message;
    EXPECT_FALSE(space.error().remedy.empty());
  }
}

TEST(SweepOrder, EveryPatternComesOnce) {
  for (const Format format : {Format::BF16, Format::FP16, Format::UINT16}) {
    const auto x = all_x(chunks_of(format, 1, {}));
    EXPECT_EQ(x.size(), 65536u) << formats::format_name(format);
    EXPECT_EQ(std::set<std::uint32_t>(x.begin(), x.end()).size(), 65536u);
  }
  const auto int16 = all_x(chunks_of(Format::INT16, 1, {}));
  EXPECT_EQ(int16.size(), 65535u);
  EXPECT_FALSE(int16.contains(0x8000)) << "the pattern of -0";
  const auto int8 = all_x(chunks_of(Format::INT8, 1, {}));
  EXPECT_EQ(int8.size(), 2047u) << "magnitudes to 1023";
  EXPECT_TRUE(int8.contains(0xFC01)) << "-1023";
  EXPECT_EQ(SweepOrder::make(Format::FP32, 1, {})->inputs(), std::uint64_t{1} << 32);
  EXPECT_EQ(SweepOrder::make(Format::UINT32, 1, {})->inputs(), std::uint64_t{1} << 32);
  EXPECT_EQ(SweepOrder::make(Format::INT32, 1, {})->inputs(), (std::uint64_t{1} << 32) - 1);
}

TEST(SweepOrder, NumbersMeetTheirNegative) {
  for (const Format format : {Format::BF16, Format::INT16, Format::FP16}) {
    for (const ChunkInputs& chunk : chunks_of(format, 1, {})) {
      std::set<double> numbers;
      for (const std::uint32_t x : chunk.x) numbers.insert(formats::value_of_bits(format, x));
      for (std::size_t i = 0; i < chunk.x.size(); ++i) {
        EXPECT_EQ(is_negative(format, chunk.x[i]), i >= chunk.positives);
        const double number = formats::value_of_bits(format, chunk.x[i]);
        ASSERT_TRUE(std::isnan(number) || numbers.contains(-number));
      }
    }
  }
}

TEST(SweepOrder, ARangeHasTheNumbersBetweenItsEnds) {
  for (const Format format : formats::kFormats) {
    if (formats::is_32bit(format)) continue;
    for (const SweepRange range : {SweepRange{-3, 5},
                                   {1, 1},
                                   {0, 0},
                                   {-100.5, -7},
                                   {2, kInfinity},
                                   {-kInfinity, kInfinity}}) {
      std::multiset<std::uint32_t> wanted;
      for (const std::uint32_t bits : all_x(chunks_of(format, 1, {}))) {
        const double number = formats::value_of_bits(format, bits);
        if (number >= range.lowest && number <= range.highest) wanted.insert(bits);
      }
      if (wanted.empty()) {
        EXPECT_FALSE(SweepOrder::make(format, 1, {.range = range}));
      } else {
        EXPECT_EQ(all_x(chunks_of(format, 1, {.range = range})), wanted)
            << formats::format_name(format) << ' ' << range.lowest << ' ' << range.highest;
      }
    }
  }
}

TEST(SweepOrder, RangesOf32BitsBeginWhereTheyBegin) {
  const auto chunks = chunks_of(Format::FP32, 1, {.range = SweepRange{1, 1 + 0x1p-8}});
  EXPECT_EQ(chunks.size(), 3u) << "0x8001 magnitudes from the begin of a chunk";
  EXPECT_EQ(all_x(chunks).size(), 0x8001u);
  EXPECT_EQ(*all_x(chunks).begin(), 0x3F80'0000u);
}

TEST(SweepOrder, PairsAreAllCombinations) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  std::size_t count = 0;
  for (const ChunkInputs& chunk : chunks_of(Format::BF16, 2, {.range = SweepRange{1.9, 2.1}})) {
    ASSERT_EQ(chunk.x.size(), chunk.y.size());
    count += chunk.x.size();
    for (std::size_t i = 0; i < chunk.x.size(); ++i) pairs.emplace(chunk.x[i], chunk.y[i]);
  }
  const std::size_t operands =
      all_x(chunks_of(Format::BF16, 1, {.range = SweepRange{1.9, 2.1}})).size();
  EXPECT_EQ(count, operands * operands);
  EXPECT_EQ(pairs.size(), count);
  EXPECT_EQ(SweepOrder::make(Format::BF16, 2, {})->inputs(), std::uint64_t{1} << 32);
}

TEST(SweepOrder, PairsOf32BitsNeedASampleOrFewNumbers) {
  const auto refused = SweepOrder::make(Format::FP32, 2, {});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().remedy.find("sample"), std::string::npos);
  EXPECT_TRUE(SweepOrder::make(Format::FP32, 2, {.sample = SweepSample{100, 0}}));
  EXPECT_EQ(SweepOrder::make(Format::INT32, 2, {.range = SweepRange{0, 9}})->inputs(), 100u);
}

TEST(SweepOrder, SamplesDependOnTheirSeedAndLieInTheirRange) {
  const SweepSpace space{.range = SweepRange{-2, 4}, .sample = SweepSample{100'000, 3}};
  const auto chunks = chunks_of(Format::FP32, 1, space);
  EXPECT_EQ(chunks.size(), 4u);
  EXPECT_EQ(all_x(chunks).size(), 100'000u);
  double lowest = 0, highest = 0;
  for (const std::uint32_t x : all_x(chunks)) {
    lowest = std::min(lowest, formats::value_of_bits(Format::FP32, x));
    highest = std::max(highest, formats::value_of_bits(Format::FP32, x));
  }
  EXPECT_GE(lowest, -2);
  EXPECT_LE(highest, 4);
  EXPECT_LT(lowest, -1.9) << "patterns are uniform, so that 1 of 256 is beyond";
  EXPECT_GT(highest, 3.9);
  SweepSpace other = space;
  other.sample->seed = 4;
  EXPECT_EQ(all_x(chunks_of(Format::FP32, 1, space)), all_x(chunks));
  EXPECT_NE(all_x(chunks_of(Format::FP32, 1, other)), all_x(chunks));
  EXPECT_NE(chunks[0].x, chunks[1].x);
}

TEST(SweepParts, DecadesAndBinsAreThoseOfTheNumbers) {
  for (const Format format : formats::kFormats) {
    if (formats::is_32bit(format)) continue;
    const SweepParts parts(operand_patterns(format, std::nullopt));
    EXPECT_LE(parts.bins(), 2048u);
    EXPECT_GT(parts.bins(), 1023u) << "no more shift than needed";
    for (const std::uint32_t bits : all_x(chunks_of(format, 1, {}))) {
      ASSERT_EQ(parts.bin_key(parts.bin_of(bits)), bits >> parts.bin_shift());
      const std::uint32_t decade = parts.decade_of(bits);
      if (formats::number_class(format, bits) != formats::NumberClass::Normal) {
        ASSERT_EQ(decade, SweepParts::kNoDecade);
        continue;
      }
      const double number = formats::value_of_bits(format, bits);
      const auto [negative, exponent] = parts.decade(decade);
      ASSERT_EQ(negative, number < 0);
      // A power of ten is no number of 16 bits if its exponent is negative, so that rounding it
      // does not matter.
      ASSERT_GE(std::abs(number), std::pow(10.0, exponent)) << formats::format_name(format);
      ASSERT_LT(std::abs(number), std::pow(10.0, exponent + 1)) << formats::format_name(format);
    }
  }
}

TEST(SweepParts, TheWholeSpaceHas2048Bins) {
  for (const Format format : {Format::FP32, Format::INT32, Format::UINT32}) {
    const SweepParts parts(operand_patterns(format, std::nullopt));
    EXPECT_EQ(parts.bins(), 2048u) << formats::format_name(format);
    EXPECT_EQ(parts.bin_shift(), 21u);
  }
  const SweepParts narrow(operand_patterns(Format::FP32, SweepRange{1, 1 + 0x1p-15}));
  EXPECT_EQ(narrow.bin_shift(), 0u) << "257 numbers";
  EXPECT_EQ(narrow.bins(), 257u);
}

TEST(SweepParts, CellsNearZeroHaveTheSameLength) {
  for (const Format format : {Format::BF16, Format::FP16}) {
    const SweepParts parts(operand_patterns(format, std::nullopt));
    for (const std::uint32_t bits : all_x(chunks_of(format, 1, {}))) {
      const double x = formats::value_of_bits(format, bits);
      const std::uint32_t cell = parts.cell_of(bits);
      ASSERT_EQ(cell != SweepParts::kNoCell, std::abs(x) < 8) << x;
      if (cell == SweepParts::kNoCell) continue;
      ASSERT_LT(cell, parts.cells());
      ASSERT_LE(SweepParts::cell_key(cell), 32 * x);
      ASSERT_GT(SweepParts::cell_key(cell) + 1, 32 * x);
    }
  }
  EXPECT_EQ(SweepParts(operand_patterns(Format::INT32, std::nullopt)).cell_of(1),
            SweepParts::kNoCell);
}

/// Each input is in the decade, bin and cell of its segment, and the next segment has others.
void check_segments(Format format, const ChunkInputs& chunk) {
  const SweepParts parts(operand_patterns(format, std::nullopt));
  std::vector<PartSegment> segments;
  cut_into_segments(parts, chunk.x, chunk.positives, segments);
  std::uint32_t place = 0;
  for (const PartSegment& segment : segments) {
    ASSERT_EQ(segment.begin, place);
    for (std::uint32_t i = segment.begin; i < segment.end; ++i) {
      ASSERT_EQ(parts.bin_of(chunk.x[i]), segment.bin);
      ASSERT_EQ(parts.decade_of(chunk.x[i]), segment.decade);
      ASSERT_EQ(parts.cell_of(chunk.x[i]), segment.cell);
    }
    place = segment.end;
  }
  EXPECT_EQ(place, chunk.x.size());
  EXPECT_LT(segments.size(), 4096U) << "few, however many inputs there are";
}

TEST(SweepParts, SegmentsHaveWhatIsInThem) {
  for (const ChunkInputs& chunk : chunks_of(Format::BF16, 1, {}))
    check_segments(Format::BF16, chunk);
  const SweepSpace sample{.sample = SweepSample{70'000, 1}};
  for (const Format format : {Format::BF16, Format::FP32, Format::INT32}) {
    for (const unsigned operands : {1U, 2U}) {
      for (const ChunkInputs& chunk : chunks_of(format, operands, sample))
        check_segments(format, chunk);
    }
  }
}

} // namespace
} // namespace lanewise::sweep
