// The text form of a recording, docs/ir.md.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <string_view>

#include "base/source_line.h"
#include "chip/isa/disassembler.h"
#include "source/compiler/ir.h"

namespace lanewise::compiler {
namespace {

constexpr std::array<std::string_view, 28> kKindNames{"Undefined",  "Constant",    "ConstRegister",
                                                      "ReadLReg",   "Instruction", "Result",
                                                      "FloatAdd",   "FloatSub",    "FloatMul",
                                                      "FloatMad",   "Assign",      "FromCondition",
                                                      "Compare",    "And",         "Or",
                                                      "Not",        "If",          "ElseIf",
                                                      "Else",       "EndIf",       "Block",
                                                      "EndBlock",   "Narrow",      "WriteLReg",
                                                      "WriteConst", "Raw",         "Print"};

constexpr std::array<std::string_view, 6> kRelationSigns{"<", "<=", "==", "!=", ">=", ">"};
constexpr std::array<std::string_view, 3> kTypeNames{"Float", "Int", "UInt"};

std::string_view kind_name(Kind kind) {
  return kKindNames[static_cast<std::size_t>(kind)];
}

std::string_view type_name(NumberType type) {
  return kTypeNames[static_cast<std::size_t>(type)];
}

std::string operand_text(Value operand) {
  return operand == kNone ? "none" : fmt::format("%{}", operand);
}

/// The operands up to the last that there is, separated by commas.
std::string operands_text(const Node& node) {
  std::size_t count = std::size(node.operand);
  while (count > 0 && node.operand[count - 1] == kNone) --count;
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += (i == 0 ? " " : ", ") + operand_text(node.operand[i]);
  }
  return text;
}

/// Whether operand[i] of the instruction is what LReg[i] holds, instead of VA, VB, VC and VD.
bool has_fixed_operands(isa::Op op) {
  return op == isa::Op::SFPLUT || op == isa::Op::SFPLUTFP32 || op == isa::Op::SFPTRANSP;
}

/// "SFPIADD VC=%3 VD=%4 Imm12=-5 Mod1=5": the fields of the row that have a meaning here.
std::string instruction_text(const Recording& recording, const Node& node) {
  constexpr std::array<std::string_view, 4> kFieldOfOperand{"VA", "VB", "VC", "VD"};
  const isa::Row* row = isa::find_row(recording.arch, node.opcode);
  if (row == nullptr) return fmt::format("opcode {:#04x}{}", node.opcode, operands_text(node));
  std::string text(row->mnemonic);
  for (std::size_t i = 0; i < std::size(node.operand); ++i) {
    if (node.operand[i] == kNone) continue;
    const bool names_lreg = has_fixed_operands(row->op) || i >= kFieldOfOperand.size();
    const std::string name = names_lreg ? fmt::format("L{}", i) : std::string(kFieldOfOperand[i]);
    text += fmt::format(" {}=%{}", name, node.operand[i]);
  }
  if (node.imm != 0) text += fmt::format(" imm={}", node.imm);
  if (node.mod != 0) text += fmt::format(" mod={}", node.mod);
  if (node.addr_mod != 0) text += fmt::format(" addr_mod={}", node.addr_mod);
  return text;
}

std::string node_text(const Recording& recording, const Node& node) {
  const auto bits = static_cast<std::uint32_t>(node.imm);
  const std::string operands = operands_text(node);
  switch (node.kind) {
    case Kind::Constant:
      return fmt::format("Constant {:#010x} ({})", bits, std::bit_cast<float>(bits));
    case Kind::ConstRegister: return fmt::format("ConstRegister L{}", node.imm);
    case Kind::ReadLReg: return fmt::format("ReadLReg L{}", node.imm);
    case Kind::WriteLReg:
    case Kind::WriteConst:
      return fmt::format("{} L{},{}", kind_name(node.kind), node.imm, operands);
    case Kind::Instruction: return instruction_text(recording, node);
    case Kind::Result: return fmt::format("Result{}, {}", operands, node.imm);
    case Kind::FloatMul:
    case Kind::FloatMad: {
      const bool negates = (node.mod & 3) != 0;
      return fmt::format("{}{}{}", kind_name(node.kind), operands,
                         negates ? fmt::format(" mod={}", node.mod) : "");
    }
    case Kind::Compare:
      return fmt::format("Compare.{} {} {} {}", type_name(node.type), operand_text(node.operand[0]),
                         kRelationSigns[static_cast<std::size_t>(node.relation)],
                         operand_text(node.operand[1]));
    case Kind::Raw:
      return fmt::format("Raw {:#010x} {}", bits, isa::disassemble(recording.arch, bits));
    case Kind::Print:
      return fmt::format("Print.{}{}, \"{}\"", type_name(node.type), operands,
                         recording.texts[bits]);
    default: return fmt::format("{}{}", kind_name(node.kind), operands);
  }
}

/// Whether later nodes can name this one.
bool has_number(const Recording& recording, const Node& node) {
  if (node.kind == Kind::Instruction) return operation(recording, node) != isa::Op::SFPSTORE;
  return is_value(node.kind) || is_condition(node.kind);
}

/// How far the contexts are nested, as the reader sees it: v_and opens no level.
class Indentation {
 public:
  /// The level of a node; moves on past it.
  std::size_t of(Kind kind) {
    switch (kind) {
      case Kind::If:
      case Kind::Block: return level_++;
      case Kind::Else:
      case Kind::ElseIf: return level_ == 0 ? 0 : level_ - 1;
      case Kind::EndIf:
      case Kind::EndBlock: return level_ == 0 ? 0 : --level_;
      default: return level_;
    }
  }

 private:
  std::size_t level_ = 0;
};

} // namespace

std::string to_text(const Recording& recording) {
  constexpr std::size_t kCommentColumn = 47;
  std::string text;
  Indentation indentation;
  for (std::size_t number = 0; number < recording.nodes.size(); ++number) {
    const Node& node = recording.nodes[number];
    const std::size_t level = indentation.of(node.kind);
    if (node.dead) continue;
    std::string line(2 * level, ' ');
    if (has_number(recording, node)) line += fmt::format("%{} = ", number);
    line += node_text(recording, node);
    const std::uint32_t source_line = recording.sites[node.site].line;
    if (has_line(source_line))
      line = fmt::format("{:<{}} ; {}", line, kCommentColumn, line_text(source_line));
    text += line + "\n";
  }
  return text;
}

} // namespace lanewise::compiler
