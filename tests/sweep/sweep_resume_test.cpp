#include "study/sweep/resume.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/file.h"
#include "sweep/sweep_doubles.h"

namespace lanewise::sweep {
namespace {

namespace fs = std::filesystem;

/// A path of its own for each test, without a file.
class SweepResume : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    path_ = fs::temp_directory_path() / fmt::format("lanewise_{}_{}", ::getpid(), info->name());
    fs::remove(path_);
  }
  void TearDown() override { fs::remove(path_); }

  /// A sweep whose state is in the file.
  Expected<SweepResult> run(std::vector<SweepProgram> programs,
                            const references::Reference& reference, SweepOptions options) const {
    auto work = parts::SharedWork::resumable(path_);
    options.work = &work;
    return sweep(programs, reference, options);
  }
  SweepResult resumed(std::vector<SweepProgram> programs, const references::Reference& reference,
                      const SweepOptions& options) const {
    auto result = run(std::move(programs), reference, options);
    EXPECT_TRUE(result) << (result ? "" : to_string(result.error()));
    return result ? *result : SweepResult{};
  }

  fs::path path_;
};

TEST_F(SweepResume, ThreadsMakeNoDifference) {
  const auto reference = rough_reference();
  for (SweepOptions options : {SweepOptions{}, sampled()}) {
    options.threads = 1;
    const SweepResult one = swept(rough_programs(), reference, options);
    EXPECT_TRUE(one.complete());
    EXPECT_GT(one.chips[0].error.largest, 0);
    EXPECT_FALSE(one.chips[0].faults.empty());
    for (const unsigned threads : {2U, 5U}) {
      options.threads = threads;
      EXPECT_EQ(swept(rough_programs(), reference, options), one) << threads << " threads";
    }
  }
}

TEST_F(SweepResume, InterruptionsMakeNoDifference) {
  const auto reference = rough_reference();
  // Without a sample, too: the second chunk of BF16 goes on at the ends of the first.
  for (SweepOptions options : {SweepOptions{}, sampled()}) {
    options.threads = 2;
    const SweepResult whole = swept(rough_programs(), reference, options);
    for (const std::uint64_t step : {kChunkInputs, 3 * kChunkInputs}) {
      std::uint64_t stop_at = step;
      int runs = 1;
      options.progress = [&](const SweepProgress& progress) { return progress.done < stop_at; };
      SweepResult result = resumed(rough_programs(), reference, options);
      for (; !result.complete(); ++runs) {
        EXPECT_TRUE(fs::exists(path_));
        EXPECT_EQ(result.done, stop_at);
        stop_at += step;
        result = resumed(rough_programs(), reference, options);
        ASSERT_LT(runs, 20);
      }
      EXPECT_EQ(result, whole) << runs << " runs";
      EXPECT_EQ(runs, static_cast<int>((whole.total + step - 1) / step));
      EXPECT_FALSE(fs::exists(path_)) << "it is of no use any more";
    }
  }
}

TEST_F(SweepResume, ProgressKnowsWhatAnEarlierRunHasDone) {
  SweepOptions options = sampled();
  options.progress = [](const SweepProgress& progress) { return progress.done < kChunkInputs; };
  const auto reference = rough_reference();
  EXPECT_EQ(resumed(rough_programs(), reference, options).done, kChunkInputs);
  std::vector<SweepProgress> seen;
  options.progress = [&](const SweepProgress& progress) {
    seen.push_back(progress);
    return true;
  };
  EXPECT_TRUE(resumed(rough_programs(), reference, options).complete());
  ASSERT_EQ(seen.size(), 11u) << "before the program is made ready, before the first chunk, and "
                                 "after each of nine";
  EXPECT_EQ(seen.front().done, kChunkInputs);
  EXPECT_EQ(seen.back().done, seen.back().total);
  for (const SweepProgress& progress : seen) EXPECT_EQ(progress.resumed, kChunkInputs);
}

TEST_F(SweepResume, AFileOfAnotherSweepIsRefused) {
  SweepOptions options = sampled();
  options.progress = [](const SweepProgress& progress) { return progress.done < kChunkInputs; };
  const auto reference = rough_reference();
  EXPECT_FALSE(resumed(rough_programs(), reference, options).complete());

  const auto message = [&](std::vector<SweepProgram> programs,
                           const references::Reference& function, const SweepOptions& changed) {
    const auto result = run(std::move(programs), function, changed);
    return result ? std::string("taken") : result.error().message + result.error().remedy;
  };
  const auto differs_in = [](const std::string& text, std::string_view what) {
    return text.find("another sweep: " + std::string(what)) != std::string::npos &&
           text.find("remove") != std::string::npos;
  };
  EXPECT_TRUE(differs_in(message(rough_programs(), identity_reference(), options), "reference"));
  auto programs = rough_programs();
  programs[0].program.words[3].word ^= 1;
  EXPECT_TRUE(differs_in(message(programs, reference, options), "programs"));
  programs = rough_programs();
  programs.pop_back();
  EXPECT_TRUE(differs_in(message(programs, reference, options), "programs"));
  programs = rough_programs();
  programs[1].as_kernel = false;
  EXPECT_TRUE(differs_in(message(programs, reference, options), "programs"));
  SweepOptions changed = options;
  changed.space.sample->seed = 6;
  EXPECT_TRUE(differs_in(message(rough_programs(), reference, changed), "inputs"));
  changed = options;
  changed.format = formats::Format::FP16;
  EXPECT_TRUE(differs_in(message(rough_programs(), reference, changed), "format"));
  changed = options;
  changed.measure = formats::UlpMeasure::Ttnn;
  EXPECT_TRUE(differs_in(message(rough_programs(), reference, changed), "ulp"));
  changed = options;
  changed.domain = &reference;
  EXPECT_TRUE(differs_in(message(rough_programs(), reference, changed), "domain"));
  EXPECT_TRUE(fs::exists(path_)) << "the other sweep can still go on";
}

TEST_F(SweepResume, DamagedFilesAreErrors) {
  SweepOptions options;
  options.progress = [](const SweepProgress& progress) { return progress.done < kChunkInputs; };
  const auto reference = rough_reference();
  EXPECT_FALSE(resumed(rough_programs(), reference, options).complete());
  std::ifstream in(path_, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  in.close();
  options.progress = {};

  const auto refuses = [&](const std::string& text) {
    std::ofstream(path_, std::ios::binary) << text;
    const auto result = run(rough_programs(), reference, options);
    return !result && result.error().kind == FaultKind::BadInput &&
           result.error().file == path_.string();
  };
  EXPECT_TRUE(refuses(""));
  EXPECT_TRUE(refuses("{}"));
  EXPECT_TRUE(refuses("[[[["));
  EXPECT_TRUE(refuses(whole.substr(0, whole.size() / 2)));
  EXPECT_TRUE(refuses(whole.substr(0, whole.size() - 1)));
  EXPECT_TRUE(refuses(whole + "\n"));
  constexpr std::size_t kPlaces = 23;
  for (std::size_t place = 0; place < whole.size(); place += whole.size() / kPlaces) {
    std::string text = whole;
    text[place] ^= 1; // of a digit, another digit
    EXPECT_TRUE(refuses(text)) << place;
    std::ifstream kept(path_, std::ios::binary);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(kept), {}), text) << "nothing is lost";
  }

  // With right digests, the contents are still looked at.
  std::ofstream(path_, std::ios::binary) << whole;
  const auto file = parts::parse_part_file(whole, path_.string());
  ASSERT_TRUE(file);
  const auto replaced = [&](std::string_view from, std::string_view to) {
    parts::PartFile changed = *file;
    std::string text = changed.records.at(0).dump();
    const std::size_t place = text.find(from);
    EXPECT_NE(place, std::string::npos) << from;
    changed.records[0] = parts::Json::parse(text.replace(place, from.size(), to));
    return parts::part_file_text(changed);
  };
  EXPECT_TRUE(refuses(replaced("\"chunks\":1", "\"chunks\":3"))) << "BF16 has two";
  EXPECT_TRUE(refuses(replaced("\"chunks\":1", "\"chunks\":-1")));
  EXPECT_TRUE(refuses(replaced("\"chips\":[[", "\"chips\":[[true,")));
  EXPECT_TRUE(refuses(replaced("\"chips\":[[", "\"chips\":[[-7,")));
  EXPECT_TRUE(refuses(replaced("\"chips\":[[", "\"chips\":[[],[")));
  EXPECT_TRUE(refuses(replaced("\"pairs\":[]", "\"pairs\":[[]]")));
}

TEST_F(SweepResume, APathThatCannotBeWrittenIsAnErrorAtOnce) {
  const SweepOptions options;
  path_ = path_ / "no_such_folder" / "state";
  EXPECT_FALSE(run(rough_programs(), rough_reference(), options));
}

} // namespace
} // namespace lanewise::sweep
