// Tables of tuned kernels: their totals by hand, and the page.
#include "report/tune/corpus_table.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "report/occurrences.h"
#include "report/page/page.h"
#include "report/tune/corpus_page.h"
#include "report/tune/totals.h"
#include "report/xml_check.h"

namespace lanewise::report {
namespace {

using corpus::TunedCase;
using corpus::TuneOutcome;
using corpus::TuneVerdict;
using test::occurrences;

TunedCase some_case(const std::string& kernel, TuneOutcome outcome) {
  return {.kernel = kernel,
          .header = "h",
          .variant = "bf16",
          .arch = Arch::Blackhole,
          .outcome = std::move(outcome)};
}

TuneOutcome faster(TuneVerdict verdict, double before, std::uint64_t after) {
  return {.verdict = verdict,
          .rows = 32,
          .plain_cycles = before,
          .interval = static_cast<unsigned>(after / 32),
          .cycles = after,
          .lowest_interval = 1,
          .resource = "MAD"};
}

TuneOutcome refused(const std::string& why) {
  return {.verdict = TuneVerdict::Refused, .why = why, .plain_cycles = 500};
}

std::vector<TunedCase> some_cases() {
  TuneOutcome proved = faster(TuneVerdict::Bounded, 128, 64);
  proved.proved_by = tune::ProofKind::Solver;
  proved.was_stopped = true;
  return {
      some_case("a", faster(TuneVerdict::Optimal, 256, 32)), // an eighth
      some_case("b", proved),                                // a half
      some_case("c", {.verdict = TuneVerdict::NothingFaster,
                      .rows = 32,
                      .plain_cycles = 96,
                      .lowest_interval = 3,
                      .resource = "Load"}),
      some_case("d", {.verdict = TuneVerdict::NotProved,
                      .why = "2^32 inputs",
                      .rows = 32,
                      .plain_cycles = 128,
                      .lowest_interval = 2,
                      .resource = "MAD"}),
      some_case("e", refused("row 3 lies at another distance")),
      some_case("f", refused("look-up tables | <LReg[3]>")),
      some_case("g", refused("row 12 lies at another distance")),
      some_case("h", {.verdict = TuneVerdict::NotCompiled, .why = "no such function"}),
      some_case("i", {.verdict = TuneVerdict::Failed, .why = "the process was ended"}),
  };
}

TEST(TuneTotalsOfATable, AreThoseComputedByHand) {
  const TuneTotals totals = tune_totals(some_cases());
  EXPECT_EQ(totals.cases, 9U);
  EXPECT_EQ(totals.taken, 4U);
  EXPECT_EQ(totals.not_proved, 1U);
  EXPECT_EQ(totals.searched, 3U);
  EXPECT_EQ(totals.faster, 2U);
  EXPECT_EQ(totals.best, 1U) << "c, whose three cycles per row are the bound";
  EXPECT_EQ(totals.slower, 0U);
  EXPECT_EQ(totals.optimal, 1U);
  EXPECT_EQ(totals.by_solver, 1U);
  EXPECT_EQ(totals.was_stopped, 1U);
  EXPECT_EQ(totals.refused, 3U);
  EXPECT_EQ(totals.not_compiled, 1U);
  EXPECT_EQ(totals.failed, 1U);
  // The cube root of 1/8 * 1/2 * 1.
  EXPECT_NEAR(totals.ratio, 0.39685026299, 1e-9);
  const std::vector<std::pair<std::string, std::size_t>> reasons{
      {"row N lies at another distance", 2},
      {"does not compile: no such function", 1},
      {"look-up tables | <LReg[3]>", 1}};
  EXPECT_EQ(totals.reasons, reasons) << "the most frequent first, numbers only where they differ";
}

// Predicated loads in macros, as `where` has them: three cycles and a half, where the tuner takes
// six.
TEST(TuneTotalsOfATable, NoBoundSaysThatAProgramBelowItIsBest) {
  const TuneOutcome below{.verdict = TuneVerdict::NothingFaster,
                          .rows = 32,
                          .plain_cycles = 112,
                          .lowest_interval = 6,
                          .resource = "issue slots"};
  const std::vector<TunedCase> cases{some_case("where", below)};
  EXPECT_EQ(tune_totals(cases).best, 0U);
  const std::string text = tuned_corpus_markdown(cases);
  EXPECT_NE(text.find("| nothing faster found, shipped is below the bound |"), std::string::npos)
      << text;
  EXPECT_NE(text.find("of 0 the bound says"), std::string::npos) << text;
}

TEST(TuneTotalsOfATable, NameWhatIsSlower) {
  std::vector<TunedCase> cases = some_cases();
  cases[0].outcome.cycles = 300;
  const TuneTotals totals = tune_totals(cases);
  EXPECT_EQ(totals.slower, 1U);
  EXPECT_EQ(totals.faster, 1U);
  EXPECT_NE(tuned_corpus_markdown(cases).find("1 are slower."), std::string::npos);
}

TEST(TuneTotalsOfATable, OfNothingAreNothing) {
  EXPECT_EQ(tune_totals({}).ratio, 1);
  EXPECT_NE(tuned_corpus_markdown({}).find("Of 0 kernels"), std::string::npos);
}

// The cells of the rows of a table in Markdown that begin with a kernel's name.
std::string row_of(const std::string& text, const std::string& kernel) {
  const std::size_t begin = text.find("| " + kernel + " ");
  std::string row = text.substr(begin, text.find('\n', begin) - begin);
  for (std::size_t at; (at = row.find("  ")) != std::string::npos;) row.erase(at, 1);
  return row;
}

TEST(TuneCorpusTable, HasARowForEachKernelAndTheTotals) {
  const std::string text = tuned_corpus_markdown(some_cases());
  EXPECT_EQ(row_of(text, "a"), "| a | bf16 | bh | 8.0 | 256 | 1 | 32 | 1 | MAD | optimal |");
  EXPECT_EQ(row_of(text, "b"),
            "| b | bf16 | bh | 4.0 | 128 | 2 | 64 | 1 | MAD | bound 1, proved by z3, stopped at "
            "the limit of time |");
  EXPECT_EQ(row_of(text, "c"), "| c | bf16 | bh | 3.0 | 96 | | | 3 | Load | nothing faster |");
  EXPECT_EQ(row_of(text, "d"),
            "| d | bf16 | bh | 4.0 | 128 | | | 2 | MAD | not proved here: 2^32 inputs |");
  EXPECT_EQ(row_of(text, "e"),
            "| e | bf16 | bh | | 500 | | | | | refused: row 3 lies at another distance |");
  EXPECT_EQ(row_of(text, "f"),
            "| f | bf16 | bh | | 500 | | | | | refused: look-up tables \\| <LReg[3]> |");
  EXPECT_EQ(row_of(text, "h"),
            "| h | bf16 | bh | | | | | | | does not compile: no such function |");
  for (const std::string part :
       {"Of 9 kernels, in their configurations, 4 are taken; 3 are refused, 1 do not compile.",
        "Of 1 the process was ended.", "1 have faster programs whose proof",
        "Of 3 that were searched, 2 are faster (1 at their bound, 0 proved by their expressions, 1 "
        "by z3), none is slower.",
        "Of 9 kernels 3 are faster or proved best: of 1 the bound says that nothing is faster",
        "ended 1 searches", "shipped cycles of a tile: 0.397"})
    EXPECT_EQ(occurrences(text, part), 1U) << part;
  EXPECT_LT(text.find("| row N lies"), text.rfind("| does not compile: no such"));
}

TEST(TuneCorpusTable, SaysWhetherTheBoundOrTheSearchFoundNothing) {
  std::vector<TunedCase> cases{some_cases()[2]};
  cases[0].outcome.lowest_interval = 2;
  EXPECT_NE(tuned_corpus_markdown(cases).find("| nothing faster found |"), std::string::npos);
}

TEST(TuneCorpusTable, HasTheSameAsJson) {
  const auto json = tuned_corpus_json(some_cases());
  ASSERT_EQ(json["kernels"].size(), 9U);
  const auto& first = json["kernels"][0];
  EXPECT_EQ(first["kernel"], "a");
  EXPECT_EQ(first["chip"], "bh");
  EXPECT_EQ(first["verdict"], "optimal");
  EXPECT_EQ(first["shipped_cycles"], 256);
  EXPECT_EQ(first["cycles"], 32);
  EXPECT_EQ(json["kernels"][1]["proved_by"], "z3");
  EXPECT_EQ(json["kernels"][4]["why"], "row 3 lies at another distance");
  EXPECT_EQ(json["totals"]["searched"], 3);
  EXPECT_EQ(json["totals"]["reasons"][0]["kernels"], 2);
  EXPECT_NEAR(json["totals"]["geometric_mean"].get<double>(), 0.39685026299, 1e-9);
}

TEST(TuneCorpusPage, HasTheFiguresOfTheTable) {
  const std::vector<TunedCase> cases = some_cases();
  const std::string page = tuned_corpus_page(cases, "lanewise tune --page <file>");
  EXPECT_EQ(test::XmlCheck(page).wrong(), "");
  for (const TableRow& row : tuned_corpus_table(cases).rows) {
    for (const TableCell& cell : row) {
      const std::string text = escaped(cell.text);
      EXPECT_GE(occurrences(page, ">" + text + "</td>"), 1U) << text;
    }
  }
  for (const std::string& sentence : tune_total_sentences(cases))
    EXPECT_EQ(occurrences(page, escaped(sentence)), 1U) << sentence;
  EXPECT_EQ(occurrences(page, "data-key=\"256\""), 1U);
  EXPECT_EQ(occurrences(page, "data-key=\"-1\">"), 26U) << "what is not known comes before 0";
  EXPECT_EQ(occurrences(page, "<b>4 of 9</b>"), 1U);
  EXPECT_EQ(occurrences(page, "<b>2 of 3</b>"), 1U);
  EXPECT_EQ(occurrences(page, "<b>0.397</b>"), 1U);
  EXPECT_EQ(occurrences(page, "lanewise tune --page &lt;file&gt;"), 1U);
}

} // namespace
} // namespace lanewise::report
