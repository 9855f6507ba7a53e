// What of a program becomes generated code, and what is said of the rest.
#include "run/execution/row_program.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "chip/machine/scheduled.h"
#include "execution/row_programs.h"

namespace lanewise::execution {
namespace {

Expected<RowProgram> row_program(Arch arch, std::string_view source) {
  Machine machine(arch);
  return find_row_program(machine.state(), micro_ops(arch, source));
}

TEST(FindLoops, NamesTheRepeatedParts) {
  const auto ops = micro_ops(
      Arch::Blackhole,
      "SFPLOADI L1, FLOATB, bf16(1)\n.repeat 5\nSFPLOAD L0, 0, 3, 0\nINCRWC DstInc=2\n.endr\n"
      "NOP\n.repeat 4\nSFPSTORE L0, 0, 3, 0\n.endr");
  EXPECT_EQ(find_loops(ops, 4), (std::vector<LoopShape>{{.begin = 1, .period = 2, .rows = 5},
                                                        {.begin = 12, .period = 1, .rows = 4}}));
}

TEST(FindLoops, ThreeRowsOrRowsWithoutAccessesAreNone) {
  EXPECT_TRUE(
      find_loops(
          micro_ops(Arch::Blackhole, ".repeat 3\nSFPLOAD L0, 0, 3, 0\nINCRWC DstInc=2\n.endr"), 4)
          .empty());
  EXPECT_TRUE(
      find_loops(micro_ops(Arch::Blackhole, ".repeat 9\nSFPABS L0, L1, 0\n.endr"), 4).empty());
}

TEST(FindRowProgram, NeighbouringRowsShareTheirGroup) {
  const auto program = row_program(Arch::Blackhole, sweep::tile_kernel(kSquare));
  ASSERT_TRUE(program);
  // Dst addresses go up by 2: even columns of four rows, then odd ones (VU C16).
  ASSERT_EQ(program->bodies.size(), 1u);
  EXPECT_EQ(program->runs, (std::vector<RowRun>{{.body = 0, .count = 16}}));
  ASSERT_EQ(program->bodies[0].parts.size(), 1u);
  EXPECT_EQ(program->bodies[0].parts[0].groups,
            (std::vector<GroupUse>{{.is_wide = false, .is_stored = true}}));
  EXPECT_EQ(program->rows.size(), 16u);
  EXPECT_EQ(program->rows.back(), 60u);
  EXPECT_EQ(program->stores.size(), 32u);
}

TEST(FindRowProgram, RowsMayNameTheirAddresses) {
  std::string unrolled;
  for (unsigned row = 0; row < 9; ++row)
    unrolled += fmt::format(
        "SFPLOAD L0, SRCB, ADDR_MOD_3, {0}\nSFPSTORE L0, SRCB, ADDR_MOD_3, {0}\n", 4 * row);
  const auto program = row_program(Arch::Wormhole, unrolled + "SFPSTORE L1, SRCB, ADDR_MOD_3, 36");
  ASSERT_TRUE(program);
  EXPECT_EQ(program->begin, 0u);
  EXPECT_EQ(program->end, 19u);
  EXPECT_EQ(program->runs, (std::vector<RowRun>{{0, 9}, {1, 1}}));
  EXPECT_EQ(program->rows, (std::vector<std::uint16_t>{0, 4, 8, 12, 16, 20, 24, 28, 32, 36}));
}

/// As LLK goes over the faces of a tile: `before` and 8 rows in each, and two steps to the next.
std::string faces(std::string_view before) {
  std::string text;
  for (unsigned face = 0; face < 4; ++face) {
    text += fmt::format(
        "{}.repeat 8\nSFPLOAD L0, SRCB, ADDR_MOD_3, 0\nSFPADD L10, L0, L1, L0, 0\n"
        "SFPNOP\nSFPSTORE L0, SRCB, ADDR_MOD_3, 0\nINCRWC DstInc=2\n.endr\n",
        before);
    if (face != 3) text += "INCRWC DstInc=8\nINCRWC DstInc=8\n";
  }
  return text;
}

TEST(FindRowProgram, FacesMakeOneLoop) {
  const auto program = row_program(Arch::Blackhole, faces(""));
  ASSERT_TRUE(program) << program.error().message;
  ASSERT_EQ(program->bodies.size(), 1u);
  EXPECT_EQ(program->ops.size(), 6u);
  EXPECT_EQ(program->runs, (std::vector<RowRun>{{0, 16}}));
  EXPECT_EQ(program->rows[4], 32u) << "the second face";
  EXPECT_EQ(program->counters_after.dst, 112u);
}

TEST(FindRowProgram, FacesThatBeginAlikeShareTheirBodies) {
  const auto program = row_program(Arch::Wormhole, faces("SFPLOADI L1, FLOATB, bf16(2)\n"));
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(program->bodies.size(), 2u);
  EXPECT_EQ(program->ops.size(), 7u) << "two rows share a group";
  EXPECT_EQ(program->runs,
            (std::vector<RowRun>{{0, 1}, {1, 4}, {0, 1}, {1, 4}, {0, 1}, {1, 4}, {0, 1}, {1, 4}}));
}

TEST(FindRowProgram, NamesWhatItRefuses) {
  struct Case {
    std::string_view body, said, instruction;
  };
  const std::array<Case, 5> cases{{
      {"SFPCONFIG 0, 4, 0", "changes configuration", "SFPCONFIG"},
      {"SFPABS L0, L12, 0", "changes configuration", "SFPABS"}, // a template write
      {"SETC16 12, 0", "more than lanes can do", "SETC16"},
      {"SFPLOADMACRO 0, 0, 3, 0, 0, 0", "more than lanes can do", "SFPLOADMACRO"}, // unscheduled
      {"MVMUL 0, 0, 0, 0", "of the Matrix Unit", "MVMUL"},
  }};
  for (const Case& each : cases) {
    SCOPED_TRACE(each.body);
    const auto program = row_program(Arch::Blackhole, sweep::tile_kernel(each.body));
    ASSERT_FALSE(program);
    EXPECT_NE(program.error().message.find(each.said), std::string::npos)
        << program.error().message;
    EXPECT_EQ(program.error().instruction, each.instruction);
    EXPECT_EQ(program.error().line != 0, !each.instruction.empty());
  }
}

TEST(FindRowProgram, AccessesThatOverlapAreParts) {
  // The low halves of the 32-bit rows 0..3 are the 16-bit rows 8..11 (MU 1.1).
  const auto program = row_program(
      Arch::Blackhole,
      ".repeat 8\nSFPLOAD L0, FP32, ADDR_MOD_3, 0\nSFPSTORE L0, BF16, ADDR_MOD_3, 8\n.endr");
  ASSERT_TRUE(program) << program.error().message;
  ASSERT_EQ(program->bodies.size(), 1u);
  EXPECT_EQ(program->bodies[0].parts.size(), 2u);
}

TEST(FindRowProgram, AccessesThatMeetInSomeRowsOnlyAreParts) {
  std::string text; // of row 0, both are of one group
  for (unsigned row = 0; row < 8; ++row)
    text += fmt::format("SFPLOAD L0, SRCB, ADDR_MOD_3, {}\nSFPSTORE L0, SRCB, ADDR_MOD_3, 0\n",
                        4 * row);
  const auto program = row_program(Arch::Blackhole, text);
  ASSERT_TRUE(program) << program.error().message;
  ASSERT_EQ(program->bodies.size(), 1u);
  EXPECT_EQ(program->bodies[0].parts.size(), 2u);
}

TEST(FindRowProgram, FlagsThatTheFirstRowUsesAreUsed) {
  MachineState start = Machine(Arch::Blackhole).state();
  start.vector.use_flags = kAllLanes;
  const auto program =
      find_row_program(start, micro_ops(Arch::Blackhole,
                                        ".repeat 8\nSFPLOAD L0, SRCB, ADDR_MOD_3, 0\n"
                                        "SFPENCC Imm2=0, Mod1=10\n.endr"));
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(program->use_flags, kAllLanes);
  EXPECT_TRUE(program->bodies[0].uses_flags);
}

TEST(FindRowProgram, NothingIsHeldWhereItBeginsAndEnds) {
  constexpr std::uint32_t kL0 = 1;
  const auto rows = micro_ops(
      Arch::Blackhole,
      ".repeat 8\nSFPLOAD L0, SRCB, ADDR_MOD_3, 0\nSFPSTORE L0, SRCB, ADDR_MOD_3, 0\n.endr");
  const std::vector<MicroOp> around{
      begin_hold(0, kL0), micro_ops(Arch::Blackhole, "SFPABS L0, L0, 0").front(),
      end_hold(0, kL0, {}), micro_ops(Arch::Blackhole, "SFPCONFIG 0, 4, 0").front(),
      release(0, kL0)};
  std::vector<MicroOp> ops = around;
  ops.insert(ops.end(), rows.begin(), rows.end());
  ops.insert(ops.end(), around.begin(), around.end());
  const auto program = find_row_program(Machine(Arch::Blackhole).state(), ops);
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(program->begin, around.size());
  EXPECT_EQ(program->end, around.size() + rows.size());
}

} // namespace
} // namespace lanewise::execution
