#include "run/oracle/interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "base/fault_list.h"
#include "base/source_line.h"
#include "chip/machine/host_arithmetic.h"
#include "chip/machine/lane_groups.h"
#include "run/oracle/dst_range.h"
#include "run/oracle/lane_moves.h"
#include "run/oracle/lane_values.h"
#include "run/oracle/raw_words.h"
#include "source/compiler/uses.h"

namespace lanewise::oracle {

namespace {

using compiler::Kind;
using compiler::kNone;
using compiler::Node;
using compiler::Recording;
using compiler::Value;
using isa::Op;

constexpr unsigned kOperands = std::size(Node{}.operand);
static_assert(kOperands == kWritableLRegs);

/// Whether the compiler makes no instruction of it where it stands.
bool takes_no_word(Kind kind) {
  switch (kind) {
    case Kind::Undefined:
    case Kind::Constant:
    case Kind::ConstRegister:
    case Kind::Compare:
    case Kind::And:
    case Kind::Or:
    case Kind::Not:
    case Kind::Print:
    case Kind::Raw: return true;
    default: return false;
  }
}

class Interpretation {
 public:
  Interpretation(const Recording& recording, MachineState& state, FrontEnd& front_end,
                 const InterpretOptions& options)
      : recording_(recording),
        nodes_(recording.nodes),
        state_(state),
        vector_(state.vector),
        options_(options),
        comparison_(recording.arch, compiler::comparison_rules(recording.epoch)),
        raw_(recording, front_end),
        scopes_(recording, state.vector.flags | ~state.vector.use_flags),
        values_(nodes_.size()) {}

  std::vector<Fault> run() {
    for (Value number = 0; number < nodes_.size(); ++number) {
      if (nodes_[number].dead) continue;
      if (raw_.waiting() && !takes_no_word(nodes_[number].kind)) break_off_recording(number);
      values_.scopes[number] = scopes_.current();
      step(number);
    }
    if (raw_.waiting()) run_raw_words(static_cast<Value>(nodes_.size() - 1));
    give_lanes_to_machine();
    for (Fault& fault : state_.faults.to_faults(recording_.arch)) {
      fault.file = recording_.name;
      report(std::move(fault));
    }
    state_.faults.clear(); // the next run is not to blame for them
    return faults_.take();
  }

 private:
  void step(Value number) {
    const Node& node = nodes_[number];
    switch (node.kind) {
      case Kind::Undefined: break;
      case Kind::Constant:
        vector(number).lanes.fill(static_cast<std::uint32_t>(node.imm));
        vector(number).defined = enabled();
        break;
      case Kind::ConstRegister:
      case Kind::ReadLReg: read_lreg(number); break;
      case Kind::Instruction:
      case Kind::FloatAdd:
      case Kind::FloatSub:
      case Kind::FloatMul:
      case Kind::FloatMad:
      case Kind::WriteConst: execute_node(number); break;
      case Kind::Result:
        vector(number) = values_.many_results[node.operand[0]][static_cast<unsigned>(node.imm)];
        break;
      case Kind::Assign: assign(number); break;
      case Kind::FromCondition: take_condition(number); break;
      case Kind::Compare: compare(number); break;
      case Kind::And:
      case Kind::Or:
      case Kind::Not: values_.conditions[number] = combined(node); break;
      case Kind::If:
      case Kind::ElseIf:
      case Kind::Narrow:
        check(number, "decides a predicate", node.operand[0],
              scopes_.deciding_lanes(node) & vector_.switches.rows_enabled);
        scopes_.change(number, values_.conditions[node.operand[0]].holds);
        break;
      case Kind::Else:
      case Kind::EndIf:
      case Kind::Block:
      case Kind::EndBlock: scopes_.change(number, kAllLanes); break;
      case Kind::WriteLReg: write_lreg(number); break;
      case Kind::Raw: raw_word(number); break;
      case Kind::Print: print(node); break;
    }
  }

  /// Lanes that instructions touch here.
  std::uint32_t enabled() const { return scopes_.lanes() & vector_.switches.rows_enabled; }

  LaneVector& vector(Value value) { return values_.vectors[value]; }
  const LaneVector& vector(Value value) const { return values_.vectors[value]; }

  std::uint32_t defined(Value value) const {
    return compiler::is_condition(nodes_[value].kind) ? values_.conditions[value].defined
                                                      : vector(value).defined;
  }

  // ---------------------------------------------------------------- Registers and variables
  void read_lreg(Value number) {
    std::copy_n(vector_.lreg[nodes_[number].imm], kLanes, vector(number).lanes.begin());
    vector(number).defined = enabled();
  }

  void write_lreg(Value number) {
    const Node& node = nodes_[number];
    check(number, fmt::format("writes LReg[{}]", node.imm), node.operand[0], enabled());
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if ((enabled() >> lane & 1U) != 0)
        vector_.lreg[node.imm][lane] = vector(node.operand[0]).lanes[lane];
    }
  }

  void assign(Value number) {
    const Node& node = nodes_[number];
    const LaneVector& old_value = vector(node.operand[0]);
    const LaneVector& new_value = vector(node.operand[1]);
    LaneVector& result = vector(number);
    const std::uint32_t lanes = enabled();
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const LaneVector& source = (lanes >> lane & 1U) != 0 ? new_value : old_value;
      result.lanes[lane] = source.lanes[lane];
    }
    result.defined = (new_value.defined & lanes) | (old_value.defined & ~lanes);
  }

  // ---------------------------------------------------------------- Conditions
  // A condition is not bound to the predicate under which it stands, but to those where it decides;
  // so it is evaluated in all lanes in which its operands have values.

  /// A constant register can be tested wherever the condition decides.
  std::uint32_t testable(Value value) const {
    return nodes_[value].kind == Kind::ConstRegister ? kAllLanes : defined(value);
  }

  void compare(Value number) {
    const Node& node = nodes_[number];
    const auto [left, right] = std::pair{node.operand[0], node.operand[1]};
    values_.conditions[number] = {
        .holds =
            comparison_.holds(state_, node.relation, node.type, vector(left).lanes,
                              vector(right).lanes, compiler::is_zero(recording_.arch, nodes_[left]),
                              compiler::is_zero(recording_.arch, nodes_[right])),
        .defined = testable(left) & testable(right)};
  }

  LaneCondition combined(const Node& node) const {
    const LaneCondition left = values_.conditions[node.operand[0]];
    if (node.kind == Kind::Not) return {.holds = ~left.holds, .defined = left.defined};
    const LaneCondition right = values_.conditions[node.operand[1]];
    const std::uint32_t both = left.defined & right.defined;
    // One side can settle it, whatever is in the other.
    if (node.kind == Kind::And) {
      return {.holds = left.holds & right.holds,
              .defined = both | (left.defined & ~left.holds) | (right.defined & ~right.holds)};
    }
    return {.holds = left.holds | right.holds,
            .defined = both | (left.defined & left.holds) | (right.defined & right.holds)};
  }

  void take_condition(Value number) {
    const LaneCondition& condition = values_.conditions[nodes_[number].operand[0]];
    for (unsigned lane = 0; lane < kLanes; ++lane)
      vector(number).lanes[lane] = condition.holds >> lane & 1U;
    vector(number).defined = condition.defined & enabled();
  }

  // ---------------------------------------------------------------- Instructions
  void execute_node(Value number) {
    const Node& node = nodes_[number];
    const auto op = node_micro_op(recording_, node);
    if (!op) {
      report(op.error());
      vector(number).defined = kAllLanes; // one fault is enough
      return;
    }
    check_effect(number, op->op);
    check_range(number);
    BorrowedRegisters registers(vector_, scopes_.lanes());
    // SFPLUTFP32 with a table of three has an indirect VD: LReg[7] names it (VU C44).
    constexpr unsigned kIndexLReg = 7;
    Lanes index;
    index.fill(kResultLReg);
    registers.put(kIndexLReg, index);
    for (unsigned i = 0; i < kOperands; ++i) {
      if (node.operand[i] != kNone) registers.put(i, vector(node.operand[i]).lanes);
    }
    {
      const HostArithmetic arithmetic(recording_.arch);
      op->kernel(state_, *op);
    }
    take_results(number, *op, registers);
  }

  /// Once per source line.
  void check_range(Value number) {
    auto fault = range_.check(recording_, nodes_[number], state_);
    if (fault && outside_lines_.insert(fault->line).second) report(std::move(*fault));
  }

  void check_effect(Value number, Op op) {
    constexpr std::uint32_t kConfigLanes = 0xFF; // SFPCONFIG reads row 0 (VU C37)
    const Node& node = nodes_[number];
    if (op == Op::SFPSTORE) check(number, "stores to Dst", node.operand[3], enabled());
    if (op == Op::SFPCONFIG) {
      check(number, fmt::format("sets LReg[{}]", node.imm), node.operand[0],
            enabled() & kConfigLanes);
    }
  }

  void take_results(Value number, const MicroOp& op, const BorrowedRegisters& registers) {
    constexpr unsigned kVc = 2, kVd = 3;
    const auto result = [&](unsigned lreg, unsigned index) {
      return LaneVector{.lanes = registers.take(lreg),
                        .defined = result_lanes(nodes_[number], op, index) & enabled()};
    };
    if (op.op == Op::SFPSWAP) {
      values_.many_results[number] = {result(kVc, 0), result(kVd, 1)};
    } else if (op.op == Op::SFPTRANSP) {
      for (unsigned i = 0; i < kOperands; ++i) values_.many_results[number][i] = result(i, i);
    } else {
      vector(number) = result(kResultLReg, 0);
    }
  }

  /// Lanes of a result that come from lanes that have a value.
  std::uint32_t result_lanes(const Node& node, const MicroOp& op, unsigned index) const {
    const isa::Movement movement = isa::Effects(recording_.arch, op.word).movement();
    if (!isa::moves_lanes(movement)) {
      std::uint32_t result = kAllLanes;
      for (const Value operand : node.operand) {
        if (operand != kNone) result &= defined(operand);
      }
      return result;
    }
    std::uint32_t result = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const auto source = lane_source(movement, index, lane);
      const Value operand = source ? node.operand[source->operand] : kNone;
      const bool has_value =
          !source || (operand != kNone && (defined(operand) >> source->lane & 1U) != 0);
      result |= static_cast<std::uint32_t>(has_value) << lane;
    }
    return result;
  }

  void print(const Node& node) const {
    if (!options_.print) return;
    const LaneVector& value = vector(node.operand[0]);
    Printed printed{.label = recording_.texts[static_cast<std::size_t>(node.imm)],
                    .type = node.type,
                    .lanes = {value.lanes.begin(), value.lanes.end()},
                    .enabled = enabled(),
                    .defined = value.defined,
                    .site = &recording_.sites[node.site]};
    if (node.type == compiler::NumberType::Float) {
      for (std::uint32_t& lane : printed.lanes) lane = float_of_lane(recording_.arch, lane);
    }
    options_.print(printed);
  }

  // ---------------------------------------------------------------- Raw words
  void raw_word(Value number) {
    const auto word = static_cast<std::uint32_t>(nodes_[number].imm);
    const std::uint32_t dst = state_.rwc.dst;
    if (!raw_.add({.word = word, .line = line_of(number)})) return;
    run_raw_words(number);
    range_.follow(state_, word, dst);
  }

  void run_raw_words(Value last) {
    give_lanes_to_machine();
    for (Fault& fault : raw_.run(state_)) report(std::move(fault));
    if (machine_lanes() != scopes_.lanes()) scopes_.set(last, machine_lanes());
  }

  void break_off_recording(Value number) {
    report({.kind = FaultKind::Unsupported,
            .message = fmt::format("lies among the words that the REPLAY of {} records; how many "
                                   "words it takes, only the compiler knows",
                                   line_text(raw_.line())),
            .remedy = "record instruction words only (TTI_...), or compile the kernel",
            .rule = "ISA REPLAY",
            .file = recording_.name,
            .line = line_of(number)});
    run_raw_words(number);
  }

  std::uint32_t machine_lanes() const { return vector_.flags | ~vector_.use_flags; }

  /// What a raw word left stays, if it says the same.
  void give_lanes_to_machine() {
    if (machine_lanes() == scopes_.lanes()) return;
    vector_.flags = scopes_.lanes();
    vector_.use_flags = kAllLanes;
  }

  // ---------------------------------------------------------------- Faults
  std::uint32_t line_of(Value number) const { return recording_.sites[nodes_[number].site].line; }

  void report(Fault fault) {
    settle_place(fault);
    faults_.add(std::move(fault));
  }

  /// Reports, once per source line, the first of `lanes` in which the operand has no value.
  void check(Value number, std::string_view effect, Value operand, std::uint32_t lanes) {
    const std::uint32_t missing = lanes & ~defined(operand);
    if (missing == 0) return;
    const std::uint32_t line = line_of(number);
    if (line != 0 && !faulty_lines_.insert(line).second) return;
    const auto lane = static_cast<std::uint8_t>(std::countr_zero(missing));
    const auto shown = static_cast<std::uint8_t>(
        state_.resting.empty() ? lane : lane_number(state_.lane_group, lane));
    report({.kind = FaultKind::UndefinedBehavior,
            .message = fmt::format("{}, but lane {} of this value {}", effect, shown,
                                   why_undefined(recording_, values_, scopes_, operand, lane)),
            .remedy = "give the variable a value before that, or use it only there",
            .file = recording_.name,
            .line = line,
            .lane = shown});
  }

  const Recording& recording_;
  const std::vector<Node>& nodes_;
  MachineState& state_;
  VectorState& vector_;
  const InterpretOptions& options_;
  Comparison comparison_;
  RawWords raw_;
  DstRange range_;
  LaneScopes scopes_;
  LaneValues values_;
  std::set<std::uint32_t> faulty_lines_;  ///< that have had their fault
  std::set<std::uint32_t> outside_lines_; ///< the same for what lies outside of Dst
  static constexpr std::size_t kMaxFaults = 1000;
  FaultList faults_{kMaxFaults};
};

/// Adds the faults of a further group of lanes, of each line and kind the first one.
void add_faults(std::vector<Fault>& all, std::vector<Fault> more) {
  for (Fault& fault : more) {
    const bool known = std::ranges::any_of(all, [&](const Fault& each) {
      return each.line == fault.line && each.kind == fault.kind && each.rule == fault.rule;
    });
    if (!known) all.push_back(std::move(fault));
  }
}

/// What two groups have printed, as one register: lanes by their numbers.
Printed joined(const Printed& even, const Printed& odd) {
  Printed both = even;
  both.lanes.assign(2 * std::size_t{kLanes}, 0);
  both.enabled = both.defined = 0;
  for (unsigned group = 0; group < 2; ++group) {
    const Printed& from = group == 0 ? even : odd;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const unsigned number = lane_number(group, lane);
      both.lanes[number] = from.lanes[lane];
      both.enabled |= (from.enabled >> lane & 1U) << number;
      both.defined |= (from.defined >> lane & 1U) << number;
    }
  }
  return both;
}

/// On a chip with two groups of lanes: the whole kernel on one, then on the other.
std::vector<Fault> interpret_groups(const Recording& recording, MachineState& state,
                                    FrontEnd& front_end, const InterpretOptions& options) {
  std::vector<Fault> faults;
  std::array<std::vector<Printed>, 2> prints;
  for_each_lane_group(state, [&] {
    InterpretOptions own = options;
    if (options.print)
      own.print = [&](const Printed& printed) { prints[state.lane_group].push_back(printed); };
    add_faults(faults, Interpretation(recording, state, front_end, own).run());
  });
  for (std::size_t i = 0; i < prints[0].size(); ++i) {
    options.print(joined(prints[0][i], prints[1][i]));
  }
  return faults;
}

} // namespace

std::vector<Fault> interpret(const Recording& recording, MachineState& state, FrontEnd& front_end,
                             const InterpretOptions& options) {
  if (!state.resting.empty()) return interpret_groups(recording, state, front_end, options);
  return Interpretation(recording, state, front_end, options).run();
}

} // namespace lanewise::oracle
