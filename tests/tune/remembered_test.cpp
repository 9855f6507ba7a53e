// Searches that are remembered: the same result as a search, and none for anything else.
#include "study/tune/remembered.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <set>

#include "base/remembered.h"
#include "base/source_line.h"
#include "sfpi/kernel_files.h"
#include "study/tune/result_text.h"
#include "tune/tune_doubles.h"

namespace lanewise::tune {
namespace {

namespace fs = std::filesystem;
using sfpi::Environment;
using sfpi::TemporaryFolder;

/// The results of a process that has this identity, in a folder of their own.
class RememberedTunings : public testing::Test {
 protected:
  RememberedTunings() { identify_program("test"); }
  ~RememberedTunings() override { identify_program(""); }

  /// What a search comes to, and how often it has told of itself.
  struct Ran {
    TuneResult result;
    unsigned steps = 0;
  };
  Ran tuned(TuneOptions options = {}) const {
    Ran ran;
    options.progress = [&](const TuneProgress&) {
      ++ran.steps;
      return true;
    };
    auto result = tune(plain_, options);
    EXPECT_TRUE(result) << (result ? "" : to_string(result.error()));
    if (result) ran.result = std::move(*result);
    return ran;
  }
  /// Without anything remembered.
  Ran computed() const {
    const Environment off("LANEWISE_REMEMBER", "off");
    return tuned();
  }
  std::vector<fs::path> entries() const {
    std::vector<fs::path> paths;
    std::error_code none;
    for (const auto& each : fs::directory_iterator(folder_.path() / kTuningKind, none))
      paths.push_back(each.path());
    return paths;
  }

  TemporaryFolder folder_;
  Environment cache_{"LANEWISE_CACHE", folder_.path()};
  Environment on_{"LANEWISE_REMEMBER", ""}; // which a run of all tests switches off
  Plain plain_ = plain_rows(Arch::Blackhole, "SFPABS L0, L0, 1\nSFPMAD L0, L0, L9, L10, 0");
};

/// Everything of a result that a report has.
std::string all_of(const TuneResult& result) {
  std::string text =
      write_tuning(result) + fmt::format("{} {} {} {} {}", result.rows.addresses.size(),
                                         result.lowest_interval, result.lowest_resource,
                                         result.plain_cycles, result.stopped);
  for (const ResourceBound& each : result.bounds)
    text += fmt::format("\n{} {} {}", each.resource, each.cycles, each.why);
  return text;
}

TEST_F(RememberedTunings, AreThoseOfTheSearch) {
  const Ran first = tuned(), again = tuned(), anew = computed();
  ASSERT_TRUE(first.result.tuned);
  EXPECT_GT(first.steps, 0U);
  EXPECT_EQ(again.steps, 0U) << "it was searched again";
  EXPECT_GT(anew.steps, 0U);
  EXPECT_EQ(all_of(again.result), all_of(anew.result));
  EXPECT_EQ(all_of(first.result), all_of(anew.result));
  EXPECT_EQ(again.result.text, anew.result.text);
  EXPECT_EQ(entries().size(), 1U);
}

TEST_F(RememberedTunings, AreOfTheProgramThatSearched) {
  const TuneResult right = tuned().result;
  // What an older program has found is another text, under the same key.
  TuneResult wrong = right;
  wrong.text = "wrong";
  const auto key = tuning_key(plain_, {});
  ASSERT_TRUE(key);
  identify_program("older");
  ASSERT_TRUE(remembered_results()->keep(kTuningKind, *key, write_tuning(wrong)));
  EXPECT_EQ(tuned().result.text, "wrong") << "the test does not do what it says";
  identify_program("newer");
  const Ran anew = tuned();
  EXPECT_GT(anew.steps, 0U);
  EXPECT_EQ(anew.result.text, right.text);
}

TEST_F(RememberedTunings, AreSearchedAgainWhereTheyAreDamaged) {
  const std::string right = all_of(tuned().result);
  ASSERT_EQ(entries().size(), 1U);
  const fs::path entry = entries().front();
  const auto size = static_cast<std::streamoff>(fs::file_size(entry));
  for (const std::streamoff place : {std::streamoff{0}, size / 3, size / 2, size - 1}) {
    std::fstream stream(entry, std::ios::binary | std::ios::in | std::ios::out);
    stream.seekg(place);
    const char byte = static_cast<char>(stream.get() ^ 4);
    stream.seekp(place);
    stream.put(byte);
    stream.close();
    const Ran again = tuned();
    EXPECT_GT(again.steps, 0U) << "byte " << place;
    EXPECT_EQ(all_of(again.result), right);
    EXPECT_EQ(tuned().steps, 0U) << "it was not kept again";
  }
}

/// Where the seal holds, but what it seals is no tuning.
TEST_F(RememberedTunings, AreSearchedAgainWhereTheTextIsNone) {
  const auto key = tuning_key(plain_, {});
  for (const char* text : {"", "{}", "[]", "null", R"({"trials":[[1]],"proof":{}})"}) {
    ASSERT_TRUE(remembered_results()->keep(kTuningKind, *key, text));
    EXPECT_GT(tuned().steps, 0U) << text;
  }
}

TEST_F(RememberedTunings, AreNoneOfASearchThatWasStopped) {
  const auto stopped = tune(plain_, {.progress = [](const TuneProgress&) { return false; }});
  ASSERT_TRUE(stopped && stopped->stopped);
  EXPECT_TRUE(entries().empty());
  ASSERT_TRUE(tune(plain_, {.seconds = 1e-9}));
  EXPECT_TRUE(entries().empty()) << "a limit of time depends on the machine";
}

TEST_F(RememberedTunings, KeysHaveEverythingThatDecides) {
  std::set<std::string> keys{tuning_key(plain_, {}).value()};
  const auto differs = [&](const char* what,
                           const std::function<void(Plain&, TuneOptions&)>& change) {
    Plain plain = plain_;
    TuneOptions options;
    change(plain, options);
    EXPECT_TRUE(keys.insert(tuning_key(plain, options).value()).second) << what;
  };
  differs("word", [](Plain& plain, TuneOptions&) { plain.program.words[3].word ^= 1; });
  differs("words", [](Plain& plain, TuneOptions&) { plain.program.words.pop_back(); });
  differs("computed", [](Plain& plain, TuneOptions&) { plain.program.words[2].computed = true; });
  differs("part", [](Plain& plain, TuneOptions&) {
    plain.program.words[0].line = line_number({.file = "", .line = 1, .part = ProgramPart::Init});
  });
  differs("config", [](Plain& plain, TuneOptions&) { plain.program.config.push_back({"a", 1}); });
  differs("value", [](Plain& plain, TuneOptions&) { plain.program.config.push_back({"a", 2}); });
  differs("mop", [](Plain& plain, TuneOptions&) { plain.program.mop.push_back({1, 2, 3}); });
  differs("mop before", [](Plain& plain, TuneOptions&) { plain.program.mop.push_back({2, 2, 3}); });
  differs("chip", [](Plain& plain, TuneOptions&) { plain.arch = Arch::Wormhole; });
  differs("kernel", [](Plain& plain, TuneOptions&) { plain.as_kernel = !plain.as_kernel; });
  differs("macros", [](Plain&, TuneOptions& options) { options.macros = false; });
  differs("conservative", [](Plain&, TuneOptions& options) { options.conservative = true; });
  differs("steps", [](Plain&, TuneOptions& options) { options.steps_per_interval = 7; });
  differs("seconds", [](Plain&, TuneOptions& options) { options.seconds = 7; });
  differs("form", [](Plain&, TuneOptions& options) { options.form = Form::Words; });
  differs("C++", [](Plain&, TuneOptions& options) { options.form = Form::Tti; });
  differs("name", [](Plain&, TuneOptions& options) { options.name = "other"; });
  differs("format",
          [](Plain&, TuneOptions& options) { options.proof.format = formats::Format::FP16; });
  differs("output format", [](Plain&, TuneOptions& options) {
    options.proof.output_format = formats::Format::FP32;
  });
  differs("operands", [](Plain&, TuneOptions& options) { options.proof.operands = 2; });
  differs("output tile", [](Plain&, TuneOptions& options) { options.proof.output_tile = 1; });
  differs("NaN", [](Plain&, TuneOptions& options) { options.proof.allow_nan = true; });
  differs("denormal", [](Plain&, TuneOptions& options) { options.proof.allow_denormal = true; });
  differs("space", [](Plain&, TuneOptions& options) {
    options.proof.space = sweep::parse_sweep_space("sample:100").value();
  });
  differs("headers", [this](Plain&, TuneOptions& options) {
    options.form = Form::Tti;
    folder_.write("headers/sfpi.h", "// others\n");
    ::setenv("LANEWISE_SFPI", (folder_.path() / "headers").c_str(), 1);
  });
  ::unsetenv("LANEWISE_SFPI");
}

TEST_F(RememberedTunings, HaveNoKeyWhereTheCallerDecides) {
  TuneOptions judged;
  judged.proof.judge = [](const Plain&) -> Expected<std::string> { return std::string(); };
  EXPECT_FALSE(tuning_key(plain_, judged));
  EXPECT_FALSE(tuning_key(plain_, {.row = RowGraph{}}));
  EXPECT_FALSE(tuning_key(plain_, {.faster_than = 3.0}));
  // z3 proves pairs of 32 bits: without it nothing is proved, whatever it has said before.
  TuneOptions pairs;
  pairs.proof.format = formats::Format::INT32;
  pairs.proof.operands = 2;
  EXPECT_TRUE(tuning_key(plain_, pairs));
  const Environment path("PATH", folder_.path());
  EXPECT_FALSE(tuning_key(plain_, pairs));
}

TEST(TunerTexts, AProofComesBackAsItWas) {
  const Proof proof{.holds = true,
                    .kind = ProofKind::Solver,
                    .is_undecided = true,
                    .failure = "a sentence",
                    .inputs = 0xFFFF'FFFF'FFFF,
                    .leaves_out = true,
                    .different = 3,
                    .differences = {"x", "y"},
                    .cycles = 77,
                    .findings = {"raw-load"}};
  const auto read = read_proof(write_proof(proof));
  ASSERT_TRUE(read);
  EXPECT_EQ(write_proof(*read), write_proof(proof));
  EXPECT_EQ(read->cycles, 77U);
  EXPECT_EQ(read->kind, ProofKind::Solver);
  EXPECT_EQ(read->findings, proof.findings);
  EXPECT_FALSE(read_proof(""));
  std::string other = write_proof(proof);
  other.replace(other.find("\"kind\":2"), 8, "\"kind\":4");
  EXPECT_FALSE(read_proof(other)) << "there is no such kind";
  for (const char* const number : {"3e35", "-1", "7.5"}) {
    other = write_proof(proof);
    other.replace(other.find("\"cycles\":77"), 11, std::string("\"cycles\":") + number);
    EXPECT_FALSE(read_proof(other)) << number;
  }
}

} // namespace
} // namespace lanewise::tune
