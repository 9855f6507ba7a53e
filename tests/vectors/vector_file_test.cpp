// Vector files: every keyword is understood, and every mistake is reported with its place
// (docs/conformance.md).
#include "run/vectors/vector_file.h"

#include <gtest/gtest.h>

#include <fstream>

#include "run/vectors/conformance.h"

namespace lanewise::vectors {
namespace {

using namespace std::string_literals;

std::string lanes(const std::string& value) {
  std::string text;
  for (unsigned lane = 0; lane < kLanes; ++lane) text += " " + value;
  return text;
}

std::string row(const std::string& value) {
  std::string text;
  for (unsigned column = 0; column < kDstColumns; ++column) text += " " + value;
  return text;
}

Expected<std::unique_ptr<VectorCase>> read(const std::string& text) {
  return VectorReader::from_text(text, "test.vec").next();
}

Fault mistake_of(const std::string& text) {
  auto result = read(text);
  EXPECT_FALSE(result.has_value());
  return result.has_value() ? Fault{} : result.error();
}

TEST(VectorFile, EveryLineOfInitialStateIsApplied) {
  auto result = read("# comment\n\ncase all/1 # name\narch wh\nlreg 3" + lanes("0a") +
                     "\ncc 1 f0\nccpush 0 1\nccpush 1 2\n" +
                     "laneconfig 1 2 4 8 10 20 40 3f000\nprng" + lanes("5") + "\ndst 1023" +
                     row("beef") + "\nsrca 1 63" + row("ffffe000") + "\nsrcb 0 0" + row("0") +
                     "\nsrcbank 1 0\nsrcowner 1 0 0 1\nsrcfmt 0 5 15 1\ndstvalid 4 7 0\nrwc 1023 "
                     "63 62 3\nrwccr 5 6 7\n"
                     "cfg ADDR_MOD_SET_Base 1\naddrmod 7 1022 1 0 1 63 0 1 62 1 0 3 1\naddrmodbias "
                     "7 3 1\naddrmodbit 1\n"
                     "exec 7d000001\nexec 8F000000\nexpect cc 1 f0\nend\n");
  ASSERT_TRUE(result.has_value()) << to_string(result.error());
  const VectorCase& test = **result;
  const MachineState& s = test.initial;
  EXPECT_EQ(test.name, "all/1");
  EXPECT_EQ(test.arch(), Arch::Wormhole);
  EXPECT_EQ(s.vector.lreg[3][31], 0xAU);
  EXPECT_EQ(s.vector.use_flags, kAllLanes);
  EXPECT_EQ(s.vector.flags, 0xF0U);
  EXPECT_EQ(s.vector.stack.depth(0), 2U);
  EXPECT_EQ(s.vector.stack.entry[0],
            (FlagStack::Entry{.flags = 1, .use = 0})); // the first line is the deepest
  EXPECT_EQ(s.vector.stack.entry[1], (FlagStack::Entry{.flags = 2, .use = kAllLanes}));
  EXPECT_EQ(s.vector.lane_config[7], 0x3F000U);
  EXPECT_EQ(s.vector.switches.dest_index, 0x04040404U); // column 2 of four rows
  EXPECT_EQ(s.vector.prng[31], 5U);
  EXPECT_EQ(s.dst.cell[1023][15], 0xBEEFU);
  EXPECT_FALSE(s.dst.valid(4) || s.dst.valid(7));
  EXPECT_TRUE(s.dst.valid(3) && s.dst.valid(8));
  EXPECT_EQ(s.srca.current, 1);
  EXPECT_EQ(s.srcb.owned_by_matrix_unit, (std::array<bool, 2>{false, true}));
  EXPECT_EQ(s.rwc, (Rwc{.dst = 1023,
                        .dst_cr = 5,
                        .srca = 63,
                        .srca_cr = 6,
                        .srcb = 62,
                        .srcb_cr = 7,
                        .fidelity = 3,
                        .bias = 1}));
  const AddrModSection section = s.config.addr_mod(3, s.rwc); // 3 + 4: base and bias bit
  EXPECT_EQ(section.dst_increment, 1022U);
  EXPECT_TRUE(section.dst_c_to_cr && section.srca_clear && section.srcb_cr &&
              section.fidelity_clear && section.bias_clear);
  EXPECT_EQ(s.srca.cell[1][63][15], 0xFFFFE000U);
  EXPECT_EQ(s.srca.cell[0][63][15], 0U);
  EXPECT_EQ(s.srca.format, (std::array<std::uint8_t, 2>{0, 5}));
  EXPECT_EQ(s.srcb.format, (std::array<std::uint8_t, 2>{15, 1}));
  ASSERT_EQ(test.words.size(), 2U);
  EXPECT_EQ(test.words[1].word, 0x8F000000U);
}

TEST(VectorFile, UnnamedStateHoldsTheResetValues) {
  auto result = read("case reset/1\narch bh\nexpect cc 0 0\nend\n");
  ASSERT_TRUE(result.has_value());
  const MachineState& s = (*result)->initial;
  EXPECT_EQ(s.vector.lreg[8][0], 0x3F56594BU);
  EXPECT_EQ(s.vector.lreg[11][31], 0xBF800000U);
  EXPECT_EQ(s.vector.lreg[12][0], 0x3B000000U);
  EXPECT_EQ(s.vector.lreg[13][0], 0xBF2CC4C7U);
  EXPECT_EQ(s.vector.lreg[14][0], 0xBEB08FF9U);
  EXPECT_EQ(s.vector.lreg[15][31], 62U);
  EXPECT_TRUE(s.dst.valid(0) && s.dst.valid(1023));
  EXPECT_EQ(s.vector.stack.depth(17), 0U);
}

struct Mistake {
  std::string text;
  std::uint32_t line, column;
};

TEST(VectorFile, MistakesAreNamedWithLineAndColumn) {
  const Mistake mistakes[] = {
      {"arch bh\n", 1, 1},
      {"case\n", 1, 5},
      {"case a b\n", 1, 8},
      {"case a\nend\n", 2, 1},
      {"case a\narch gs\n", 2, 6},
      {"case a\narch bh\n", 2, 1}, // no end
      {"case a\narch bh\nnonsense 1\n", 3, 1},
      {"case a\narch bh\nlreg 15" + lanes("0") + "\n", 3, 6},
      {"case a\narch bh\nlreg 0 1 2\n", 3, 11},
      {"case a\narch bh\nlreg 0" + lanes("0") + " 7\n", 3, 72},
      {"case a\narch bh\ncc 2 0\n", 3, 4},
      {"case a\narch bh\ncc 1 100000000\n", 3, 6},
      {"case a\narch bh\ndst 1024" + row("0") + "\n", 3, 5},
      {"case a\narch bh\ndst 1" + row("10000") + "\n", 3, 7},
      {"case a\narch bh\nexec 0x8f000000\n", 3, 6},
      {"case a\narch bh\ndstvalid 9 8 1\n", 3, 14},
      {"case a\narch bh\ncfg ADDR_MOD_SET_Base 1\n", 3, 23}, // Wormhole only
      {"case a\narch bh\nexpect nothing\n", 3, 8},
      {"case a\narch bh\nexpect unchanged dst lreg\n", 3, 22},
      {"case a\narch bh\nccdepth 0\n", 3, 1},          // can only be expected
      {"case a\narch bh\nexec 00000000\n", 3, 6},      // no opcode of either chip
      {"case a\narch wh\nexec 96000000\n", 3, 6},      // SFPLE is Blackhole's
      {"case a\narch bh\nexec 8f000000\nend\n", 4, 1}, // expects nothing
      {"case a\narch bh\nexpect cc 0 0\nend end\n", 4, 5},
      {"case a\narch bh\nexpect cc 0 0\0\nend\n"s, 3, 14},
      {"", 1, 1},
      {"# nothing\n\n", 3, 1},
  };
  for (const Mistake& mistake : mistakes) {
    const Fault fault = mistake_of(mistake.text);
    EXPECT_EQ(fault.kind, FaultKind::BadInput) << mistake.text;
    EXPECT_EQ(fault.file, "test.vec");
    EXPECT_EQ(fault.line, mistake.line) << mistake.text << to_string(fault);
    EXPECT_EQ(fault.column, mistake.column) << mistake.text << to_string(fault);
  }
}

TEST(VectorFile, NamesAreUnique) {
  const std::string one = "case a/1\narch bh\nexpect cc 0 0\nend\n";
  VectorReader reader = VectorReader::from_text(one + "\n" + one, "twice.vec");
  ASSERT_TRUE(reader.next().has_value());
  const auto second = reader.next();
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().line, 6U);
  EXPECT_EQ(second.error().column, 6U);
  EXPECT_NE(second.error().message.find("in line 1"), std::string::npos);
}

TEST(VectorFile, EndlessInputIsRefused) {
  const std::string many(2'000'000, '\n');
  EXPECT_EQ(mistake_of(many).line, 1'000'001U);
  EXPECT_EQ(mistake_of("case a\narch bh\n" + many).line, 1'000'002U);
  EXPECT_EQ(mistake_of(std::string(100'000, 'x')).line, 1U);
  const auto zeros = VectorReader::open("/dev/zero")->next();
  ASSERT_FALSE(zeros.has_value());
  EXPECT_EQ(zeros.error().line, 1U);
}

TEST(VectorFile, LinesOfAFile) { // read in pieces: long ones, the last without an end, NUL bytes
  const std::string path = testing::TempDir() + "lines.vec";
  const std::string comment = "#" + std::string(60'000, 'x') + "\n";
  const auto mistake_in = [&](const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
    VectorReader reader = VectorReader::open(path).value();
    for (;;) {
      const auto test = reader.next();
      if (!test) return test.error();
      if (*test == nullptr) return Fault{};
    }
  };
  const std::string good = "case a\narch bh\nexpect cc 0 0\nend";
  EXPECT_EQ(mistake_in(comment + comment + good), Fault{});
  EXPECT_EQ(mistake_in(comment + comment + good + "\r\n"), Fault{});
  EXPECT_EQ(mistake_in(comment + good + "\n" + comment + comment + "nonsense").line, 8U);
  EXPECT_EQ(mistake_in(good + "\n# \0 x"s).line, 5U);
  EXPECT_EQ(mistake_in(good + "\n#" + std::string(70'000, 'x')).line, 5U);
  EXPECT_EQ(mistake_in("").message, "there is no case in the file");
}

TEST(VectorFile, NinthPushedEntryIsAMistake) {
  std::string text = "case a\narch bh\n";
  for (int i = 0; i < 9; ++i) text += "ccpush 1 0\n";
  EXPECT_EQ(mistake_of(text + "end\n").line, 11U);
}

TEST(Conformance, DifferencesNameTheFirstPlace) {
  const std::pair<std::string, std::string> cases[] = {
      {"expect lreg 10" + lanes("3f800000"), ""},
      {"expect lreg 10" + lanes("3f800001"), "LReg[10] lane 0"},
      {"expect cc 1 0", "UseLaneFlagsForLaneEnable"},
      {"expect cc 0 1", "LaneFlags"},
      {"expect ccdepth 1", "flag stack depth of lane 0"},
      {"expect prng" + lanes("1"), "PRNG lane 0"},
      {"expect dst 5" + row("1"), "Dst row 5 column 0"},
      {"expect rwc 0 0 1 0", "RWC SrcB"},
      {"expect rwccr 1 0 0", "RWC Dst_Cr"},
      {"expect rwccr 0 0 1", "RWC SrcB_Cr"},
      {"expect srcbank 0 1", "bank of SrcB"},
      {"expect srcowner 1 1 1 0", "owner of SrcB bank 1"},
      {"expect dstvalid 3 5 0", "valid flag of Dst row 3"},
      {"expect addrmodbit 1", "ADDR_MOD bias bit"},
      {"expect unchanged dst srca srcb", ""},
  };
  for (const auto& [expectation, place] : cases) {
    auto test = read("case a\narch bh\nexec 8f000000\n" + expectation + "\nend\n");
    ASSERT_TRUE(test.has_value()) << to_string(test.error());
    const auto difference = run_case(**test);
    EXPECT_EQ(difference ? difference->place : "", place) << expectation;
    EXPECT_EQ(difference ? difference->line : 4U, 4U);
  }
}

TEST(Conformance, RowsThatAreNotNamedMustStayUnlessExpectedInvalid) {
  // SFPSTORE of L10 (1.0) in mode INT32 to Dst row 0..3, which are physical rows 0..3 and 8..11.
  const std::string store = "case a\narch bh\nexec 72a4e000\n";
  const auto place = [&](const std::string& expectations) {
    auto test = read(store + expectations + "end\n");
    EXPECT_TRUE(test.has_value());
    const auto difference = run_case(**test);
    return difference ? difference->place : std::string();
  };
  EXPECT_EQ(place("expect unchanged dst\n"), "Dst row 0 column 0");
  // 3F800000 is stored as sign, mantissa, exponent: high half 007F, low half 0, in the even
  // columns.
  std::string named;
  for (unsigned i = 0; i < 4; ++i) {
    named += "expect dst " + std::to_string(i);
    for (unsigned pair = 0; pair < 8; ++pair) named += " 007f 0";
    named += "\n";
  }
  EXPECT_EQ(place(named + "expect unchanged dst\n"), "");
  EXPECT_EQ(place(named.substr(0, named.rfind("expect")) + "expect unchanged dst\n"),
            "Dst row 3 column 0");
  EXPECT_EQ(place("expect dstvalid 0 3 1\nexpect unchanged dst\n"), "Dst row 0 column 0");
  // ZEROACC of all rows.
  EXPECT_EQ(place("exec 10180000\nexpect dstvalid 0 1023 0\nexpect unchanged dst\n"), "");
}

TEST(Conformance, RowsOfSourcesThatAreNotNamedMustStay) {
  // ZEROSRC of the current bank of SrcA, which was not zero.
  const std::string text = "case a\narch wh\nsrca 0 5" + row("40000000") + "\nexec 11000009\n";
  const auto place = [&](const std::string& expectations) {
    auto test = read(text + expectations + "end\n");
    EXPECT_TRUE(test.has_value());
    const auto difference = run_case(**test);
    return difference ? difference->place : std::string();
  };
  EXPECT_EQ(place("expect unchanged srca\n"), "SrcA bank 0 row 5 column 0");
  EXPECT_EQ(place("expect unchanged srcb\n"), "");
  EXPECT_EQ(place("expect srca 0 5" + row("0") + "\nexpect unchanged srca\n"), "");
  EXPECT_EQ(place("expect srca 0 5" + row("2000") + "\n"), "SrcA bank 0 row 5 column 0");
}

TEST(Conformance, InstructionsThatAreNotExecutedCountAsDifferences) {
  auto test = read("case configuration/1\narch bh\nexec 40000000\nexpect cc 0 0\nend\n");
  ASSERT_TRUE(test.has_value());
  const auto difference = run_case(**test);
  ASSERT_TRUE(difference.has_value());
  EXPECT_NE(difference->place.find("XMOV"), std::string::npos);
}

TEST(Conformance, CountsCasesAndStopsWhenAsked) {
  const std::string good = "case a\narch bh\nexec 8f000000\nexpect cc 0 0\nend\n";
  const std::string other = "case c\narch bh\nexec 8f000000\nexpect cc 0 0\nend\n";
  const std::string bad = "case b\narch bh\nexec 8f000000\nexpect ccdepth 3\nend\n";
  VectorReader reader = VectorReader::from_text(good + bad + other, "three.vec");
  const auto result = run_conformance(
      reader, [](const VectorCase& test, const Difference&) { EXPECT_EQ(test.name, "b"); },
      [](const ConformanceResult& so_far) { return so_far.cases < 2; });
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->cases, 2U);
  EXPECT_EQ(result->differing, 1U);
}

} // namespace
} // namespace lanewise::vectors
