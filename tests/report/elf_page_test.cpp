// The page of control-flow graphs: everything of a function is on it, and it stands alone.
#include "report/elf/page.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>
#include <vector>

#include "binary/paths/code_graph.h"
#include "paths/code_fixture.h"
#include "report/occurrences.h"
#include "report/xml_check.h"

namespace lanewise {
namespace {

using paths::testing::if_zero;
using paths::testing::jump;
using paths::testing::kNop;
using paths::testing::kRet;
using paths::testing::tensix;
using paths::testing::Words;
using test::occurrences;
using test::XmlCheck;

constexpr std::uint32_t kIndirectJump = 0x00078067; ///< jr a5

std::string page_of(const std::vector<Words>& code, const std::string& file = "kernel.elf") {
  const std::vector<elf::Function> functions = paths::testing::functions(code);
  elf::Image image{.name = file};
  for (const elf::Function& each : functions) image.functions.push_back(each.symbol);
  return report::elf_html(image, functions, paths::FilePaths(functions, Arch::Blackhole),
                          Arch::Blackhole);
}

/// A loop in a loop, and a branch over it.
Words nested() {
  return {if_zero(6), kNop, kNop, if_zero(-1), if_zero(-3), kNop, kRet};
}

/// The first groups of all matches.
std::vector<std::string> matches(const std::string& page, const std::string& expression) {
  const std::regex regex(expression);
  std::vector<std::string> found;
  for (std::sregex_iterator each(page.begin(), page.end(), regex), end; each != end; ++each)
    found.push_back((*each)[1]);
  return found;
}

TEST(ElfPage, EveryBlockAndEdgeIsDrawnOnce) {
  const std::string page = page_of({nested()});
  const paths::CodeGraph code = paths::graph_of(paths::testing::function(nested()));
  EXPECT_EQ(occurrences(page, "<g class=\"block"), code.blocks.size());
  std::multiset<std::pair<int, int>> wanted, found;
  for (const paths::BlockEdge& each : code.edges) wanted.emplace(each.from, each.to);
  const auto from = matches(page, "data-from=\"(\\d+)\""), to = matches(page, "data-to=\"(\\d+)\"");
  ASSERT_EQ(from.size(), to.size());
  for (std::size_t i = 0; i < from.size(); ++i) found.emplace(std::stoi(from[i]), std::stoi(to[i]));
  EXPECT_EQ(found, wanted);
}

TEST(ElfPage, EveryWordIsThere) {
  const std::string page = page_of({nested(), {tensix("SFPNOP"), kRet}});
  for (std::uint32_t address = 0x6000; address < 0x6000 + 4 * 9; address += 4)
    EXPECT_EQ(occurrences(page, fmt::format(">{:x}</text>", address)), 1U) << address;
  EXPECT_EQ(occurrences(page, ">SFPNOP</text>"), 1U);
}

TEST(ElfPage, LoopsAreFramesThatNest) {
  const std::string page = page_of({nested()});
  // The inner loop is one block, in both frames; the outer one has two more.
  EXPECT_EQ(occurrences(page, "<rect class=\"loop l0\""), 3U);
  EXPECT_EQ(occurrences(page, "<rect class=\"loop l1\""), 1U);
  EXPECT_EQ(occurrences(page, " back\" data-from"), 2U);
}

TEST(ElfPage, StandsAloneAndIsWellFormed) {
  std::string page = page_of(
      {nested(), {if_zero(2), tensix("SFPLOADI L0, 0, 1"), tensix("SFPSTORE L0, 0, 7, 0"), kRet}});
  EXPECT_EQ(XmlCheck(page).wrong(), "");
  for (const char* reference : {"http", "//cdn", " src=", "@import", "url("})
    EXPECT_EQ(occurrences(page, reference), 0U) << reference;
  EXPECT_EQ(occurrences(page, "href="), occurrences(page, "href=\"#"));
}

TEST(ElfPage, LinksLeadToPlacesThatAreThereOnce) {
  const std::string page = page_of({nested(), nested()});
  const std::vector<std::string> ids = matches(page, " id=\"([^\"]*)\"");
  const std::set<std::string> places(ids.begin(), ids.end());
  EXPECT_EQ(places.size(), ids.size());
  for (const std::string& link : matches(page, "href=\"#([^\"]*)\""))
    EXPECT_TRUE(places.contains(link)) << link;
}

TEST(ElfPage, FindingsStandAtTheirWords) { // the store reads L0, which the branch leaves unwritten
  const std::string page =
      page_of({{if_zero(2), tensix("SFPLOADI L0, 0, 1"), tensix("SFPSTORE L0, 0, 7, 0"), kRet}});
  EXPECT_EQ(occurrences(page, "<g class=\"found\" id=\"w0-2\">"), 1U);
  EXPECT_EQ(occurrences(page, "<a href=\"#w0-2\">f0+0x8</a>: unwritten-lreg: "), 1U);
}

TEST(ElfPage, BlocksBehindAnIndirectJumpStandBelowIt) {
  const std::string page = page_of({{kNop, kIndirectJump, kNop, jump(2), kNop, kRet}});
  EXPECT_EQ(occurrences(page, "<g class=\"edge possible\" data-from=\"0\" data-to=\"1\">"), 1U);
  EXPECT_EQ(occurrences(page, "no known path leads here"), 3U);
}

TEST(ElfPage, LongBlocksAreCutButKeepFindings) {
  Words words(200, kNop);
  words[100] = tensix("SFPPOPC"); // nothing has been pushed
  words.push_back(kRet);
  const std::string page = page_of({words});
  EXPECT_EQ(occurrences(page, "class=\"gap\""), 2U);
  EXPECT_EQ(occurrences(page, "id=\"w0-100\""), 1U);
  // Forty from the beginning and forty from the end, of which the return is one.
  EXPECT_EQ(occurrences(page, ">nop</text>"), 79U);
}

TEST(ElfPage, NamesAreEscaped) {
  const std::string page = page_of({{kRet}}, "a<b>&\"c\xFF.elf");
  EXPECT_EQ(XmlCheck(page).wrong(), "");
  EXPECT_NE(occurrences(page, "a&lt;b&gt;&amp;&quot;c\uFFFD.elf"), 0U);
}

TEST(ElfPage, SaysWhatFunctionsAreMadeOf) {
  const std::string page =
      page_of({nested(), {tensix("SFPLOADI L0, 0, 1"), tensix("SFPSTORE L0, 0, 7, 0"), kRet}});
  EXPECT_EQ(XmlCheck(page).wrong(), "");
  // nested() has seven words; the other function two pushes and a return.
  EXPECT_EQ(occurrences(page, ", RISC-V: 7</title>"), test::kSizes);
  EXPECT_EQ(occurrences(page, ", RISC-V: 1</title>"), test::kSizes);
  for (const char* push : {", Load: 1</title>", ", Store: 1</title>"})
    EXPECT_EQ(occurrences(page, push), 2 * test::kSizes) << push << " in both pictures";
}

} // namespace
} // namespace lanewise
