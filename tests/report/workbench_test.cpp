// The workbench without a server: what a request is, and what is a problem of which line.
#include "report/workbench/workbench.h"

#include <gtest/gtest.h>

#include "chip/timing/hazards/hazards.h"
#include "report/workbench/problems.h"

namespace lanewise {
namespace {

using nlohmann::json;
using report::parse_workbench_request;

json problems_of(const Fault& fault) {
  json problems = json::array();
  report::add_problems(problems, fault, "error", "dir/k.cpp");
  return problems;
}

TEST(Workbench, RequestHasTextAndChoices) {
  const auto request = parse_workbench_request(
      R"({"text": "t", "arch": "wh", "format": "fp32", "reference": "x", "inputs": "every"})");
  const report::WorkbenchRequest expected{"t", Arch::Wormhole, "fp32", "x", "every"};
  EXPECT_EQ(request.value(), expected);
  EXPECT_EQ(parse_workbench_request(R"({"text": ""})").value(), report::WorkbenchRequest{});
}

TEST(Workbench, OtherRequestsAreRefused) {
  for (const char* text : {"", "{", "[]", "{}", "null", R"({"text": null})", R"({"text": ["x"]})",
                           R"({"text": "", "arch": "xx"})", R"({"text": "", "inputs": 7})"})
    EXPECT_FALSE(parse_workbench_request(text)) << text;
}

TEST(Workbench, EachMessageOfTheCompilerIsAProblem) {
  const json problems = problems_of({.message = "g++ could not compile dir/k.cpp\n"
                                                "dir/k.cpp: In function 'void kernel()':\n"
                                                "dir/k.cpp:5:3: error: expected ';'\n"
                                                "    5 |   dst_reg[0] = x;\n"
                                                "dir/k.cpp:9:1: warning: unused: x\n"});
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_EQ(problems[0], (json{{"kind", "error"},
                               {"line", 5},
                               {"column", 3},
                               {"text", "expected ';'"},
                               {"detail", ""}}));
  EXPECT_EQ(problems[1]["kind"], "warning");
  EXPECT_EQ(problems[1]["line"], 9);
}

TEST(Workbench, ErrorInAHeaderStandsWhereItIsUsed) {
  const json problems = problems_of({.message = "sfpi.h: In instantiation of 'f':\n"
                                                "dir/k.cpp:6:22:   required from here\n"
                                                "sfpi.h:158:17: error: no division\n"
                                                "sfpi.h:158:17: note: evaluates to false\n"});
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0]["line"], 6);
  EXPECT_EQ(problems[0]["column"], 22);
  EXPECT_EQ(problems[0]["text"], "no division");
}

TEST(Workbench, FaultWithALineStandsThere) {
  const json own =
      problems_of({.message = "m", .remedy = "r", .file = "dir/k.cpp", .line = 3, .column = 2});
  EXPECT_EQ(own,
            json::array(
                {{{"kind", "error"}, {"line", 3}, {"column", 2}, {"text", "m"}, {"detail", "r"}}}));
  const json elsewhere = problems_of({.message = "m", .file = "other.h", .line = 3});
  EXPECT_EQ(elsewhere[0]["line"], 0);
  EXPECT_EQ(elsewhere[0]["text"], "other.h:3: error: m");
}

class RowWorkbench : public testing::Test {
 protected:
  static report::Workbench workbench() {
    std::vector<report::ChipFile> files;
    for (const Arch arch : kArchs) files.push_back({arch, {.name = "row.tt"}});
    return {"row.tt", std::move(files)};
  }
  static report::WorkbenchRequest row(Arch arch) {
    report::WorkbenchRequest request;
    request.text = "SFPLOAD L0, 0, 3, 0\nSFPMAD L0, L0, L10, L1, 0\nSFPSTORE L1, 0, 3, 0\n";
    request.arch = arch;
    request.reference = "x + 1";
    return request;
  }
};

/// Of Wormhole a result of SFPMAD can be read two cycles later, and nothing waits (VU 5.3).
TEST_F(RowWorkbench, HazardStandsAtItsLine) {
  report::Workbench bench = workbench();
  const json told = bench.program(row(Arch::Wormhole));
  ASSERT_FALSE(told["problems"].empty());
  EXPECT_EQ(told["problems"][0]["kind"], "hazard");
  EXPECT_EQ(told["problems"][0]["line"], 3);
  EXPECT_TRUE(bench.program(row(Arch::Blackhole))["problems"].empty()); // which waits by itself
}

TEST_F(RowWorkbench, ErrorsOfEveryInput) {
  report::Workbench bench = workbench();
  const json told = bench.errors(row(Arch::Blackhole), [] { return true; });
  EXPECT_EQ(told["inputs"], 65536);
  EXPECT_TRUE(told.contains("errors"));
  EXPECT_FALSE(bench.errors(row(Arch::Blackhole), [] { return false; }).contains("errors"));
}

TEST_F(RowWorkbench, ManyInputsAreSampledOrRefused) {
  report::Workbench bench = workbench();
  report::WorkbenchRequest request = row(Arch::Blackhole);
  request.reference = "x + y"; // 2^32 pairs
  EXPECT_LE(bench.errors(request, [] { return true; })["inputs"], report::kMostWorkbenchInputs);
  request.inputs = "every";
  const json told = bench.errors(request, [] { return true; });
  EXPECT_FALSE(told.contains("errors"));
  EXPECT_EQ(told["problems"].size(), 1U);
}

TEST_F(RowWorkbench, TextThatIsNoProgramIsAProblem) {
  report::Workbench bench = workbench();
  report::WorkbenchRequest request = row(Arch::Blackhole);
  request.text = "SFPLOAD L0, 0, 3, 0\nSFPFOO\n";
  const json told = bench.program(request);
  ASSERT_EQ(told["problems"].size(), 1U);
  EXPECT_EQ(told["problems"][0]["line"], 2);
  EXPECT_FALSE(told.contains("listing"));
}

} // namespace
} // namespace lanewise
