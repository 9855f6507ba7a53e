#include "study/tune/constants.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <utility>

#include "chip/isa/encoding.h"
#include "study/tune/words.h"

namespace lanewise::tune {

namespace {

using isa::Op;

/// Programmable constants. LReg[11] is -1.0, as SFPI expects it (VU C3): who takes it puts it back
/// at the end of each tile.
constexpr unsigned kFirstProgrammable = 12, kProgrammable = 3;
/// Left to values at least; where a table takes its share, too.
constexpr unsigned kFewestRegisters = 3, kFewestBesideTable = 2;

/// Whether a constant is the upper half of an FP32 number, as SFPADDI and SFPMULI take it.
bool fits_immediate(std::uint32_t bits) {
  return (bits & 0xFFFF) == 0;
}

/// What is stored, if every row stores the same.
std::optional<std::uint32_t> stored_constant(const RowGraph& row) {
  const Node& stored = row.nodes.back();
  return stored.kind == NodeKind::Constant ? std::optional(stored.bits) : std::nullopt;
}

/// Constants that no operation could have as an immediate, and those that may be ones.
struct ConstantUse {
  std::set<std::uint32_t> in_registers, either;
};

ConstantUse use_of_constants(const RowGraph& row) {
  ConstantUse use;
  for (const Node& node : row.nodes) {
    if (node.kind != NodeKind::Operation && node.kind != NodeKind::Condition) continue;
    const auto form = immediate_form(row, node);
    for (unsigned k = 0; k < free_operands(node); ++k) {
      if (!is_constant(row, node.operands[k])) continue;
      const std::uint32_t bits = row.nodes[node.operands[k]].bits;
      if (register_of_constant(bits) >= 0) continue;
      if (form && form->constant == k)
        use.either.insert(bits);
      else
        use.in_registers.insert(bits);
    }
  }
  if (const auto stored = stored_constant(row); stored && register_of_constant(*stored) < 0)
    use.in_registers.insert(*stored);
  for (const std::uint32_t bits : use.in_registers) use.either.erase(bits);
  return use;
}

bool uses_minus_one(const RowGraph& row) {
  return std::ranges::any_of(row.nodes, [](const Node& node) {
    return node.kind == NodeKind::Constant && node.bits == kMinusOneBits32;
  });
}

/// SFPSWAP writes both registers: only LReg[8..15] keep what they hold (VU C33).
bool is_swapped(const RowGraph& row, std::uint32_t bits) {
  return std::ranges::any_of(row.nodes, [&](const Node& node) {
    return node.kind == NodeKind::Operation && node.op == Op::SFPSWAP &&
           std::ranges::any_of(node.operands, [&](NodeId operand) {
             return is_constant(row, operand) && row.nodes[operand].bits == bits;
           });
  });
}

/// SFPGT and SFPLE read the second operand where VD is, as SFPSTORE does; with VD 12..15 the word
/// would be a template (VU C13).
bool is_read_as_vd(const RowGraph& row, std::uint32_t bits) {
  if (stored_constant(row) == bits) return true;
  return std::ranges::any_of(row.nodes, [&](const Node& node) {
    const bool compares = node.kind == NodeKind::Condition && node.op != Op::SFPCOMPC;
    return compares && node.operands.size() == 2 && is_constant(row, node.operands[1]) &&
           row.nodes[node.operands[1]].bits == bits;
  });
}

bool is_in_table(const RowGraph& row, std::uint32_t bits) {
  return std::ranges::any_of(row.nodes, [&](const Node& node) {
    return is_lookup(node) && std::any_of(node.operands.begin() + 1, node.operands.end(),
                                          [&](NodeId id) { return row.nodes[id].bits == bits; });
  });
}

/// LReg[11] is filled from LReg[0], where tables are.
bool may_take_minus_one(const RowGraph& row) {
  return !uses_minus_one(row) && std::ranges::none_of(row.nodes, is_lookup);
}

/// How many operands are this constant.
std::size_t uses(const RowGraph& row, std::uint32_t bits) {
  std::size_t count = 0;
  for (const Node& node : row.nodes) {
    count += static_cast<std::size_t>(std::ranges::count_if(node.operands, [&](NodeId operand) {
      return is_constant(row, operand) && row.nodes[operand].bits == bits;
    }));
  }
  return count;
}

/// Those that a row loads at the least cost come first.
void order_by_cost(const RowGraph& row, std::vector<std::uint32_t>& bits) {
  std::ranges::stable_sort(bits, {}, [&](std::uint32_t each) {
    return std::pair(!is_swapped(row, each),
                     uses(row, each) * load_immediate_words(row.arch, 0, each).size());
  });
}

/// Puts a row together anew, with SFPLOADIs in front of the first operation that needs them.
class ConstantLoader {
 public:
  ConstantLoader(const RowGraph& row, std::span<const std::uint32_t> loaded)
      : row_(row), loaded_(loaded), numbers_(row.nodes.size()) {
    result_ = {.arch = row.arch, .nodes = {}, .store_mode = row.store_mode};
  }

  RowGraph run() {
    for (NodeId id = 0; id < row_.nodes.size(); ++id) {
      Node node = row_.nodes[id];
      const bool is_loaded =
          node.kind == NodeKind::Constant && std::ranges::find(loaded_, node.bits) != loaded_.end();
      if (is_loaded) continue;
      for (NodeId& operand : node.operands) operand = number(operand);
      numbers_[id] = add(node);
    }
    return std::move(result_);
  }

 private:
  NodeId add(const Node& node) {
    result_.nodes.push_back(node);
    return static_cast<NodeId>(result_.nodes.size() - 1);
  }

  NodeId number(NodeId id) {
    const Node& node = row_.nodes[id];
    if (node.kind != NodeKind::Constant) return numbers_[id];
    const auto place = std::ranges::find(loaded_, node.bits);
    if (place == loaded_.end()) return numbers_[id];
    const auto found = values_.find(node.bits);
    return found != values_.end() ? found->second : values_[node.bits] = load(node.bits);
  }

  /// The second of two SFPLOADIs keeps half of what the first has written.
  NodeId load(std::uint32_t bits) {
    NodeId value = kNoNode;
    for (const std::uint32_t word : load_immediate_words(row_.arch, 0, bits)) {
      const isa::Decoded decoded = isa::decode(row_.arch, word);
      Node node{.kind = NodeKind::Operation,
                .op = Op::SFPLOADI,
                .mod = static_cast<std::uint8_t>(decoded["Mod0"]),
                .immediate = static_cast<std::int32_t>(decoded["Imm16"])};
      if (value != kNoNode) node.operands = {value};
      value = add(node);
    }
    return value;
  }

  const RowGraph& row_;
  std::span<const std::uint32_t> loaded_;
  std::vector<NodeId> numbers_;
  std::map<std::uint32_t, NodeId> values_;
  RowGraph result_;
};

/// The plans in which a row loads constants itself: from as few as there must be to one that leaves
/// nearly all registers to values.
void add_loading_plans(const ConstantPlan& base, std::vector<ConstantPlan>& all) {
  const std::size_t fixed = kProgrammable + (base.takes_minus_one ? 1 : 0);
  if (base.in_registers.size() <= fixed) return;
  std::vector<std::uint32_t> order = base.in_registers;
  std::erase_if(order, [&](std::uint32_t bits) {
    return bits == stored_constant(base.row) || is_in_table(base.row, bits);
  });
  order_by_cost(base.row, order);
  const std::size_t most = std::min(order.size(), base.in_registers.size() - fixed);
  for (std::size_t loaded = 1; loaded <= most; ++loaded) {
    ConstantPlan plan = base;
    const std::span<const std::uint32_t> chosen = std::span(order).first(loaded);
    plan.row = ConstantLoader(base.row, chosen).run();
    plan.loaded = loaded;
    std::erase_if(plan.in_registers, [&](std::uint32_t bits) {
      return std::ranges::find(chosen, bits) != chosen.end();
    });
    all.push_back(std::move(plan));
  }
}

} // namespace

std::vector<ConstantPlan> constant_plans(const RowGraph& row) {
  const ConstantUse use = use_of_constants(row);
  const std::vector<std::uint32_t> movable(use.either.begin(), use.either.end());
  std::vector<ConstantPlan> all;
  for (std::size_t immediate = 0; immediate <= movable.size(); ++immediate) {
    const auto end = movable.begin() + static_cast<std::ptrdiff_t>(immediate);
    ConstantPlan plan{.row = row,
                      .immediates = {movable.begin(), end},
                      .in_registers = {use.in_registers.begin(), use.in_registers.end()}};
    plan.in_registers.insert(plan.in_registers.end(), end, movable.end());
    all.push_back(plan);
    if (plan.in_registers.size() <= kProgrammable || !may_take_minus_one(row)) continue;
    plan.takes_minus_one = true;
    all.push_back(plan);
  }
  // All that can be in an instruction is there; or nothing is, since SFPADDI and SFPMULI destroy
  // what they read.
  std::vector<ConstantPlan> bases;
  std::ranges::copy_if(all, std::back_inserter(bases), [&](const ConstantPlan& plan) {
    return plan.immediates.size() == movable.size() || plan.immediates.empty();
  });
  for (const ConstantPlan& base : bases) add_loading_plans(base, all);
  return all;
}

bool is_copied_constant(const RowGraph& row, const Node& node) {
  return node.op == Op::SFPMOV && is_constant(row, node.operands[0]);
}

std::optional<ImmediateForm> immediate_form(const RowGraph& row, const Node& node) {
  if (is_copied_constant(row, node) && fits_immediate(row.nodes[node.operands[0]].bits))
    return ImmediateForm{kNone, 0};
  if (node.op != Op::SFPMAD || node.mod != 0) return std::nullopt;
  const auto bits = [&](unsigned k) { return row.nodes[node.operands[k]].bits; };
  const auto constant = [&](unsigned k) { return is_constant(row, node.operands[k]); };
  for (unsigned k = 0; k < 2; ++k) {
    const unsigned other = 1 - k;
    if (constant(other)) continue;
    // Predicated, the result takes over the factor's register, so that this must be what is kept.
    if (node.conditions != 0 && kept_operand(node) != node.operands[other]) continue;
    if (constant(k) && bits(k) == kOneBits && constant(2) && fits_immediate(bits(2)))
      return ImmediateForm{other, 2};
    if (constant(2) && bits(2) == kZeroBits && constant(k) && fits_immediate(bits(k)) &&
        bits(k) != kOneBits)
      return ImmediateForm{other, k};
  }
  return std::nullopt;
}

bool keep_constants(Formed& formed, const ConstantPlan& plan) {
  std::vector<std::uint32_t> bits = plan.in_registers;
  formed.takes_minus_one = plan.takes_minus_one;
  std::stable_partition(bits.begin(), bits.end(),
                        [&](std::uint32_t each) { return is_swapped(formed.graph, each); });
  unsigned programmable = 0;
  for (const std::uint32_t each : bits) {
    const bool is_free = !is_read_as_vd(formed.graph, each);
    if (is_free && programmable < kProgrammable) {
      formed.constants[each] = kFirstProgrammable + programmable++;
    } else if (is_free && formed.takes_minus_one && programmable == kProgrammable) {
      formed.constants[each] = kMinusOneRegister;
      ++programmable;
    } else {
      formed.general_constants.push_back(each);
    }
  }
  const std::size_t registers = formed.registers.size();
  const unsigned fewest = formed.table.empty() ? kFewestRegisters : kFewestBesideTable;
  if (formed.general_constants.size() + fewest > registers) return false;
  if (std::ranges::any_of(formed.general_constants,
                          [&](std::uint32_t each) { return is_swapped(formed.graph, each); }))
    return false;
  formed.machine.registers = static_cast<unsigned>(registers - formed.general_constants.size());
  for (const Node& node : formed.graph.nodes) {
    if (node.kind == NodeKind::Constant && register_of_constant(node.bits) >= 0)
      formed.constants[node.bits] = static_cast<unsigned>(register_of_constant(node.bits));
  }
  return true;
}

} // namespace lanewise::tune
