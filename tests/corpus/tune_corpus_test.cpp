// The kernels of a checkout through the tuner: rows of each kind, equal programs, runs that go on.
#include "study/corpus/tune/tune_corpus.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "checkouts/fake_checkout.h"
#include "report/tune/corpus_table.h"
#include "source/assembly/assembly.h"
#include "study/corpus/tune/journal.h"

namespace lanewise::corpus {
namespace {

/// A kernel of a row: what it does with x.
std::string rows_of(const std::string& function, const std::string& statements) {
  return "template <bool APPROXIMATION_MODE, int ITERATIONS = 8>\nvoid " + function +
         "() { for (int d = 0; d < ITERATIONS; d++) {\n" + statements + " dst_reg++; } }\n";
}

bool goes_on(const std::string&) {
  return true;
}

/// A search's progress, in the process that tunes: each program is begun with a copy of it.
struct WaitsInTheSecond {
  std::filesystem::path stopped;
  std::shared_ptr<int> programs = std::make_shared<int>(0);
  bool is_begun = false;

  bool operator()(const tune::TuneProgress&) {
    if (is_begun) return true;
    is_begun = true;
    constexpr int kLooks = 6'000;
    for (int look = 0; *programs == 1 && !std::filesystem::exists(stopped) && look < kLooks; ++look)
      std::this_thread::sleep_for(std::chrono::milliseconds{10});
    ++*programs;
    return true;
  }
};

class TuneCorpus : public testing::Test {
 protected:
  TuneCorpus() {
    const std::string square = "vFloat x = dst_reg[0]; dst_reg[0] = x * x;";
    fake_.add("square", rows_of("calculate_square", square));
    fake_.add("abs", rows_of("calculate_abs", square)); // the same words
    fake_.add("negative", rows_of("calculate_negative", "vFloat x = dst_reg[0]; dst_reg[0] = -x;"));
    fake_.add("identity",
              "template <bool APPROXIMATION_MODE, int ITERATIONS = 8>\n"
              "void calculate_identity() { vFloat sum = 0.0f;\n"
              "for (int d = 0; d < ITERATIONS; d++) {\n"
              "sum += dst_reg[0]; dst_reg[0] = sum; dst_reg++; } }\n");
    fake_.add("add1", rows_of("calculate_add1", "no_such_function(d);"));
    fake_.add("bitwise_not",
              rows_of("calculate_bitwise_not", "vInt x = dst_reg[0]; dst_reg[0] = ~x;"));
  }

  CorpusTuning tuning() const {
    CorpusTuning all{.folder = fake_.metal(), .chips = {Arch::Blackhole}};
    all.tune.steps_per_interval = 1000;
    return all;
  }
  static TunedCorpus tune(const CorpusTuning& tuning,
                          const std::function<bool(const std::string&)>& progress = goes_on) {
    auto tuned = tune_corpus(tuning, progress);
    EXPECT_TRUE(tuned.has_value()) << (tuned ? "" : to_string(tuned.error()));
    return tuned ? std::move(*tuned) : TunedCorpus{};
  }
  static TuneOutcome outcome_of(const TunedCorpus& tuned, const std::string& kernel) {
    const auto found = std::ranges::find(tuned.cases, kernel, &TunedCase::kernel);
    if (found != tuned.cases.end()) return found->outcome;
    ADD_FAILURE() << "no row for " << kernel;
    return {};
  }
  static std::string text_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  std::filesystem::path file() { return fake_.folder().path() / "state.ndjson"; }

  /// Stopped behind the first program, however late anybody looks: the second one waits for it.
  TunedCorpus stopped_behind_the_first(CorpusTuning tuning) {
    const std::filesystem::path stopped = fake_.folder().path() / "stopped";
    tuning.tune.progress = WaitsInTheSecond{stopped};
    return tune(tuning, [&](const std::string& text) {
      if (text.find("tuned") == std::string::npos || text.starts_with("0 of")) return true;
      std::ofstream{stopped};
      return false;
    });
  }

  checkouts::FakeCheckout fake_;
  sfpi::Environment cache_{"LANEWISE_CACHE", sfpi::test_cache()};
};

// 32 rows of a load, a product and a store: a macro does a row in a cycle.
TEST_F(TuneCorpus, HasARowForEveryKernelWhateverBecomesOfIt) {
  const TunedCorpus tuned = tune(tuning());
  EXPECT_EQ(tuned.cases.size(), 6U) << "floats of 16 bits only, as there are";
  EXPECT_EQ(tuned.all, 6U);
  EXPECT_EQ(tuned.programs, 4U) << "abs is square, add1 does not compile";
  const TuneOutcome square = outcome_of(tuned, "square");
  EXPECT_EQ(square.verdict, TuneVerdict::Optimal);
  EXPECT_EQ(square.rows, 32U);
  EXPECT_EQ(square.interval, 1U);
  EXPECT_EQ(square.cycles, 32U);
  EXPECT_EQ(square.resource, "issue slots");
  EXPECT_GT(square.plain_cycles, 96);
  EXPECT_EQ(outcome_of(tuned, "abs"), square);
  EXPECT_TRUE(outcome_of(tuned, "negative").is_faster());
  const TuneOutcome carried = outcome_of(tuned, "identity");
  EXPECT_TRUE(carried.is_block) << "row 1 computes something else than row 0";
  EXPECT_TRUE(carried.is_faster()) << carried.why;
  EXPECT_EQ(carried.proved_by, tune::ProofKind::DataFlow);
  EXPECT_GT(carried.plain_cycles, 96);
  const TuneOutcome wrong = outcome_of(tuned, "add1");
  EXPECT_EQ(wrong.verdict, TuneVerdict::NotCompiled);
  EXPECT_NE(wrong.why.find("no_such_function"), std::string::npos) << wrong.why;
  EXPECT_EQ(wrong.why.find('\n'), std::string::npos) << wrong.why;
  const TuneOutcome wide = outcome_of(tuned, "bitwise_not");
  EXPECT_EQ(wide.verdict, TuneVerdict::Optimal) << "of 2^32 inputs: " << wide.why;
  EXPECT_EQ(wide.proved_by, tune::ProofKind::Expressions);
}

TEST_F(TuneCorpus, IsTheSameForAnyNumberOfJobs) {
  CorpusTuning many = tuning();
  many.jobs = 3;
  EXPECT_EQ(report::tuned_corpus_markdown(tune(many).cases),
            report::tuned_corpus_markdown(tune(tuning()).cases));
}

TEST_F(TuneCorpus, KernelsAreChosenByNameAndUnknownOnesAreNamed) {
  CorpusTuning one = tuning();
  one.kernels = {"negative", "add1"};
  EXPECT_EQ(tune(one).cases.size(), 2U);
  one.kernels = {"negatif"};
  const auto none = tune_corpus(one, goes_on);
  ASSERT_FALSE(none.has_value());
  EXPECT_NE(none.error().message.find("negatif"), std::string::npos);
}

TEST_F(TuneCorpus, AnInterruptedRunGoesOnToTheSameTable) {
  const std::string whole = report::tuned_corpus_markdown(tune(tuning()).cases);
  CorpusTuning kept = tuning();
  kept.resume_file = file();
  const TunedCorpus part = stopped_behind_the_first(kept);
  EXPECT_LT(part.cases.size(), part.all) << "stopped behind the first program";
  EXPECT_GT(part.cases.size(), 0U);
  EXPECT_NE(report::tuned_corpus_markdown(part.cases), whole);
  const std::string lines = text_of(file());
  EXPECT_GE(std::ranges::count(lines, '\n'), 2) << "settings and a program";

  const TunedCorpus rest = tune(kept);
  EXPECT_GE(rest.resumed, 1U);
  EXPECT_LT(rest.resumed, rest.programs);
  EXPECT_EQ(report::tuned_corpus_markdown(rest.cases), whole);
  EXPECT_TRUE(text_of(file()).starts_with(lines.substr(0, lines.find('\n'))));

  const TunedCorpus again = tune(kept);
  EXPECT_EQ(again.resumed, again.programs) << "nothing is left to do";
  EXPECT_EQ(report::tuned_corpus_markdown(again.cases), whole);
}

TEST_F(TuneCorpus, PartsTogetherGiveTheTableOfOneRun) {
  const TunedCorpus whole = tune(tuning());
  std::vector<parts::PartFile> files;
  std::size_t cases = 0;
  for (const std::uint64_t number : {2, 1}) {
    auto work = parts::SharedWork::part({number, 2}, {{"tune"}, {}}, {});
    CorpusTuning part = tuning();
    part.work = &work;
    cases += tune(part).cases.size();
    files.push_back(parts::parse_part_file(work.text(), "part").value());
    EXPECT_TRUE(files.back().ended);
  }
  EXPECT_EQ(cases, whole.cases.size()) << "each once";
  auto merged = parts::SharedWork::merged(parts::gather_parts(std::move(files)).value());
  CorpusTuning all = tuning();
  all.work = &merged;
  const TunedCorpus together = tune(all);
  EXPECT_EQ(report::tuned_corpus_markdown(together.cases),
            report::tuned_corpus_markdown(whole.cases));
  EXPECT_EQ(together.programs, 0U) << "nothing is compiled again";

  auto other = parts::SharedWork::part({1, 1}, {{"tune"}, {}}, file());
  CorpusTuning stopped = tuning();
  stopped.work = &other;
  stopped_behind_the_first(stopped);
  auto rest = parts::SharedWork::part({1, 1}, {{"tune"}, {}}, file());
  EXPECT_FALSE(parts::parse_part_file(text_of(file()), "").value().ended);
  stopped.work = &rest;
  EXPECT_EQ(report::tuned_corpus_markdown(tune(stopped).cases),
            report::tuned_corpus_markdown(whole.cases));
  stopped.tune.steps_per_interval = 7;
  auto changed = parts::SharedWork::part({1, 1}, {{"tune"}, {}}, file());
  stopped.work = &changed;
  EXPECT_FALSE(tune_corpus(stopped, goes_on)) << "another search";
}

TEST_F(TuneCorpus, DamagedLinesAreDoneAgain) {
  CorpusTuning kept = tuning();
  kept.resume_file = file();
  const std::string whole = report::tuned_corpus_markdown(tune(kept).cases);
  std::string text = text_of(file());
  const std::size_t place = text.find("\"cycles\":32");
  ASSERT_NE(place, std::string::npos);
  text.replace(place, 11, "\"cycles\":31"); // a result that nobody has found
  text.resize(text.size() - 9);             // and a line that was cut off
  std::ofstream(file(), std::ios::binary) << text;
  const TunedCorpus mended = tune(kept);
  EXPECT_EQ(mended.damaged, 2U);
  EXPECT_EQ(mended.resumed, mended.programs - 2);
  EXPECT_EQ(report::tuned_corpus_markdown(mended.cases), whole);
}

TEST_F(TuneCorpus, ResultsOfOtherSettingsAreRefusedByName) {
  CorpusTuning kept = tuning();
  kept.kernels = {"square"};
  kept.resume_file = file();
  tune(kept);
  const std::string before = text_of(file());
  kept.tune.steps_per_interval = 2000;
  const auto other = tune_corpus(kept, goes_on);
  ASSERT_FALSE(other.has_value());
  EXPECT_EQ(other.error().file, file().string());
  EXPECT_NE(other.error().message.find("steps is 1000 there, 2000 here"), std::string::npos)
      << other.error().message;
  EXPECT_EQ(text_of(file()), before) << "nothing is lost";
  std::ofstream(file(), std::ios::binary) << "{}\n";
  EXPECT_FALSE(tune_corpus(kept, goes_on).has_value());
  EXPECT_EQ(text_of(file()), "{}\n");
}

TEST_F(TuneCorpus, EverySettingIsPartOfTheKey) {
  const auto key = [](const tune::TuneOptions& options, bool proves_all = false) {
    return tuning_key(options, proves_all);
  };
  const tune::TuneOptions usual;
  EXPECT_NE(key(usual), key(usual, true));
  EXPECT_NE(key(usual), key({.macros = false}));
  EXPECT_NE(key(usual), key({.conservative = true}));
  EXPECT_NE(key(usual), key({.steps_per_interval = 7}));
  EXPECT_NE(key(usual), key({.seconds = 7}));
  EXPECT_NE(key(usual), key({.proof = {.allow_nan = true}}));
  EXPECT_NE(key(usual), key({.proof = {.allow_denormal = true}}));
  EXPECT_NE(key(usual), key({.proof = {.solver_time = std::chrono::milliseconds(7)}}));
}

TEST(TuneOutcomes, ComeBackFromTheirForm) {
  const std::vector<TuneOutcome> all{
      {.verdict = TuneVerdict::Bounded,
       .rows = 32,
       .plain_cycles = 128.75,
       .interval = 3,
       .cycles = 97,
       .lowest_interval = 2,
       .resource = "MAD",
       .proved_by = tune::ProofKind::Expressions,
       .was_stopped = true},
      {.verdict = TuneVerdict::Refused, .why = "look-up tables", .plain_cycles = 0.1},
      {.verdict = TuneVerdict::NotCompiled, .why = "x"},
      {}};
  for (const TuneOutcome& each : all) {
    const std::string text = outcome_json(each).dump();
    const auto back = parse_outcome(nlohmann::ordered_json::parse(text));
    ASSERT_TRUE(back.has_value()) << text;
    EXPECT_EQ(*back, each) << text;
  }
  EXPECT_FALSE(parse_outcome({{"verdict", "good"}}).has_value());
  EXPECT_FALSE(parse_outcome({{"verdict", 1}}).has_value());
  EXPECT_FALSE(parse_outcome({{"verdict", "optimal"}, {"rows", "many"}}).has_value());
}

tune::Plain rows_to(unsigned tile, const std::string& row) {
  const std::string text = fmt::format(
      ".repeat 32\nSFPLOAD L0, SRCB, 7, 0\n{}\nSFPSTORE L0, SRCB, 7, {}\nINCRWC "
      "DstInc=2\n.endr\n",
      row, tile * 64);
  const auto program = assembly::assemble(Arch::Blackhole, text, "test.tt");
  EXPECT_TRUE(program.has_value());
  return {Arch::Blackhole, *program};
}

// A proof compares one tile; what is stored elsewhere would go unseen.
TEST(TuneOutcomes, OfRowsOutsideOfTheComparedTileAreRefused) {
  const tune::Plain plain = rows_to(2, "SFPMOV L0, L0, 1");
  const TuneOutcome outside =
      tune_outcome(plain, {.macros = false, .steps_per_interval = 1000}, false);
  EXPECT_EQ(outside.verdict, TuneVerdict::Refused);
  EXPECT_NE(outside.why.find("outside of tile 0"), std::string::npos) << outside.why;
  const TuneOutcome inside = tune_outcome(
      plain, {.macros = false, .steps_per_interval = 1000, .proof = {.output_tile = 2}}, false);
  EXPECT_TRUE(inside.is_faster()) << inside.why;
}

/// Rows with the reciprocal of a constant, of which no expression is known.
tune::Plain rows_of_reciprocal() {
  return rows_to(0, "SFPARECIP L10, L1, 0\nSFPMUL L0, L1, L9, L0, 0\nSFPNOP");
}

// Where the bound says so, nothing has to be searched or proved.
TEST(TuneOutcomes, OfManyInputsAreProvedByTheirExpressionsOrNot) {
  const tune::ProofOptions wide{.format = formats::Format::FP32};
  const auto outcome = [](const tune::Plain& plain, const tune::ProofOptions& proof) {
    return tune_outcome(plain, {.macros = false, .steps_per_interval = 1000, .proof = proof},
                        false);
  };
  const TuneOutcome same = outcome(rows_to(0, "SFPMOV L0, L0, 1"), wide);
  EXPECT_TRUE(same.is_faster()) << same.why;
  EXPECT_EQ(same.proved_by, tune::ProofKind::Expressions);
  const TuneOutcome open = outcome(rows_of_reciprocal(), wide);
  EXPECT_EQ(open.verdict, TuneVerdict::NotProved) << open.why;
  EXPECT_FALSE(open.was_stopped);
  EXPECT_EQ(outcome(rows_of_reciprocal(), {.operands = 2}).why, "2^32 pairs of inputs");
  EXPECT_EQ(outcome(rows_of_reciprocal(), {.operands = 3}).why, "2^48 combinations of inputs");
  // A load and a store in two cycles.
  std::string text;
  for (unsigned row = 0; row < 64; row += 2)
    text += fmt::format("SFPLOAD L0, SRCB, 7, {0}\nSFPSTORE L0, SRCB, 7, {0}\n", row);
  const auto copies = assembly::assemble(Arch::Blackhole, text, "test.tt");
  ASSERT_TRUE(copies.has_value());
  const TuneOutcome closed =
      tune_outcome({Arch::Blackhole, *copies}, {.macros = false, .proof = wide}, false);
  EXPECT_EQ(closed.verdict, TuneVerdict::NothingFaster);
}

LlkKernel kernel_with(std::vector<LlkInput> inputs, std::vector<LlkOutput> outputs) {
  return {.name = "k",
          .header = "k",
          .call = "k()",
          .inputs = std::move(inputs),
          .outputs = std::move(outputs),
          .reference = NoReference{}};
}

std::string why_not(const LlkKernel& kernel, formats::Format format = formats::Format::BF16) {
  const auto proof = proof_of_case({&kernel, format, false, Arch::Blackhole}, {});
  return proof ? "" : proof.error().message;
}

TEST(TuneCases, AProofKnowsTheirTilesOrTheReasonIsNamed) {
  using formats::Format;
  const LlkKernel kernel = kernel_with({{}, {}}, {{.tile = 2, .format = Format::UINT16}});
  const auto proof =
      proof_of_case({&kernel, Format::FP16, false, Arch::Blackhole}, {.allow_nan = true});
  ASSERT_TRUE(proof.has_value());
  EXPECT_EQ(proof->format, Format::FP16);
  EXPECT_EQ(proof->output_format, Format::UINT16);
  EXPECT_EQ(proof->operands, 2U);
  EXPECT_EQ(proof->output_tile, 2U);
  EXPECT_TRUE(proof->allow_nan);
  const LlkKernel constant = kernel_with({}, {{}});
  EXPECT_EQ(proof_of_case({&constant, Format::BF16, false, Arch::Blackhole}, {})->operands, 1U);

  EXPECT_EQ(why_not(kernel, Format::INT32), "");
  const LlkKernel three = kernel_with({{}, {}, {}}, {{}});
  EXPECT_EQ(proof_of_case({&three, Format::BF16, false, Arch::Blackhole}, {})->operands, 3U);
  EXPECT_NE(why_not(kernel_with({{}}, {{}, {}})).find("2 tiles of results"), std::string::npos);
  // All numbers of bf16 are all patterns of a cell, as those of UINT16 are.
  EXPECT_EQ(why_not(kernel_with({{.format = Format::UINT16}}, {{}})), "");
  for (const Format other : {Format::UINT32, Format::INT16})
    EXPECT_NE(why_not(kernel_with({{.format = other}}, {{}})).find("another format"),
              std::string::npos);
  EXPECT_EQ(why_not(kernel_with({{.format = Format::BF16}}, {{}})), "");
}

} // namespace
} // namespace lanewise::corpus
