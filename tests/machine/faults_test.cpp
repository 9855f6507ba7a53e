// Faults: kind, instruction, line and lane of everything that VU section 6 names and that does not
// need time.
#include "chip/isa/encoding.h"
#include "chip/machine/frontend/static_faults.h"
#include "machine/machine_fixture.h"

namespace lanewise::test {
namespace {

constexpr unsigned kBh = 1, kWh = 2, kBoth = 3; ///< chips of a case

struct Case {
  unsigned chips;
  const char* instruction;
  FaultKind kind;
};

constexpr FaultKind kNc = FaultKind::NonContractual;
constexpr FaultKind kUb = FaultKind::UndefinedBehavior;

constexpr Case kCases[] = {
    {kBoth, "SFPLOADI L0, 3, 0", kUb},
    {kBoth, "SFPLOADI L0, 15, 0", kUb},
    {kBoth, "SFPSHFT2 0, L0, L0, 7", kUb},
    {kBoth, "SFPSHFT2 0, L0, L0, 15", kUb},
    {kWh, "SFPSHFT2 0, L0, L0, 4", kNc},
    {kWh, "SFPSHFT2 0, L9, L0, 4", kNc}, // the latch is not VC: its lanes need not be 0
    {kBh, "SFPSHFT 0, L0, L0, 4", kNc},
    {kBh, "SFPSHFT 0, L0, L0, 6", kNc},
    {kBh, "SFPSHFT 0, L0, L0, 8", kNc},
    {kWh, "SFPSHFT 0, L0, L0, 2", kNc},
    {kBoth, "SFPSWAP L0, L1, 10", kNc},
    {kBoth, "SFPSWAP L0, L1, 15", kNc},
    {kBoth, "SFPSTOCHRND 0, 0, L0, L0, L0, 8", kNc},
    {kBoth, "SFPSTOCHRND 0, 0, L0, L0, L0, 14", kNc},
    {kBoth, "SFPADD L0, L0, L0, L0, 0", kNc},
    {kBoth, "SFPMUL L0, L0, L0, L0, 0", kNc},
    {kBoth, "SFPCONFIG 0, 9, 1", kNc},
    {kBoth, "SFPCONFIG 0, 10, 1", kNc},
    {kBh, "SFPCAST L0, L0, 4", kNc},
    {kWh, "SFPCAST L0, L0, 2", kNc},
    {kBoth, "SFPMOV L0, L0, 4", kNc},
    {kBoth, "SFPLZ L0, L0, 1", kNc},
    {kBoth, "SFPEXEXP L0, L0, 4", kNc},
    {kBoth, "SFPABS L0, L0, 2", kNc},
    {kBoth, "SFPEXMAN L0, L0, 2", kNc},
    {kBoth, "SFPDIVP2 0, L0, L0, 2", kNc},
    {kBoth, "SFPDIVP2 -129, L0, L0, 1", kNc},
    {kBoth, "SFPDIVP2 256, L0, L0, 1", kNc},
    {kBoth, "SFPSETSGN 0, L0, L0, 2", kNc},
    {kBoth, "SFPSETMAN 0, L0, L0, 2", kNc},
    {kBoth, "SFPSETEXP 0, L0, L0, 4", kNc},
    {kWh, "SFPMAD L10, L0, L9, L0, 1", kNc},
    {kWh, "SFPADD L10, L0, L9, L0, 2", kNc},
    {kWh, "SFPMUL L10, L0, L9, L0, 3", kNc},
    {kBh, "SFPMUL24 L0, L0, L9, L0, 2", kNc},
    {kWh, "SFPPUSHC Mod1=1", kNc},
};

/// Legal neighbours of the cases above: nothing to report.
constexpr Case kClean[] = {
    {kBoth, "SFPLOADI L0, 10, 0", kNc},
    {kBoth, "SFPSHFT2 0, L0, L0, 6", kNc},
    {kBh, "SFPSHFT2 0, L0, L0, 4", kNc},
    {kBh, "SFPSHFT 0, L0, L0, 7", kNc},
    {kWh, "SFPSHFT 0, L0, L0, 1", kNc},
    {kWh, "SFPSHFT2 0, L9, L9, 3", kNc},
    {kBoth, "SFPSWAP L0, L1, 9", kNc},
    {kBoth, "SFPSTOCHRND 0, 0, L0, L0, L0, 12", kNc},
    {kBoth, "SFPSTOCHRND 0, 0, L0, L0, L0, 13", kNc},
    {kBoth, "SFPADD L10, L0, L0, L0, 0", kNc},
    {kBoth, "SFPADD L0, L10, L0, L0, 0", kNc},
    {kBoth, "SFPMUL L0, L0, L9, L0, 0", kNc},
    {kBoth, "SFPCONFIG 0, 8, 1", kNc},
    {kBh, "SFPCAST L0, L0, 3", kNc},
    {kBoth, "SFPMOV L0, L0, 11", kNc},
    {kBoth, "SFPLZ L0, L0, 14", kNc},
    {kBoth, "SFPEXEXP L0, L0, 11", kNc},
    {kBoth, "SFPIADD 0, L0, L0, 15", kNc},
    {kBoth, "SFPENCC Imm2=3, Mod1=10", kNc},
    {kBh, "SFPMAD L0, L0, L0, L0, 15", kNc},
    {kWh, "SFPMAD L0, L0, L0, L0, 12", kNc},
    {kBh, "SFPARECIP L0, L0, L0, 2", kNc},
    {kBoth, "SFPDIVP2 -128, L0, L0, 1", kNc},
    {kBoth, "SFPDIVP2 255, L0, L0, 0", kNc},
    {kBoth, "SFPNOP", kNc},
    {kBoth, "STALLWAIT 0x1, 0x1", kNc},
};

bool includes(unsigned chips, Arch arch) {
  return (chips >> static_cast<unsigned>(arch) & 1U) != 0;
}

class Faults : public OnBothChips {};
LANEWISE_ON_BOTH_CHIPS(Faults);

TEST_P(Faults, WordsThatAreWrongWhateverTheState) { // VU section 6
  for (const Case& each : kCases) {
    if (!includes(each.chips, GetParam())) continue;
    SCOPED_TRACE(each.instruction);
    Rig fresh(GetParam());
    const auto faults = fresh.run(fmt::format("SFPNOP\n\n{}", each.instruction));
    ASSERT_EQ(faults.size(), 1U);
    EXPECT_EQ(faults[0].kind, each.kind);
    EXPECT_TRUE(std::string_view(each.instruction).starts_with(faults[0].instruction));
    EXPECT_EQ(faults[0].line, 3U);
    EXPECT_EQ(faults[0].file, "test.tt");
    EXPECT_FALSE(faults[0].message.empty());
    EXPECT_FALSE(faults[0].remedy.empty());
    EXPECT_TRUE(faults[0].rule.starts_with("VU "));
    EXPECT_FALSE(faults[0].lane) << "concerns no lane in particular";
  }
}

/// The word of a case with another VD.
std::uint32_t word_with_vd(Arch arch, const char* instruction, std::uint32_t vd) {
  const auto program = assembly::assemble(arch, instruction, "test.tt");
  const std::uint32_t word = program->words.at(0).word;
  const isa::Field& field = *isa::decode(arch, word).row->field("VD");
  return (word & ~field.mask()) | field.insert(vd);
}

bool has_template_write(const Case& each) {
  return !std::string_view(each.instruction).starts_with("SFPCONFIG");
}

TEST_P(Faults, TemplateWritesHaveNone) { // VU C13: not executed
  for (const Case& each : kCases) {
    if (!includes(each.chips, GetParam()) || !has_template_write(each)) continue;
    for (std::uint32_t vd = 12; vd < 16; ++vd) {
      const std::uint32_t word = word_with_vd(GetParam(), each.instruction, vd);
      SCOPED_TRACE(fmt::format("{} with VD {}", each.instruction, vd));
      Rig fresh(GetParam());
      fresh.run_clean(fmt::format(".word {:#x}", word));
      EXPECT_EQ(fresh.vector().macro.instruction_template[vd - 12][0], word);
    }
  }
}

TEST_P(Faults, TemplateWritesThatExecuteHaveThem) { // VU C13: DISABLE_BACKDOOR_LOAD
  for (const Case& each : kCases) {
    if (!includes(each.chips, GetParam()) || !has_template_write(each)) continue;
    for (const std::uint32_t columns : {0xFFU, 0x01U}) {
      const std::uint32_t word = word_with_vd(GetParam(), each.instruction, 13);
      SCOPED_TRACE(fmt::format("{} executed in columns {:#x}", each.instruction, columns));
      Rig fresh(GetParam());
      fresh.set_lane_config_of(columns, lane_config::kDisableBackdoorLoad);
      const auto faults = fresh.run(fmt::format("SFPNOP\n.word {:#x}", word));
      ASSERT_EQ(faults.size(), 1U);
      EXPECT_EQ(faults[0].kind, each.kind);
      EXPECT_EQ(faults[0].line, 2U);
      EXPECT_TRUE(std::string_view(each.instruction).starts_with(faults[0].instruction));
    }
  }
}

TEST_P(Faults, BitsOfNoFieldAreReported) { // whatever the instruction, and not in template writes
  for (const char* instruction : {"SFPMAD L0, L1, L9, L2, 0, raw=0x00F00000",
                                  "SFPLOAD L0, raw=0x400", "INCRWC DstInc=2, raw=1"}) {
    const auto faults = Rig(GetParam()).run(instruction);
    ASSERT_EQ(faults.size(), 1U) << instruction;
    EXPECT_EQ(faults[0].kind, kNc);
    EXPECT_NE(faults[0].message.find("belong to no field"), std::string::npos);
  }
  rig.run_clean("SFPMAD L0, L1, L9, L12, 0, raw=0x00F00000");
}

TEST_P(Faults, LegalWordsAreNotReported) {
  for (const Case& each : kClean) {
    if (!includes(each.chips, GetParam())) continue;
    SCOPED_TRACE(each.instruction);
    Rig fresh(GetParam());
    fresh.run_clean(each.instruction);
  }
}

TEST_P(Faults, OpcodesThatTheChipLacks) { // VU section 6: 96..99 on Wormhole, 9A..9F on both
  for (std::uint32_t opcode = 0; opcode <= 0xFF; ++opcode) {
    if (isa::find_row(GetParam(), static_cast<std::uint8_t>(opcode)) != nullptr) continue;
    Rig fresh(GetParam());
    const auto faults = fresh.run(fmt::format("SFPNOP\n.word {:#x}", opcode << 24 | 0x000120));
    ASSERT_EQ(faults.size(), 1U) << opcode;
    EXPECT_EQ(faults[0].kind, FaultKind::UndefinedBehavior);
    EXPECT_EQ(faults[0].line, 2U);
  }
}

TEST_P(Faults, UnsupportedInstructionsAreNamedAndLeftOut) { // design: never silently skipped
  const auto faults = rig.run("SFPLOADI L0, USHORT, 1\nXMOV\nSFPLOADI L1, USHORT, 2");
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].kind, FaultKind::Unsupported);
  EXPECT_EQ(faults[0].instruction, "XMOV");
  EXPECT_EQ(faults[0].line, 2U);
  EXPECT_EQ(rig.lreg(1), all(2));
}

TEST_P(Faults, OneEntryPerLineHoweverOftenItRuns) {
  const auto faults = rig.run(".repeat 5\nSFPPOPC\n.endr\nSFPPOPC");
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_EQ(faults[0].line, 2U);
  EXPECT_NE(faults[0].message.find("5 times"), std::string::npos);
  EXPECT_EQ(faults[1].line, 4U);
}

TEST_P(Faults, LaneIsTheFirstConcerned) {
  rig.vector().stack.push(0x0000FFFF, {});
  const auto faults = rig.run("SFPPOPC");
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].lane, 16);
}

TEST_P(Faults, AProgramIsNotBlamedForTheOneBefore) {
  EXPECT_EQ(rig.run("SFPPOPC").size(), 1U);
  EXPECT_EQ(rig.run("SFPNOP").size(), 0U);
}

TEST_P(Faults, UnknownConfigurationNamesTheLine) {
  Program program;
  program.name = "given.tt";
  program.config.push_back({.name = "NO_SUCH_FIELD", .value = 1, .line = 7});
  const auto faults = rig.machine().run(program);
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].kind, FaultKind::BadInput);
  EXPECT_EQ(faults[0].line, 7U);
  EXPECT_EQ(faults[0].file, "given.tt");
}

TEST(FaultLogTest, CountsWhatItDoesNotKeep) {
  FaultLog log;
  for (std::uint32_t line = 0; line < FaultLog::kMaxRecords + 10; ++line) {
    log.add(RuntimeFault::PopFromEmptyStack, 0x88000000, line, 1);
  }
  EXPECT_EQ(log.records().size(), FaultLog::kMaxRecords);
  EXPECT_EQ(log.dropped(), 10U);
  log.add(RuntimeFault::PopFromEmptyStack, 0x88000000, 3, 4);
  EXPECT_EQ(log.records()[3].lanes, 5U);
  EXPECT_EQ(log.records()[3].count, 2U);
  log.clear();
  EXPECT_TRUE(log.records().empty());
  EXPECT_EQ(log.dropped(), 0U);
}

TEST(FaultLogTest, OneRecordForEachKindWordAndLine) {
  FaultLog log;
  std::vector<RuntimeFaultRecord> wanted; // the same, looked through from the front
  std::uint32_t bits = 1;
  const auto below = [&bits](std::uint32_t limit) {
    bits = bits * 1'103'515'245U + 12'345U;
    return (bits >> 16) % limit;
  };
  for (unsigned i = 0; i < 5'000; ++i) {
    if (i == 2'500) {
      log.clear();
      wanted.clear();
    }
    const RuntimeFaultRecord fault{.what = static_cast<RuntimeFault>(below(3)),
                                   .word = 0x88000000U + below(6),
                                   .line = below(12),
                                   .lanes = 1U << below(32),
                                   .count = 1};
    log.add(fault.what, fault.word, fault.line, fault.lanes);
    const auto known = std::ranges::find_if(wanted, [&](const RuntimeFaultRecord& each) {
      return each.what == fault.what && each.word == fault.word && each.line == fault.line;
    });
    if (known == wanted.end()) {
      wanted.push_back(fault);
    } else {
      known->lanes |= fault.lanes;
      ++known->count;
    }
  }
  EXPECT_EQ(log.records(), wanted);
  EXPECT_EQ(log.records().size(), 3U * 6 * 12);
}

TEST(FaultKinds, OnlyNonContractualResultsHold) { // base/fault.h
  EXPECT_TRUE(leaves_results_valid(FaultKind::NonContractual));
  for (FaultKind kind : {FaultKind::Hazard, FaultKind::UnpredictableValue, FaultKind::Unsupported,
                         FaultKind::UndefinedBehavior, FaultKind::BadInput}) {
    EXPECT_FALSE(leaves_results_valid(kind));
  }
}

} // namespace
} // namespace lanewise::test
