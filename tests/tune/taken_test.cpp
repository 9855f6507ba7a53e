// Kernels that the tuner reads: what each does for a row is found, and the program that is made of
// it is proved.
#include <gtest/gtest.h>

#include <set>

#include "chip/isa/encoding.h"
#include "study/tune/prove_pairs.h"
#include "study/tune/tune.h"
#include "tune/tune_doubles.h"

namespace lanewise::tune {
namespace {

class TakenRows : public testing::TestWithParam<Arch> {};
INSTANTIATE_TEST_SUITE_P(, TakenRows, testing::Values(Arch::Blackhole, Arch::Wormhole),
                         [](const auto& chip) {
                           return std::string(chip.param == Arch::Blackhole ? "bh" : "wh");
                         });

/// The rows that were found, also where nothing faster was.
RowGraph row_of(const Plain& plain) {
  const auto rows = find_rows(plain.arch, plain.program, {.as_kernel = plain.as_kernel});
  EXPECT_TRUE(rows) << (rows ? "" : to_string(rows.error()));
  return rows ? rows->row : RowGraph{};
}

void expect_proved(const Plain& plain, const TuneOptions& options = {}) {
  const auto result = tune(plain, options);
  ASSERT_TRUE(result) << to_string(result.error());
  ASSERT_TRUE(result->tuned);
  EXPECT_TRUE(result->proof.holds);
  EXPECT_EQ(result->proof.inputs, 65536U);
}

std::size_t operations(const RowGraph& row, isa::Op op) {
  return static_cast<std::size_t>(std::ranges::count_if(row.nodes, [&](const Node& node) {
    return node.kind == NodeKind::Operation && node.op == op;
  }));
}

// ------------------------------------------------------------------ macros of the author's own
/// Rows of one SFPLOADMACRO: SFPABS a cycle later, the store another one later (VU 5.5).
Plain macro_rows(Arch arch, std::string_view between = "") {
  const unsigned still = arch == Arch::Blackhole ? 7 : 3;
  std::string text =
      "SFPLOADI L0, USHORT, 0x0001\nSFPLOADI L0, UPPER, 0x7d00\nSFPCONFIG 0, 0, 0\n"
      "SFPLOADI L0, USHORT, 0x0004\nSFPLOADI L0, UPPER, 0x1300\nSFPCONFIG 0, 4, 0\n"
      "SFPCONFIG 0, 8, 1\nSFPNOP\n";
  for (unsigned row = 0; row < 32; ++row) {
    text += fmt::format(
        "SFPLOADMACRO 0, {}, SRCB, {}, 0, 0\n{}\nSFPNOP\nSFPNOP\nSFPNOP\nSFPNOP\n"
        "INCRWC DstInc=2\n",
        row % 4, still, between);
  }
  return {arch, assembled_program(arch, text)};
}

// What a macro carries is an operation of the row like any other, and is placed anew.
TEST_P(TakenRows, OwnMacrosAreTakenApart) {
  const Plain plain = macro_rows(GetParam());
  EXPECT_EQ(operations(row_of(plain), isa::Op::SFPABS), 1U);
  const auto result = tune(plain, {});
  ASSERT_TRUE(result) << to_string(result.error());
  ASSERT_TRUE(result->tuned);
  EXPECT_EQ(result->interval, 1U);
  EXPECT_TRUE(result->proof.holds);
}

// A carried sum is there two cycles after it begins (VU 5.1); a copy in between has the old value:
// (x + 2) + x, and not twice the sum.
TEST_P(TakenRows, ACarriedResultIsReadWhenItIsThere) {
  const unsigned still = GetParam() == Arch::Blackhole ? 7 : 3;
  std::string text =
      "SFPLOADI L0, FLOATB, 0x4000\nSFPCONFIG 0, 13, 0\n"
      "SFPLOADI L0, USHORT, 0x0d00\nSFPLOADI L0, UPPER, 0x840a\nSFPCONFIG 0, 0, 0\n"
      "SFPLOADI L0, USHORT, 0x8400\nSFPCONFIG 0, 4, 0\nSFPCONFIG 0, 8, 1\nSFPNOP\n";
  for (unsigned row = 0; row < 32; ++row)
    text += fmt::format(
        "SFPLOADMACRO 0, 0, SRCB, {0}, 0, 0\nSFPNOP\nSFPMOV L0, L1, 2\nSFPNOP\n"
        "SFPADD L10, L0, L1, L2, 0\nSFPNOP\nSFPSTORE L2, SRCB, {0}, 0\n"
        "INCRWC DstInc=2\n",
        still);
  const Plain plain{GetParam(), assembled_program(GetParam(), text)};
  EXPECT_EQ(operations(row_of(plain), isa::Op::SFPMAD), 2U);
  expect_proved(plain, {.macros = false});
}

/// Rows of where(x, y, z), written over x: macros carry the test, SFPENCC and the store, so that
/// the register has been loaded in all lanes when flags are there already. `plain`: without macros.
Plain rows_of_where(Arch arch, bool plain) {
  const unsigned still = arch == Arch::Blackhole ? 7 : 3;
  if (plain)
    return {arch, assembled_program(
                      arch, fmt::format("SFPENCC 3, 0, 10\n.repeat 32\nSFPLOAD L0, SRCB, {0}, 0\n"
                                        "SFPLOAD L1, SRCB, {0}, 64\nSFPSETCC 0, L0, 0, 6\n"
                                        "SFPLOAD L1, SRCB, {0}, 128\nSFPENCC 3, 0, 10\n"
                                        "SFPSTORE L1, SRCB, {0}, 0\nINCRWC DstInc=2\n.endr\n",
                                        still))};
  return {arch, assembled_program(
                    arch, fmt::format("SFPENCC 3, 0, 10\n"
                                      "SFPSETCC 0, L0, 12, 6\n"
                                      "SFPENCC 0, 13, 0\n"
                                      "SFPLOADI L0, USHORT, 0x0004\nSFPLOADI L0, UPPER, 0x1300\n"
                                      "SFPCONFIG 0, 4, 0\nSFPCONFIG 4, 5, 1\nSFPCONFIG 5, 6, 1\n"
                                      "SFPCONFIG 0x770, 8, 1\nSFPNOP\n"
                                      ".repeat 32\nSFPLOADMACRO 0, 0, SRCB, {0}, 0, 0\n"
                                      "SFPLOADMACRO 2, 0, SRCB, {0}, 32, 0\n"
                                      "SFPLOAD L0, SRCB, {0}, 128\nINCRWC DstInc=2\n.endr\n"
                                      "SFPNOP\nSFPNOP\nSFPNOP\n",
                                      still))};
}

// The templates of its macros are no test of the program's own.
TEST_P(TakenRows, ConditionsThatMacrosCarryAreThoseOfTheRow) {
  const Plain macros = rows_of_where(GetParam(), false), plain = rows_of_where(GetParam(), true);
  EXPECT_EQ(to_text(row_of(macros)), to_text(row_of(plain)));
  const ProofOptions options{.operands = 3, .only_soon = true};
  const auto same = compare_all_pairs(macros, plain, options);
  ASSERT_TRUE(same) << to_string(same.error());
  EXPECT_EQ(same->verdict, SolverVerdict::Never) << same->why;
  const auto result = tune(macros, {.steps_per_interval = 2'000, .proof = options});
  ASSERT_TRUE(result) << to_string(result.error());
  EXPECT_EQ(result->rows.addresses.size(), 32U);
}

TEST_P(TakenRows, MacrosBetweenConditionsAreRefused) {
  const auto result = tune(macro_rows(GetParam(), "SFPENCC 3, 0, 10\nSFPSETCC 0, L0, 0, 0"), {});
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("lanes"), std::string::npos) << result.error().message;
}

// ------------------------------------------------------------------ through Dst
// Two passes over the tile, as clamp has them: the second loads what the first has stored.
TEST_P(TakenRows, WhatIsStoredAndLoadedAgainIsOneValue) {
  const unsigned still = GetParam() == Arch::Blackhole ? 7 : 3;
  const auto pass = [&](std::string_view body) {
    std::string text;
    for (unsigned row = 0; row < 32; ++row)
      text += fmt::format("SFPLOAD L0, SRCB, {0}, {1}\n{2}\nSFPSTORE L0, SRCB, {0}, {1}\n", still,
                          2 * row, body);
    return text;
  };
  const Plain plain{GetParam(), assembled_program(GetParam(), pass("SFPABS L0, L0, 1") +
                                                                  pass("SFPMOV L0, L0, 1"))};
  const auto result = tune(plain, {.macros = false});
  ASSERT_TRUE(result) << to_string(result.error());
  ASSERT_TRUE(result->tuned);
  EXPECT_EQ(result->interval, 4U); // one load, one store
  EXPECT_TRUE(result->proof.holds);
}

// What is loaded in another format is another number.
TEST_P(TakenRows, WhatIsLoadedInAnotherFormatIsRefused) {
  TuneOptions options;
  options.blocks = false;
  const auto result =
      tune(plain_rows(GetParam(), fmt::format("SFPSTORE L0, SRCB, {0}, 0\nSFPLOAD L0, FP16, {0}, 0",
                                              GetParam() == Arch::Blackhole ? 7 : 3)),
           options);
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("another format"), std::string::npos);
}

// x * 1.01 is rounded when it is stored, so that the row without the store in between is another
// one: the proof finds it, and nothing is printed.
TEST_P(TakenRows, WhatDstChangesIsNotProved) {
  const unsigned still = GetParam() == Arch::Blackhole ? 7 : 3;
  std::string text = "SFPLOADI L2, USHORT, 0x47ae\nSFPLOADI L2, UPPER, 0x3f81\n";
  for (unsigned pass = 0; pass < 2; ++pass) {
    for (unsigned row = 0; row < 32; ++row)
      text += fmt::format(
          "SFPLOAD L0, SRCB, {0}, {1}\nSFPMUL L0, L2, L9, L0, 0\nSFPNOP\nSFPSTORE L0, SRCB, {0}, "
          "{1}\n",
          still, 2 * row);
  }
  TuneOptions options;
  options.blocks = false;
  const auto result = tune({GetParam(), assembled_program(GetParam(), text)}, options);
  ASSERT_TRUE(result) << to_string(result.error());
  EXPECT_FALSE(result->tuned);
}

// ------------------------------------------------------------------ look-up tables
constexpr std::string_view kTable =
    "SFPLOADI L0, USHORT, 0x3dff\nSFPLOADI L1, USHORT, 0x21d8\nSFPLOADI L2, USHORT, 0xff10";

/// The row loads into LReg[3] and stores it: LReg[0..2] are the table.
Plain table_rows(Arch arch, std::string_view body, std::string_view table = kTable) {
  const unsigned still = arch == Arch::Blackhole ? 7 : 3;
  return {arch, assembled_program(arch, fmt::format("{}\n.repeat 32\nSFPLOAD L3, SRCB, {}, 0\n{}\n"
                                                    "SFPSTORE L3, SRCB, {}, 0\nINCRWC DstInc=2\n"
                                                    ".endr\n",
                                                    table, still, body, still))};
}

TEST_P(TakenRows, LookUpTablesAreState) {
  const Plain plain =
      table_rows(GetParam(), "SFPLUT L3, 4\nSFPNOP\nSFPMUL L3, L3, L9, L3, 0\nSFPNOP");
  const RowGraph row = row_of(plain);
  const auto lookup = std::ranges::find_if(row.nodes, is_lookup);
  ASSERT_NE(lookup, row.nodes.end());
  ASSERT_EQ(lookup->operands.size(), 4U); // the input and LReg[0..2]
  EXPECT_EQ(row.nodes[lookup->operands[2]].bits, 0x21d8U);
  expect_proved(plain, {.macros = false});
  expect_proved(plain);
}

// Six entries of FP16: LReg[0..2] and LReg[4..6], so that two registers are left to values.
TEST_P(TakenRows, SixEntriesLeaveTwoRegisters) {
  const Plain plain =
      table_rows(GetParam(), "SFPLUTFP32 L3, 2\nSFPNOP\nSFPMUL L3, L3, L9, L3, 0\nSFPNOP",
                 fmt::format("{}\nSFPLOADI L4, USHORT, 0x3c00\nSFPLOADI L5, USHORT, 0x3a01\n"
                             "SFPLOADI L6, USHORT, 0x3902",
                             kTable));
  const auto result = tune(plain, {.macros = false});
  ASSERT_TRUE(result) << to_string(result.error());
  ASSERT_TRUE(result->tuned);
  EXPECT_TRUE(result->proof.holds);
  std::set<unsigned> loaded; // by the init part: the table and nothing else
  for (const TunedWord& each : result->tuned->words) {
    const isa::Decoded word = isa::decode(GetParam(), each.word);
    if (word.row->op == isa::Op::SFPLOADI && each.part == WordPart::Init) loaded.insert(word["VD"]);
  }
  EXPECT_TRUE(loaded.contains(6)) << result->text;
}

// A table that the row computes is none that is known.
TEST_P(TakenRows, ATableOfValuesIsRefused) {
  TuneOptions options;
  options.blocks = false;
  const auto result =
      tune(table_rows(GetParam(), "SFPMOV L3, L1, 0\nSFPLUT L3, 4\nSFPNOP"), options);
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("SFPLUT"), std::string::npos);
}

// ------------------------------------------------------------------ forms of instructions
// SFPLOADI of a half keeps the other half of what the register holds.
TEST_P(TakenRows, HalvesOfAValueAreTaken) {
  const Plain plain =
      plain_rows(GetParam(), "SFPLOADI L0, LOWER, 0x8000\nSFPMUL L0, L0, L9, L0, 0\nSFPNOP");
  EXPECT_EQ(operations(row_of(plain), isa::Op::SFPLOADI), 1U);
  expect_proved(plain, {.macros = false});
}

// SFPSHFT2 by an immediate: its low bits name the register (VU C36), here L0 and a shift by -16.
TEST_P(TakenRows, ShiftsByAnImmediateExchangeNoLanes) {
  const Plain plain =
      plain_rows(GetParam(), "SFPSHFT2 0xff0, L0, L1, 6\nSFPNOP\nSFPCAST L1, L0, 0");
  EXPECT_EQ(operations(row_of(plain), isa::Op::SFPSHFT), 1U);
  expect_proved(plain, {.macros = false});
}

// LReg[7] names LReg[2] (VU C15).
TEST_P(TakenRows, RegistersThatAreNamedByAnotherAreFollowed) {
  expect_proved(
      plain_rows(GetParam(), "SFPMUL L0, L0, L9, L1, 8\nSFPNOP\nSFPMUL L2, L0, L9, L0, 0\nSFPNOP",
                 "SFPLOADI L7, USHORT, 2\nSFPLOADI L1, FLOATB, 0"),
      {.macros = false});
}

// Blackhole: c - x and -x * c in one instruction each.
// Both halves of a product of integers. Another addend than 0 would change it.
TEST(TakenRowsOfBlackhole, ProductsOfIntegers) {
  const auto rows = [](const char* addend, unsigned half) {
    return plain_rows(Arch::Blackhole,
                      fmt::format("SFPSHFT -9, L0, L1, 5\nSFPMUL24 L0, L1, {}, L0, {}\nSFPNOP\n"
                                  "SFPSHFT 9, L0, L0, 5",
                                  addend, half));
  };
  for (const unsigned half : {0U, 1U}) {
    EXPECT_EQ(operations(row_of(rows("L9", half)), isa::Op::SFPMUL24), 1U);
    expect_proved(rows("L9", half));
    const auto other = find_rows(Arch::Blackhole, rows("L10", half).program, {});
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().message.find("SFPMUL24"), std::string::npos);
  }
}

// LReg[7] is the sign of x: the addend's factor is LReg[0] or LReg[1], as a choice that is proved
// over every input. A shift by another number names other registers, and a row stays refused.
Plain rows_named_by_sign(Arch arch, const char* count) {
  return plain_rows(arch,
                    fmt::format("SFPMOV L0, L2, 2\nSFPLOADI L0, FLOATB, 0x3f80\n"
                                "SFPLOADI L1, FLOATB, 0xc040\nSFPLOADI L3, SHORT, {}\n"
                                "SFPSHFT2 2, L3, L7, 5\nSFPNOP\nSFPMAD L0, L10, L2, L0, 4\nSFPNOP",
                                count));
}

TEST_P(TakenRows, ARegisterThatASignNamesIsAChoice) {
  const Plain plain = rows_named_by_sign(GetParam(), "0xffe1");
  const RowGraph row = row_of(plain);
  const auto choice = std::ranges::find_if(row.nodes, [](const Node& node) {
    return node.kind == NodeKind::Operation && node.conditions == 1;
  });
  ASSERT_NE(choice, row.nodes.end()) << to_text(row);
  EXPECT_EQ(row.nodes[choice->operands[0]].bits, 0xC0400000U);
  EXPECT_EQ(row.nodes[choice->operands[1]].bits, kOneBits);
  expect_proved(plain);
  const auto other = find_rows(GetParam(), rows_named_by_sign(GetParam(), "0xffe2").program, {});
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().message.find("LReg[7]"), std::string::npos);
}

TEST(TakenRowsOfBlackhole, ImmediatesWithANegatedRegister) {
  for (const std::string_view body :
       {"SFPADDI 0x3f80, L0, 2\nSFPNOP", "SFPMULI 0x4000, L0, 2\nSFPNOP"}) {
    const Plain plain =
        plain_rows(Arch::Blackhole,
                   fmt::format("{}\nSFPABS L0, L1, 1\nSFPMUL L0, L1, L9, L0, 0\nSFPNOP", body));
    const auto result = tune(plain, {.macros = false});
    ASSERT_TRUE(result) << to_string(result.error());
    ASSERT_TRUE(result->tuned) << body;
    EXPECT_TRUE(result->proof.holds);
  }
}

} // namespace
} // namespace lanewise::tune
