// SFPLOADMACRO: what it schedules, when, with which operands (VU 1.9, 5.5; seed 001).
#include "chip/semantics/dst_format.h"
#include "timing/clock_fixture.h"

namespace lanewise::test {
namespace {

using timing::MacroNote;
using timing::MacroRecord;
using timing::Schedule;

using MacroOnBothChips = ClockOnBothChips;
using MacroOnBlackhole = ClockOnBlackhole;

LANEWISE_ON_BOTH_CHIPS(MacroOnBothChips);

// SFPLOADMACRO's fields: MacroIndex, VDLo, Mod0, AddrMod, Imm9, VDHi. Section 3 moves nothing.
constexpr std::string_view kPlainMacro = "SFPLOADMACRO 0, 0, FP32, 3, 0, 0\n";

std::vector<MacroNote> notes(const Schedule& schedule) {
  std::vector<MacroNote> found;
  for (const MacroRecord& record : schedule.records) found.push_back(record.note);
  return found;
}

using Notes = std::vector<MacroNote>;

/// Puts a value into all columns of four rows of Dst, as SFPSTORE FP32 or INT32 does.
void fill_dst(MachineState& state, unsigned row, std::uint32_t value) {
  for (unsigned r = row; r < row + 4; ++r)
    for (unsigned column = 0; column < 16; ++column)
      state.dst.store_32(r, column, semantics::shuffle_32(value));
}

/// The first datum of a row of Dst, as SFPLOAD INT32 reads it.
std::uint32_t dst_value(const MachineState& state, unsigned row) {
  return semantics::unshuffle_32(state.dst.load_32(row, 0));
}

TEST_P(MacroOnBothChips, DelayCountsCyclesFromTheNextOne) { // VU 5.5: t + 1 + d
  rig.set_template(0, "SFPABS L0, L0, 1");
  for (unsigned delay = 0; delay <= 7; ++delay) {
    rig.set_sequence(0, sequence({4, delay}, {}, {}, {}));
    const Schedule s = rig.schedule(std::string("SFPNOP\n") + std::string(kPlainMacro));
    EXPECT_EQ(scheduled(s), (Names{fmt::format("SFPABS@{}", 2 + delay)}));
    EXPECT_EQ(s.cycles, 2U) << "what a macro schedules costs no slot (T1)";
  }
}

TEST_P(MacroOnBothChips, FourSubUnitsAtOnce) { // seed 001
  rig.set_template(0, "SFPABS L0, L0, 1");
  rig.set_template(1, "SFPMAD L0, L10, L9, L0, 0");
  rig.set_template(2, "SFPSTOCHRND 0, 0, L0, L0, L0, 1");
  rig.set_sequence(0, sequence({4, 0}, {5, 0}, {6, 0, true}, {3, 0}));
  const Schedule s = rig.schedule(kPlainMacro);
  EXPECT_EQ(scheduled(s), (Names{"SFPABS@1", "SFPMAD@1", "SFPSTOCHRND@1", "SFPSTORE@1"}));
}

// VU 5.5, C57: d > 0 executes in the cycle after the d-th later instruction of the Vector Unit.
TEST_P(MacroOnBothChips, DelayCountsInstructions) {
  rig.set_template(0, "SFPABS L0, L0, 1");
  rig.set_sequence(0, sequence({4, 2}, {}, {}, {}));
  rig.set_misc(1U << 8); // Simple waits for elapsed instructions
  const Schedule s = rig.schedule(
      std::string(kPlainMacro) +
      "INCRWC DstInc=0\nSFPNOP\nINCRWC DstInc=0\nSFPNOP\nINCRWC DstInc=0\nINCRWC DstInc=0\n");
  EXPECT_EQ(scheduled(s), (Names{"SFPABS@5"})); // the SFPNOPs execute in cycles 2 and 4
}

TEST_P(MacroOnBothChips, DelayZeroExecutesAtOnceHoweverItCounts) { // VU 5.5
  rig.set_template(0, "SFPABS L0, L0, 1");
  rig.set_sequence(0, sequence({4, 0}, {}, {}, {}));
  rig.set_misc(1U << 8);
  EXPECT_EQ(
      scheduled(rig.schedule(std::string(kPlainMacro) + "INCRWC DstInc=0\nINCRWC DstInc=0\n")),
      (Names{"SFPABS@1"}));
}

TEST_P(MacroOnBothChips, OneThatCountsInstructionsMakesAllCountThem) { // VU C57
  rig.set_template(0, "SFPABS L0, L0, 1");
  rig.set_template(1, "SFPMAD L0, L10, L9, L0, 0");
  rig.set_sequence(0, sequence({4, 1}, {5, 3}, {}, {}));
  rig.set_misc(1U << 8); // Simple only
  const Schedule s = rig.schedule(std::string(kPlainMacro) +
                                  "INCRWC DstInc=0\nINCRWC DstInc=0\nSFPNOP\nINCRWC "
                                  "DstInc=0\nINCRWC DstInc=0\nINCRWC DstInc=0\n");
  // The SFPNOP in cycle 3 counts both down; SFPABS leaves in cycle 4, from then on cycles count.
  EXPECT_EQ(scheduled(s), (Names{"SFPABS@4", "SFPMAD@6"}));
}

TEST_P(MacroOnBothChips, LeftPendingWhereNoInstructionComes) { // timing.md, patterns
  rig.set_template(0, "SFPABS L0, L0, 1");
  rig.set_sequence(0, sequence({4, 3}, {}, {}, {}));
  rig.set_misc(1U << 8);
  const Schedule s = rig.schedule(std::string(kPlainMacro) + "SFPNOP\n");
  EXPECT_TRUE(scheduled(s).empty());
  EXPECT_EQ(notes(s), (Notes{MacroNote::LeftPending}));
}

// ISA SFPLOADMACRO: it executes in the cycle after the one in which its counter reaches 0, though
// no instruction comes any more.
TEST_P(MacroOnBothChips, CounterAtZeroExecutesBehindTheLastInstruction) {
  rig.set_template(0, "SFPABS L0, L0, 1");
  rig.set_misc(1U << 8);
  for (unsigned delay = 0; delay <= 7; ++delay) {
    rig.set_sequence(0, sequence({4, delay}, {}, {}, {}));
    const auto program = [](unsigned later) {
      return fmt::format("{}.repeat {}\nSFPNOP\n.endr\n", kPlainMacro, later);
    };
    const Schedule enough = rig.schedule(delay == 0 ? std::string(kPlainMacro) : program(delay));
    EXPECT_EQ(scheduled(enough), (Names{fmt::format("SFPABS@{}", delay + 1)}));
    EXPECT_TRUE(enough.records.empty()) << delay;
    EXPECT_EQ(enough.cycles, delay + 1) << "it costs no slot";
    if (delay < 2) continue;
    const Schedule too_few = rig.schedule(program(delay - 1));
    EXPECT_TRUE(scheduled(too_few).empty());
    EXPECT_EQ(notes(too_few), (Notes{MacroNote::LeftPending})) << delay;
  }
}

TEST_P(MacroOnBothChips, LastRowIsStoredWhereItsCounterIsAtZero) {
  rig.set_template(0, "SFPIADD 1, L0, L0, 5");
  rig.set_misc(4 | 0xF00); // INT32, all sub-units wait for elapsed instructions
  rig.set_sequence(0, sequence({4, 0}, {}, {}, {3, 1}));
  fill_dst(rig.state(), 0, 5);
  rig.run_timed("SFPLOADMACRO 0, 0, INT32, 3, 0, 0\nSFPNOP\n");
  EXPECT_EQ(dst_value(rig.state(), 0), 6U);
}

// Once the one that waits for instructions has gone, cycles count for the others (VU C57).
TEST_P(MacroOnBothChips, CyclesCountAgainBehindTheLastInstruction) {
  rig.set_template(0, "SFPABS L0, L0, 1");
  rig.set_template(1, "SFPMAD L0, L10, L9, L0, 0");
  rig.set_sequence(0, sequence({4, 0}, {5, 3}, {}, {}));
  rig.set_misc(1U << 8); // Simple only
  const Schedule s = rig.schedule(kPlainMacro);
  EXPECT_EQ(scheduled(s), (Names{"SFPABS@1", "SFPMAD@4"}));
  EXPECT_TRUE(s.records.empty());
}

// Delay 7 keeps nine macros in flight, each with the address of its own load.
TEST_P(MacroOnBothChips, EachStoreKeepsTheAddressOfItsLoad) {
  constexpr unsigned kMacros = 20;
  rig.set_misc(4);
  rig.set_sequence(0, sequence({}, {}, {}, {3, 7, false, true})); // stores L0
  rig.set_lreg(0, 77);
  std::string program;
  for (unsigned i = 0; i < kMacros; ++i) {
    fill_dst(rig.state(), 4 * i, 5);
    program += fmt::format("SFPLOADMACRO 0, 1, INT32, 3, {}, 0\n", 2 * i);
  }
  rig.run_timed(program);
  for (unsigned i = 0; i < kMacros; ++i) EXPECT_EQ(dst_value(rig.state(), 4 * i), 77U) << i;
}

TEST_P(MacroOnBothChips, SelectorsWithoutMeaning) { // VU C54
  rig.set_sequence(0, sequence({1}, {}, {}, {}));
  EXPECT_EQ(notes(rig.schedule(kPlainMacro)), (Notes{MacroNote::UndefinedSelector}));
  rig.set_sequence(0, sequence({}, {}, {}, {2}));
  EXPECT_EQ(notes(rig.schedule(kPlainMacro)), (Notes{MacroNote::UndefinedSelector}));
  rig.set_template(0, "SFPABS L0, L0, 1");
  rig.set_sequence(0, sequence({}, {}, {}, {4}));
  EXPECT_EQ(notes(rig.schedule(kPlainMacro)), (Notes{MacroNote::UnsuitableStore}));
}

TEST_P(MacroOnBothChips, UnsuitableTemplatesBecomeNops) { // VU C54
  rig.set_template(0, "SFPMAD L0, L10, L9, L0, 0");
  rig.set_sequence(0, sequence({4}, {3}, {4}, {}));
  const Schedule s = rig.schedule(kPlainMacro);
  EXPECT_EQ(scheduled(s), (Names{"SFPNOP@1", "SFPNOP@1", "SFPNOP@1"}));
  EXPECT_EQ(notes(s), (Notes{MacroNote::UnsuitableOpcode, MacroNote::UnsuitableOpcode,
                             MacroNote::UnsuitableOpcode}));
}

TEST_P(MacroOnBothChips, SelectorTwoIsANopAndNoMistake) {
  rig.set_sequence(0, sequence({2}, {2, 1}, {2, 2}, {}));
  const Schedule s = rig.schedule(kPlainMacro);
  EXPECT_EQ(scheduled(s), (Names{"SFPNOP@1", "SFPNOP@2", "SFPNOP@3"}));
  EXPECT_TRUE(s.records.empty());
}

// VU C55: which templates go to which sub-unit is a matter of the opcode.
struct Legal {
  std::string_view line;
  unsigned sub_unit;
  bool blackhole_only = false;
};

constexpr Legal kLegal[] = {
    {"SFPABS L1, L2, 0", 0},
    {"SFPAND 0, L1, L2, 0", 0, true},
    {"SFPCAST L1, L2, 0", 0},
    {"SFPCOMPC", 0},
    {"SFPCONFIG 0, 4, 0", 0},
    {"SFPDIVP2 0, L1, L2, 0", 0},
    {"SFPENCC Imm2=3, Mod1=10", 0},
    {"SFPEXEXP L1, L2, 0", 0},
    {"SFPEXMAN L1, L2, 0", 0},
    {"SFPIADD 0, L1, L2, 5", 0},
    {"SFPLZ L1, L2, 0", 0},
    {"SFPMOV L1, L2, 0", 0},
    {"SFPNOT L1, L2", 0},
    {"SFPXOR L1, L2", 0},
    {"SFPSHFT 1, L1, L2, 1", 0},
    {"SFPSETCC 0, L1, 0, 0", 0},
    {"SFPSETEXP 0, L1, L2, 0", 0},
    {"SFPSETMAN 0, L1, L2, 0", 0},
    {"SFPSETSGN 0, L1, L2, 0", 0},
    {"SFPSWAP L1, L2, 1", 0},
    {"SFPTRANSP", 0},
    {"SFPARECIP L0, L1, L2, 0", 0, true},
    {"SFPGT L1, L2, 1", 0, true},
    {"SFPLE L1, L2, 1", 0, true},
    {"SFPADD L10, L1, L2, L3, 0", 1},
    {"SFPADDI 0, L1, 0", 1},
    {"SFPLUT L1, 0", 1},
    {"SFPLUTFP32 L1, 0", 1},
    {"SFPMAD L0, L1, L2, L3, 0", 1},
    {"SFPMUL L0, L1, L9, L3, 0", 1},
    {"SFPMULI 0, L1, 0", 1},
    {"SFPMUL24 L0, L1, L9, L3, 0", 1, true},
    {"SFPSHFT2 0, L1, L2, 3", 2},
    {"SFPSTOCHRND 0, 0, L0, L1, L2, 1", 2},
};

TEST_P(MacroOnBothChips, LegalOpcodesOfEachSubUnit) { // VU 5.5; seed 001, table of sub-units
  for (const Legal& legal : kLegal) {
    if (legal.blackhole_only && GetParam() == Arch::Wormhole) continue;
    rig.set_template(0, legal.line);
    for (unsigned sub_unit = 0; sub_unit < 3; ++sub_unit) {
      rig.set_sequence(0, 4U << (8 * sub_unit));
      const bool refused = notes(rig.schedule(kPlainMacro)) == Notes{MacroNote::UnsuitableOpcode};
      EXPECT_EQ(refused, sub_unit != legal.sub_unit) << legal.line << " on " << sub_unit;
    }
  }
}

TEST_P(MacroOnBothChips, LoadsCannotBeScheduled) { // VU 5.5
  for (std::string_view line :
       {"SFPLOAD L0, 0, 0, 0", "SFPLOADI L0, 0, 0", "SFPLOADMACRO 0, 0, 0, 0, 0, 0"}) {
    rig.set_template(0, line);
    for (unsigned sub_unit = 0; sub_unit < 3; ++sub_unit) {
      rig.set_sequence(0, 4U << (8 * sub_unit));
      EXPECT_EQ(notes(rig.schedule(kPlainMacro)), (Notes{MacroNote::UnsuitableOpcode})) << line;
    }
  }
}

// VU C55, bit 7 clear: VC is the macro's VD, and what has no VB takes the template's VD as second
// source.
TEST_P(MacroOnBothChips, MacroBecomesVc) {
  fill_dst(rig.state(), 0, 100);
  rig.set_lreg(5, 7);
  rig.set_template(0, "SFPIADD 0, L1, L5, 6"); // VC - VD, no flags
  rig.set_sequence(0, sequence({4, 0, false, false}, {}, {}, {}));
  rig.run_timed("SFPLOADMACRO 0, 2, INT32, 3, 0, 0\n");
  EXPECT_EQ(rig.lreg(2), all(100 - 7));
  EXPECT_EQ(rig.lreg(5), all(7));
}

// Bit 7 set: VB is the macro's VD, VC stays the template's.
TEST_P(MacroOnBothChips, MacroBecomesVb) {
  fill_dst(rig.state(), 0, 100);
  rig.set_lreg(1, 7);
  rig.set_template(0, "SFPIADD 0, L1, L5, 6");
  rig.set_sequence(0, sequence({4, 0, false, true}, {}, {}, {}));
  rig.run_timed("SFPLOADMACRO 0, 2, INT32, 3, 0, 0\n");
  EXPECT_EQ(rig.lreg(2), all(static_cast<std::uint32_t>(7 - 100)));
}

TEST_P(MacroOnBothChips, MultiplyAddOperands) { // VU C55: VA stays the template's in any case
  fill_dst(rig.state(), 0, 0x40000000);         // 2
  rig.set_lreg(0, 0x40400000);                  // 3
  rig.set_lreg(1, 0x40A00000);                  // 5
  rig.set_template(0, "SFPMAD L0, L1, L1, L6, 0");
  rig.set_sequence(0, sequence({}, {4, 0, false, true}, {}, {}));
  rig.run_timed("SFPLOADMACRO 0, 3, FP32, 3, 0, 0\n");
  EXPECT_EQ(rig.lreg(3), all(0x41300000)) << "3 * 2 + 5";
  rig.set_sequence(0, sequence({}, {4, 0, false, false}, {}, {}));
  rig.run_timed("SFPLOADMACRO 0, 3, FP32, 3, 0, 0\n");
  EXPECT_EQ(rig.lreg(3), all(0x41880000)) << "3 * 5 + 2";
}

// VU C55: in SFPADDI and SFPMULI, VC is what is added or multiplied.
TEST_P(MacroOnBothChips, ImmediateArithmeticOperands) {
  fill_dst(rig.state(), 0, 0x40000000); // 2
  rig.set_lreg(5, 0x41000000);          // 8
  rig.set_template(0, "SFPMULI bf16(3), L5, 0");
  rig.set_sequence(0, sequence({}, {4, 0, false, false}, {}, {}));
  rig.run_timed(kPlainMacro);
  EXPECT_EQ(rig.lreg(0), all(0x40C00000)) << "3 * what was loaded";
  rig.set_sequence(0, sequence({}, {4, 0, false, true}, {}, {}));
  rig.run_timed(kPlainMacro);
  EXPECT_EQ(rig.lreg(0), all(0x41C00000)) << "3 * the template's VD";
}

TEST_F(MacroOnBlackhole, LogicTakesTheTemplatesVb) { // ISA SFPLOADMACRO: VB = VD is skipped
  fill_dst(rig.state(), 0, 0xFF);
  rig.set_lreg(4, 0x0F);
  rig.set_lreg(5, 0xF0);
  rig.set_template(0, "SFPAND L4, L1, L5, 0");
  rig.set_sequence(0, sequence({4}, {}, {}, {}));
  rig.run_timed("SFPLOADMACRO 0, 2, INT32, 3, 0, 0\n");
  EXPECT_EQ(rig.lreg(2), all(0x0F));
}

// ISA SFPLOADMACRO: SFPSHFT2's immediate no longer names VB once the macro's VD has become it.
TEST_P(MacroOnBothChips, ShiftByImmediateOperands) {
  fill_dst(rig.state(), 0, 0x10);
  rig.set_lreg(3, 0x1000);
  rig.set_template(0, "SFPSHFT2 3, L0, L7, 6"); // VB = 3 and shift = 3
  rig.set_sequence(0, sequence({}, {}, {4, 0, false, true}, {}));
  rig.run_timed("SFPLOADMACRO 0, 2, INT32, 3, 0, 0\n");
  EXPECT_EQ(rig.lreg(2), all(0x80));
  rig.set_sequence(0, sequence({}, {}, {4, 0, false, false}, {}));
  rig.run_timed("SFPLOADMACRO 0, 2, INT32, 3, 0, 0\n");
  EXPECT_EQ(rig.lreg(2), all(0x8000));
}

// VU Q1: SFPSWAP works on (VB, VC). LLK's clamp: VC = macro, VD = 14 keeps the maximum in the
// macro's VD.
TEST_P(MacroOnBothChips, SwapWorksOnVbAndVc) {
  fill_dst(rig.state(), 0, 0xC0A00000); // -5
  rig.set_lreg(14, 0xC0400000);         // -3
  rig.set_template(0, "SFPSWAP L0, L13, 1");
  rig.vector().macro.instruction_template[0].fill(0x920000E1); // VC = 0, VD = 14, mode 1
  rig.set_sequence(0, sequence({4}, {}, {}, {}));
  rig.run_timed("SFPLOADMACRO 0, 2, FP32, 3, 0, 0\n");
  EXPECT_EQ(rig.lreg(2), all(0xC0400000));
  EXPECT_EQ(rig.lreg(14), all(0xC0400000)) << "constants are not written";
}

TEST_P(MacroOnBothChips, HiddenRegisterAndItsStore) { // VU 5.5, C56
  fill_dst(rig.state(), 0, 0x40000000);
  rig.set_lreg(0, 0x3F800000);
  rig.set_template(0, "SFPMAD L10, L10, L10, L0, 0");
  rig.set_template(1, "SFPSTORE L5, 0, 0, 0");
  rig.set_misc(3); // StoreMod0 = FP32
  rig.set_sequence(0, sequence({}, {4, 0, true, true}, {}, {3, 2, true}));
  rig.run_timed("SFPLOADMACRO 0, 1, FP32, 3, 0, 0\n");
  EXPECT_EQ(rig.lreg(1), all(0x40000000)) << "the macro's VD keeps what was loaded";
  EXPECT_EQ(rig.lreg(16), all(0x40400000)) << "1 * 2 + 1";
  EXPECT_EQ(dst_value(rig.state(), 0), 0x40400000U);
}

TEST_P(MacroOnBothChips, StoredRegister) { // VU C56
  rig.set_template(0, "SFPSTORE L5, 0, 0, 0");
  rig.set_misc(4); // INT32
  rig.set_lreg(5, 55);
  const auto stored = [&](Byte store) {
    fill_dst(rig.state(), 0, 11);
    rig.vector().lreg[16][0] = 66;
    rig.set_sequence(0, sequence({}, {}, {}, store));
    rig.run_timed("SFPLOADMACRO 0, 1, INT32, 3, 0, 0\n");
    return dst_value(rig.state(), 0);
  };
  EXPECT_EQ(stored({4, 0, true, true}), 66U);
  EXPECT_EQ(stored({4, 0, false, true}), 55U) << "the template's VD";
  EXPECT_EQ(stored({4, 0, false, false}), 11U) << "the macro's VD";
  rig.set_lreg(0, 44);
  EXPECT_EQ(stored({3, 0, false, true}), 44U) << "selector 3 has VD 0";
}

TEST_P(MacroOnBothChips, StoreModeComesFromMiscOrFromTheLoad) { // VU C56
  fill_dst(rig.state(), 0, 0x12345678);
  rig.set_sequence(1, sequence({}, {}, {}, {3, 0}));
  rig.set_misc(9); // StoreMod0 = LO16: 32 bits, rotated (VU C23)
  rig.run_timed("SFPLOADMACRO 1, 0, INT32, 3, 0, 0\n");
  const std::uint32_t rotated = dst_value(rig.state(), 0);
  fill_dst(rig.state(), 0, 0x12345678);
  rig.set_misc(9 | 1U << (4 + 1)); // macro 1 uses its load's mode
  rig.run_timed("SFPLOADMACRO 1, 0, INT32, 3, 0, 0\n");
  EXPECT_EQ(dst_value(rig.state(), 0), 0x12345678U);
  EXPECT_NE(rotated, 0x12345678U);
}

TEST_P(MacroOnBothChips, StoreGoesWhereTheLoadWas) { // VU 5.5: the RWCs of the load's time
  for (unsigned row = 0; row < 16; row += 4) fill_dst(rig.state(), row, 100 + row);
  rig.set_template(0, "SFPIADD 1, L0, L0, 5");
  rig.set_misc(4);
  rig.set_sequence(0, sequence({4, 0}, {}, {}, {3, 1}));
  rig.run_timed("SFPLOADMACRO 0, 0, INT32, 3, 0, 0\nINCRWC DstInc=4\nINCRWC DstInc=4\n");
  EXPECT_EQ(dst_value(rig.state(), 0), 101U);
  EXPECT_EQ(dst_value(rig.state(), 4), 104U);
  EXPECT_EQ(rig.rwc().dst, 8U);
}

TEST_P(MacroOnBothChips, StoreMovesNoCounter) { // VU 5.5
  AddrModSection section;
  section.dst_increment = 4;
  rig.state().config.set_addr_mod(0, section);
  if (GetParam() == Arch::Wormhole) rig.state().config.set_addr_mod(4, section);
  rig.set_misc(4);
  rig.set_sequence(0, sequence({}, {}, {}, {3, 1}));
  rig.run_timed("SFPLOADMACRO 0, 0, INT32, 0, 0, 0\n");
  EXPECT_EQ(rig.rwc().dst, 4U) << "the load does, once";
}

TEST_P(MacroOnBothChips, ScheduledMultiplyAddTakesTwoCycles) { // VU 5.1, 5.5
  rig.set_template(0, "SFPMAD L10, L10, L10, L0, 0");          // 1 * 1 + macro
  rig.set_template(1, "SFPMOV L3, L0, 0");
  fill_dst(rig.state(), 0, 0x3F800000);
  // The move reads in the cycle after the multiply-add: the loaded value. One later it reads the
  // sum.
  rig.set_sequence(0, sequence({5, 1, true, false}, {4, 0}, {}, {}));
  rig.run_timed(kPlainMacro);
  EXPECT_EQ(rig.lreg(16), all(0x3F800000));
  EXPECT_EQ(rig.lreg(0), all(0x40000000));
  rig.set_sequence(0, sequence({5, 2, true, false}, {4, 0}, {}, {}));
  rig.run_timed(kPlainMacro);
  EXPECT_EQ(rig.lreg(16), all(0x40000000));
}

TEST_P(MacroOnBothChips, EverythingReadsBeforeAnythingIsWritten) { // VU 5.1
  // One row per cycle: Round writes LReg[16] in the cycle in which Store takes the one before.
  for (unsigned row = 0; row < 16; row += 4) fill_dst(rig.state(), row, 0x3F800000 + row);
  rig.set_template(0, "SFPSHFT2 1, L0, L0, 6");
  rig.set_misc(4);
  rig.set_sequence(0, sequence({}, {}, {4, 0, true, true}, {3, 1, true}));
  rig.run_timed(
      "SFPLOADMACRO 0, 0, INT32, 3, 0, 0\nSFPLOADMACRO 0, 0, INT32, 3, 2, 0\n"
      "SFPLOADMACRO 0, 0, INT32, 3, 4, 0\nSFPLOADMACRO 0, 0, INT32, 3, 6, 0\n");
  for (unsigned row = 0; row < 16; row += 4)
    EXPECT_EQ(dst_value(rig.state(), row), (0x3F800000U + row) << 1) << "row " << row;
}

// VU 5.1: an addition and a multiply-add of one cycle, each of which reads what the other writes.
// The addition's flags are there in the next cycle, with its result.
TEST_P(MacroOnBothChips, TwoThatReadEachOthersResultsSeeTheOldOnes) {
  constexpr std::uint32_t kOne = 0x3F800000, kSmall = 0x00800000;
  fill_dst(rig.state(), 0, kOne);
  fill_dst(rig.state(), 4, kSmall);
  rig.predicate(kAllLanes);
  rig.set_template(0, "SFPIADD 0, L5, L1, 0");      // macro + L1; flags: below 0
  rig.set_template(1, "SFPMAD L0, L10, L5, L6, 0"); // L0 * 1 + macro
  rig.set_sequence(0, sequence({4, 1}, {}, {}, {}));
  rig.set_sequence(1, sequence({}, {5, 0}, {}, {}));
  rig.run_timed("SFPLOADMACRO 0, 0, FP32, 3, 0, 0\nSFPLOADMACRO 1, 1, FP32, 3, 2, 0\n");
  EXPECT_EQ(rig.lreg(0), all(kOne + kSmall));
  EXPECT_EQ(rig.lreg(1), all(kOne)) << "1 * 1 + 2^-126";
  EXPECT_EQ(rig.vector().flags, 0U);
}

/// What a macro loads goes through a multiply-add into LReg[16], and out again three cycles later.
void set_copies_through_macro_lreg(ClockRig& rig) {
  rig.set_template(0, "SFPMAD L9, L9, L9, L0, 0"); // 0 * 0 + macro
  rig.set_misc(3);                                 // stores are FP32
  rig.set_sequence(0, sequence({}, {4, 0, true}, {}, {3, 2, true}));
}

// VU 5.1: both results are two cycles under way, and the later one is the later value, also where
// it is what LReg[16] held before either.
TEST_P(MacroOnBothChips, ResultLikeTheOldValueIsWrittenBehindAnother) {
  set_copies_through_macro_lreg(rig);
  for (const std::uint32_t flags : {kAllLanes, 0x5555AAAAU}) {
    fill_dst(rig.state(), 0, 0x40000000);
    fill_dst(rig.state(), 4, 0x3F800000);
    rig.vector().use_flags = kAllLanes;
    rig.vector().flags = flags;
    for (unsigned lane = 0; lane < kLanes; ++lane) rig.vector().lreg[16][lane] = 0x3F800000;
    rig.run_timed(
        "SFPLOADMACRO 0, 0, FP32, 3, 0, 0\nSFPLOADMACRO 0, 1, FP32, 3, 2, 0\nSFPNOP\nSFPNOP\n");
    EXPECT_EQ(rig.lreg(16), all(0x3F800000));
    EXPECT_EQ(dst_value(rig.state(), 0), 0x40000000U);
    EXPECT_EQ(dst_value(rig.state(), 4), 0x3F800000U) << "the second macro's own value";
  }
}

TEST_P(MacroOnBothChips, RegularInstructionOfTheSameSubUnitVanishes) { // VU C58
  rig.set_template(0, "SFPABS L0, L0, 0");
  rig.set_sequence(0, sequence({4, 0}, {}, {}, {}));
  const Schedule s =
      rig.run_timed(std::string(kPlainMacro) + "SFPIADD 5, L1, L1, 5\nSFPIADD 1, L1, L1, 5\n");
  EXPECT_TRUE(s.issues[1].discarded);
  EXPECT_EQ(notes(s), (Notes{MacroNote::Discarded}));
  EXPECT_EQ(rig.lreg(1), all(1));
}

TEST_P(MacroOnBothChips, OtherSubUnitsAreLeftAlone) { // VU C58
  rig.set_template(0, "SFPABS L0, L0, 0");
  rig.set_sequence(0, sequence({4, 0}, {}, {}, {}));
  const Schedule s =
      rig.run_timed(std::string(kPlainMacro) + "SFPMAD L10, L10, L10, L1, 0\nSFPNOP\n");
  EXPECT_TRUE(s.records.empty());
  EXPECT_EQ(rig.lreg(1), all(0x40000000));
}

TEST_P(MacroOnBothChips, ScheduledInstructionsAreNeverStalled) { // VU 5.3
  rig.set_template(0, "SFPMAD L0, L10, L9, L0, 0");
  rig.set_template(1, "SFPABS L0, L0, 0");
  rig.set_sequence(0, sequence({5, 1}, {4, 0}, {}, {}));
  const Schedule s = rig.schedule(std::string(kPlainMacro) + "SFPNOP\nSFPIADD 1, L0, L3, 5\n");
  EXPECT_EQ(execute_cycles(s), (Cycles{0, 1, 2})) << "and they stall nobody";
}

// VU C53: selector 0 cancels nothing; an equal counter is cancelled after this issue has counted.
TEST_P(MacroOnBothChips, CancelledByOneForTheSameCycle) {
  rig.set_template(0, "SFPABS L0, L0, 0");
  rig.set_template(1, "SFPNOT L0, L0");
  rig.set_sequence(0, sequence({4, 3}, {}, {}, {}));
  rig.set_sequence(1, sequence({5, 2}, {}, {}, {}));
  const Schedule s = rig.schedule(std::string(kPlainMacro) + "SFPLOADMACRO 1, 0, FP32, 3, 0, 0\n");
  EXPECT_EQ(scheduled(s), (Names{"SFPNOT@4"}));
  EXPECT_EQ(notes(s), (Notes{MacroNote::Cancelled}));
  rig.set_sequence(1, sequence({5, 3}, {}, {}, {}));
  EXPECT_EQ(
      scheduled(rig.schedule(std::string(kPlainMacro) + "SFPLOADMACRO 1, 0, FP32, 3, 0, 0\n")),
      (Names{"SFPABS@4", "SFPNOT@5"}));
}

TEST_P(MacroOnBothChips, EmptyByteCancelsOnlyInTheOfficialReading) { // VU C53, Q1b
  rig.set_template(0, "SFPABS L0, L0, 0");
  rig.set_sequence(0, sequence({4, 1}, {}, {}, {}));
  const std::string program = std::string(kPlainMacro) + "SFPLOADMACRO 1, 0, FP32, 3, 0, 0\n";
  EXPECT_EQ(scheduled(rig.schedule(program)), (Names{"SFPABS@2"}));
  EXPECT_TRUE(scheduled(rig.schedule(program, {.empty_byte_cancels = true})).empty());
}

TEST_P(MacroOnBothChips, ColumnsMayBeConfiguredDifferently) { // VU C4
  fill_dst(rig.state(), 0, 5);
  rig.set_template(0, "SFPIADD 1, L0, L0, 5");
  rig.vector().macro.sequence[0] = {4, 0, 4, 0, 4, 0, 4, 0};
  rig.run_timed("SFPLOADMACRO 0, 0, INT32, 3, 0, 0\n");
  EXPECT_EQ(rig.lreg(0), by_lane([](unsigned lane) { return lane % 2 == 0 ? 6 : 5; }));
}

TEST_P(MacroOnBothChips, ConfigurationIsOfTheColumnsThatScheduleIt) { // VU C4
  rig.set_template(0, "SFPCONFIG 0x1234, 0, 1");
  rig.vector().macro.sequence[0] = {4, 0, 4, 0, 4, 0, 4, 0};
  rig.vector().macro.sequence[1].fill(7);
  rig.run_timed("SFPLOADMACRO 0, 1, FP32, 3, 0, 1\n"); // VD = 5: sequence 1
  EXPECT_EQ(rig.vector().macro.sequence[1],
            (std::array<std::uint32_t, 8>{0x1234, 7, 0x1234, 7, 0x1234, 7, 0x1234, 7}));
}

TEST_P(MacroOnBothChips, LanesMustAgreeOnStores) { // VU 6
  rig.vector().macro.sequence[0] = {3U << 24, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(notes(rig.schedule(kPlainMacro)), (Notes{MacroNote::StoreLanesDiffer}));
}

TEST_P(MacroOnBothChips, FlagsAreLeftAloneByResultsInTheHiddenRegister) { // VU C14
  rig.predicate(kAllLanes);
  rig.set_template(0, "SFPIADD -1, L0, L0, 1"); // sets flags: result < 0
  rig.set_sequence(0, sequence({4, 0, true}, {}, {}, {}));
  rig.run_timed(kPlainMacro);
  EXPECT_EQ(rig.vector().flags, kAllLanes);
  rig.set_sequence(0, sequence({4, 0, false}, {}, {}, {}));
  rig.run_timed("SFPLOADMACRO 0, 0, FP32, 3, 4, 0\n");
  EXPECT_EQ(rig.vector().flags, kAllLanes) << "0 - 1 is negative: flags set";
  rig.set_template(0, "SFPIADD 1, L0, L0, 1");
  rig.run_timed("SFPLOADMACRO 0, 0, FP32, 3, 4, 0\n");
  EXPECT_EQ(rig.vector().flags, 0U);
}

TEST_P(MacroOnBothChips, ConfiguredByProgram) { // VU C13, C38: SFPCONFIG and the VD 12..15 write
  fill_dst(rig.state(), 0, 5);
  rig.run_timed(
      "SFPIADD 1, L0, L12, 5\n" // template 0, by the back door
      "SFPLOADI L0, LOWER, 0x0004\nSFPLOADI L0, UPPER, 0x1300\nSFPCONFIG 0, 4, 0\n" // sequence 0
      "SFPCONFIG 4, 8, 1\n" // Misc: StoreMod0 = INT32
      "SFPNOP\nSFPLOADMACRO 0, 0, INT32, 3, 0, 0\n");
  EXPECT_EQ(dst_value(rig.state(), 0), 6U) << "store byte 13: selector 3, delay 2";
}

// The macro configuration can come from Dst: another tile may then need another schedule.
TEST_P(MacroOnBothChips, ScheduleKnowsWhenItIsStale) {
  const std::string program =
      "SFPLOAD L0, INT32, 3, 0\nSFPCONFIG 0, 4, 0\nSFPNOP\n"
      "SFPLOADMACRO 0, 1, INT32, 3, 4, 0\n";
  rig.set_template(0, "SFPIADD 1, L0, L0, 5");
  fill_dst(rig.state(), 0, 4); // sequence 0: template 0 on Simple
  const MachineState other_start = [&] {
    MachineState state = rig.state();
    fill_dst(state, 0, 0);
    return state;
  }();
  const MicroProgram micro = rig.prepare(program);
  const Schedule s = timing::schedule(rig.state(), micro);
  execute(rig.state(), s.ops(micro));
  EXPECT_FALSE(rig.state().clock.schedule_is_stale);
  EXPECT_EQ(rig.lreg(1), all(1));
  rig.state() = other_start;
  execute(rig.state(), s.ops(micro));
  EXPECT_TRUE(rig.state().clock.schedule_is_stale);
}

TEST_P(MacroOnBothChips, WithoutAScheduleTheMachineSaysSo) { // design: never silently skipped
  execute(rig.state(), rig.prepare(kPlainMacro).ops);
  const auto faults = rig.state().faults.to_faults(GetParam());
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].kind, FaultKind::Unsupported);
  EXPECT_EQ(faults[0].instruction, "SFPLOADMACRO");
}

} // namespace
} // namespace lanewise::test
