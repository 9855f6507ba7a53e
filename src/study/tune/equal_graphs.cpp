#include "study/tune/equal_graphs.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>

#include "study/tune/choices.h"
#include "study/tune/modes.h"
#include "study/tune/selects.h"
#include "study/tune/words.h"

namespace lanewise::tune {

namespace {

using isa::Op;

constexpr unsigned kExponentShift = 23;

bool is_uint8(const RowGraph& row, NodeId id) {
  const Node& node = row.nodes[id];
  return node.kind == NodeKind::Operation && node.op == Op::SFPSTOCHRND &&
         isa::has_mode<Op::SFPSTOCHRND, "FP32_TO_UINT8">(node.mod);
}

/// setexp(1.0, n) is n << 23 where n is below 256: an instruction with a destination of its own.
void shift_exponents(RowGraph& row) {
  if (!arch_params(row.arch).vector.shift_has_modes) return;
  for (Node& node : row.nodes) {
    if (node.kind != NodeKind::Operation || node.op != Op::SFPSETEXP || node.operands.size() != 2 ||
        node.conditions != 0)
      continue;
    const Node& mantissa = row.nodes[node.operands[0]];
    if (mantissa.kind != NodeKind::Constant || mantissa.bits != kOneBits || node.mod != 0 ||
        !is_uint8(row, node.operands[1]))
      continue;
    node = {.kind = NodeKind::Operation,
            .op = Op::SFPSHFT,
            .mod = mod::kImmediate,
            .immediate = kExponentShift,
            .operands = {node.operands[1]}};
  }
}

/// Whether `user` is among the last `uses` nodes that use a value, and not the first one.
bool is_late_use(const RowGraph& row, NodeId value, NodeId user, std::size_t uses) {
  std::vector<NodeId> users;
  for (NodeId id = 0; id < row.nodes.size(); ++id) {
    const std::vector<NodeId>& operands = row.nodes[id].operands;
    if (std::ranges::find(operands, value) != operands.end()) users.push_back(id);
  }
  const auto place = std::ranges::find(users, user) - users.begin();
  return place > 0 && static_cast<std::size_t>(place) + uses >= users.size();
}

/// Later uses of a loaded value load it again: an SFPLOADMACRO loads something anyway. `uses`: how
/// many of the last ones.
RowGraph load_again(const RowGraph& row, std::size_t uses) {
  RowGraph result{.arch = row.arch, .nodes = {}, .store_mode = row.store_mode};
  std::vector<NodeId> numbers(row.nodes.size());
  for (NodeId id = 0; id < row.nodes.size(); ++id) {
    Node node = row.nodes[id];
    for (NodeId& operand : node.operands) {
      if (row.nodes[operand].kind == NodeKind::Load && is_late_use(row, operand, id, uses)) {
        result.nodes.push_back(row.nodes[operand]);
        operand = static_cast<NodeId>(result.nodes.size() - 1);
      } else {
        operand = numbers[operand];
      }
    }
    result.nodes.push_back(std::move(node));
    numbers[id] = static_cast<NodeId>(result.nodes.size() - 1);
  }
  return result;
}

/// Whether a node uses a value, and a result that is made of it or after it.
bool uses_both(const RowGraph& row, NodeId value, NodeId result) {
  std::vector<bool> depends(row.nodes.size(), false);
  depends[result] = true;
  for (NodeId id = result + 1; id < row.nodes.size(); ++id) {
    const std::vector<NodeId>& operands = row.nodes[id].operands;
    depends[id] = std::ranges::any_of(operands, [&](NodeId each) { return depends[each]; });
    if (depends[id] && std::ranges::find(operands, value) != operands.end()) return true;
  }
  return false;
}

/// The operand whose register the result takes over though it is needed afterwards.
std::optional<unsigned> destroyed_operand(const RowGraph& row, NodeId id) {
  const Node& node = row.nodes[id];
  const bool takes_over = node.kind == NodeKind::Operation && !is_multiply(node) &&
                          node.op != Op::SFPSHFT2 &&
                          (node.op == Op::SFPSWAP || own_operands(node) == 2);
  if (!takes_over && node.conditions == 0) return std::nullopt;
  const auto k = static_cast<unsigned>(node.conditions != 0     ? own_operands(node)
                                       : node.op == Op::SFPSWAP ? 0
                                                                : 1);
  const NodeId value = node.operands[k];
  if (is_constant(row, value) || !uses_both(row, value, id)) return std::nullopt;
  return k;
}

/// Where a user reads its operands: a test stands in front of the first choice that asks for it.
NodeId place_of_use(const RowGraph& row, NodeId user) {
  if (row.nodes[user].kind != NodeKind::Condition) return user;
  for (NodeId id = user + 1; id < row.nodes.size(); ++id) {
    const std::vector<NodeId>& operands = row.nodes[id].operands;
    if (std::ranges::find(operands, user) != operands.end()) return place_of_use(row, id);
  }
  return user;
}

/// Operations between two uses of a value for which a register is not kept.
constexpr NodeId kFarUse = 8;

/// What is used again much later is loaded again, so that it takes no register in between.
RowGraph load_far_uses(const RowGraph& row) {
  struct Copy {
    NodeId node, last_use;
  };
  RowGraph result{.arch = row.arch, .nodes = {}, .store_mode = row.store_mode};
  std::vector<NodeId> numbers(row.nodes.size());
  std::map<NodeId, std::vector<Copy>> copies; // of each load
  const auto copy_for = [&](NodeId load, NodeId place) {
    std::vector<Copy>& all = copies[load];
    const auto near = std::ranges::find_if(all, [&](const Copy& copy) {
      return copy.last_use + kFarUse >= place && copy.last_use <= place + kFarUse;
    });
    if (near != all.end()) {
      near->last_use = std::max(near->last_use, place);
      return near->node;
    }
    result.nodes.push_back(row.nodes[load]);
    all.push_back({static_cast<NodeId>(result.nodes.size() - 1), place});
    return all.back().node;
  };
  for (NodeId id = 0; id < row.nodes.size(); ++id) {
    Node node = row.nodes[id];
    for (NodeId& operand : node.operands) {
      operand = row.nodes[operand].kind == NodeKind::Load ? copy_for(operand, place_of_use(row, id))
                                                          : numbers[operand];
    }
    result.nodes.push_back(std::move(node));
    numbers[id] = static_cast<NodeId>(result.nodes.size() - 1);
    if (row.nodes[id].kind == NodeKind::Load) copies[id] = {{numbers[id], id}};
  }
  // A load whose first use is far has copies alone.
  return without_dead(result);
}

/// Copies what an operation would destroy while others need it.
RowGraph copy_operands(const RowGraph& row) {
  RowGraph result{.arch = row.arch, .nodes = {}, .store_mode = row.store_mode};
  std::vector<NodeId> numbers(row.nodes.size());
  for (NodeId id = 0; id < row.nodes.size(); ++id) {
    Node node = row.nodes[id];
    const auto destroyed = destroyed_operand(row, id);
    for (NodeId& operand : node.operands) operand = numbers[operand];
    if (destroyed) {
      result.nodes.push_back(
          {.kind = NodeKind::Operation, .op = Op::SFPMOV, .operands = {node.operands[*destroyed]}});
      node.operands[*destroyed] = static_cast<NodeId>(result.nodes.size() - 1);
    }
    result.nodes.push_back(std::move(node));
    numbers[id] = static_cast<NodeId>(result.nodes.size() - 1);
  }
  return result;
}

/// Bits of b - a, if that is an FP32 number without rounding.
std::optional<std::uint32_t> exact_difference(std::uint32_t b, std::uint32_t a) {
  const float left = std::bit_cast<float>(b), right = std::bit_cast<float>(a);
  const float difference = left - right;
  if (static_cast<double>(left) - static_cast<double>(right) != static_cast<double>(difference))
    return std::nullopt;
  return std::bit_cast<std::uint32_t>(difference);
}

/// max(x + a, b) is max(x, b - a) + a, since sums round monotonically and b - a + a is b. Negative
/// NaN is below all numbers for SFPSWAP, and gone then; the sum of the first form is a positive
/// one.
void clamp_before_sums(RowGraph& row) {
  for (NodeId id = 0; id < row.nodes.size(); ++id) {
    const Node extreme = row.nodes[id];
    if (extreme.kind != NodeKind::Operation || extreme.conditions != 0 ||
        extreme.op != Op::SFPSWAP || !is_constant(row, extreme.operands[1]))
      continue;
    const NodeId sum_id = extreme.operands[0];
    const Node sum = row.nodes[sum_id];
    const auto users = std::ranges::count_if(row.nodes, [&](const Node& node) {
      return std::ranges::find(node.operands, sum_id) != node.operands.end();
    });
    if (sum.kind != NodeKind::Operation || sum.conditions != 0 || sum.op != Op::SFPMAD ||
        sum.mod != 0 || users != 1 || !is_constant(row, sum.operands[0]) ||
        row.nodes[sum.operands[0]].bits != kOneBits || !is_constant(row, sum.operands[2]))
      continue;
    const auto limit =
        exact_difference(row.nodes[extreme.operands[1]].bits, row.nodes[sum.operands[2]].bits);
    if (!limit) continue;
    row.nodes[sum_id] = extreme;
    row.nodes[sum_id].operands[0] = sum.operands[1];
    row.nodes[id] = sum;
    row.nodes[id].operands[1] = sum_id;
    // The limit stands in front of all others, so that operands keep coming first.
    for (Node& node : row.nodes) {
      for (NodeId& operand : node.operands) ++operand;
    }
    row.nodes.insert(row.nodes.begin(), {.kind = NodeKind::Constant, .bits = *limit});
    row.nodes[sum_id + 1].operands[1] = 0;
    ++id;
  }
}

/// Of rows whose choices stay as they are.
std::vector<RowGraph> straight_graphs(const RowGraph& row, const FormOptions& options) {
  RowGraph shifted = row;
  shift_exponents(shifted);
  std::vector<RowGraph> all{shifted};
  const auto add = [&](RowGraph graph) {
    if (std::ranges::find(all, graph) == all.end()) all.push_back(std::move(graph));
  };
  if (options.macros) add(load_again(shifted, 1));
  add(load_far_uses(shifted));
  add(row);
  add(copy_operands(shifted));
  if (!options.allow_nan) return all;
  RowGraph clamped = shifted;
  clamp_before_sums(clamped);
  add(clamped);
  return all;
}

} // namespace

std::vector<RowGraph> equal_graphs(const RowGraph& row, const FormOptions& options) {
  std::vector<RowGraph> all;
  const bool is_predicated =
      std::ranges::any_of(row.nodes, [](const Node& node) { return node.conditions != 0; });
  if (!is_predicated) return straight_graphs(row, options);
  const auto add = [&](const RowGraph& graph) {
    for (RowGraph& each : straight_graphs(with_kept_copies(graph), options)) {
      if (std::ranges::find(all, each) == all.end()) all.push_back(std::move(each));
    }
  };
  const RowGraph clear = with_fewer_conditions(row);
  add(joined_choices(without_flags(without_choices(clear))));
  add(joined_choices(without_flags(clear)));
  const RowGraph tested = with_kept_tests(clear);
  if (tested != clear) add(joined_choices(without_choices(tested)));
  const RowGraph fewer = without_choices(clear);
  add(joined_choices(fewer));
  if (fewer != clear) add(joined_choices(clear));
  add(fewer);
  return all;
}

} // namespace lanewise::tune
