// Mistakes in assembly text: each is reported at its place, in words, and as BadInput.
#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <string>

#include "source/assembly/assembly.h"

namespace lanewise::assembly {
namespace {

struct Mistake {
  std::string source;
  std::uint32_t line, column;
  std::string fragment; ///< of the message or of the remedy
  Arch arch = Arch::Blackhole;

  friend std::ostream& operator<<(std::ostream& out, const Mistake& mistake) {
    return out << mistake.source.substr(0, 80);
  }
};

class AssemblyErrors : public testing::TestWithParam<Mistake> {};

TEST_P(AssemblyErrors, AreReportedAtTheirPlace) {
  const Mistake& mistake = GetParam();
  const Expected<Program> program = assemble(mistake.arch, mistake.source, "kernel.tt");
  ASSERT_FALSE(program.has_value());
  const Fault& fault = program.error();
  const std::string text = to_string(fault);
  EXPECT_EQ(fault.kind, FaultKind::BadInput) << text;
  EXPECT_EQ(fault.file, "kernel.tt") << text;
  EXPECT_EQ(fault.line, mistake.line) << text;
  EXPECT_EQ(fault.column, mistake.column) << text;
  EXPECT_FALSE(fault.remedy.empty() && fault.message.empty()) << text;
  EXPECT_NE(text.find(mistake.fragment), std::string::npos) << text;
}

INSTANTIATE_TEST_SUITE_P(
    Mnemonics, AssemblyErrors,
    testing::Values(
        Mistake{"NOP\n  SFPMADD L0", 2, 3, "did you mean"}, Mistake{"sfpmadd", 1, 1, "SFPMAD"},
        Mistake{"TTI_SFPMADD(0)", 1, 1, "SFPMAD"},
        Mistake{std::string(100'000, 'A'), 1, 1, "AAA...' (100000 bytes) is not an instruction"},
        Mistake{"SFPGT L0, L1, 0", 1, 1, "SFPGT exists on bh only", Arch::Wormhole},
        Mistake{"TTI_SFPGT(0, 0, 1, 0);", 1, 1, "SFPGT exists on bh only", Arch::Wormhole},
        Mistake{"NOP\n\x01", 2, 1, "'\\x01' stands where an instruction"},
        Mistake{std::string("NOP\n \0", 6), 2, 2, "'\\x00'"},
        Mistake{"\xEF\xBB\xBFNOP", 1, 1, "'\\xEF'"},
        Mistake{"3", 1, 1, "an instruction or a directive"},
        Mistake{"NOP\n/* open\nNOP", 2, 1, "never ends"}, Mistake{"NOP /*", 1, 5, "never ends"},
        Mistake{"SFPMAD L0, /*", 1, 12, "never ends"}));

INSTANTIATE_TEST_SUITE_P(
    BareOperands, AssemblyErrors,
    testing::Values(
        Mistake{"SFPMAD L0, L1, L2, L3, 0, 1", 1, 27, "at most 5 operands"},
        Mistake{"SFPNOP 1", 1, 8, "SFPNOP takes no operands"},
        Mistake{"SFPMAD VA=1, L2", 1, 14, "without a name follows"},
        Mistake{"SFPMAD L1, VA=2", 1, 12, "VA is given twice"},
        Mistake{"SFPMAD VE=2", 1, 8, "no field 'VE'"},
        Mistake{"SFPMAD L0 L1", 1, 11, "separate operands with commas"},
        Mistake{"SFPMAD L0,", 1, 11, "text ends where a number or a name"},
        Mistake{"SFPMAD L0,\nNOP", 1, 11, "line ends where a number or a name"},
        Mistake{"SFPMAD L0, ; c", 1, 12, "';' stands where"},
        Mistake{"SFPMAD ,", 1, 8, "',' stands where"},
        Mistake{"SFPMAD L16", 1, 8, "16 does not fit VA of SFPMAD; use 0 to 15"},
        Mistake{"SFPMAD -1", 1, 8, "use 0 to 15"},
        Mistake{"SFPMAD L0, L1, L2, L3, -1", 1, 24, "use 0 to 15"},
        Mistake{"SFPMAD L0, L1, L2, L3, L4", 1, 24, "'L4' is a register"},
        Mistake{"SFPMAD L0, L1, L2, L3, CC_NONE", 1, 24, "'CC_NONE' is no name of Mod1"},
        Mistake{"SFPMAD L0, L1, L2, L3, NEGATE_VA", 1, 24, "no NEGATE_VA on wh", Arch::Wormhole},
        Mistake{"SFPMAD FOO", 1, 8, "'FOO' is no name of VA of SFPMAD"},
        Mistake{"SFPIADD 4096", 1, 9, "use -2048 to 4095"},
        Mistake{"SFPIADD -2049", 1, 9, "use -2048 to 4095"},
        Mistake{"SFPDIVP2 -2049", 1, 10, "use -2048 to 4095"},
        Mistake{"SFPLOADI L0, 0, 0x10000", 1, 17, "65536 does not fit Imm16"},
        Mistake{"SFPMAD raw=1", 1, 12, "overlap"}, Mistake{"SFPMAD raw=-1", 1, 12, "32 bits"},
        Mistake{"SFPMAD raw=FOO", 1, 12, "'FOO' is not defined"}));

INSTANTIATE_TEST_SUITE_P(
    MissingOperands, AssemblyErrors, // docs/assembly.md, what may be left out
    testing::Values(Mistake{"SFPMAD", 1, 7, "VA of SFPMAD is missing"},
                    Mistake{"SFPMAD L0, L1", 1, 14, "VC of SFPMAD is missing"},
                    Mistake{"SFPMAD L0, L1, L9, Mod1=3", 1, 26, "VD of SFPMAD is missing"},
                    Mistake{"SFPMAD L0, L1, Mod1=12, VD=L1", 1, 30, "VC of SFPMAD is missing"},
                    Mistake{"NOP\nREPLAY ; all", 2, 8, "Index of REPLAY is missing"},
                    Mistake{"REPLAY 0, Load=1", 1, 17, "Count of REPLAY is missing"},
                    Mistake{"SFPLOAD", 1, 8, "VD of SFPLOAD is missing"},
                    Mistake{"SFPSTORE Imm10=4", 1, 17, "VD of SFPSTORE is missing"},
                    Mistake{"SFPLOADI L0", 1, 12, "Imm16 of SFPLOADI is missing"},
                    Mistake{"SFPLOADI L0, FLOATB", 1, 20, "Imm16 of SFPLOADI is missing"},
                    Mistake{"SFPADDI VD=L1", 1, 14, "Imm16 of SFPADDI is missing"},
                    Mistake{"SFPIADD VC=L0, VD=L1, Mod1=ARG_IMM", 1, 35, "Imm12 of SFPIADD"},
                    Mistake{"SFPSETCC Mod1=LREG_EQ0", 1, 23, "VC of SFPSETCC is missing"},
                    Mistake{"SFPENCC Mod1=EI_RI", 1, 19, "Imm2 of SFPENCC is missing"},
                    Mistake{"SFPAND VC=L0, VD=L1, Mod1=1", 1, 28, "VB of SFPAND is missing"},
                    Mistake{"SFPSWAP L0", 1, 11, "VD of SFPSWAP is missing"},
                    Mistake{"SFPCONFIG 4", 1, 12, "ConfigDest of SFPCONFIG is missing"},
                    Mistake{"SFPCONFIG ConfigDest=15, Mod1=1", 1, 32, "Imm16 of SFPCONFIG"},
                    Mistake{"SFPLOADMACRO 1", 1, 15, "VDLo of SFPLOADMACRO is missing"},
                    Mistake{"MOP 0, 4", 1, 9, "MaskLo of MOP is missing"},
                    Mistake{".mop 5, REPLAY", 1, 15, "Index of REPLAY is missing"},
                    Mistake{"INCRWC", 1, 7, "DstInc of INCRWC is missing"},
                    Mistake{"SETC16 1", 1, 9, "NewValue of SETC16 is missing"},
                    Mistake{"RMWCIB0 1, 2", 1, 13, "Index4 of RMWCIB0 is missing"},
                    Mistake{"STALLWAIT", 1, 10, "BlockMask of STALLWAIT is missing"}));

INSTANTIATE_TEST_SUITE_P(
    Values, AssemblyErrors,
    testing::Values(Mistake{"SFPMAD 010", 1, 8, "no octal"},
                    Mistake{"SFPMAD 0x", 1, 8, "not a whole number"},
                    Mistake{"SFPMAD 0b12", 1, 8, "not a whole number"},
                    Mistake{"SFPMAD 12ab", 1, 8, "not a whole number"},
                    Mistake{"SFPMAD 1.5", 1, 8, "not a whole number"},
                    Mistake{"SFPMAD 99999999999999999999999", 1, 8, "does not fit 32 bits"},
                    Mistake{"SFPMAD 0x100000000", 1, 8, "does not fit 32 bits"},
                    Mistake{"SFPMAD 0xFFFFFFFF + 1", 1, 19, "does not fit 32 bits"},
                    Mistake{"SFPMAD -0xFFFFFFFF - 1", 1, 20, "does not fit 32 bits"},
                    Mistake{"SFPMAD 2 << 31", 1, 10, "does not fit 32 bits"},
                    Mistake{"SFPMAD 1 << 32", 1, 10, "shift by 32"},
                    Mistake{"SFPMAD 1 >> -1", 1, 10, "shift by -1"},
                    Mistake{"SFPMAD (1", 1, 10, "text ends where an operator or ')'"},
                    Mistake{"SFPMAD 1 +", 1, 11, "a number or a name"},
                    Mistake{"SFPMAD " + std::string(101, '('), 1, 108, "nested too deeply"},
                    Mistake{"SFPMAD " + std::string(100'000, '('), 1, 108, "nested too deeply"},
                    Mistake{"SFPLOADI L0, 0, fp16(0)", 1, 22, "too small for fp16"},
                    Mistake{"SFPLOADI L0, 0, fp16(131072)", 1, 22, "too large for fp16"},
                    Mistake{"SFPLOADI L0, 0, bf16(1e39)", 1, 22, "too large for bf16"},
                    Mistake{"SFPLOADI L0, 0, bf16(1e-39)", 1, 22, "too small for bf16"},
                    Mistake{"SFPLOADI L0, 0, bf16(1e-9999)", 1, 22, "bf16"},
                    Mistake{"SFPLOADI L0, 0, bf16(1.5f)", 1, 22, "not a decimal number"},
                    Mistake{"SFPLOADI L0, 0, bf16(0x1)", 1, 22, "not a decimal number"},
                    Mistake{"SFPLOADI L0, 0, bf16(inf)", 1, 22, "a decimal number"},
                    Mistake{"SFPLOADI L0, 0, bf16(1", 1, 23, "')'"},
                    Mistake{"SFPLOADI L0, bf16(1)", 1, 14, "no floating-point number"},
                    Mistake{"SFPIADD bf16(1)", 1, 9, "no floating-point number"},
                    Mistake{"SFPADDI fp16(1)", 1, 9, "is a BF16"}));

INSTANTIATE_TEST_SUITE_P(
    KernelForm, AssemblyErrors,
    testing::Values(Mistake{"TTI_SFPMAD(1, 2, 3, 4)", 1, 22, "1 of 5 operands are missing"},
                    Mistake{"TTI_SFPMAD()", 1, 12, "5 of 5 operands are missing"},
                    Mistake{"TTI_SFPMAD(1, 2, 3, 4, 5, 6)", 1, 25, "takes 5 operands"},
                    Mistake{"TTI_SFPMAD(1, 2, 3, 4, 5", 1, 25, "')'"},
                    Mistake{"TTI_SFPMAD(1, 2\nNOP", 2, 1, "'NOP' stands where"},
                    Mistake{"TTI_SFPMAD 1, 2", 1, 12, "'('"},
                    Mistake{"TTI_SFPMAD;", 1, 11, "takes 5 operands"},
                    Mistake{"TTI_SFPMAD(1; 2)", 1, 13, "';' stands where"},
                    Mistake{"TTI_SFPMAD(VA=1)", 1, 12, "'VA'"},
                    Mistake{"TTI_SFPNOP(1)", 1, 12, "takes no operands"},
                    Mistake{"TTI_SFPNOP; TTI_SFPNOP;", 1, 13, "one instruction a line"},
                    Mistake{"TTI_SFPNOP; a comment", 1, 13, "comments behind // or #"},
                    Mistake{"TTI_SFPMAD(16, 0, 0, 0, 0)", 1, 12, "does not fit VA"},
                    Mistake{"TTI_SFPLOAD(0, 0, 8, 0)", 1, 19, "does not fit AddrMod"},
                    Mistake{"TTI_SFPLOAD(0, 0, 0, 0x2000)", 1, 22, "use -512 to 8191"},
                    Mistake{"TTI_SFPLOADMACRO(16, 0, 0, 0)", 1, 18, "use -8 to 15"}));

INSTANTIATE_TEST_SUITE_P(
    Directives, AssemblyErrors,
    testing::Values(Mistake{".wrd 1", 1, 1, "directives are"},
                    Mistake{".word", 1, 6, "a number or a name"},
                    Mistake{".word -1", 1, 7, "use 0 to 0xFFFFFFFF"},
                    Mistake{".word 1 2", 1, 9, "the end of the line"},
                    Mistake{".repeat 0\n.endr", 1, 9, "use 1 to 1000000"},
                    Mistake{".repeat 1000001\n.endr", 1, 9, "use 1 to 1000000"},
                    Mistake{".repeat -1\n.endr", 1, 9, "use 1 to 1000000"},
                    Mistake{"NOP\n.endr", 2, 1, "no .repeat"},
                    Mistake{".repeat 2\n.repeat 3\n.endr", 1, 1, "no .endr"},
                    Mistake{".repeat 3\n.repeat 1000000\nNOP\n.endr\n.endr", 1, 1,
                            "beyond 2000000 words"},
                    Mistake{".repeat 1000000\nNOP\nNOP\n.endr\nNOP", 5, 1, "beyond 2000000 words"},
                    Mistake{"NOP\n.cfg A 1", 2, 1, "before the first instruction"},
                    Mistake{".repeat 2\n.cfg A 1\n.endr", 2, 1, "before the first instruction"},
                    Mistake{".cfg 1 1", 1, 6, "the name of a configuration field"},
                    Mistake{".cfg A", 1, 7, "a number or a name"},
                    Mistake{".cfg A -1", 1, 8, "use 0 to 0xFFFFFFFF"},
                    Mistake{".arch wh", 1, 7, "this program is for wh"},
                    Mistake{".arch qs", 1, 7, "'qs' is not a chip"},
                    Mistake{".equ L3 1", 1, 6, "the name of a register"},
                    Mistake{".equ A 1\n.equ A 1", 2, 6, "defined already"},
                    Mistake{".equ A B", 1, 8, "'B' is not defined"}));

} // namespace
} // namespace lanewise::assembly
