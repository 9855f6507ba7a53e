// Sweeps that are remembered: the same result as a sweep, and none for anything else.
#include "study/sweep/remembered.h"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <set>
#include <thread>

#include "base/remembered.h"
#include "base/source_line.h"
#include "chip/machine/simd_level.h"
#include "number/references/settled.h"
#include "sfpi/kernel_files.h"
#include "study/sweep/resume.h"
#include "sweep/sweep_doubles.h"

namespace lanewise::sweep {
namespace {

namespace fs = std::filesystem;
using sfpi::Environment;
using sfpi::TemporaryFolder;

/// Says that its text is the function.
class SettledDouble final : public references::SettledReference {
 public:
  explicit SettledDouble(const DoubleReference& function) : function_(function) {}
  const std::string& text() const override { return function_.text(); }
  const std::string& identity() const override { return function_.identity(); }
  unsigned operands() const override { return 1; }
  Expected<void> evaluate(formats::Format format, std::span<const double> x,
                          std::span<const double> y,
                          references::ReferenceResults& results) const override {
    return function_.evaluate(format, x, y, results);
  }

 private:
  const DoubleReference& function_;
};

/// The results of a process that has this identity, in a folder of their own.
class RememberedSweeps : public testing::Test {
 protected:
  RememberedSweeps() { identify_program("test"); }
  ~RememberedSweeps() override { identify_program(""); }

  struct Ran {
    SweepResult result;
    bool has_run = false; ///< it has told of its progress
  };
  /// It takes long enough to be kept, however fast the machine is.
  Ran ran(SweepOptions options = {}) const {
    Ran run;
    options.progress = [&](const SweepProgress&) {
      if (!run.has_run) std::this_thread::sleep_for(std::chrono::milliseconds(250));
      run.has_run = true;
      return true;
    };
    auto result = sweep(programs_, reference_, options);
    EXPECT_TRUE(result) << (result ? "" : to_string(result.error()));
    if (result) run.result = std::move(*result);
    return run;
  }
  Ran computed(const SweepOptions& options = {}) const {
    const Environment off("LANEWISE_REMEMBER", "off");
    return ran(options);
  }
  std::string key(const SweepOptions& options) const {
    const auto plan = make_plan(programs_, &reference_, reference_.operands(), options);
    return plan ? remembered_key(*plan) : "";
  }
  std::vector<fs::path> entries() const {
    std::vector<fs::path> paths;
    std::error_code none;
    for (const auto& each : fs::directory_iterator(folder_.path() / kSweepKind, none))
      paths.push_back(each.path());
    return paths;
  }

  TemporaryFolder folder_;
  Environment cache_{"LANEWISE_CACHE", folder_.path()};
  Environment on_{"LANEWISE_REMEMBER", ""}; // which a run of all tests switches off
  /// Errors of every kind, and a fault that the words have by themselves.
  std::vector<SweepProgram> programs_ = on_both_chips(
      tile_kernel("SFPLOADI L1, FLOATB, bf16(0.37)\nSFPMAD L0, L0, L1, L0, 0\nSFPNOP\nSFPPOPC"));
  DoubleReference named_ = function_of_x("x*(x+0.4)", [](double x) { return x * (x + 0.4); });
  SettledDouble reference_{named_};
};

TEST_F(RememberedSweeps, AreThoseOfTheSweep) {
  for (const SweepOptions& options :
       {SweepOptions{}, SweepOptions{.format = formats::Format::FP32,
                        .space = parse_sweep_space("sample:70000:3").value()}}) {
    const Ran first = ran(options), again = ran(options), anew = computed(options);
    EXPECT_TRUE(first.has_run && anew.has_run);
    EXPECT_FALSE(again.has_run) << "it was swept again";
    EXPECT_EQ(again.result, anew.result);
    EXPECT_EQ(first.result, anew.result);
    EXPECT_TRUE(again.result.complete());
  }
  EXPECT_EQ(entries().size(), 2U);
}

TEST_F(RememberedSweeps, AreOfTheProgramThatSwept) {
  const SweepResult right = ran().result;
  // What an older program has kept under the same key is wrong: it has one error more.
  const SweepOptions options;
  const auto plan = make_plan(programs_, &reference_, 1, options);
  ASSERT_TRUE(plan);
  auto totals = RememberedSweep(*plan).find();
  ASSERT_TRUE(totals);
  ++totals->chips[0].statistics.zero_signs;
  const std::string wrong = totals_to_json(*totals).dump();
  identify_program("older");
  ASSERT_TRUE(remembered_results()->keep(kSweepKind, key({}), wrong));
  EXPECT_NE(ran().result, right) << "the test does not do what it says";
  identify_program("newer");
  const Ran anew = ran();
  EXPECT_TRUE(anew.has_run);
  EXPECT_EQ(anew.result, right);
}

TEST_F(RememberedSweeps, AreSweptAgainWhereTheyAreDamaged) {
  const SweepResult right = ran().result;
  ASSERT_EQ(entries().size(), 1U);
  const fs::path entry = entries().front();
  const auto size = static_cast<std::streamoff>(fs::file_size(entry));
  for (const std::streamoff place : {std::streamoff{3}, size / 2, size - 1}) {
    std::fstream stream(entry, std::ios::binary | std::ios::in | std::ios::out);
    stream.seekg(place);
    const char byte = static_cast<char>(stream.get() ^ 1);
    stream.seekp(place);
    stream.put(byte);
    stream.close();
    const Ran again = ran();
    EXPECT_TRUE(again.has_run) << "byte " << place;
    EXPECT_EQ(again.result, right);
  }
  for (const char* text : {"", "{}", "no sweep"}) {
    ASSERT_TRUE(remembered_results()->keep(kSweepKind, key({}), text));
    EXPECT_EQ(ran().result, right) << text;
  }
}

// The name of a function of Python's stays where its text changes.
TEST_F(RememberedSweeps, AreNoneOfAFunctionThatIsKnownByItsName) {
  SweepOptions slow{.space = parse_sweep_space("sample:1000").value()};
  slow.progress = [](const SweepProgress& progress) {
    if (progress.done != 0) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(110)); // twice: before and behind g++
    return true;
  };
  ASSERT_TRUE(sweep(programs_, named_, slow));
  EXPECT_TRUE(entries().empty());
  SweepOptions domain = slow;
  domain.domain = &named_;
  ASSERT_TRUE(sweep(programs_, reference_, domain));
  EXPECT_TRUE(entries().empty());
  ASSERT_TRUE(sweep(programs_, reference_, slow));
  EXPECT_EQ(entries().size(), 1U);
}

TEST_F(RememberedSweeps, AreNoneOfWhatIsShortOrStoppedOrHasAFile) {
  ASSERT_TRUE(sweep(programs_, reference_, {.space = parse_sweep_space("sample:1000").value()}));
  EXPECT_TRUE(entries().empty()) << "it has taken no time";
  const auto stopped = sweep(programs_, reference_, {.progress = [](const SweepProgress&) {
                               std::this_thread::sleep_for(std::chrono::milliseconds(250));
                               return false;
                             }});
  ASSERT_TRUE(stopped && !stopped->complete());
  EXPECT_TRUE(entries().empty()) << "it was stopped";
  auto work = parts::SharedWork::part({1, 1}, {}, {});
  ran({.work = &work});
  EXPECT_TRUE(entries().empty()) << "it has a file of its own";
}

// Numbers of lines in other files are those of one process; faults have the lines themselves.
TEST_F(RememberedSweeps, HaveFaultsOfOtherFilesWithTheirLines) {
  for (SweepProgram& each : programs_) {
    for (ProgramWord& word : each.program.words)
      word.line = line_number({.file = "header.h", .line = 7});
  }
  const Ran first = ran(), again = ran();
  EXPECT_FALSE(again.has_run);
  EXPECT_EQ(again.result, first.result);
  ASSERT_FALSE(first.result.chips[0].faults.empty());
  for (const Fault& fault : first.result.chips[0].faults) EXPECT_EQ(fault.line, 7U);
}

TEST_F(RememberedSweeps, KeysHaveEverythingThatDecides) {
  std::set<std::string> keys{key({})};
  const auto differs = [&](const char* what, const SweepOptions& options) {
    EXPECT_TRUE(keys.insert(key(options)).second) << what;
  };
  differs("format", {.format = formats::Format::FP16});
  differs("output format", {.output_format = formats::Format::FP32});
  differs("output tile", {.output_tile = 1});
  differs("sources", {.sources = {.srca = 0}});
  differs("space", {.space = parse_sweep_space("sample:9").value()});
  const DoubleReference domain = identity_reference();
  differs("domain", {.domain = &domain});
  differs("generation", {.generation = Generation::Always});
  differs("worst cases", {.worst_cases = 3});
  differs("measure", {.measure = formats::UlpMeasure::TtLlk});
  EXPECT_FALSE(keys.insert(key({.threads = 3})).second) << "threads decide nothing";
  const auto changed = [&](const char* what, const std::function<void(Program&)>& change) {
    auto programs = programs_;
    change(programs_[1].program);
    differs(what, {});
    programs_ = programs;
  };
  changed("word", [](Program& program) { program.words[3].word ^= 1; });
  changed("line", [](Program& program) { program.words[3].line += 1; });
  changed("name", [](Program& program) { program.name = "other.tt"; });
  changed("config", [](Program& program) { program.config.push_back({"a", 1}); });
  programs_.pop_back();
  differs("programs", {});
  const SimdLevel level = simd_level();
  set_simd_level(level == SimdLevel::Baseline ? SimdLevel::V3 : SimdLevel::Baseline);
  differs("level", {});
  set_simd_level(level);
  const DoubleReference identity = identity_reference();
  const SettledDouble other(identity);
  const SweepOptions options;
  const auto plan = make_plan(programs_, &other, 1, options);
  ASSERT_TRUE(plan);
  EXPECT_TRUE(keys.insert(remembered_key(*plan)).second) << "reference";
}

} // namespace
} // namespace lanewise::sweep
