// What moved between two trees: elements, places, reach, baselines, both sides of a case.
#include <gtest/gtest.h>

#include "base/cache.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "sfpi/kernel_files.h"
#include "study/changes/baseline.h"
#include "study/changes/compare.h"
#include "study/changes/elements.h"
#include "study/changes/reach.h"
#include "study/changes/runner.h"
#include "study/changes/tree.h"
#include "study/changes/wire.h"

namespace lanewise::changes {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kOut = 0x41000;

ResultPlace bf16_tile() {
  return {.address = kOut, .format = "Float16_b", .tiles = 1, .tile_bytes = 2048};
}

std::vector<std::uint8_t> bytes_of(std::initializer_list<std::uint8_t> first, std::size_t size) {
  std::vector<std::uint8_t> bytes(first);
  bytes.resize(size);
  return bytes;
}

// --- Elements

TEST(Elements, AreNumbersOfTheirFormat) {
  const ElementReader bf16(bf16_tile());
  EXPECT_EQ(bf16.elements(), 1024U);
  EXPECT_EQ(bf16.bytes(), 2048U);
  // 3F80 is 1 in BF16, C040 is -3: sign, 8 bits of exponent with bias 127, 7 of mantissa.
  const auto tile = bytes_of({0x80, 0x3F, 0x40, 0xC0}, 2048);
  EXPECT_EQ(bf16.element(tile, 0).value, 1.0);
  EXPECT_EQ(bf16.element(tile, 1).value, -3.0);
  // Neighbours on the line of numbers are one apart.
  const auto next = bytes_of({0x81, 0x3F}, 2048);
  EXPECT_EQ(*bf16.element(next, 0).order - *bf16.element(tile, 0).order, 1);
}

TEST(Elements, OfBlocksHaveTheExponentOfTheirBlock) {
  ResultPlace place{.address = 0, .format = "Bfp8_b", .tiles = 1, .tile_bytes = 1088};
  const ElementReader reader(place);
  EXPECT_EQ(reader.bytes(), 1088U); // 64 exponents, 1024 numbers
  auto tile = bytes_of({127, 128}, 1088);
  tile[64] = 0x40;      // the highest bit of 7 has the weight of the exponent: 1
  tile[65] = 0x80 | 96; // -1.5
  tile[64 + 16] = 0x40; // in the second block: 2
  EXPECT_EQ(reader.element(tile, 0).value, 1.0);
  EXPECT_EQ(reader.element(tile, 1).value, -1.5);
  EXPECT_EQ(reader.element(tile, 16).value, 2.0);
  // Another exponent makes all numbers of its block other ones, though their own bits stay.
  auto other = tile;
  other[0] = 126;
  EXPECT_NE(reader.element(tile, 0).bits, reader.element(other, 0).bits);
  EXPECT_EQ(reader.element(tile, 5).bits, reader.element(other, 5).bits); // but for zeros
  EXPECT_EQ(reader.element(tile, 16).bits, reader.element(other, 16).bits);
}

TEST(Elements, OfSmallBlockFormatsShareBytes) {
  ResultPlace place{.address = 0, .format = "Bfp4_b", .tiles = 1, .tile_bytes = 576};
  const ElementReader reader(place);
  EXPECT_EQ(reader.bytes(), 576U);
  auto tile = bytes_of({127}, 576);
  tile[64] = 0x24; // the first number is the low half of the byte: 4/4, then 2/4
  EXPECT_EQ(reader.element(tile, 0).value, 1.0);
  EXPECT_EQ(reader.element(tile, 1).value, 0.5);
}

TEST(Elements, LieInFacesOfTheirTile) {
  const ElementReader reader(bf16_tile());
  const ElementPlace second_face = reader.place(256), third = reader.place(512 + 16 + 3);
  EXPECT_EQ(second_face.face, 1U);
  EXPECT_EQ(second_face.row, 0U);
  EXPECT_EQ(second_face.column, 16U);
  EXPECT_EQ(third.face, 2U);
  EXPECT_EQ(third.row, 17U);
  EXPECT_EQ(third.column, 3U);
  // A tile of 32x16 has its faces one above the other.
  ResultPlace narrow = bf16_tile();
  narrow.faces = 2;
  narrow.face_columns = 1;
  EXPECT_EQ(ElementReader(narrow).place(256).row, 16U);
  EXPECT_EQ(ElementReader(narrow).place(256).column, 0U);
}

// --- Comparison of outcomes that are made by hand

TestCase tile_case() {
  return {.kind = CaseKind::Test,
          .arch = Arch::Blackhole,
          .id = "test_x.py::test_x[a]",
          .group = "test_x.py::test_x",
          .parameters = {{"a", "1"}},
          .source = "tests/sources/x_test.cpp",
          .result = bf16_tile()};
}

/// An outcome with these elements of BF16, by their number in L1.
Outcome outcome_of(std::initializer_list<std::pair<unsigned, std::uint16_t>> elements) {
  Outcome outcome;
  outcome.texts = {"a", "b", std::to_string(elements.size())};
  for (const auto& [index, bits] : elements) {
    outcome.written.push_back(
        {.address = kOut + 2 * index,
         .bytes = {static_cast<std::byte>(bits & 0xFF), static_cast<std::byte>(bits >> 8)}});
  }
  return outcome;
}

CaseDifference compared(const Outcome& before, const Outcome& after) {
  return compare(tile_case(), before, tile_case(), after);
}

TEST(Compare, SaysHowManyElementsAndWhere) {
  Outcome before = outcome_of({{0, 0x3F80}});
  // One in face F1, row 2, column 20, and one in F3, row 31, column 31.
  const Outcome after = outcome_of({{0, 0x3F80}, {256 + 2 * 16 + 4, 0x3F80}, {1023, 0xBF80}});
  const CaseDifference difference = compared(before, after);
  ASSERT_EQ(difference.verdict, Verdict::Moved);
  ASSERT_TRUE(difference.results.has_value());
  EXPECT_EQ(difference.results->changed, 2U);
  EXPECT_EQ(difference.results->elements, 1024U);
  EXPECT_EQ(difference.results->tiles_changed, 1U);
  EXPECT_EQ(difference.results->largest_absolute, 1.0);
  EXPECT_EQ(difference.results->largest_ulp, 0x3F80U);
  EXPECT_EQ(places_text(*difference.results),
            "faces F1 and F3 (right-hand faces only), rows 2 and 31, columns 20 and 31");
  EXPECT_EQ(difference.results->first, "tile 0, row 2, column 20: 0 becomes 1");
  EXPECT_EQ(difference.other_bytes, 0U);
}

TEST(Compare, TellsLeftHandFacesAndWholeTiles) {
  const CaseDifference left = compared(outcome_of({}), outcome_of({{0, 1}, {512, 1}}));
  EXPECT_EQ(places_text(*left.results),
            "faces F0 and F2 (left-hand faces only), rows 0 and 16, column 0");
  Outcome all;
  all.texts = {"other"};
  all.written = {{.address = kOut, .bytes = std::vector<std::byte>(2048, std::byte{1})}};
  EXPECT_EQ(places_text(*compared(outcome_of({}), all).results), "all faces");
}

TEST(Compare, CountsNumbersThatAreNoneAnyMore) {
  const CaseDifference difference =
      compared(outcome_of({}), outcome_of({{3, 0x7F80}, {4, 0x3F80}}));
  EXPECT_EQ(difference.results->lost, 1U);
  EXPECT_EQ(difference.results->largest_absolute, 1.0);
}

TEST(Compare, SeesBytesBesideTheResults) {
  Outcome after = outcome_of({});
  after.texts = {"other"};
  after.written = {{.address = kOut + 2048, .bytes = {std::byte{1}, std::byte{0}, std::byte{2}}}};
  const CaseDifference difference = compared(outcome_of({}), after);
  EXPECT_EQ(difference.verdict, Verdict::Moved);
  EXPECT_FALSE(difference.results.has_value());
  EXPECT_EQ(difference.other_bytes, 2U); // the one in between is what it was
  EXPECT_EQ(difference.first_other, kOut + 2048);
}

TEST(Compare, AnExponentOfZerosIsAByteOfL1) {
  TestCase each = tile_case();
  each.result = ResultPlace{.address = kOut, .format = "Bfp8_b", .tiles = 1, .tile_bytes = 1088};
  Outcome before, after;
  after.texts = {"other"};
  after.written = {{.address = kOut + 3, .bytes = {std::byte{100}}}};
  const CaseDifference difference = compare(each, before, each, after);
  EXPECT_EQ(difference.verdict, Verdict::Moved);
  EXPECT_FALSE(difference.results.has_value());
  EXPECT_EQ(difference.other_bytes, 1U);
}

TEST(Compare, FindsFindingsThatComeAndGoAsOftenAsTheyDo) {
  Outcome before = outcome_of({}), after = outcome_of({{0, 0}});
  before.findings = {{"a hazard", "x.h:1"}, {"an old one", "x.h:2"}};
  after.findings = {{"a hazard", "x.h:7"}, {"a hazard", "x.h:9"}};
  const CaseDifference difference = compared(before, after);
  EXPECT_EQ(difference.verdict, Verdict::Moved);
  ASSERT_EQ(difference.new_findings.size(), 1U); // its place alone makes no new one
  EXPECT_EQ(difference.new_findings[0], (Finding{"a hazard", "x.h:9"}));
  ASSERT_EQ(difference.gone_findings.size(), 1U);
  EXPECT_EQ(difference.gone_findings[0].what, "an old one");
}

TEST(Compare, NamesStateCyclesAndEnds) {
  Outcome before = outcome_of({}), after = outcome_of({{0, 0}});
  before.state = {{"Haloize", 1}, {"gone", 3}};
  after.state = {{"Haloize", 2}, {"new", 5}};
  before.cycles = {{"cycles per tile", 10}};
  after.cycles = {{"cycles per tile", 8}};
  after.ends = {"a deadlock: nobody can go on"};
  const CaseDifference difference = compared(before, after);
  EXPECT_EQ(difference.state,
            (std::vector<StateChange>{{"Haloize", 1, 2}, {"gone", 3, 0}, {"new", 0, 5}}));
  EXPECT_EQ(difference.cycles, (std::vector<CyclesChange>{{"cycles per tile", 10, 8}}));
  EXPECT_EQ(difference.ends_after, after.ends);
}

TEST(Compare, WhatIsCompiledAlikeCannotMove) {
  EXPECT_EQ(compared(outcome_of({}), outcome_of({})).verdict, Verdict::NotReached);
  // Unless the trees' tests give it other inputs.
  TestCase other = tile_case();
  other.inputs = {{.address = 0x21000, .bytes = {std::byte{1}}}};
  const CaseDifference difference = compare(tile_case(), outcome_of({}), other, outcome_of({}));
  EXPECT_TRUE(difference.inputs_differ);
  EXPECT_NE(difference.verdict, Verdict::NotReached);
  // Other text that leaves the same is the same.
  Outcome after = outcome_of({});
  after.texts = {"other"};
  EXPECT_EQ(compared(outcome_of({}), after).verdict, Verdict::Same);
}

TEST(Compare, TilesOfTheFirstTreeServeBoth) {
  TestCase first = tile_case(), second = tile_case();
  const auto part = [](std::uint32_t address, std::initializer_list<int> values) {
    tile::L1Input input{.address = address, .bytes = {}};
    for (const int value : values) input.bytes.push_back(static_cast<std::byte>(value));
    return input;
  };
  first.inputs = {part(kTilesAddress - 1, {1, 2, 3})};
  second.inputs = {part(kTilesAddress - 2, {7, 8, 9})};
  share_tiles(first, second); // a parameter stays, a tile does not
  ASSERT_EQ(second.inputs.size(), 2U);
  EXPECT_EQ(second.inputs[0].address, kTilesAddress - 2);
  EXPECT_EQ(second.inputs[0].bytes, part(0, {7, 8}).bytes);
  EXPECT_EQ(second.inputs[1].address, kTilesAddress);
  EXPECT_EQ(second.inputs[1].bytes, part(0, {2, 3}).bytes);
  // Other places are other tiles.
  TestCase elsewhere = tile_case();
  elsewhere.result->address += 64;
  elsewhere.inputs = {part(kTilesAddress, {9})};
  share_tiles(first, elsewhere);
  EXPECT_EQ(elsewhere.inputs[0].bytes, part(0, {9}).bytes);
}

TEST(Compare, OneSideThatFailsIsADifference) {
  Outcome broken;
  broken.error = "g++ could not compile it";
  EXPECT_EQ(compared(broken, outcome_of({})).verdict, Verdict::FailsBefore);
  EXPECT_EQ(compared(outcome_of({}), broken).verdict, Verdict::FailsAfter);
  EXPECT_EQ(compared(broken, broken).verdict, Verdict::FailsBoth);
  EXPECT_TRUE(is_difference(Verdict::FailsAfter));
  EXPECT_TRUE(is_difference(Verdict::FailsBefore));
  EXPECT_FALSE(is_difference(Verdict::FailsBoth));
}

TEST(Compare, DifferencesGoFromProcessToProcessWhole) {
  Outcome before = outcome_of({}), after = outcome_of({{300, 0x3F80}});
  after.findings = {{"a hazard", "x.h:7"}};
  after.state = {{"Haloize", 2}};
  const CaseDifference difference = compared(before, after);
  const auto read = difference_of(wire_of(difference));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(wire_of(*read), wire_of(difference));
  EXPECT_FALSE(difference_of(nlohmann::json::object()).has_value());
}

// --- Reach

TEST(Reach, CommentsAreNoChangeAndTextInQuotesIs) {
  EXPECT_EQ(without_comments("int a; // one\n\n  /* two\n lines */\nint b;  \n"),
            without_comments("int a;\nint b;\n// three\n"));
  EXPECT_NE(without_comments("f(\"// one\");\n"), without_comments("f(\"// two\");\n"));
  EXPECT_NE(without_comments("c = '\"'; // \"\nint a;\n"), without_comments("c = '\"';\nint b;\n"));
  EXPECT_EQ(without_comments("n = 1'000; // one\n"), without_comments("n = 1'000;\n"));
  EXPECT_NE(without_comments("R\"(// one)\""), without_comments("R\"(// two)\""));
}

/// A checkout of tt-llk with one test and two headers.
class Trees : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* tree : {"one", "two"}) {
      for (const char* chip : {"tt_llk_blackhole", "tt_llk_wormhole_b0"})
        fs::create_directories(at(tree) / chip / "common/inc/sfpu");
      write(tree, "tests/sources/write_test.cpp", kTest);
      write(tree, "tests/sources/other_test.cpp", "#include \"lonely.h\"\n");
      for (const char* chip : {"tt_llk_blackhole", "tt_llk_wormhole_b0"}) {
        write(tree, fs::path(chip) / "llk_lib/value.h", "#pragma once\n#include \"deep.h\"\n");
        write(tree, fs::path(chip) / "llk_lib/deep.h",
              "#pragma once\n#define VALUE 1\ninline int marked();\n");
        write(tree, fs::path(chip) / "llk_lib/lonely.h", "#pragma once\n");
      }
    }
  }

  fs::path at(const char* tree) const { return folder.path() / tree; }
  void write(const char* tree, const fs::path& name, const std::string& text) const {
    fs::create_directories((at(tree) / name).parent_path());
    std::ofstream(at(tree) / name) << text;
  }
  checkouts::Checkout open(const char* tree) const {
    return *checkouts::Checkout::open(at(tree), kArchs);
  }
  CaseDifference run() const {
    const checkouts::Checkout one = open("one"), two = open("two");
    TestCase each = tile_case();
    each.source = "tests/sources/write_test.cpp";
    each.build_header =
        "#pragma once\n#define RUNTIME_PARAMETERS [[maybe_unused]] const struct "
        "RuntimeParams&\nstruct RuntimeParams {};\n";
    return run_pair(CaseRunner(one, kKernelLimits), each, CaseRunner(two, kKernelLimits), each);
  }

  static constexpr const char* kTest =
      "#include <cstdint>\n#include \"build.h\"\n#include \"ckernel_ops.h\"\n"
      "#include \"tensix.h\"\n#include \"value.h\"\n"
      "void run_kernel(RUNTIME_PARAMETERS) {\n#ifdef LLK_TRISC_MATH\n"
      "  volatile std::uint16_t* out = reinterpret_cast<std::uint16_t*>(std::uintptr_t{0x41000});\n"
      "  for (int i = 0; i < 16; ++i) out[256 + 16 * i] = VALUE;\n"
      "  TTI_SETC16(ADDR_MOD_AB_SEC0_SrcAIncr_ADDR32, VALUE);\n#endif\n}\n";

  sfpi::TemporaryFolder folder;
  sfpi::Environment cache{"LANEWISE_CACHE", std::getenv("LANEWISE_TEST_CACHE") != nullptr
                                                ? std::getenv("LANEWISE_TEST_CACHE")
                                                : folder.path().string() + "/cache"};
};

TEST_F(Trees, OnlyWhatReadsAChangedFileIsReached) {
  write("two", "tt_llk_blackhole/llk_lib/deep.h", "#pragma once\n#define VALUE 2\n");
  write("two", "tt_llk_blackhole/llk_lib/value.h",
        "#pragma once // no more\n#include \"deep.h\"\n");
  const checkouts::Checkout one = open("one"), two = open("two");
  const auto changed = changed_files(one, two);
  EXPECT_EQ(changed, (std::set<std::string>{"llk/tt_llk_blackhole/llk_lib/deep.h"}));
  IncludeGraph blackhole(two, Arch::Blackhole), wormhole(two, Arch::Wormhole);
  const fs::path sources = two.llk() / "tests/sources";
  EXPECT_TRUE(blackhole.reaches(sources / "write_test.cpp", changed)); // through value.h
  EXPECT_FALSE(blackhole.reaches(sources / "other_test.cpp", changed));
  EXPECT_FALSE(wormhole.reaches(sources / "write_test.cpp", changed));
}

TEST_F(Trees, ANewHeaderThatComesFirstIsAChange) {
  write("two", "tests/sources/lonely.h", "#define NEW\n");
  const checkouts::Checkout one = open("one"), two = open("two");
  const auto changed = changed_files(one, two);
  EXPECT_EQ(changed, (std::set<std::string>{"llk/tests/sources/lonely.h"}));
  IncludeGraph graph(two, Arch::Blackhole);
  EXPECT_TRUE(graph.reaches(two.llk() / "tests/sources/other_test.cpp", changed));
}

TEST_F(Trees, ARunSaysWhatMovedWhereAndWhatIsLeftBehind) {
#ifdef LANEWISE_SANITIZED
  GTEST_SKIP() << "the address sanitizer keeps its own memory where a core has registers";
#endif
  write("two", "tt_llk_blackhole/llk_lib/deep.h", "#pragma once\n#define VALUE 2\n");
  const CaseDifference difference = run();
  ASSERT_EQ(difference.verdict, Verdict::Moved) << difference.error_before;
  ASSERT_TRUE(difference.results.has_value());
  EXPECT_EQ(difference.results->changed, 16U);
  EXPECT_EQ(places_text(*difference.results),
            "face F1 (right-hand faces only), rows 0 to 15, column 16");
  EXPECT_EQ(difference.results->largest_ulp, 1U);
  EXPECT_EQ(difference.state, (std::vector<StateChange>{{"T1 ADDR_MOD 0 srca.incr", 1, 2}}));
  EXPECT_TRUE(difference.cycles.empty());
}

TEST_F(Trees, TextThatIsTheSameIsNotRun) {
  write("two", "tt_llk_blackhole/llk_lib/deep.h",
        "#pragma once\n// what lines below it move for\n" + std::string(40, '\n') +
            "#define VALUE 1\n#define UNUSED 2\ninline int marked();\n");
  EXPECT_EQ(run().verdict, Verdict::NotReached);
}

TEST_F(Trees, ABrokenSideIsNamedWithItsMessage) {
  write("two", "tt_llk_blackhole/llk_lib/deep.h", "#pragma once\n#error \"not any more\"\n");
  const CaseDifference difference = run();
  EXPECT_EQ(difference.verdict, Verdict::FailsAfter);
  EXPECT_NE(difference.error_after.find("not any more"), std::string::npos);
  EXPECT_EQ(difference.error_after.find(folder.path().string()), std::string::npos);
}

TEST_F(Trees, AnAddedHazardIsNew) {
#ifdef LANEWISE_SANITIZED
  GTEST_SKIP() << "the address sanitizer keeps its own memory where a core has registers";
#endif
  // No chip has a semaphore above 7 for SEMPOST's mask, nor an opcode 0xFF: this word is none.
  write("two", "tt_llk_blackhole/llk_lib/deep.h",
        "#pragma once\n#define VALUE (TTI_SFPPUSHC(0), TTI_SFPPUSHC(1), 1)\n"
        "#undef VALUE\n#define VALUE 1\n#define EXTRA __asm__ __volatile__(\".ttinsn %0\" : : "
        "\"i\"(0xFF000000u));\n");
  write("two", "tests/sources/write_test.cpp",
        std::string(kTest).insert(std::string(kTest).find("  TTI_SETC16"), "  EXTRA\n"));
  const CaseDifference difference = run();
  EXPECT_EQ(difference.verdict, Verdict::Moved) << difference.error_after;
  EXPECT_FALSE(difference.new_findings.empty() && difference.ends_after.empty());
  EXPECT_FALSE(difference.results.has_value());
}

TEST_F(Trees, WhatIsNoTreeIsToldHow) {
  const auto missing = open_tree((folder.path() / "nowhere").string());
  ASSERT_FALSE(missing.has_value());
  EXPECT_NE(missing.error().message.find("no such folder"), std::string::npos);
  const auto option = open_tree(at("one").string() + "@--help");
  EXPECT_FALSE(option.has_value());
}

// --- Baselines

Baseline small_baseline() {
  Baseline baseline{.tree = "one", .commit = "abc", .cases = {}};
  TestCase each = tile_case();
  each.inputs = {{.address = 0x21000, .bytes = {std::byte{1}, std::byte{2}}}};
  Outcome outcome = outcome_of({{7, 0x4000}});
  outcome.findings = {{"a hazard", "x.h:1"}};
  outcome.state = {{"Haloize", 1}};
  outcome.cycles = {{"cycles per tile", 12.5}};
  outcome.executed = {1, 2, 3};
  baseline.cases.push_back({std::move(each), std::move(outcome)});
  return baseline;
}

TEST(Baselines, ComeBackWhole) {
  const Baseline baseline = small_baseline();
  const auto read = parse_baseline(baseline_bytes(baseline));
  ASSERT_TRUE(read.has_value()) << to_string(read.error());
  EXPECT_EQ(read->tree, "one");
  EXPECT_EQ(read->commit, "abc");
  ASSERT_EQ(read->cases.size(), 1U);
  EXPECT_EQ(wire_of(read->cases[0].what), wire_of(baseline.cases[0].what));
  EXPECT_EQ(wire_of(read->cases[0].outcome), wire_of(baseline.cases[0].outcome));
}

// Found by the fuzzer: CBOR that claims an array of 2^62 entries, behind a digest that is right.
TEST(Baselines, ThatClaimMoreThanTheyHaveAreRefused) {
  const std::string body("\x9b\x60\x9f\x60\x28\x08\x00\x1d\x00\x00\x00", 11);
  const std::string whole =
      "lanewise llk-diff baseline 1\n" + Digest().add(body).text() + "\n" + body;
  const auto read = parse_baseline(std::as_bytes(std::span(whole)));
  ASSERT_FALSE(read.has_value());
  EXPECT_NE(to_string(read.error()).find("damaged"), std::string::npos);
}

TEST(Baselines, ThatAreCutOffOrDamagedAreRefused) {
  const std::vector<std::byte> bytes = baseline_bytes(small_baseline());
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_FALSE(parse_baseline(std::span(bytes).first(length)).has_value()) << length;
  for (std::size_t at = 0; at < bytes.size(); at += 7) {
    std::vector<std::byte> damaged = bytes;
    damaged[at] ^= std::byte{0x10};
    EXPECT_FALSE(parse_baseline(damaged).has_value()) << at;
  }
}

TEST(Baselines, OfAnotherVersionSaySo) {
  std::vector<std::byte> bytes = baseline_bytes(small_baseline());
  const std::string_view head = "lanewise llk-diff baseline ";
  bytes[head.size()] = std::byte{'2'};
  const auto read = parse_baseline(bytes);
  ASSERT_FALSE(read.has_value());
  EXPECT_NE(read.error().message.find("another version"), std::string::npos);
}

TEST(Baselines, WithTilesThatCannotBeAreRefused) {
  Baseline baseline = small_baseline();
  baseline.cases[0].what.result->faces = 5;
  EXPECT_FALSE(parse_baseline(baseline_bytes(baseline)).has_value());
  baseline.cases[0].what.result->faces = 4;
  baseline.cases[0].what.result->face_rows = 0;
  EXPECT_FALSE(parse_baseline(baseline_bytes(baseline)).has_value());
}

} // namespace
} // namespace lanewise::changes
