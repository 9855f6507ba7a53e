// Reports of a kernel's ELF: sources with inlined calls, the order of accesses, and JSON of flow
// and paths.
#include <gtest/gtest.h>

#include "binary/elf/code.h"
#include "binary/paths/ordering.h"
#include "binary/paths/tensix_paths.h"
#include "report/elf/flow_json.h"
#include "report/elf/json.h"
#include "report/elf/listing.h"
#include "report/elf/ordering.h"

namespace lanewise::report {
namespace {

using Json = nlohmann::json;

constexpr std::uint32_t kCode = 0x6000;
constexpr std::uint32_t kReturn = 0x00008067;

elf::Image image_of_words(const std::vector<std::uint32_t>& words) {
  const auto size = static_cast<std::uint32_t>(4 * words.size());
  elf::Segment segment{.address = kCode, .size = size, .bytes = {}, .executable = true};
  for (const std::uint32_t word : words) {
    for (unsigned shift = 0; shift < 32; shift += 8)
      segment.bytes.push_back(static_cast<std::uint8_t>(word >> shift));
  }
  return {.name = "test",
          .segments = {segment},
          .functions = {{.name = "f", .readable = "f", .address = kCode, .size = size}}};
}

elf::Function only_function(const elf::Image& image, Arch arch = Arch::Blackhole) {
  return elf::functions_of(image, arch).at(0);
}

// ---------------------------------------------------------------- Sources

/// Line 5 in `inner`, which `outer` calls in line 9, which line 12 of another file calls.
elf::Image inlined_image() {
  elf::Image image = image_of_words({0x13, 0x13, kReturn});
  image.files = {"/a/kernel.h", "/a/b/kernel.c"};
  image.lines = {{.first = kCode, .end = kCode + 12, .file = 0, .line = 5}};
  image.inlined = {
      {.first = kCode, .end = kCode + 8, .function = "outer", .file = 1, .line = 12},
      {.first = kCode, .end = kCode + 4, .function = "inner", .file = 0, .line = 9, .around = 0}};
  return image;
}

TEST(ElfSource, HasTheChainOfInlinedCalls) {
  const elf::Image image = inlined_image();
  EXPECT_EQ(source_text(image, kCode, FileNames::Short),
            "kernel.h:5 in inner, inlined at kernel.h:9 in outer, inlined at kernel.c:12");
  EXPECT_EQ(source_text(image, kCode + 4, FileNames::WithPath),
            "/a/kernel.h:5 in outer, inlined at kernel.c:12");
  EXPECT_EQ(source_text(image, kCode + 8, FileNames::WithPath), "/a/kernel.h:5");
  EXPECT_EQ(source_text(image, kCode + 12, FileNames::WithPath), "");
}

TEST(ElfSource, StandsWhereItChanges) {
  const elf::Image image = inlined_image();
  const std::string text = elf_listing(image, only_function(image), Arch::Blackhole);
  EXPECT_NE(text.find("  /a/kernel.h:5 in inner, inlined at kernel.h:9 in outer, inlined at "
                      "kernel.c:12\n    6000"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  /a/kernel.h:5\n    6008"), std::string::npos) << text;
}

TEST(ElfSource, IsInTheJson) {
  const elf::Image image = inlined_image();
  const Json words =
      elf_json(image, {only_function(image)}, Arch::Blackhole)["functions"][0]["words"];
  EXPECT_EQ(words[0]["inlined"],
            (Json{{{"function", "inner"}, {"file", "/a/kernel.h"}, {"line", 9}},
                  {{"function", "outer"}, {"file", "/a/b/kernel.c"}, {"line", 12}}}));
  EXPECT_EQ(words[1]["inlined"].size(), 1U);
  EXPECT_FALSE(words[2].contains("inlined"));
}

// ---------------------------------------------------------------- Order of accesses

/// The example of docs/ordering.md.
const std::vector<std::uint32_t> kWatch{0x00052703, // lw a4,0(a0)
                                        0x00300793, // li a5,3
                                        0x00070463, // beqz a4, to the first sw
                                        0x00200793, // li a5,2
                                        0x00F5A023, // sw a5,0(a1)
                                        0x00C5A223, // sw a2,4(a1)
                                        kReturn};
/// A loop polls a semaphore; then a Tensix instruction is pushed.
const std::vector<std::uint32_t> kWait{0xFFE80737, // lui a4,0xffe80
                                       0x02072783, // lw a5,32(a4)
                                       0xFE078EE3, // beqz a5, to the lw
                                       0x3C000002, // SFPNOP
                                       kReturn};

struct Ordered {
  explicit Ordered(const std::vector<std::uint32_t>& words)
      : image(image_of_words(words)),
        function(only_function(image)),
        ordering(paths::find_ordering(function, paths::graph_of(function), Arch::Blackhole)) {}

  std::string text() const { return ordering_text(image, function, ordering, Arch::Blackhole); }
  Json as_json() const { return ordering_json(image, function, ordering); }

  elf::Image image;
  elf::Function function;
  paths::Ordering ordering;
};

TEST(OrderingReport, NamesTheStoreThatASelectWouldLetGo) {
  const Ordered watch(kWatch);
  const std::string text = watch.text();
  EXPECT_NE(text.find("decides 6008"), std::string::npos) << text;
  EXPECT_NE(text.find("as a select: 6014 would no longer stay behind 6000"), std::string::npos)
      << text;
  const Json found = watch.as_json();
  ASSERT_EQ(found["selects"].size(), 1U);
  EXPECT_EQ(found["selects"][0]["address"], 0x6008);
  EXPECT_EQ(found["selects"][0]["end"], 0x6010);
  EXPECT_EQ(found["selects"][0]["lost"],
            (Json::array({{{"load", 0x6000}, {"store", 0x6014}, {"pushes", false}}})));
}

TEST(OrderingReport, TellsPolledLoadsAndPushes) {
  const Ordered wait(kWait);
  const std::string text = wait.text();
  EXPECT_NE(text.find("polled, until 6008"), std::string::npos) << text;
  EXPECT_NE(text.find("SFPNOP"), std::string::npos) << text;
  EXPECT_NE(text.find("push, stays behind it only by a control dependency"), std::string::npos)
      << text;
  const Json load = wait.as_json()["loads"].at(0);
  EXPECT_EQ(load["polled_by"], Json::array({0x6008}));
  EXPECT_EQ(load["stores"][0]["pushes"], true);
  EXPECT_EQ(load["stores"][0]["orders"], Json::array({"control"}));
}

/// fence r,w, and what the load brought is stored.
TEST(OrderingReport, TellsAllThatOrders) {
  const Ordered fenced({0x00052703, 0x00070263, 0x0210000F, 0x00E5A023, kReturn});
  EXPECT_NE(fenced.text().find(
                "stays behind it by a control dependency and by a data dependency and by a fence"),
            std::string::npos)
      << fenced.text();
}

TEST(OrderingReport, IsEmptyWithoutBranchesOnLoads) {
  EXPECT_EQ(Ordered({0x00052703, 0x00E5A023, kReturn}).text(), "");
}

// ---------------------------------------------------------------- Flow and paths

Json flow_of(const std::vector<std::uint32_t>& words) {
  const elf::Function function = only_function(image_of_words(words));
  return flow_json(function, paths::graph_of(function));
}

TEST(FlowJson, HasTheTriangleOfAShortBranch) {
  const Json flow = flow_of(kWatch);
  ASSERT_EQ(flow["blocks"].size(), 3U);
  EXPECT_EQ(flow["edges"], (Json{{{"from", 0}, {"to", 2}, {"kind", "taken"}},
                                 {{"from", 0}, {"to", 1}, {"kind", "next"}},
                                 {{"from", 1}, {"to", 2}, {"kind", "next"}}}));
  const Json& skipped = flow["blocks"][1];
  EXPECT_EQ(skipped["address"], 0x600C);
  EXPECT_EQ(skipped["words"], 1);
  EXPECT_EQ(skipped["idom"], 0);
  EXPECT_EQ(skipped["frontier"], Json::array({2}));
  EXPECT_EQ(skipped["decided_by"], Json::array({0}));
  EXPECT_EQ(flow["blocks"][2]["idom"], 0);
  EXPECT_EQ(flow["blocks"][2]["decided_by"], Json::array());
  EXPECT_EQ(flow["blocks"][2]["leaves"], "return");
  EXPECT_FALSE(flow["blocks"][0].contains("idom"));
  EXPECT_EQ(flow["loops"], Json::array());
}

TEST(FlowJson, HasLoopsAndPushes) {
  const Json flow = flow_of(kWait);
  ASSERT_EQ(flow["loops"].size(), 1U);
  EXPECT_EQ(flow["loops"][0], (Json{{"head", 1}, {"latches", {1}}, {"depth", 1}, {"blocks", {1}}}));
  EXPECT_EQ(flow["blocks"][1]["loop_depth"], 1);
  EXPECT_EQ(flow["blocks"][2]["pushes"], 1);
}

/// beqz a0 over SFPLOAD L0, then SFPSTORE L0.
TEST(PathsJson, HasFindingsWithTheirPlaces) {
  const elf::Image image = image_of_words({0x00050463, 0xC0000001, 0xC8000001, kReturn});
  const elf::Function function = only_function(image);
  const paths::FilePaths paths({function}, Arch::Blackhole);
  const Json found = paths_json(image, paths.graph(), 0, paths.of(0));
  EXPECT_EQ(found["reads_before_it_writes"], Json::array({"L0"}));
  EXPECT_EQ(found["writes_on_every_path"], Json::array());
  ASSERT_EQ(found["findings"].size(), 1U);
  EXPECT_EQ(found["findings"][0]["kind"], "unwritten-lreg");
  EXPECT_EQ(found["findings"][0]["address"], 0x6008);
  EXPECT_EQ(found["pushes"]["blocks"][1]["words"], 1);
  EXPECT_EQ(found["pushes"]["loops"], Json::array());
}

/// SFPMAD L0, L0, L9, L0, 0 and, over a branch, the SFPSTORE that reads L0 in the next cycle, which
/// Wormhole does not wait for (VU 5.4).
TEST(PathsJson, HasHazardsWithTheirWays) {
  const elf::Image image =
      image_of_words({0x10002402, 0x00050463, 0x00000013, 0xC8000001, kReturn});
  const paths::FilePaths paths({only_function(image, Arch::Wormhole)}, Arch::Wormhole);
  const Json found = paths_json(image, paths.graph(), 0, paths.of(0));
  ASSERT_EQ(found["hazards"].size(), 1U);
  EXPECT_EQ(found["hazards"][0]["rule"], "mad-result");
  EXPECT_EQ(found["hazards"][0]["address"], 0x600C);
  EXPECT_EQ(found["hazards"][0]["warns"], false);
  EXPECT_EQ(found["hazards"][0]["path"].front()["block"], 0);
  EXPECT_EQ(found["hazards"][0]["path"].back()["block"], 2);
  EXPECT_FALSE(paths.of(0).holds());
}

/// a0 of two ways meets before the return, which may read it.
TEST(SsaJson, HasPhisOfBothWays) {
  const elf::Image image = image_of_words({0x00050463, 0x00150513, kReturn});
  const paths::FilePaths paths({only_function(image)}, Arch::Blackhole);
  const Json found = ssa_json(paths.ssa_of(0));
  ASSERT_EQ(found["phis"][2].size(), 1U);
  EXPECT_EQ(found["phis"][2][0]["arguments"], (Json{"a0.0", "a0.1"}));
  EXPECT_EQ(found["words"][1]["defines"], Json{"a0.1"});
  EXPECT_EQ(found["words"][1]["uses"], Json{"a0.0"});
}

} // namespace
} // namespace lanewise::report
