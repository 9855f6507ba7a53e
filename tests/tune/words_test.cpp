// Words, registers and limits of the tuner by themselves.
#include "study/tune/words.h"

#include <gtest/gtest.h>

#include "chip/isa/encoding.h"
#include "study/tune/budget.h"
#include "study/tune/place.h"
#include "study/tune/printed.h"
#include "study/tune/registers.h"

namespace lanewise::tune {
namespace {

class TuneWords : public testing::TestWithParam<Arch> {};
INSTANTIATE_TEST_SUITE_P(, TuneWords, testing::Values(Arch::Blackhole, Arch::Wormhole),
                         [](const auto& chip) {
                           return std::string(chip.param == Arch::Blackhole ? "bh" : "wh");
                         });

// A constant of which a half is zero takes one SFPLOADI: every word in front of the rows counts.
TEST_P(TuneWords, ConstantsTakeAsFewWordsAsTheyCan) {
  EXPECT_EQ(load_immediate_words(GetParam(), 1, 0x3F800000U).size(), 1U); // FLOATB
  EXPECT_EQ(load_immediate_words(GetParam(), 1, 0x00001234U).size(), 1U); // USHORT
  EXPECT_EQ(load_immediate_words(GetParam(), 1, 0x3F801234U).size(), 2U);
}

// SFPLOADMACRO names its register in two fields, of two bits and of one (VU C55).
TEST_P(TuneWords, AMacroNamesEachRegister) {
  for (unsigned lreg = 0; lreg < 8; ++lreg) {
    const isa::Decoded word = isa::decode(GetParam(), macro_word(GetParam(), 1, lreg, 0, 3, 6));
    EXPECT_EQ(word["VDLo"] | word["VDHi"] << 2, lreg);
    EXPECT_EQ(word["Imm9"], 3U); // addresses are even
  }
}

// VD 12..15 of an SFPSWAP would write a template (VU C13): a maximum with LReg[12] keeps its
// operands the other way round.
TEST_P(TuneWords, AMaximumDoesNotNameATemplateAsVd) {
  const Node node{
      .kind = NodeKind::Operation, .op = isa::Op::SFPSWAP, .maximum = true, .operands = {0, 1}};
  const auto word = isa::decode(
      GetParam(), issued_word(GetParam(), node, Encoding{}, {.operands = {2, 12}, .result = 2}, 0));
  EXPECT_EQ(word["VD"], 2U);
  EXPECT_EQ(word["VC"], 12U);
  EXPECT_EQ(word["Mod1"], 9U);
}

// ------------------------------------------------------------------ registers
// What is looked up in a table is in the first register, also where another value lives longer.
TEST(TuneRegisters, WhatIsLookedUpIsInTheFirstRegister) {
  const Operation lookup{
      .unit = Unit::Mad, .latency = 2, .operands = {1}, .issued = {{}}, .reads_first = true};
  const Operation sum{.unit = Unit::Mad, .latency = 2, .operands = {0, 2}, .issued = {{}}};
  const Row row{{{.unit = Unit::Load},
                 {.unit = Unit::Load, .address = 2},
                 lookup,
                 sum,
                 {.unit = Unit::Store, .operands = {3}, .issued = {{}}}}};
  MachineModel machine;
  machine.macros = 0;
  const PlaceResult placed = place(row, machine);
  ASSERT_TRUE(placed.placement);
  EXPECT_EQ(placed.placement->registers[1].front(), 0U);
  EXPECT_EQ(find_mistake(row, machine, *placed.placement), "");
}

// A store without a template reads LReg[0] (VU 5.5, selector 3).
TEST(TuneRegisters, AStoreOfTheFirstRegisterHasItThere) {
  Operation store{.unit = Unit::Store, .operands = {1}};
  store.carried = {{.from_first = true}};
  Operation product{.unit = Unit::Mad, .latency = 2, .operands = {0}, .issued = {{}}};
  Operation other = product; // lives longer, so that it is placed first
  other.operands = {0};
  Row row{{{.unit = Unit::Load}, product, other, store}};
  row.operations[3].operands = {1};
  const PlaceResult placed = place(row, {});
  ASSERT_TRUE(placed.placement);
  for (const unsigned lreg : placed.placement->registers[1]) EXPECT_EQ(lreg, 0U);
}

// An instruction that destroys an operand takes that operand's register until it is done.
TEST(TuneRegisters, WhatIsClobberedIsNotReadAfterwards) {
  const Operation load{.unit = Unit::Load};
  const Operation clobbers{
      .unit = Unit::Simple, .latency = 2, .operands = {0}, .issued = {{.clobbered = 0}}};
  const Operation later{.unit = Unit::Mad, .latency = 2, .operands = {1, 0}, .issued = {{}}};
  const Operation store{.unit = Unit::Store, .operands = {2}, .issued = {{}}};
  const PlaceResult placed =
      place({{load, clobbers, later, store}}, {.macros = 0}, {.last_interval = 12});
  EXPECT_FALSE(placed.placement);
}

// ------------------------------------------------------------------ limits
TEST(TuneBudget, AShareIsUsedUpBeforeTheWhole) {
  const Budget budget(1000);
  EXPECT_TRUE(budget.is_used(0)); // no time at all
  EXPECT_FALSE(budget.is_used());
}

TEST(TuneBudget, ZeroIsNoLimit) {
  const Budget budget(0);
  EXPECT_FALSE(budget.is_used());
  EXPECT_FALSE(budget.is_used(0));
}

// ------------------------------------------------------------------ what is read again
TEST_P(TuneWords, TextsStartAsTheirFormStarts) {
  const auto words = read_printed(GetParam(), Form::Words, "not words\n", "tuned");
  EXPECT_FALSE(words);
  const auto assembly = read_printed(GetParam(), Form::Assembly, "SFPNOP\n", "tuned");
  ASSERT_TRUE(assembly);
  EXPECT_FALSE(assembly->as_kernel);
  EXPECT_EQ(assembly->arch, GetParam());
}

} // namespace
} // namespace lanewise::tune
