// The IR: contexts within contexts, and the text form of docs/ir.md.
#include <gtest/gtest.h>

#include <initializer_list>

#include "source/compiler/ir.h"

namespace lanewise::compiler {
namespace {

Node node(Kind kind, std::initializer_list<Value> operands = {}, std::int32_t imm = 0) {
  Node made;
  made.kind = kind;
  made.imm = imm;
  std::size_t index = 0;
  for (const Value operand : operands) made.operand[index++] = operand;
  return made;
}

Node instruction(std::uint8_t opcode, std::initializer_list<Value> operands, std::int32_t imm,
                 std::uint8_t mod, std::uint8_t addr_mod = 0) {
  Node made = node(Kind::Instruction, operands, imm);
  made.opcode = opcode;
  made.mod = mod;
  made.addr_mod = addr_mod;
  return made;
}

TEST(Contexts, LieWithinThoseThatTheyDescendFrom) {
  Recording recording;
  recording.contexts = {{0, 0}, {0, 1}, {1, 2}, {0, 1}};
  EXPECT_TRUE(is_within(recording, 2, 2));
  EXPECT_TRUE(is_within(recording, 2, 1));
  EXPECT_TRUE(is_within(recording, 2, 0));
  EXPECT_FALSE(is_within(recording, 2, 3));
  EXPECT_FALSE(is_within(recording, 0, 1));
  EXPECT_FALSE(is_within(recording, 1, 3));
}

TEST(Kinds, AreValuesConditionsOrNeither) {
  EXPECT_TRUE(is_value(Kind::Undefined) && is_value(Kind::FromCondition));
  EXPECT_TRUE(is_condition(Kind::Compare) && is_condition(Kind::Not));
  EXPECT_FALSE(is_value(Kind::Compare) || is_condition(Kind::If) || is_value(Kind::Raw));
}

TEST(Operation, IsTheInstructionOfTheChip) {
  Recording recording;
  EXPECT_EQ(operation(recording, instruction(0x97, {}, 0, 0)), isa::Op::SFPGT);
  recording.arch = Arch::Wormhole;
  EXPECT_EQ(operation(recording, instruction(0x97, {}, 0, 0)), isa::Op::NOP);
}

TEST(Text, OneLinePerNode) {
  Recording recording;
  recording.texts = {"x"};
  recording.sites.push_back({.frames = {}, .line = 14});
  recording.nodes = {
      instruction(0x70, {}, 4, 3, 7),
      node(Kind::Constant, {}, 0x3FC00000),
      node(Kind::FloatMad, {0, 1, 1}),
      instruction(0x79, {kNone, kNone, 2}, -5, 5),
      node(Kind::Compare, {0, 3}),
      node(Kind::If, {4}),
      node(Kind::Narrow, {4}),
      node(Kind::Assign, {0, 2}),
      node(Kind::Else),
      node(Kind::WriteConst, {7}, 12),
      node(Kind::EndIf, {}, 1),
      node(Kind::Raw, {}, 0x02000000),
      node(Kind::Print, {0}, 0),
      instruction(0x73, {0, 1, 2, 3}, 0, 4),
      instruction(0x72, {kNone, kNone, kNone, 7}, 0, 0, 7),
  };
  recording.nodes[2].site = 1;
  recording.nodes[2].mod = 1;
  recording.nodes[4].type = NumberType::Int;
  recording.nodes[4].relation = Relation::GE;
  EXPECT_EQ(to_text(recording),
            "%0 = SFPLOAD imm=4 mod=3 addr_mod=7\n"
            "%1 = Constant 0x3fc00000 (1.5)\n"
            "%2 = FloatMad %0, %1, %1 mod=1                  ; line 14\n"
            "%3 = SFPIADD VC=%2 imm=-5 mod=5\n"
            "%4 = Compare.Int %0 >= %3\n"
            "If %4\n"
            "  Narrow %4\n"
            "  %7 = Assign %0, %2\n"
            "Else\n"
            "  WriteConst L12, %7\n"
            "EndIf\n"
            "Raw 0x02000000 NOP\n"
            "Print.Float %0, \"x\"\n"
            "%13 = SFPLUT L0=%0 L1=%1 L2=%2 L3=%3 mod=4\n"
            "SFPSTORE VD=%7 addr_mod=7\n");
}

TEST(Text, LeavesOutDeadNodes) {
  Recording recording;
  recording.nodes = {node(Kind::Constant), node(Kind::Constant, {}, 1)};
  recording.nodes[0].dead = true;
  EXPECT_EQ(to_text(recording), "%1 = Constant 0x00000001 (1e-45)\n");
}

} // namespace
} // namespace lanewise::compiler
