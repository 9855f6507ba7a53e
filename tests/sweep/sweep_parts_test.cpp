// Sweeps and comparisons in parts: however they are cut, what they give together is what one run
// gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "study/parts/shared_work.h"
#include "study/sweep/diff.h"
#include "study/sweep/json.h"
#include "sweep/sweep_doubles.h"

namespace lanewise::sweep {
namespace {

/// How one work is shared.
struct Sharing {
  std::uint64_t parts = 1;
  unsigned seed = 0; ///< of the order in which parts are done, and of when one is stopped
};

/// One part after the other, in any order, some of them in two runs; what all of them have.
template <class Run>
parts::SharedWork all_parts(const Sharing& how, const Run& run) {
  std::mt19937 random(how.seed);
  std::vector<std::uint64_t> numbers(how.parts);
  for (std::uint64_t i = 0; i < how.parts; ++i) numbers[i] = i + 1;
  std::shuffle(numbers.begin(), numbers.end(), random);
  std::vector<parts::PartFile> files;
  for (const std::uint64_t number : numbers) {
    auto work = parts::SharedWork::part({number, how.parts}, {{"sweep"}, {}}, {});
    run(work, 1 + static_cast<unsigned>(random() % 3));
    auto file = parts::parse_part_file(work.text(), fmt::format("part {}", number));
    EXPECT_TRUE(file) << (file ? "" : file.error().message);
    EXPECT_TRUE(file->ended);
    files.push_back(*std::move(file));
  }
  auto gathered = parts::gather_parts(std::move(files));
  EXPECT_TRUE(gathered) << (gathered ? "" : to_string(gathered.error()));
  return parts::SharedWork::merged(*std::move(gathered));
}

SweepResult swept_in_parts(const Sharing& how, const references::Reference& reference,
                           SweepOptions options) {
  std::uint64_t inputs = 0;
  auto merged = all_parts(how, [&](parts::SharedWork& work, unsigned threads) {
    options.threads = threads;
    options.work = &work;
    inputs += swept(rough_programs(), reference, options).done;
  });
  options.work = &merged;
  bool has_run = false;
  options.progress = [&](const SweepProgress& progress) {
    has_run = has_run || progress.done != progress.total;
    return true;
  };
  SweepResult result = swept(rough_programs(), reference, options);
  EXPECT_EQ(inputs, result.total) << "each input once";
  EXPECT_FALSE(has_run) << "nothing is left to be done";
  return result;
}

TEST(SweepParts, TogetherGiveWhatOneRunGives) {
  const auto reference = rough_reference();
  const SweepResult whole = swept(rough_programs(), reference, sampled());
  std::mt19937 random(20);
  for (const std::uint64_t parts : {1U, 2U, 10U, 13U, 3 + static_cast<unsigned>(random() % 6)}) {
    const Sharing how{parts, static_cast<unsigned>(random())};
    EXPECT_EQ(swept_in_parts(how, reference, sampled()), whole)
        << how.parts << " parts, seed " << how.seed;
  }
}

/// Every BF16 number is two chunks, of which the second goes on at the ends of the first: at 2. The
/// mantissa alone falls there, as at every power of two.
TEST(SweepParts, NeighboursInTwoPartsAreLookedAt) {
  const auto programs = on_both_chips(tile_kernel("SFPSETEXP 127, L0, L0, 1"));
  const auto reference = identity_reference();
  const auto run = [&](parts::SharedWork* work) {
    SweepOptions options{.work = work};
    return swept(programs, reference, options);
  };
  const SweepResult whole = run(nullptr);
  EXPECT_EQ(whole.chips[0].monotonicity.reversals, 2U * 253)
      << "between the 254 binades of both signs";
  auto merged = all_parts({2, 1}, [&](parts::SharedWork& work, unsigned) { run(&work); });
  EXPECT_EQ(run(&merged), whole);
}

TEST(SweepParts, EveryNumberOfAFormatIsSeenOnce) {
  const auto reference = rough_reference();
  for (const formats::Format format : {formats::Format::BF16, formats::Format::FP16}) {
    const SweepOptions options{.format = format};
    const SweepResult whole = swept(rough_programs(), reference, options);
    EXPECT_GT(whole.chips[0].monotonicity.reversals, 0U);
    for (const std::uint64_t parts : {2, 3, 5})
      EXPECT_EQ(swept_in_parts({parts, 1}, reference, options), whole) << parts;
  }
}

TEST(SweepParts, ErrorsThatAreFractionsAddUpToTheSame) {
  const auto reference = rough_reference();
  SweepOptions options = sampled();
  options.measure = formats::UlpMeasure::AccuracyReportUnrounded;
  const SweepResult whole = swept(rough_programs(), reference, options);
  EXPECT_EQ(swept_in_parts({4, 2}, reference, options), whole);
}

TEST(SweepParts, OfTwoProgramsGiveWhatOneComparisonGives) {
  const auto reference = rough_reference();
  auto others = rough_programs();
  for (SweepProgram& program : others)
    program.program = assembled(program.arch, tile_kernel("SFPMOV L0, L0, 1"));
  for (const bool has_reference : {false, true}) {
    for (const bool has_parts : {false, true}) {
      SweepOptions options = sampled();
      options.distance_parts = has_parts;
      const auto compare = [&] {
        auto result = diff_programs(rough_programs(), others, 1,
                                    has_reference ? &reference : nullptr, options);
        EXPECT_TRUE(result) << (result ? "" : to_string(result.error()));
        return *result;
      };
      const DiffResult whole = compare();
      EXPECT_GT(whole.chips[0].changed, 0U);
      auto merged = all_parts({5, 3}, [&](parts::SharedWork& work, unsigned threads) {
        options.threads = threads;
        options.work = &work;
        compare();
      });
      options.work = &merged;
      EXPECT_EQ(compare(), whole);
    }
  }
}

TEST(SweepParts, OfAnotherSweepAreRefused) {
  const auto reference = rough_reference();
  SweepOptions options = sampled();
  auto merged = all_parts({2, 4}, [&](parts::SharedWork& work, unsigned) {
    options.work = &work;
    swept(rough_programs(), reference, options);
  });
  options.work = &merged;
  options.space.sample->seed = 6;
  const auto other = sweep(rough_programs(), reference, options);
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().message.find("another sweep: inputs is"), std::string::npos)
      << other.error().message;
}

TEST(SweepParts, ThatLackChunksAreRefused) {
  const auto reference = rough_reference();
  SweepOptions options = sampled();
  auto work = parts::SharedWork::part({1, 1}, {{"sweep"}, {}}, {});
  options.work = &work;
  options.progress = [](const SweepProgress& progress) { return progress.done < kChunkInputs; };
  const SweepResult stopped = swept(rough_programs(), reference, options);
  ASSERT_FALSE(stopped.complete());
  auto file = parts::parse_part_file(work.text(), "p").value();
  ASSERT_EQ(file.records.size(), 1U);
  file.ended = true; // which it is not
  auto merged = parts::SharedWork::merged({file});
  options.work = &merged;
  const auto result = sweep(rough_programs(), reference, options);
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("chunks are missing"), std::string::npos);
}

TEST(SweepJson, AResultComesBackToTheBit) {
  SweepOptions options = sampled();
  options.space.range = SweepRange{-3, 100};
  const SweepResult result = swept(rough_programs(), rough_reference(), options);
  EXPECT_EQ(result_from_json(Json::parse(result_to_json(result).dump())), result);
  EXPECT_EQ(result_from_json(result_to_json({})), SweepResult());
  Json wrong = result_to_json(result);
  wrong[0] = 200;
  EXPECT_FALSE(kept_result(wrong, "file"));
  const ChipCases cases{{Arch::Wormhole, {{.x = 1, .found = 7, .exact = -0.0}}}};
  const auto again = kept_cases(cases_to_json(cases), "file");
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, cases);
}

} // namespace
} // namespace lanewise::sweep
