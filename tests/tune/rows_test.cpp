// From programs to rows: registers and encodings are gone, and what is left is the computation.
#include "study/tune/rows.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "study/tune/forms.h"
#include "tune/tune_doubles.h"

namespace lanewise::tune {
namespace {

Rows rows_of(const Plain& plain) {
  const auto rows = find_rows(plain.arch, plain.program, {.as_kernel = true});
  EXPECT_TRUE(rows) << (rows ? "" : to_string(rows.error()));
  return rows.value_or(Rows{});
}

TEST(Rows, HaveAddressesAndAStride) {
  const Rows rows = rows_of(plain_rows(Arch::Blackhole, "SFPABS L0, L0, 1", "", 8));
  EXPECT_EQ(rows.addresses, (std::vector<std::uint32_t>{0, 2, 4, 6, 8, 10, 12, 14}));
  EXPECT_EQ(rows.stride, 2U);
  EXPECT_EQ(rows.dst_counter, 16U);
}

TEST(Rows, ForgetCopies) {
  const Rows copied = rows_of(plain_rows(Arch::Blackhole, "SFPMOV L0, L3, 2\nSFPABS L3, L0, 1"));
  const Rows direct = rows_of(plain_rows(Arch::Blackhole, "SFPABS L0, L0, 1"));
  EXPECT_EQ(copied.row, direct.row);
}

// x + 2 is the same, whether it is SFPADDI or SFPADD with the constant in a register.
TEST(Rows, HaveOneFormForSums) {
  const Rows immediate = rows_of(plain_rows(Arch::Blackhole, "SFPADDI 0x4000, L0, 0\nSFPNOP"));
  const Rows in_register = rows_of(plain_rows(Arch::Blackhole, "SFPADD L10, L0, L1, L0, 0\nSFPNOP",
                                              "SFPLOADI L1, FLOATB, 0x4000"));
  EXPECT_EQ(immediate.row.nodes.size(), in_register.row.nodes.size());
  EXPECT_EQ(immediate.row.nodes.back().op, isa::Op::SFPMAD);
  EXPECT_EQ(in_register.row.nodes.back().op, isa::Op::SFPMAD);
}

TEST(Rows, FoldSignsIntoMultiplicationsOnBlackholeOnly) {
  constexpr std::string_view kBody = "SFPMOV L0, L1, 1\nSFPMUL L1, L0, L9, L0, 0\nSFPNOP";
  EXPECT_EQ(rows_of(plain_rows(Arch::Blackhole, kBody)).row.nodes.back().mod, 1U);
  EXPECT_EQ(rows_of(plain_rows(Arch::Wormhole, kBody)).row.nodes.back().mod, 0U);
}

TEST(Rows, KnowTheirConstants) {
  const Rows rows = rows_of(plain_rows(Arch::Blackhole, "SFPMUL L0, L12, L9, L0, 0\nSFPNOP",
                                       "SFPLOADI L0, USHORT, 0x1234\nSFPLOADI L0, UPPER, "
                                       "0x3f80\nSFPCONFIG 0, 12, 0"));
  const auto is_it = [](const Node& node) {
    return node.kind == NodeKind::Constant && node.bits == 0x3F801234U;
  };
  EXPECT_TRUE(std::ranges::any_of(rows.row.nodes, is_it));
}

TEST(Rows, RefuseOtherDistances) {
  const Program program = assembled_program(Arch::Blackhole,
                                            "SFPLOAD L0, SRCB, 7, 0\nSFPSTORE L0, SRCB, 7, 0\n"
                                            "SFPLOAD L0, SRCB, 7, 2\nSFPSTORE L0, SRCB, 7, 2\n"
                                            "SFPLOAD L0, SRCB, 7, 8\nSFPSTORE L0, SRCB, 7, 8\n");
  const auto rows = find_rows(Arch::Blackhole, program, {.as_kernel = true});
  ASSERT_FALSE(rows);
  EXPECT_NE(rows.error().message.find("another distance"), std::string::npos);
}

// ------------------------------------------------------------------ forms
TEST(Forms, LoadAgainInsteadOfKeeping) {
  const Rows rows =
      rows_of(plain_rows(Arch::Blackhole, "SFPABS L0, L1, 1\nSFPSETSGN 0, L1, L0, 0"));
  const auto graphs = equal_graphs(rows.row, {});
  ASSERT_EQ(graphs.size(), 2U);
  const auto loads = [](const RowGraph& row) {
    return std::ranges::count_if(row.nodes,
                                 [](const Node& node) { return node.kind == NodeKind::Load; });
  };
  EXPECT_EQ(loads(graphs[0]), 1);
  EXPECT_EQ(loads(graphs[1]), 2);
}

// max(x, 0) * x: SFPSWAP would leave nothing of x.
TEST(Forms, CopyWhatWouldBeDestroyed) {
  const Rows rows = rows_of(plain_rows(Arch::Blackhole,
                                       "SFPABS L0, L0, 1\nSFPMOV L0, L1, 2\nSFPMOV L9, L2, 2\n"
                                       "SFPSWAP L1, L2, 1\nSFPMUL L0, L1, L9, L0, 0\nSFPNOP"));
  const auto has_copy = [](const RowGraph& row) {
    return std::ranges::any_of(row.nodes, [](const Node& node) {
      return node.kind == NodeKind::Operation && node.op == isa::Op::SFPMOV;
    });
  };
  EXPECT_TRUE(std::ranges::any_of(equal_graphs(rows.row, {}), has_copy));
  EXPECT_FALSE(has_copy(rows.row));
}

TEST(Forms, KeepFewConstantsOutOfGeneralRegisters) {
  const Rows rows = rows_of(plain_rows(Arch::Blackhole, "SFPMAD L0, L12, L13, L0, 0\nSFPNOP",
                                       "SFPLOADI L0, FLOATB, 0x3f40\nSFPCONFIG 0, 12, 0\n"
                                       "SFPLOADI L0, FLOATB, 0xbe80\nSFPCONFIG 0, 13, 0"));
  const auto forms = forms_of(rows.row, {});
  ASSERT_TRUE(forms);
  EXPECT_TRUE(forms->front().general_constants.empty());
  EXPECT_EQ(forms->front().machine.registers, 8U);
}

} // namespace
} // namespace lanewise::tune
