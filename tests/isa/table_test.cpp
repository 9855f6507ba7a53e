// The instruction table against what the references say about encodings.
#include "chip/isa/row.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "chip/isa/encoding.h"

namespace lanewise {
namespace {

using isa::Field;
using isa::Op;
using isa::Role;
using isa::Row;
using isa::SubUnit;
using isa::Unit;

void expect_bits(Arch arch, Op op, std::string_view field_name, unsigned high, unsigned low) {
  const Row* row = isa::find_row(arch, op);
  ASSERT_NE(row, nullptr);
  const Field* field = row->field(field_name);
  ASSERT_NE(field, nullptr) << row->mnemonic << " " << field_name;
  EXPECT_EQ(field->high, high) << row->mnemonic << " " << field_name;
  EXPECT_EQ(field->low, low) << row->mnemonic << " " << field_name;
}

// VU 2: the opcodes of the Vector Unit begin at 70 and have no gap (99 ends them on Blackhole, 95
// on Wormhole).
TEST(Table, VectorUnitOpcodesAreContiguous) {
  for (const Arch arch : kArchs) {
    unsigned opcode = 0x70;
    for (const Row& row : isa::rows()) {
      if (row.unit != Unit::Vector || !includes(row.chips, arch)) continue;
      EXPECT_EQ(row.opcode, opcode++) << arch_params(arch).names.id;
    }
    EXPECT_GT(opcode, 0x95U);
  }
}

// The public kernel headers define 137 instructions for Blackhole and 128 for Wormhole.
TEST(Table, EveryInstructionOfTheKernelHeadersHasARow) {
  for (auto [arch, expected] : {std::pair{Arch::Blackhole, 137}, std::pair{Arch::Wormhole, 128}}) {
    int count = 0;
    for (unsigned opcode = 0; opcode < 256; ++opcode) {
      if (isa::find_row(arch, static_cast<std::uint8_t>(opcode)) != nullptr) ++count;
    }
    EXPECT_EQ(count, expected) << arch_params(arch).names.id;
  }
}

// What OperandPlaces finds at once is what a search by name finds.
TEST(Table, OperandsStandWhereTheirFieldsDo) {
  constexpr std::uint32_t kWord = 0x9A5C3E7D;
  for (const Row& row : isa::rows()) {
    const auto expect_field = [&](const isa::Place& place, std::string_view name) {
      const Field* field = row.field(name);
      ASSERT_EQ(place.exists(), field != nullptr) << row.mnemonic << " " << name;
      if (field != nullptr) {
        EXPECT_EQ(place.extract(kWord), field->extract(kWord)) << row.mnemonic << " " << name;
      }
    };
    expect_field(row.operands.va, "VA");
    expect_field(row.operands.vb, "VB");
    expect_field(row.operands.vc, "VC");
    expect_field(row.operands.vd, "VD");
    expect_field(row.operands.addr_mod, "AddrMod");
    expect_field(row.operands.modifier, row.field("Mod0") != nullptr ? "Mod0" : "Mod1");
  }
}

TEST(Table, ImmediatesHaveTheirSign) {
  const auto immediate = [](Op op, std::uint32_t word) {
    return isa::find_row(Arch::Blackhole, op)->operands.extract_immediate(word);
  };
  EXPECT_EQ(immediate(Op::SFPIADD, 0x79FFF000), -1);      // Imm12, signed
  EXPECT_EQ(immediate(Op::SFPIADD, 0x797FF000), 2047);    //
  EXPECT_EQ(immediate(Op::SFPLOADI, 0x7100FFFF), 0xFFFF); // Imm16, unsigned
  EXPECT_EQ(immediate(Op::SFPMAD, 0x84FFFFFF), 0);        // has none
}

// MU 11 lists these opcodes as often confused.
TEST(Table, OpcodesThatOtherSourcesConfuse) {
  for (Arch arch : kArchs) {
    EXPECT_EQ(isa::find_row(arch, Op::REPLAY)->opcode, 0x04);
    EXPECT_EQ(isa::find_row(arch, Op::ELWSUB)->opcode, 0x30);
    EXPECT_EQ(isa::find_row(arch, Op::ELWMUL)->opcode, 0x27);
    EXPECT_EQ(isa::find_row(arch, Op::MVMUL)->opcode, 0x26);
    EXPECT_EQ(isa::find_row(arch, Op::DOTPV)->opcode, 0x29);
    EXPECT_EQ(isa::find_row(arch, Op::STALLWAIT)->opcode, 0xA2);
    EXPECT_EQ(isa::find_row(arch, Op::SETC16)->opcode, 0xB2);
    EXPECT_EQ(isa::find_row(arch, Op::SETDVALID)->opcode, 0x57);
  }
}

TEST(Table, InstructionsOfOneChipOnly) {
  for (Op op : {Op::SFPLE, Op::SFPGT, Op::SFPMUL24, Op::SFPARECIP, Op::MOVDBGB2D, Op::STREAMWAIT,
                Op::STREAMWRCFG, Op::CFGSHIFTMASK, Op::RESOURCEDECL}) {
    EXPECT_NE(isa::find_row(Arch::Blackhole, op), nullptr);
    EXPECT_EQ(isa::find_row(Arch::Wormhole, op), nullptr);
  }
}

// VU 2: Blackhole widened AddrMod of the Dst accesses by the bit below it.
TEST(Table, AddrModOfDstAccesses) {
  for (Op op : {Op::SFPLOAD, Op::SFPSTORE, Op::SFPLOADMACRO}) {
    expect_bits(Arch::Blackhole, op, "AddrMod", 15, 13);
    expect_bits(Arch::Wormhole, op, "AddrMod", 15, 14);
  }
}

// MU 4: three bits on Blackhole, two on Wormhole; the pools start at bit 15 on both.
TEST(Table, AddrModOfTheMatrixUnit) {
  for (Op op : {Op::MVMUL, Op::DOTPV, Op::ELWMUL, Op::ELWADD, Op::ELWSUB, Op::MOVA2D, Op::MOVB2D,
                Op::MOVD2A, Op::MOVD2B, Op::MOVB2A, Op::ZEROACC, Op::SHIFTXB, Op::CONV3S1,
                Op::CONV3S2, Op::MFCONV3S1}) {
    expect_bits(Arch::Blackhole, op, "AddrMod", 16, 14);
    expect_bits(Arch::Wormhole, op, "AddrMod", 16, 15);
  }
  for (Op op : {Op::GAPOOL, Op::GMPOOL, Op::MPOOL3S1, Op::MPOOL3S2, Op::APOOL3S1, Op::APOOL3S2}) {
    expect_bits(Arch::Blackhole, op, "AddrMod", 17, 15);
    expect_bits(Arch::Wormhole, op, "AddrMod", 16, 15);
  }
}

// The width of the AddrMod field is a parameter of the chip as well; the two must not disagree.
TEST(Table, AddrModWidthAgreesWithTheChipRecord) {
  for (Arch arch : kArchs) {
    for (const Row& row : isa::rows()) {
      const Field* field = row.field("AddrMod");
      if (field == nullptr || !includes(row.chips, arch) || row.unit == Unit::Packer) continue;
      EXPECT_EQ(field->width(), arch_params(arch).front_end.addr_mod_bits) << row.mnemonic;
    }
  }
}

// MU 4, row ZEROACC: the two switches moved between the chips.
TEST(Table, ZeroaccSwitchesMoved) {
  expect_bits(Arch::Wormhole, Op::ZEROACC, "UseDst32b", 21, 21);
  expect_bits(Arch::Wormhole, Op::ZEROACC, "Revert", 18, 18);
  expect_bits(Arch::Blackhole, Op::ZEROACC, "UseDst32b", 18, 18);
  expect_bits(Arch::Blackhole, Op::ZEROACC, "Revert", 17, 17);
}

// MU 12, item 9: the mode of MOVB2D is at 14:12 on Wormhole and 13:11 on Blackhole.
TEST(Table, Movb2dModeMoved) {
  expect_bits(Arch::Wormhole, Op::MOVB2D, "Move4Rows", 14, 14);
  expect_bits(Arch::Wormhole, Op::MOVB2D, "BroadcastCol0", 12, 12);
  expect_bits(Arch::Blackhole, Op::MOVB2D, "Move4Rows", 13, 13);
  expect_bits(Arch::Blackhole, Op::MOVB2D, "BroadcastCol0", 11, 11);
}

// VU C50, C33: which sub-unit an instruction issues to.
TEST(Table, SubUnits) {
  const auto sub_unit = [](Op op) { return isa::find_row(Arch::Blackhole, op)->sub_unit; };
  EXPECT_EQ(sub_unit(Op::SFPLOADMACRO), SubUnit::Load);
  EXPECT_EQ(sub_unit(Op::SFPSWAP), SubUnit::Simple);
  EXPECT_EQ(sub_unit(Op::SFPTRANSP), SubUnit::Simple);
  EXPECT_EQ(sub_unit(Op::SFPLUT), SubUnit::Mad);
  EXPECT_EQ(sub_unit(Op::SFPMUL24), SubUnit::Mad);
  EXPECT_EQ(sub_unit(Op::SFPSTOCHRND), SubUnit::Round);
  EXPECT_EQ(sub_unit(Op::SFPSTORE), SubUnit::Store);
  for (const Row& row : isa::rows()) {
    EXPECT_EQ(row.sub_unit != SubUnit::None, row.unit == Unit::Vector) << row.mnemonic;
  }
}

// VU 5.1.
TEST(Table, LatencyOfTheVectorUnit) {
  const std::set<Op> two_cycles{Op::SFPMAD,  Op::SFPADD,   Op::SFPMUL,   Op::SFPADDI,
                                Op::SFPMULI, Op::SFPLUT,   Op::SFPMUL24, Op::SFPLUTFP32,
                                Op::SFPSWAP, Op::SFPSHFT2, Op::SFPCONFIG};
  for (const Row& row : isa::rows()) {
    if (row.unit != Unit::Vector) continue;
    if (row.chips == isa::Chips::GS) {
      EXPECT_EQ(row.latency, 0) << row.mnemonic << ": no source tells";
      continue;
    }
    EXPECT_EQ(row.latency, two_cycles.contains(row.op) ? 2 : 1) << row.mnemonic;
  }
}

// MU 8.
TEST(Table, LatencyOfTheMatrixUnit) {
  for (Arch arch : kArchs) {
    EXPECT_EQ(isa::find_row(arch, Op::MVMUL)->latency, 5);
    EXPECT_EQ(isa::find_row(arch, Op::ELWADD)->latency, 5);
    EXPECT_EQ(isa::find_row(arch, Op::MOVA2D)->latency, 4);
    EXPECT_EQ(isa::find_row(arch, Op::MOVD2A)->latency, 2);
    EXPECT_EQ(isa::find_row(arch, Op::SHIFTXB)->latency, 2);
    EXPECT_EQ(isa::find_row(arch, Op::SETRWC)->latency, 1);
  }
}

// VU C13: which instructions select a macro template, and where their VD is.
TEST(Table, EveryTemplateSelectorHasVdWhereTheRuleLooksForIt) {
  for (const Row& row : isa::rows()) {
    if (row.unit != Unit::Vector || row.op == Op::SFPCONFIG || row.op == Op::SFPLOADMACRO) continue;
    const Field* vd = row.field("VD");
    ASSERT_NE(vd, nullptr) << row.mnemonic;
    EXPECT_EQ(vd->low, row.opcode <= 0x73 ? 20 : 4) << row.mnemonic;
    EXPECT_EQ(vd->width(), 4U) << row.mnemonic;
  }
}

// Roles are what hazards and the assembler go by.
TEST(Table, RolesOfRegisterFields) {
  const auto role = [](Op op, std::string_view field) {
    return isa::find_row(Arch::Blackhole, op)->field(field)->role;
  };
  EXPECT_EQ(role(Op::SFPSTORE, "VD"), Role::Read);
  EXPECT_EQ(role(Op::SFPLOAD, "VD"), Role::Write);
  EXPECT_EQ(role(Op::SFPADDI, "VD"), Role::ReadWrite);
  EXPECT_EQ(role(Op::SFPIADD, "VD"), Role::ReadWrite);
  EXPECT_EQ(role(Op::SFPSWAP, "VC"), Role::ReadWrite);
  EXPECT_EQ(role(Op::SFPENCC, "VD"), Role::TemplateSelect);
  EXPECT_EQ(role(Op::SFPIADD, "Imm12"), Role::SignedImmediate);
  EXPECT_EQ(role(Op::SFPSETMAN, "Imm12"), Role::Immediate);
}

// A joined group ends with its row, else the kernel macro would have an operand too few.
TEST(Table, NoRowEndsInTheMiddleOfAnOperand) {
  for (const Row& row : isa::rows()) {
    if (row.field_count != 0) {
      EXPECT_FALSE(row.fields().back().joins_next) << row.mnemonic;
    }
  }
}

// TTI_SFPMAD(1, 2, 0, 3, 4) by hand from the field positions of VU 2.
TEST(Encoding, DecodesAWordWrittenByHand) {
  const isa::Decoded word = isa::decode(Arch::Wormhole, 0x84012034U);
  ASSERT_NE(word.row, nullptr);
  EXPECT_EQ(word.row->op, Op::SFPMAD);
  EXPECT_EQ(word["VA"], 1U);
  EXPECT_EQ(word["VB"], 2U);
  EXPECT_EQ(word["VC"], 0U);
  EXPECT_EQ(word["VD"], 3U);
  EXPECT_EQ(word["Mod1"], 4U);
  EXPECT_EQ(word.stray_bits(), 0U);
}

// The address bits 13 of the two chips mean different things (VU 2).
TEST(Encoding, OneWordOnTwoChips) {
  const std::uint32_t word = 0x7003E000U;
  EXPECT_EQ(isa::decode(Arch::Blackhole, word)["AddrMod"], 7U);
  EXPECT_EQ(isa::decode(Arch::Wormhole, word)["AddrMod"], 3U);
  EXPECT_EQ(isa::decode(Arch::Blackhole, word).stray_bits(), 0U);
  EXPECT_EQ(isa::decode(Arch::Wormhole, word).stray_bits(), 0x2000U);
}

// MU 3.3: the SETRWC that ends a tile resets all counters.
TEST(Encoding, SetrwcThatEndsATile) {
  const auto word = isa::encode(
      Arch::Blackhole, Op::SETRWC,
      {{"FlipSrcB", 1}, {"FlipSrcA", 1}, {"Fidelity", 1}, {"Dst", 1}, {"SrcB", 1}, {"SrcA", 1}});
  EXPECT_EQ(word, 0x37C0000FU);
}

TEST(Encoding, FieldOfAnotherChipCannotBeWritten) {
  EXPECT_FALSE(isa::encode(Arch::Wormhole, Op::SFPSTOCHRND, {{"RoundingMode", 1}}));
  EXPECT_FALSE(isa::encode(Arch::Wormhole, Op::SFPGT, {{"VD", 1}}));
}

TEST(Encoding, DecodingWhatWasEncodedGivesEveryFieldBack) {
  for (Arch arch : kArchs) {
    for (const Row& row : isa::rows()) {
      if (!includes(row.chips, arch)) continue;
      for (const Field& field : row.fields()) {
        const auto word = isa::encode(arch, row.op, {{field.name, 0xFFFFFFFFU}});
        ASSERT_TRUE(word);
        const isa::Decoded decoded = isa::decode(arch, *word);
        EXPECT_EQ(decoded.row, &row);
        EXPECT_EQ(decoded[field.name], (1ULL << field.width()) - 1) << row.mnemonic;
        EXPECT_EQ(decoded.stray_bits(), 0U);
      }
    }
  }
}

TEST(FindRow, IgnoresCaseAndMacroPrefixesAndKnowsAliases) {
  const Row* mad = isa::find_row(Arch::Blackhole, Op::SFPMAD);
  for (std::string_view name : {"SFPMAD", "sfpmad", "TTI_SFPMAD", "TT_SFPMAD", "tt_op_sfpmad"}) {
    EXPECT_EQ(isa::find_row(Arch::Blackhole, name), mad) << name;
  }
  EXPECT_EQ(isa::find_row(Arch::Wormhole, "TTI_SFP_STOCH_RND"),
            isa::find_row(Arch::Wormhole, Op::SFPSTOCHRND));
}

TEST(FindRow, NothingForWhatTheChipLacks) {
  EXPECT_EQ(isa::find_row(Arch::Wormhole, "SFPGT"), nullptr);
  EXPECT_EQ(isa::find_op("SFPGT"), Op::SFPGT);
  for (std::string_view name : {"", "TTI_", "SFPMADD", "SFP", "TT_OP_"}) {
    EXPECT_FALSE(isa::find_op(name)) << name;
  }
}

// VU C49: the numbers of STALLWAIT's conditions.
TEST(ChipRecords, NumberTheConditionsOfStallwait) {
  EXPECT_EQ(wait_condition(Arch::Blackhole, WaitFor::VectorUnit), 11U);
  EXPECT_EQ(wait_condition(Arch::Blackhole, WaitFor::MatrixUnit), 4U);
  EXPECT_EQ(wait_condition(Arch::Wormhole, WaitFor::VectorUnit), 14U);
  EXPECT_EQ(wait_condition(Arch::Wormhole, WaitFor::MatrixUnit), 7U);
  // Wormhole's packers have four; one behind the mask is what a chip does not have.
  EXPECT_EQ(wait_condition(Arch::Wormhole, WaitFor::Packer), 3U);
  EXPECT_EQ(wait_condition(Arch::Wormhole, WaitFor::ConfigurationUnit), 15U);
  EXPECT_EQ(wait_condition(Arch::Grayskull, WaitFor::VectorUnit), 15U);
}

} // namespace
} // namespace lanewise
