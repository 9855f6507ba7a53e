#include "study/tune/forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

#include "chip/isa/arch.h"
#include "chip/isa/def_use.h"
#include "study/tune/choices.h"
#include "study/tune/constants.h"
#include "study/tune/lane_conditions.h"
#include "study/tune/modes.h"
#include "study/tune/words.h"

namespace lanewise::tune {

namespace {

using isa::Op;

/// From a graph and the constants that are immediates to operations.
class Former {
 public:
  Former(const RowGraph& row, const FormOptions& options, const std::set<std::uint32_t>& immediates)
      : options_(options), immediates_(immediates) {
    formed_.graph = row;
  }

  Formed run() {
    const RowGraph& row = formed_.graph;
    numbers_.assign(row.nodes.size(), kNone);
    is_added_.assign(row.nodes.size(), false);
    for (NodeId id = 0; id < row.nodes.size(); ++id) {
      if (is_constant(row, id) || node(id).kind == NodeKind::Condition || is_added_[id]) continue;
      if (node(id).conditions != 0)
        add_predicated(id);
      else
        add(id);
    }
    add_store();
    if (!options_.macros) forget_macros();
    return std::move(formed_);
  }

 private:
  const Node& node(NodeId id) const { return formed_.graph.nodes[id]; }

  Operation& push(const Operation& operation, const Meaning& meaning) {
    if (meaning.node != kNoNode && !meaning.is_store) {
      numbers_[meaning.node] = static_cast<unsigned>(formed_.row.operations.size());
      is_added_[meaning.node] = true;
    }
    formed_.row.operations.push_back(operation);
    formed_.meanings.push_back(meaning);
    return formed_.row.operations.back();
  }

  std::vector<unsigned> operand_numbers(const Node& of) const {
    std::vector<unsigned> numbers;
    for (std::size_t k = 0; k < free_operands(of); ++k) numbers.push_back(numbers_[of.operands[k]]);
    return numbers;
  }

  // ------------------------------------------------------------------ predicated operations
  /// Choices whose operands are all there go together: under the same conditions, or one behind the
  /// other as v_if and v_else do it.
  void add_predicated(NodeId id) {
    lanes_ = {};
    starts_group_ = true;
    const std::vector<NodeId> chain = chain_from(id);
    for (std::size_t i = 0; i < chain.size(); ++i) {
      const std::vector<NodeId> next =
          i + 1 < chain.size() ? conditions_of(chain[i + 1]) : std::vector<NodeId>();
      enable(conditions_of(chain[i]), next);
      add_chosen(chain[i]);
    }
    while (lanes_.pop()) add_control(Op::SFPPOPC);
    add_control(Op::SFPENCC);
  }

  std::vector<NodeId> conditions_of(NodeId id) const {
    const Node& each = node(id);
    return {each.operands.end() - each.conditions, each.operands.end()};
  }

  /// The choice, and those behind it that can follow without anything else in between.
  std::vector<NodeId> chain_from(NodeId id) const {
    std::vector<NodeId> chain{id};
    for (NodeId other = id + 1; other < formed_.graph.nodes.size(); ++other) {
      if (node(other).conditions == 0 || is_added_[other]) continue;
      const bool same = conditions_of(other) == conditions_of(chain.back());
      if (!same && !options_.chains) continue;
      if (is_ready(other, chain, same)) chain.push_back(other);
    }
    return chain;
  }

  /// Whether a value is there when its reader is behind `chain`. `next`: the very next operation,
  /// which a two-cycle result does not reach.
  bool is_ready(NodeId id, const std::vector<NodeId>& chain, bool next) const {
    return std::ranges::all_of(node(id).operands, [&](NodeId operand) {
      const Node& value = node(operand);
      if (value.kind == NodeKind::Constant || is_added_[operand]) return true;
      if (value.kind == NodeKind::Condition) return is_ready(operand, chain, next);
      if (std::ranges::find(chain, operand) == chain.end()) return false;
      return !(next && operand == chain.back() && is_multiply(value));
    });
  }

  static bool starts_with(const std::vector<NodeId>& whole, const std::vector<NodeId>& part) {
    return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
  }

  /// From the lanes that are enabled to those of a choice. `next`: the conditions of the one behind
  /// it, for which something may have to be saved.
  void enable(const std::vector<NodeId>& conditions, const std::vector<NodeId>& next) {
    while (!starts_with(conditions, lanes_.all())) leave(conditions);
    const std::size_t done = lanes_.all().size();
    const bool comes_back =
        starts_with(next, lanes_.all()) && !starts_with(next, conditions) && done > 0;
    if (comes_back && done < conditions.size()) save();
    for (std::size_t k = done; k < conditions.size(); ++k) add_condition(conditions[k]);
  }

  /// A step towards lanes of which some are disabled now.
  void leave(const std::vector<NodeId>& conditions) {
    LaneConditions others = lanes_;
    const MakeNode find = [this](const Node& wanted) {
      const auto& nodes = formed_.graph.nodes;
      const auto found = std::ranges::find(nodes, wanted);
      return found == nodes.end() ? kNoNode : static_cast<NodeId>(found - nodes.begin());
    };
    if (others.complement(formed_.graph.nodes, find) && starts_with(conditions, others.all())) {
      add_control(Op::SFPCOMPC);
      lanes_ = others;
    } else if (lanes_.pop()) {
      add_control(Op::SFPPOPC);
    } else {
      add_control(Op::SFPENCC);
      lanes_ = {};
    }
  }

  void save() {
    add_control(Op::SFPPUSHC);
    lanes_.push();
  }

  /// One operation behind the other: all of them are issued, and alone in their cycles.
  void push_in_group(Operation operation, Meaning meaning) {
    operation.follows = !starts_group_;
    operation.alone = true;
    meaning.is_predicated = true;
    starts_group_ = false;
    push(operation, meaning);
  }

  void add_control(Op op) {
    push_in_group({.unit = Unit::Simple, .issued = {{}}, .has_result = false},
                  {.node = kNoNode, .control = op});
  }

  void add_condition(NodeId id) {
    const Node& each = node(id);
    if (each.op != Op::SFPCOMPC) {
      add_test(id);
    } else {
      if (!lanes_.empty()) save();
      for (const NodeId operand : each.operands) add_test(operand);
      add_control(Op::SFPCOMPC);
    }
    lanes_.narrow(id);
  }

  void add_test(NodeId id) {
    // The complement of a complement would need the flags that the inner one has replaced.
    if (node(id).op == Op::SFPCOMPC) formed_.is_possible = false;
    push_in_group({.unit = Unit::Simple,
                   .operands = operand_numbers(node(id)),
                   .issued = {{}},
                   .has_result = false},
                  {.node = id});
  }

  /// The result takes over the register of what is kept.
  void add_chosen(NodeId id) {
    const Node& each = node(id);
    Operation operation{.operands = operand_numbers(each)};
    Meaning meaning{.node = id};
    operation.unit = unit_of(each);
    if (is_multiply(each) || each.op == Op::SFPSHFT2) operation.latency = latency_of(each);
    const auto form = immediate_form(formed_.graph, each);
    if (form && is_immediate(*form, each)) {
      meaning.encoding = Encoding::Immediate;
      operation.operands.clear();
    }
    operation.operands.push_back(numbers_[kept_operand(each)]);
    operation.issued = {{.tied = static_cast<unsigned>(operation.operands.size() - 1)}};
    push_in_group(operation, meaning);
  }

  static Unit unit_of(const Node& each) {
    if (is_multiply(each)) return Unit::Mad;
    return each.op == Op::SFPSTOCHRND || each.op == Op::SFPSHFT2 ? Unit::Round : Unit::Simple;
  }

  /// Cycles until the result can be read, in whichever registers. SFPSHFT2 depends on the mode.
  unsigned latency_of(const Node& each) const {
    const Arch arch = formed_.graph.arch;
    const OperandRegisters some{.operands = std::vector<unsigned>(free_operands(each), 0)};
    return isa::latency(arch, issued_word(arch, each, Encoding::Plain, some, 0));
  }

  /// Bits shifted by another register: it has three addresses.
  void add_shift(NodeId id) {
    const Node& each = node(id);
    push({.unit = Unit::Round,
          .latency = latency_of(each),
          .operands = operand_numbers(each),
          .issued = {{}}},
         {.node = id});
  }

  void add(NodeId id) {
    const Node& each = node(id);
    if (each.kind == NodeKind::Load) {
      push({.unit = Unit::Load, .address = static_cast<unsigned>(each.offset) & 1023U},
           {.node = id});
    } else if (is_multiply(each)) {
      add_multiply(id);
    } else if (is_lookup(each)) {
      add_lookup(id);
    } else if (each.op == Op::SFPSWAP) {
      add_extreme(id);
    } else if (each.op == Op::SFPSHFT2) {
      add_shift(id);
    } else if (is_copied_constant(formed_.graph, each)) {
      add_copied_constant(id);
    } else if (each.op == Op::SFPLOADI) {
      add_immediate_load(id);
    } else if (each.operands.size() == 1) {
      add_unary(id);
    } else {
      add_binary(id);
    }
  }

  void add_lookup(NodeId id) {
    const Node& each = node(id);
    keep_table(each);
    Operation operation{.unit = Unit::Mad,
                        .latency = latency_of(each),
                        .operands = {numbers_[each.operands[0]]},
                        .issued = {{}},
                        .reads_first = true};
    Meaning meaning{.node = id};
    carry(operation, meaning, 0, false, only_stored(id), false);
    operation.template_key = key_of(id);
    push(operation, meaning);
  }

  /// All look-ups of a row have the same registers for their tables.
  void keep_table(const Node& lookup) {
    const std::vector<unsigned> registers = table_registers(formed_.graph.arch, lookup);
    for (std::size_t k = 0; k < registers.size(); ++k) {
      const std::uint32_t bits = node(lookup.operands[k + 1]).bits;
      const auto [place, is_new] = formed_.table.try_emplace(registers[k], bits);
      if (!is_new && place->second != bits) formed_.is_possible = false;
    }
    formed_.machine.indirect = false;
    formed_.registers = {kLookupInput};
    for (unsigned lreg = 0; lreg < kGeneralRegisters; ++lreg) {
      if (lreg != kLookupInput && !formed_.table.contains(lreg)) formed_.registers.push_back(lreg);
    }
  }

  void add_store() {
    const NodeId value = static_cast<NodeId>(formed_.graph.nodes.size() - 1);
    Operation store{.unit = Unit::Store, .operands = {numbers_[value]}, .issued = {{}}};
    Meaning meaning{.node = value, .is_store = true};
    if (numbers_[value] != kNone) {
      store.carried = {{.macro_operand = 0}, {.from_hidden = true}, {.from_first = true}};
      if (options_.conservative || !formed_.table.empty()) store.carried.pop_back();
      meaning.select = {false, false, true};
    }
    push(store, meaning);
  }

  /// Result in the macro's register, in LReg[16] if only the store reads it, or where LReg[7] says.
  void carry(Operation& operation, Meaning& meaning, unsigned macro_operand, bool select,
             bool may_hide, bool may_indirect) const {
    operation.carried.push_back({.macro_operand = macro_operand});
    meaning.select.push_back(select);
    if (may_hide) {
      operation.carried.push_back(
          {.macro_operand = macro_operand, .destination = Destination::Hidden});
      meaning.select.push_back(select);
    }
    if (may_indirect && !options_.conservative) {
      operation.carried.push_back(
          {.macro_operand = macro_operand, .destination = Destination::Indirect});
      meaning.select.push_back(select);
    }
  }

  bool only_stored(NodeId id) const {
    if (id + 1 != formed_.graph.nodes.size()) return false;
    return std::ranges::none_of(formed_.graph.nodes, [&](const Node& each) {
      return std::ranges::find(each.operands, id) != each.operands.end();
    });
  }

  bool is_immediate(const ImmediateForm& form, const Node& of) const {
    return immediates_.contains(node(of.operands[form.constant]).bits);
  }

  void add_multiply(NodeId id) {
    const Node& each = node(id);
    Operation operation{
        .unit = Unit::Mad, .latency = latency_of(each), .operands = operand_numbers(each)};
    Meaning meaning{.node = id};
    const auto form = immediate_form(formed_.graph, each);
    const bool hides = only_stored(id);
    if (form && is_immediate(*form, each)) {
      meaning.encoding = Encoding::Immediate;
      operation.operands = {operation.operands[form->value]};
      operation.issued = {{.tied = 0}};
      carry(operation, meaning, 0, false, hides, true);
      carry(operation, meaning, kNone, true, hides, true);
      operation.template_key = key_of(id);
      push(operation, meaning);
      return;
    }
    operation.issued = {{}};
    for (unsigned k = 0; k < 3; ++k) {
      if (operation.operands[k] == kNone) continue;
      if (k == 1 && operation.operands[1] == operation.operands[0]) continue;
      carry(operation, meaning, k, k < 2, hides, true);
    }
    operation.template_key = key_of(id);
    push(operation, meaning);
  }

  /// Equal for operations of which one template serves both, if the macro's operand is the only
  /// one that is not a constant.
  unsigned key_of(NodeId id) {
    Node shape = node(id);
    for (NodeId& operand : shape.operands) {
      if (!is_constant(formed_.graph, operand)) operand = ~NodeId{0};
    }
    const auto found = std::ranges::find(shapes_, shape);
    if (found != shapes_.end()) return static_cast<unsigned>(found - shapes_.begin());
    shapes_.push_back(shape);
    return static_cast<unsigned>(shapes_.size() - 1);
  }

  void add_extreme(NodeId id) {
    const Node& each = node(id);
    const unsigned cycles = latency_of(each); // in which the unit takes nothing else
    Operation operation{.unit = Unit::Simple,
                        .latency = cycles,
                        .busy = cycles,
                        .blocks_mad = true,
                        .operands = operand_numbers(each)};
    Meaning meaning{.node = id};
    if (operation.operands[1] == kNone) {
      operation.issued = {{.tied = 0}};
      operation.carried = {{.macro_operand = 0}};
      meaning.select = {!each.maximum};
      operation.template_key = key_of(id);
    } else {
      operation.issued = {{.tied = 0, .clobbered = 1}, {.tied = 1, .clobbered = 0}};
    }
    push(operation, meaning);
  }

  void add_copied_constant(NodeId id) {
    const auto form = immediate_form(formed_.graph, node(id));
    const bool immediate = form && is_immediate(*form, node(id));
    push({.unit = Unit::Simple, .operands = {}, .issued = {{}}},
         {.node = id, .encoding = immediate ? Encoding::Immediate : Encoding::Plain});
  }

  /// A constant of the row's own, or 16 bits of a value.
  void add_immediate_load(NodeId id) {
    const Node& each = node(id);
    Operation operation{.unit = Unit::Immediate, .operands = operand_numbers(each), .issued = {{}}};
    if (!each.operands.empty()) operation.issued.front().tied = 0;
    operation.is_constant = std::ranges::all_of(operation.operands, [&](unsigned operand) {
      return formed_.row.operations[operand].is_constant;
    });
    push(operation, {.node = id});
  }

  void add_unary(NodeId id) {
    const Node& each = node(id);
    Operation operation{.unit = each.op == Op::SFPSTOCHRND ? Unit::Round : Unit::Simple,
                        .operands = operand_numbers(each)};
    Meaning meaning{.node = id};
    const bool own = has_own_destination(formed_.graph, each);
    operation.issued = {{.tied = own ? kNone : 0}};
    // Wormhole shifts what the second source names, Blackhole with ARG_IMM_USE_VC what VC names.
    const bool second = !own;
    carry(operation, meaning, 0, second, only_stored(id), false);
    carry(operation, meaning, kNone, !second, only_stored(id), false);
    operation.template_key = key_of(id);
    push(operation, meaning);
  }

  /// Operands are VC and what VD names. Blackhole's SFPAND and SFPOR take VB instead.
  void add_binary(NodeId id) {
    const Node& each = node(id);
    Operation operation{.unit = Unit::Simple, .operands = operand_numbers(each)};
    Meaning meaning{.node = id};
    const bool is_logic = each.op == Op::SFPAND || each.op == Op::SFPOR;
    const bool commutes = is_logic || each.op == Op::SFPXOR ||
                          (each.op == Op::SFPIADD && (each.mod & mod::kSubtract) == 0);
    if (is_logic && arch_params(formed_.graph.arch).vector.logic_uses_vb) {
      operation.issued = {{}};
    } else {
      if (operation.operands[1] != kNone) operation.issued.push_back({.tied = 1});
      if (commutes && operation.operands[0] != kNone) operation.issued.push_back({.tied = 0});
    }
    if (operation.operands[0] != kNone) carry(operation, meaning, 0, false, only_stored(id), false);
    if (operation.operands[1] != kNone) carry(operation, meaning, 1, true, only_stored(id), false);
    operation.template_key = key_of(id);
    push(operation, meaning);
  }

  void forget_macros() {
    formed_.machine.macros = 0;
    formed_.machine.templates = 0;
    for (Operation& operation : formed_.row.operations) operation.carried.clear();
  }

  FormOptions options_;
  std::set<std::uint32_t> immediates_;
  Formed formed_;
  std::vector<unsigned> numbers_; ///< of each node
  std::vector<bool> is_added_;
  LaneConditions lanes_;      ///< that are enabled in the group that is being added
  bool starts_group_ = false; ///< nothing of it has been added yet
  std::vector<Node> shapes_;  ///< of template keys
};

std::string describe(const Formed& formed, const ConstantPlan& plan) {
  const auto programmed = std::ranges::count_if(formed.constants, [](const auto& constant) {
    return is_programmable_constant(constant.second);
  });
  return fmt::format("{} constants in LReg[12..14], {} in LReg[0..7], {} in instructions{}{}",
                     programmed, formed.general_constants.size(), plan.immediates.size(),
                     plan.takes_minus_one ? ", one in LReg[11]" : "",
                     plan.loaded == 0 ? "" : fmt::format(", {} loaded by each row", plan.loaded));
}

/// Forms with chains of choices, or with each choice by itself.
Expected<std::vector<Formed>> forms_with(const RowGraph& row, const FormOptions& options) {
  std::vector<Formed> all;
  for (const ConstantPlan& plan : constant_plans(row)) {
    Formed formed = Former(plan.row, options, plan.immediates).run();
    if (!formed.is_possible || !keep_constants(formed, plan)) continue;
    formed.description = describe(formed, plan);
    all.push_back(std::move(formed));
  }
  const bool complete = std::ranges::all_of(all, [](const Formed& formed) {
    return std::ranges::all_of(formed.row.operations, [](const Operation& operation) {
      return operation.unit == Unit::Load || !operation.issued.empty() ||
             !operation.carried.empty();
    });
  });
  if (all.empty() || !complete)
    return Unexpected(Fault{.kind = FaultKind::Unsupported,
                            .message = all.empty() ? "the row has more constants than registers"
                                                   : "an operation has no encoding",
                            .remedy = "the plain scheduled program stays the best one"});
  return all;
}

} // namespace

Expected<std::vector<Formed>> forms_of(const RowGraph& row, const FormOptions& options) {
  const bool has_choices =
      std::ranges::any_of(row.nodes, [](const Node& node) { return node.conditions != 0; });
  auto forms = forms_with(row, options);
  if (!has_choices || !options.chains) return forms;
  FormOptions apart = options;
  apart.chains = false;
  auto others = forms_with(row, apart);
  if (!forms || !others) return forms ? forms : others;
  if (others->front().row.operations.size() != forms->front().row.operations.size())
    std::ranges::move(*others, std::back_inserter(*forms));
  return forms;
}

} // namespace lanewise::tune
