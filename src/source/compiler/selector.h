// The state of instruction selection: select.cpp has the operations, select_exchange.cpp those with
// operands in certain LRegs or several results, conditions.cpp the predicates.
#pragma once

#include <optional>
#include <vector>

#include "source/compiler/code.h"
#include "source/compiler/comparison.h"
#include "source/compiler/ir.h"
#include "source/compiler/plan.h"

namespace lanewise::compiler {

/// The first LReg that, as VD, would select a macro template (VU C13).
inline constexpr unsigned kFirstTemplate = 12;

class Selector {
 public:
  Selector(const Recording& recording, Plan plan)
      : recording_(recording),
        nodes_(recording.nodes),
        arch_(recording.arch),
        chip_(arch_params(recording.arch)),
        plan_(std::move(plan)),
        reg_(recording.nodes.size()),
        is_variable_(recording.nodes.size()) {
    code_.arch = recording.arch;
  }

  Code run();

  /// A register with the same known bits in every lane.
  struct Literal {
    std::uint32_t bits;
    Reg reg;
    std::uint32_t last_use; ///< position in the plan; of no meaning for a constant register
  };

 private:
  // ------------------------------------------------------------ select.cpp
  void emit_node(Value value);
  void emit_float(Value value);
  void emit_float_immediate(Value value, unsigned constant);
  void emit_instruction(Value value);
  void emit_integer_immediate(Value value, unsigned constant);
  void emit_two_address(Value value, Instr instr);
  bool is_byte(Value value) const;
  bool is_power_of_two(const Node& node) const;
  void emit_power_of_two(Value value);
  void emit_store(const Node& node);
  void emit_assign(Value value);
  void emit_from_condition(Value value);

  /// A register to read the value from: its own, or a constant register.
  Reg source(Value value);
  /// The same, but never a constant register.
  Reg general_source(Value value);
  /// A register with the value, that `user` may overwrite.
  Reg overwritable(Value value, Value user);
  /// The register for the result of a node: the variable's, or a new one.
  Reg target(Value value, bool& keeps);
  /// The register of the variable that an Assign changes, with the old value in all lanes.
  Reg variable(Value assign, bool& keeps);

  Instr make(isa::Op op, std::uint8_t mod = 0) const;
  void push(Instr instr) { code_.instrs.push_back(std::move(instr)); }
  void move(Reg to, Reg from, bool keeps, bool all_lanes = false);
  void negate(Reg to, Reg from);
  void push_into_variable(Value value, Instr instr, Reg operand);
  void load_constant(Reg to, std::uint32_t bits, bool keeps);
  std::optional<Literal> near_register(std::uint32_t bits) const;
  bool writes_minus_one(const Node& node) const;
  void note_literal(Value value);
  void forget_literals(const Node& node);
  Reg new_reg() { return code_.new_reg(site_); }
  Reg new_constant(std::uint32_t bits);
  isa::Op op_of(Value value) const { return operation(recording_, nodes_[value]); }

  // ------------------------------------------------------------ select_exchange.cpp
  void emit_lut(Value value);
  void name_result(Value value, Instr& instr);
  void emit_swap(Value value);
  std::optional<unsigned> unwritten_constant(const Node& swap, unsigned i, Value result) const;
  void emit_transpose(Value value);

  // ------------------------------------------------------------ conditions.cpp
  void emit_predicate(const Node& node);
  /// Keeps the enabled lanes where the condition holds (or not, if `negate`). `fresh`: the enabled
  /// lanes are just those on the flag stack's top, so that SFPCOMPC complements within them.
  void narrow(Value condition, bool negate, bool fresh);
  void narrow_both(Value left, Value right, bool negate, bool fresh);
  void narrow_through_register(Value condition, bool negate);
  void narrow_compare(Value compare, bool negate);
  void compare_sum(const Node& compare, std::int32_t addend, const Decision& decision);
  void compare_integers(Value first, Value second, Outcome outcome);
  void compare_bits(const Node& compare, Outcome outcome);
  void compare_patterns(Value left, Value right, Outcome outcome);
  void compare_floats(Value first, Value second, Outcome outcome);
  void test_not_positive(Reg difference);
  void compare_order(Value first, Value second, Outcome outcome);
  void test(Reg reg, std::uint8_t mode);
  void test(Reg reg, Outcome outcome);
  void finish_test(Reg reg, Outcome outcome);
  void complement() { push(make(isa::Op::SFPCOMPC)); }

  const Recording& recording_;
  const std::vector<Node>& nodes_;
  Arch arch_;
  const ArchParams& chip_;
  Plan plan_;
  Code code_;
  std::vector<Reg> reg_;          ///< of each value that has one
  std::vector<bool> is_variable_; ///< values that an Assign may change in place
  std::vector<Literal>
      literals_;                ///< that have been loaded in lanes which include those enabled now
  bool keeps_minus_one_ = true; ///< LReg[11] is -1 everywhere, as kernels find it
  std::uint32_t position_ = 0;  ///< in the plan, of the node that is being emitted
  std::uint32_t site_ = 0;      ///< of the node that is being emitted
};

} // namespace lanewise::compiler
