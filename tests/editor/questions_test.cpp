// What an editor asks, of assembly in both syntaxes.
#include <algorithm>

#include "chip/isa/modifiers.h"
#include "editor/fixture.h"
#include "editor/statements.h"

namespace lanewise::test {
namespace {

using nlohmann::json;

std::vector<std::string> labels(const json& items) {
  std::vector<std::string> found;
  for (const json& each : items) found.push_back(each["label"]);
  return found;
}

bool has(const std::vector<std::string>& list, std::string_view wanted) {
  return std::ranges::find(list, wanted) != list.end();
}

std::vector<std::string> offered(const std::string& name, const std::string& text,
                                 editor::Position position, Arch arch = Arch::Blackhole) {
  return labels(
      editor::completion(editor::make_document("file:///" + name, "", 1, text), arch, position));
}

TEST(EditorDiagnostics, HazardStandsAtItsLineWithTheOther) {
  const Opened row("a.tt", kRow, for_chip(Arch::Wormhole));
  const json told = editor::diagnostics(row.document, row.analysis);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0]["code"], "mad-result");
  EXPECT_EQ(told[0]["severity"], 1);
  EXPECT_EQ(told[0]["range"], editor::json_of(editor::Range{{2, 2}, {2, 22}}));
  EXPECT_EQ(told[0]["relatedInformation"][0]["location"]["range"]["start"]["line"], 1);
  EXPECT_TRUE(Opened("a.tt", kRow).analysis.problems.empty()); // Blackhole waits by itself
}

TEST(EditorDiagnostics, WarningsAndFaultsHaveTheirSeverity) {
  // LReg[3] was never written: a hazard of the checker. An undefined word: a fault.
  const Opened unwritten("a.tt", "SFPSTORE L3, 0, 3, 0\n");
  ASSERT_FALSE(unwritten.analysis.problems.empty());
  const Opened fault("a.tt", ".word 0xFF000000\n");
  ASSERT_FALSE(fault.analysis.problems.empty());
  EXPECT_EQ(fault.analysis.problems[0].severity, editor::Severity::Error);
  EXPECT_EQ(fault.analysis.problems[0].range.start.line, 0U);
  EXPECT_EQ(fault.analysis.problems.back().severity, editor::Severity::Information); // not timed
  EXPECT_FALSE(fault.analysis.timed);
}

TEST(EditorDiagnostics, ChipsAndFormatsThatAreNone) {
  EXPECT_EQ(Opened("a.tt", "SFPNOP\n", {.arch = "xx"}).analysis.problems.size(), 1U);
  EXPECT_EQ(Opened("a.tt", "SFPNOP\n", {.format = "xx"}).analysis.problems.size(), 1U);
  EXPECT_EQ(Opened("a.tt", ".arch wh\nSFPNOP\n").arch(), Arch::Wormhole);
  EXPECT_TRUE(Opened("a.tt", ".arch wh\nSFPNOP\n").analysis.problems.empty());
}

class EditorCycles : public testing::TestWithParam<Arch> {};
INSTANTIATE_TEST_SUITE_P(Chips, EditorCycles, testing::ValuesIn(kArchs));

/// The cycles of the lines add up to those of the program, and its words to its words.
TEST_P(EditorCycles, AddUp) {
  const std::string text =
      ".repeat 3\nSFPLOAD L0, 0, 3, 0\nSFPMAD L0, L0, L10, L1, 0\nSFPNOP\n"
      "SFPSWAP L1, L2, 0\nSFPNOP\nSFPSTORE L1, 0, 3, 0\n.endr\nREPLAY 0, 1, 1, 1\nSFPNOP\nREPLAY "
      "0, 1\n";
  const Opened program("a.tt", text, for_chip(GetParam()));
  ASSERT_TRUE(program.analysis.timed);
  double cycles = 0;
  std::size_t words = 0;
  for (const auto& [line, use] : program.analysis.lines) {
    cycles += use.cycles();
    words += use.words.size();
  }
  EXPECT_EQ(cycles, static_cast<double>(program.analysis.cycles));
  EXPECT_EQ(words, program.analysis.program->program.words.size());
  EXPECT_EQ(program.analysis.lines.at(2).words.size(), 3U);
  EXPECT_EQ(program.analysis.lines.at(10).executed, 2U); // recorded and played
}

TEST(EditorHints, SayWordsCyclesAndWaits) {
  const Opened row("a.tt", kRow);
  const json hints = editor::inlay_hints(row.document, row.analysis, row.whole());
  EXPECT_EQ(labels(hints),
            (std::vector<std::string>{"1 word, 1 cycle", "1 word, 1 cycle", "1 word, 1 cycle"}));
  EXPECT_EQ(hints[1]["position"], editor::json_of(editor::Position{1, 32})); // ü is one unit
  EXPECT_EQ(editor::inlay_hints(row.document, row.analysis, {{1, 0}, {1, 5}}).size(), 1U);
  const Opened waits("a.tt", "SFPMAD L0, L0, L10, L1, 0\nSFPMAD L1, L1, L10, L2, 0\nSFPNOP\n");
  const json told = editor::inlay_hints(waits.document, waits.analysis, waits.whole());
  EXPECT_EQ(told[1]["label"], "1 word, 2 cycles (1 waiting)");
  EXPECT_NE(told[1]["tooltip"].get<std::string>().find("waits for a two-cycle result for 1 cycle"),
            std::string::npos);
}

TEST(EditorHover, SaysWhatIsUnderTheCursor) {
  const Opened row("a.tt",
                   ".cfg DISABLE_RISC_BP_Disable_main 1\nSFPIADD 3, L1, L2, Mod1=ARG_IMM\n");
  EXPECT_NE(row.hover_text(1, 2).find("SFPIADD: "), std::string::npos);
  EXPECT_NE(row.hover_text(1, 2).find("1 word"), std::string::npos);
  EXPECT_NE(row.hover_text(1, 12).find("LReg[1]"), std::string::npos);
  EXPECT_NE(row.hover_text(1, 20).find("- `ARG_IMM`"), std::string::npos);
  EXPECT_NE(row.hover_text(1, 26).find("`ARG_IMM` of SFPIADD: Mod1"), std::string::npos);
  const Opened load("k.cpp", "// sfpi\nTTI_SFPLOAD(0, sfpi::SFPLOAD_MOD0_FMT_FP32, 3, 0);\n");
  EXPECT_NE(load.hover_text(1, 25).find("`FP32` of SFPLOAD: Mod0"), std::string::npos);
  EXPECT_EQ(row.hover_text(9, 0), "");
  const Opened config("a.tt", ".cfg ALU_ACC_CTRL_Fp32_enabled 1\nSFPNOP\n");
  EXPECT_NE(config.hover_text(0, 8).find("shared configuration, word 1, bits 29:29"),
            std::string::npos);
}

TEST(EditorCompletion, OfAnOperandIsWhatItCanBe) {
  const auto mnemonics = offered("a.tt", "", {0, 0});
  EXPECT_TRUE(has(mnemonics, "SFPMAD") && has(mnemonics, ".thread") &&
              has(mnemonics, "TTI_SFPMAD"));
  EXPECT_TRUE(has(mnemonics, "SFPARECIP"));
  EXPECT_FALSE(has(offered("a.tt", "", {0, 0}, Arch::Wormhole), "SFPARECIP")); // Blackhole's
  const auto registers = offered("a.tt", ".equ TWO 2\nSFPIADD 3, ", {1, 11});
  EXPECT_TRUE(has(registers, "L7") && has(registers, "Mod1=") && has(registers, "TWO"));
  EXPECT_FALSE(has(registers, "CC_NONE") || has(registers, "SFPMAD"));
  const auto modes = offered("a.tt", "SFPIADD 3, L1, L2, Mod1=", {0, 24});
  EXPECT_TRUE(has(modes, "CC_NONE"));
  EXPECT_FALSE(has(modes, "L7") || has(modes, "Mod1="));
  EXPECT_TRUE(has(offered("a.tt", ".cfg ", {0, 5}), "ALU_ACC_CTRL_Fp32_enabled"));
  EXPECT_TRUE(has(offered("a.tt", ".thread ", {0, 8}), "math"));
  EXPECT_TRUE(has(offered("a.tt", "SFPNOP\n", {1, 0}), "SFPMAD")); // the line before does not count
  EXPECT_TRUE(offered("a.hex", "", {0, 0}).empty());
}

TEST(EditorCompletion, ReplacesTheWordThatIsBeingWritten) {
  const json items = editor::completion(editor::make_document("file:///a.tt", "", 1, "  .re"),
                                        Arch::Blackhole, {0, 5});
  const auto repeat =
      std::ranges::find_if(items, [](const json& each) { return each["label"] == ".repeat"; });
  ASSERT_NE(repeat, items.end());
  EXPECT_EQ((*repeat)["textEdit"]["range"], editor::json_of(editor::Range{{0, 2}, {0, 5}}));
}

TEST(EditorCompletion, OfMacrosInKernels) {
  const std::string text = "#include <sfpi.h>\nvoid kernel() {\n  TT\n  TTI_SFPIADD(0, \n}\n";
  EXPECT_TRUE(has(offered("k.cpp", text, {2, 4}), "TTI_SFPIADD"));
  EXPECT_TRUE(offered("k.cpp", text, {2, 1}).empty());
  const auto registers = offered("k.cpp", text, {3, 17});
  EXPECT_TRUE(has(registers, "p_sfpu::LREG3"));
  EXPECT_FALSE(has(registers, "Mod1="));
  const auto modes = offered("k.cpp", "// sfpi\nTTI_SFPIADD(0, 1, 2, ", {1, 21});
  EXPECT_TRUE(has(modes, "CC_NONE"));
}

TEST(EditorCompletion, OfTheVendorsAssembly) {
  const auto names = offered("a.s", "f:\n\tttnop\n\t", {2, 1});
  EXPECT_TRUE(has(names, "sfpmad") && has(names, "ttincrwc"));
  EXPECT_FALSE(has(names, ".repeat") || has(names, "SFPMAD"));
}

std::vector<std::uint32_t> definition_lines(const Opened& opened, editor::Position position) {
  std::vector<std::uint32_t> lines;
  for (const json& each : editor::definition(opened.document, opened.analysis, position))
    lines.push_back(each["range"]["start"]["line"]);
  return lines;
}

TEST(EditorDefinition, OfConstantsAndLabels) {
  const Opened constant("a.tt", "SFPNOP\n.equ TWO 2\nSFPLOADI L0, 2, TWO\n");
  EXPECT_EQ(definition_lines(constant, {2, 17}), (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(definition_lines(constant, {2, 10}), (std::vector<std::uint32_t>{}));
  const Opened label("a.s", "f:\n\tttnop\n.L2:\n\tbnez\ta0,.L2\n\tret\n");
  EXPECT_EQ(definition_lines(label, {3, 10}), (std::vector<std::uint32_t>{2}));
  const Opened define("k.cpp", "// sfpi\n#define TWO 2\n#define TWOS 3\nint x = TWO;\n");
  EXPECT_EQ(definition_lines(define, {3, 9}), (std::vector<std::uint32_t>{1}));
}

TEST(EditorDefinition, OfAMacroIsWhatProgrammedIt) {
  // Template 0 in line 1, sequence 1 in line 3; what sets sequence 0 is another macro's.
  const std::string text =
      "SFPNOP\nSFPMAD L0, L0, L9, 12, 0\nSFPCONFIG 0, 4, 1\nSFPCONFIG 0, 5, 1\n"
      "SFPLOADMACRO 1, 0, 3, 0, 0\nSFPCONFIG 0, 5, 1\n";
  const Opened macro("a.tt", text);
  ASSERT_TRUE(macro.analysis.program) << macro.analysis.problems.front().text;
  EXPECT_EQ(definition_lines(macro, {4, 3}), (std::vector<std::uint32_t>{1, 3}));
  const Opened replay("a.tt",
                      "REPLAY 0, 1, 0, 1\nSFPNOP\nREPLAY 4, 1, 0, 1\nSFPNOP\nREPLAY 4, 1\n");
  EXPECT_EQ(definition_lines(replay, {4, 3}), (std::vector<std::uint32_t>{2}));
}

/// Each token with its type, in its order.
std::string coloured(const std::string& name, const std::string& text) {
  const editor::Document document = editor::make_document("file:///" + name, "", 1, text);
  const json types = editor::token_types();
  const json data = editor::semantic_tokens(document, Arch::Blackhole)["data"];
  std::string told;
  editor::Position at;
  for (std::size_t i = 0; i + 4 < data.size(); i += 5) {
    const std::uint32_t lines = data[i], columns = data[i + 1], length = data[i + 2];
    at = lines == 0 ? editor::Position{at.line, at.character + columns}
                    : editor::Position{at.line + lines, columns};
    const std::size_t first = document.text.byte_of(at);
    const std::size_t behind = document.text.byte_of({at.line, at.character + length});
    told += std::string(document.text.line(at.line).substr(first, behind - first)) + ":" +
            types[data[i + 3].get<std::size_t>()].get<std::string>() + " ";
  }
  return told;
}

TEST(EditorTokens, AreWhatTheyAreOnTheChip) {
  EXPECT_EQ(coloured("a.tt", ".equ A 1 # ü\n/* ü */ SFPIADD A, L1, L2, Mod1=CC_NONE ; SFPNOP\n"),
            ".equ:keyword A:parameter 1:number SFPIADD:function A:parameter L1:variable "
            "L2:variable Mod1:property CC_NONE:enumMember ");
  EXPECT_EQ(
      coloured("a.tt", "TTI_SFPNOP; TTI_SFPIADD(1,\n p_sfpu::LREG1, 2, 3); // x\n"),
      "TTI_SFPNOP:macro TTI_SFPIADD:macro 1:number p_sfpu::LREG1:variable 2:number 3:number ");
  EXPECT_EQ(coloured("a.s", "f:\tsfpmad\tL0,L1,L2,L3,0; ttnop # c\n\tbnez\ta0,.L2\n"),
            "f:namespace sfpmad:function L0:variable L1:variable L2:variable L3:variable 0:number "
            "ttnop:function bnez:method .L2:namespace ");
  EXPECT_EQ(
      coloured("a.objdump", " 1c:\tc0330001\tsfpload\tL0,0,12,3\n"),
      "1c:namespace c0330001:number sfpload:function L0:variable 0:number 12:number 3:number ");
  EXPECT_EQ(coloured("k.cpp", "// sfpi\nint x = 1;\nTTI_SFPNOP;\n"), "TTI_SFPNOP:macro ");
  EXPECT_EQ(coloured("other.cpp", "int x = 1;\n"), "");
}

std::vector<std::string> lens_words(const std::string& name, const std::string& text) {
  const json lenses = editor::code_lenses(editor::make_document("file:///" + name, "", 1, text),
                                          for_chip(Arch::Wormhole));
  std::vector<std::string> told;
  for (const json& each : lenses) {
    std::string words = each["range"]["start"]["line"].dump() + ":";
    for (const json& word : each["command"]["arguments"][0]["words"])
      words += " " + word.get<std::string>();
    told.push_back(words);
  }
  return told;
}

TEST(EditorLenses, HaveTheWordsOfTheCommandLine) {
  EXPECT_EQ(lens_words("a.tt", "\n// x\nSFPNOP\n"),
            (std::vector<std::string>{"2: run /a.tt --arch wh", "2: time /a.tt --arch wh",
                                      "2: sweep /a.tt --arch wh", "2: tune /a.tt --arch wh"}));
  EXPECT_EQ(
      lens_words("t.tt", ".thread math\n"),
      (std::vector<std::string>{"0: tile /t.tt --arch wh", "0: tile --time /t.tt --arch wh"}));
  const auto functions = lens_words("a.s", "f:\n\tttnop\n.L2:\ng:\n\tttnop\n");
  ASSERT_EQ(functions.size(), 8U);
  EXPECT_EQ(functions[4], "3: run /a.s --arch wh --entry g");
  const auto called = lens_words(
      "k.h",
      "// lanewise: call='n::f<1>(2)'\nvoid g();\ninline void f(int x) {\n  return f(x);\n}\n");
  ASSERT_EQ(called.size(), 4U);
  EXPECT_EQ(called[0], "2: run /k.h --arch wh --call n::f<1>(2)");
  EXPECT_TRUE(lens_words("other.cpp", "void kernel();\n").empty());
}

} // namespace
} // namespace lanewise::test
