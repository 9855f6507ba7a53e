#include "study/tune/row_graph.h"

#include <fmt/format.h>

#include <algorithm>

#include "chip/isa/row.h"

namespace lanewise::tune {

namespace {

std::string operands_text(const Node& node) {
  std::string text;
  for (const NodeId operand : node.operands) text += fmt::format(" %{}", operand);
  return text;
}

std::string conditions_text(const Node& node) {
  if (node.conditions == 0) return "";
  return fmt::format(", where the last {}; else what stands before", node.conditions);
}

std::string operation_text(const RowGraph& row, const Node& node) {
  const isa::Row* instruction = isa::find_row(row.arch, node.op);
  const std::string name(instruction == nullptr ? "?" : instruction->mnemonic);
  if (node.op == isa::Op::SFPSWAP)
    return fmt::format("{}{}", node.maximum ? "max" : "min", operands_text(node));
  return fmt::format("{}{} mod={} imm={}{}{}", name, operands_text(node), node.mod, node.immediate,
                     node.rounding == 0 ? "" : fmt::format(" rounding={}", node.rounding),
                     conditions_text(node));
}

std::string node_text(const RowGraph& row, const Node& node) {
  switch (node.kind) {
    case NodeKind::Load: return fmt::format("load mode={} offset={}", node.mode, node.offset);
    case NodeKind::Constant: return fmt::format("constant 0x{:08x}", node.bits);
    case NodeKind::Operation:
    case NodeKind::Condition: return operation_text(row, node);
  }
  return {};
}

} // namespace

std::size_t own_operands(const Node& node) {
  return node.operands.size() - (node.conditions == 0 ? 0 : node.conditions + std::size_t{1});
}

bool is_lookup(const Node& node) {
  return node.kind == NodeKind::Operation &&
         (node.op == isa::Op::SFPLUT || node.op == isa::Op::SFPLUTFP32);
}

bool is_multiply(const Node& node) {
  return node.kind == NodeKind::Operation &&
         (node.op == isa::Op::SFPMAD || node.op == isa::Op::SFPMUL24);
}

std::size_t free_operands(const Node& node) {
  return is_lookup(node) ? 1 : own_operands(node);
}

NodeId kept_operand(const Node& node) {
  return node.operands[own_operands(node)];
}

bool is_constant(const RowGraph& row, NodeId id) {
  return row.nodes[id].kind == NodeKind::Constant;
}

NodeId find_or_add(RowGraph& row, const Node& node) {
  const auto found = std::ranges::find(row.nodes, node);
  if (found != row.nodes.end()) return static_cast<NodeId>(found - row.nodes.begin());
  row.nodes.push_back(node);
  return static_cast<NodeId>(row.nodes.size() - 1);
}

std::string to_text(const RowGraph& row) {
  std::string text;
  for (std::size_t i = 0; i < row.nodes.size(); ++i)
    text += fmt::format("%{} = {}\n", i, node_text(row, row.nodes[i]));
  return text + fmt::format("store %{} mode={}\n", row.nodes.size() - 1, row.store_mode);
}

int register_of_constant(std::uint32_t bits) {
  switch (bits) {
    case kZeroBits: return 9;
    case kOneBits: return 10;
    case kMinusOneBits32: return 11;
    case kEightBits: return 8;
  }
  return -1;
}

} // namespace lanewise::tune
