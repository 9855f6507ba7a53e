#include "study/tune/follow.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "chip/isa/def_use.h"
#include "chip/isa/effects.h"
#include "chip/isa/encoding.h"
#include "chip/machine/control.h"
#include "chip/machine/executor.h"
#include "chip/machine/scheduled.h"
#include "chip/timing/access.h"
#include "study/tune/flag_test.h"
#include "study/tune/lane_conditions.h"
#include "study/tune/modes.h"
#include "study/tune/operation_node.h"

namespace lanewise::tune {

namespace {

using isa::Op;

/// What no instruction of the program has written.
constexpr NodeId kUnknown = kNoNode;

/// Follows one program, micro-op by micro-op, on a machine, so that constants and counters are what
/// they are.
class Follower final : public OperandSource {
 public:
  Follower(Arch arch, const MachineState& start) : arch_(arch), state_(start) {
    lregs_.fill(kUnknown);
    for (unsigned i = 8; i < 15; ++i) lregs_[i] = constant(state_.vector.lreg[i][0]);
  }

  /// Everything is computed for all lanes; the conditions come in where a register is written.
  Expected<void> follow(const MicroOp& op) {
    if (is_bookkeeping(op)) return hold(op);
    if (op.kernel == template_write || op.kernel == no_effect) {
      execute(state_, std::span(&op, 1));
      return {};
    }
    if (auto fits = check_lanes(op); !fits) return fits;
    if (is_only_control(op)) return control(op);
    show_constants();
    const std::uint32_t address = dst_address(op);
    execute(state_, std::span(&op, 1));
    state_.vector.flags = kAllLanes;
    if (!timing::is_vector(arch_, op)) return check_other(op);
    if (timing::is_load(op)) return load(op, address);
    if (timing::is_store(op)) return store(op, address);
    const std::optional<FlagTest> test = flag_test(op);
    const NodeId before = test ? value_of(test->lreg) : kUnknown;
    if (auto done = compute(op); !done) return done;
    if (isa::Effects(arch_, op.word).lane_change() == isa::LaneChange::None) return {};
    if (!test || state_.vector.use_flags != kAllLanes) return refuse_flags(op);
    return narrow_by_value(test->is_of_result ? value_of(test->lreg) : before, *test, op);
  }

  /// The program's end: all lanes must be enabled again.
  Expected<void> end() {
    if (state_.clock.schedule_is_stale)
      return refuse("what macros do depends on what the kernel computes",
                    "configure macros with constants", 0);
    if (conditions_.empty()) return {};
    return refuse("the program ends with lanes disabled", "end the last v_if", 0);
  }

  Followed take() {
    return {
        .nodes = std::move(nodes_), .stores = std::move(stores_), .dst_counter = state_.rwc.dst};
  }

 private:
  /// Of a load or store, apart from where Dst's halves begin.
  std::uint32_t dst_address(const MicroOp& op) const {
    if (!timing::is_load(op) && !timing::is_store(op)) return 0;
    const timing::DstPlace place = timing::dst_place_of(state_, op);
    const auto row = static_cast<std::uint32_t>(place.row);
    const unsigned column = place.odd ? 2 : 0;
    return (row + column - state_.config.dst_settings().offset) & kDstAddressMask;
  }

  // ------------------------------------------------------------------ results held back
  /// A result that is written later than its instruction executes: until then its registers have
  /// the values of before (chip/machine/scheduled.h).
  Expected<void> hold(const MicroOp& op) {
    execute(state_, std::span(&op, 1));
    if (checks_configuration(op)) return {};
    // What is released was written in all lanes, whatever flags have become of them since.
    if (!releases(op) && !conditions_.empty())
      return refuse("a macro's result comes where lanes are disabled", "keep v_if and macros apart",
                    op.line);
    auto& held = held_[op.vd];
    const auto registers = static_cast<std::uint32_t>(op.immediate);
    for (unsigned i = 0; i < lregs_.size(); ++i) {
      if ((registers >> i & 1U) == 0) continue;
      HeldValue& value = held[i];
      if (begins_hold(op)) {
        value.before = lregs_[i];
      } else if (ends_hold(op)) {
        value.after = lregs_[i];
        lregs_[i] = value.before;
      } else if (releases(op) && value.after != value.before) {
        lregs_[i] = value.after;
      }
    }
    return {};
  }

  NodeId add(const Node& node) {
    // Equal operations on equal values are one: rows have few dozen nodes.
    const std::size_t window = nodes_.size() > kWindow ? nodes_.size() - kWindow : 0;
    const auto found = std::find(nodes_.rbegin(), nodes_.rend() - static_cast<long>(window), node);
    if (found != nodes_.rend() - static_cast<long>(window))
      return static_cast<NodeId>(nodes_.rend() - found - 1);
    nodes_.push_back(node);
    return static_cast<NodeId>(nodes_.size() - 1);
  }

  NodeId value_of(unsigned lreg) const override {
    return value_under(nodes_, lregs_[lreg], conditions_.all());
  }
  const Node* node(NodeId id) const override { return id == kUnknown ? nullptr : &nodes_[id]; }

  /// Where the conditions do not hold, the register keeps its value. What the kernel has not
  /// written may become anything.
  NodeId chosen(NodeId value, NodeId kept) {
    if (conditions_.empty() || value == kept || kept == kUnknown) return value;
    kept = value_elsewhere(kept);
    if (value == kept) return value;
    Node choice{.kind = NodeKind::Operation, .op = Op::SFPMOV, .operands = {value, kept}};
    choice.conditions = static_cast<std::uint8_t>(conditions_.all().size());
    choice.operands.insert(choice.operands.end(), conditions_.all().begin(),
                           conditions_.all().end());
    return add(choice);
  }

  /// What the lanes see in which the conditions do not all hold.
  NodeId value_elsewhere(NodeId value) {
    const std::vector<NodeId>& all = conditions_.all();
    const Node& choice = nodes_[value];
    const bool same =
        choice.conditions == all.size() &&
        std::equal(choice.operands.end() - choice.conditions, choice.operands.end(), all.begin());
    if (same) return value_elsewhere(kept_operand(choice));
    if (all.size() != 1) return value;
    const Node condition = nodes_[all.front()];
    if (condition.op == Op::SFPCOMPC) return value_under(nodes_, value, condition.operands);
    const NodeId other = add(*opposite(condition));
    return value_under(nodes_, value, {other});
  }

  void assign(unsigned lreg, NodeId value) { lregs_[lreg] = chosen(value, lregs_[lreg]); }

  NodeId constant(std::uint32_t bits) override {
    const auto [place, is_new] = constants_.try_emplace(bits, static_cast<NodeId>(nodes_.size()));
    if (is_new) nodes_.push_back({.kind = NodeKind::Constant, .bits = bits});
    return place->second;
  }

  bool is_constant(NodeId id) const {
    return id != kUnknown && nodes_[id].kind == NodeKind::Constant;
  }

  Expected<void> check_lanes(const MicroOp& op) const {
    const isa::Effects effects(arch_, op.word);
    if (!timing::is_vector(arch_, op)) return {};
    if (op.kernel == in_some_lanes && op.lanes != kAllLanes)
      return refuse("a macro works where lanes are disabled", "keep v_if and macros apart",
                    op.line);
    const bool shifts_bits = op.op == Op::SFPSHFT2 &&
                             (op.mod == mod::kShiftByRegister || op.mod == mod::kShiftByImmediate);
    if (op.op == Op::SFPTRANSP || (op.op == Op::SFPSHFT2 && !shifts_bits))
      return refuse("lanes are exchanged: a row is not the same for each lane",
                    "tune the rows before and behind it", op.line);
    if (effects.depends_on_random_numbers())
      return refuse("rows depend on random numbers", "round to nearest", op.line);
    return {};
  }

  // ------------------------------------------------------------------ flags
  Unexpected refuse_flags(const MicroOp& op) const {
    return refuse(
        fmt::format("{} in this mode is not known to the tuner: rows are predicated in an "
                    "unknown way",
                    isa::find_row(arch_, op.op)->mnemonic),
        "write v_if and v_else, or the choice with min, max or setsgn", op.line);
  }

  Expected<void> control(const MicroOp& op) {
    if (op.op == Op::SFPENCC) return enable_all(op);
    if (state_.vector.use_flags != kAllLanes)
      return refuse("flags are tested that do not enable lanes", "begin with SFPENCC 3, 0, 10",
                    op.line);
    if (op.op == Op::SFPPUSHC && isa::has_mode<Op::SFPPUSHC, "PUSH">(op.mod)) {
      conditions_.push();
      return {};
    }
    if (op.op == Op::SFPPOPC && isa::has_mode<Op::SFPPOPC, "POP">(op.mod) && conditions_.pop())
      return {};
    if (op.op == Op::SFPCOMPC && conditions_.complement(nodes_, maker())) return {};
    if (op.op == Op::SFPSETCC) return narrow_by_test(op);
    if (is_compare(op) && op.mod == mod::kCompareFlags)
      return narrow_by({.kind = NodeKind::Condition,
                        .op = op.op,
                        .mod = op.mod,
                        .operands = {value_of(op.vc), value_of(op.vb)}},
                       op);
    return refuse_flags(op);
  }

  MakeNode maker() {
    return [this](const Node& node) { return add(node); };
  }

  Expected<void> enable_all(const MicroOp& op) {
    execute(state_, std::span(&op, 1));
    const bool enables = state_.vector.flags == kAllLanes;
    state_.vector.flags = kAllLanes;
    if (!enables || !conditions_.clear()) return refuse_flags(op);
    return {};
  }

  Expected<void> narrow_by_test(const MicroOp& op) {
    const bool is_test =
        op.mod == mod::kLt0 || op.mod == mod::kNe0 || op.mod == mod::kGte0 || op.mod == mod::kEq0;
    if (!is_test) return refuse_flags(op);
    return narrow_by_value(value_of(op.vc), {.mode = op.mod}, op);
  }

  Expected<void> narrow_by_value(NodeId value, const FlagTest& test, const MicroOp& op) {
    if (test.is_without_sign)
      value = add({.kind = NodeKind::Operation,
                   .op = Op::SFPSETSGN,
                   .mod = mod::kImmediate,
                   .operands = {value}});
    return narrow_by(
        {.kind = NodeKind::Condition, .op = Op::SFPSETCC, .mod = test.mode, .operands = {value}},
        op);
  }

  Expected<void> narrow_by(const Node& condition, const MicroOp& op) {
    if (std::ranges::find(condition.operands, kUnknown) != condition.operands.end())
      return refuse("a condition tests a register that the kernel has not written",
                    "tune a kernel that starts from its own values", op.line);
    conditions_.narrow(add(condition));
    return {};
  }

  /// The machine's registers get the constants that the enabled lanes see.
  void show_constants() {
    if (conditions_.empty() && !was_predicated_) return;
    was_predicated_ = true;
    for (unsigned i = 0; i < kWritableLRegs; ++i) {
      const NodeId value = value_of(i);
      if (is_constant(value)) std::fill_n(state_.vector.lreg[i], kLanes, nodes_[value].bits);
    }
  }

  Expected<void> check_other(const MicroOp& op) const {
    const unsigned written = isa::parts_written(op.op);
    if ((written & (isa::part::kDst | isa::part::kInstructions)) != 0)
      return refuse("another unit writes Dst between rows", "tune the Vector Unit's part alone",
                    op.line);
    return {};
  }

  /// What was stored there is taken to come back as it was: whether the conversions of Dst change
  /// it is for the proof to say.
  Expected<void> load(const MicroOp& op, std::uint32_t address) {
    const auto stored = std::ranges::find(stores_, address, &FollowedStore::address);
    if (stored == stores_.end()) {
      assign(op.vd, load_node(op.mod, address));
      return {};
    }
    if (stored->mode != op.mod)
      return refuse("a row loads in another format what the program has stored",
                    "keep it in a variable", op.line);
    assign(op.vd, stored->value);
    return {};
  }

  NodeId load_node(std::uint8_t mode, std::uint32_t address) {
    return add(
        {.kind = NodeKind::Load, .mode = mode, .offset = static_cast<std::int32_t>(address)});
  }

  /// Disabled lanes of Dst keep what an earlier store has put there, or what was there.
  NodeId stored_value(const MicroOp& op, std::uint32_t address) {
    const NodeId value = value_of(op.vd);
    const auto earlier = std::ranges::find(stores_, address, &FollowedStore::address);
    if (earlier == stores_.end())
      return conditions_.empty() ? value : chosen(value, load_node(op.mod, address));
    const NodeId kept = earlier->value;
    stores_.erase(earlier);
    return chosen(value, kept);
  }

  Expected<void> store(const MicroOp& op, std::uint32_t address) {
    if (value_of(op.vd) == kUnknown)
      return refuse(fmt::format("LReg[{}] is stored, which the kernel has not written", op.vd),
                    "tune a kernel that starts from its own values", op.line);
    const NodeId value = stored_value(op, address);
    stores_.push_back({value, address, op.line, op.mod});
    return {};
  }

  /// Whether an SFPLOADMACRO has given the operands that the word has not.
  bool is_scheduled(const MicroOp& op) const {
    const auto alone = decode_micro_op(arch_, op.word, op.line);
    return alone &&
           (alone->va != op.va || alone->vb != op.vb || alone->vc != op.vc || alone->vd != op.vd);
  }

  /// An instruction without inputs from Dst is a constant, whatever it does.
  bool reads_constants_only(const MicroOp& op) const {
    const timing::LRegMask reads = timing::reads_of(arch_, op, is_scheduled(op), false);
    for (unsigned i = 0; i < lregs_.size(); ++i) {
      const NodeId value = value_of(i);
      if ((reads >> i & 1) != 0 && value != kUnknown && !is_constant(value)) return false;
    }
    return true;
  }

  Expected<void> take_constants(const MicroOp& op) {
    if (op.op == Op::SFPCONFIG && op.vd < kFirstConstantRegister && !is_constant(value_of(0)) &&
        !isa::has_mode<Op::SFPCONFIG, "IMM16_IS_VALUE">(op.mod))
      return refuse("macros are configured with what the kernel computes",
                    "configure macros with constants", op.line);
    const timing::LRegMask writes = timing::writes_of(arch_, op, is_scheduled(op), false);
    for (unsigned i = 0; i < lregs_.size(); ++i) {
      if ((writes >> i & 1) == 0) continue;
      const std::uint32_t* lanes = state_.vector.lreg[i];
      if (!std::all_of(lanes, lanes + kLanes, [&](std::uint32_t bits) { return bits == lanes[0]; }))
        return refuse("a constant differs from lane to lane", "leave the lane number out", op.line);
      const NodeId value = constant(lanes[0]);
      if (i >= kWritableLRegs && !conditions_.empty() && lregs_[i] != value)
        return refuse("a constant register is set where lanes are disabled",
                      "set it in front of the rows", op.line);
      if (i < kWritableLRegs)
        assign(i, value);
      else
        lregs_[i] = value;
    }
    return {};
  }

  /// x where `index` is its sign as 0 or 1: shifted to the right by 31.
  std::optional<NodeId> whose_sign(NodeId index) const {
    constexpr std::uint32_t kBySign = static_cast<std::uint32_t>(-31);
    if (index == kUnknown || nodes_[index].kind != NodeKind::Operation) return std::nullopt;
    const Node& shift = nodes_[index];
    const bool by_register = shift.op == Op::SFPSHFT2 && shift.mod == mod::kShiftByRegister &&
                             is_constant(shift.operands[0]) &&
                             nodes_[shift.operands[0]].bits == kBySign;
    if (!by_register || shift.conditions != 0) return std::nullopt;
    return shift.operands[1];
  }

  /// VA by a sign: LReg[1] where x is negative, else LReg[0], as a choice.
  std::optional<NodeId> value_by_sign(NodeId index) {
    const auto value = whose_sign(index);
    if (!value || value_of(0) == kUnknown || value_of(1) == kUnknown) return std::nullopt;
    const NodeId condition = add(
        {.kind = NodeKind::Condition, .op = Op::SFPSETCC, .mod = mod::kLt0, .operands = {*value}});
    return add({.kind = NodeKind::Operation,
                .op = Op::SFPMOV,
                .conditions = 1,
                .operands = {value_of(1), value_of(0), condition}});
  }

  /// Registers that LReg[7] names, by their numbers (VU C15).
  Expected<MicroOp> direct(MicroOp op) {
    const isa::SubUnit unit = timing::sub_unit_of(arch_, op);
    if (unit != isa::SubUnit::Mad || op.op == Op::SFPLUT || op.op == Op::SFPLUTFP32 ||
        (op.mod & mod::kIndirect) == 0)
      return op;
    const NodeId index = value_of(kIndexRegister);
    const bool names_source = (op.mod & mod::kIndirect) == (mod::kIndirect & ~mod::kIndirectVd);
    if (const auto chosen = value_by_sign(index); names_source && chosen) {
      lregs_[kNamedValue] = *chosen;
      op.va = kNamedValue;
      op.mod &= static_cast<std::uint8_t>(~mod::kIndirect);
      return op;
    }
    if (!is_constant(index))
      return refuse("LReg[7] names a register, and is no constant", "name the register itself",
                    op.line);
    const auto named = static_cast<std::uint8_t>(nodes_[index].bits & 15);
    if ((op.mod & mod::kIndirectVd) != 0 && op.vd != kMacroLReg) op.vd = named;
    if ((op.mod & mod::kIndirect & ~mod::kIndirectVd) != 0) op.va = named;
    op.mod &= static_cast<std::uint8_t>(~mod::kIndirect);
    return op;
  }

  Expected<void> compute(const MicroOp& word) {
    if (word.op == Op::SFPNOP) return {};
    const auto directed = direct(word);
    if (!directed) return Unexpected(directed.error());
    const MicroOp& op = *directed;
    const bool is_indirect = op.mod != word.mod;
    if (is_indirect && !is_writable_lreg(op.vd)) return {};
    if (op.op == Op::SFPMOV && (op.mod & (mod::kMoveSpecial | mod::kMoveNegate)) == 0 &&
        (op.mod & mod::kMoveAllLanes) != 0) {
      lregs_[op.vd] = lregs_[op.vc];
      return {};
    }
    if (op.op == Op::SFPCONFIG || (!is_indirect && reads_constants_only(op)))
      return take_constants(op);
    if (op.op == Op::SFPSWAP) return swap(op);
    if (op.op == Op::SFPMOV && (op.mod & (mod::kMoveSpecial | mod::kMoveNegate)) == 0) {
      assign(op.vd, value_of(op.vc));
      return {};
    }
    const auto node = operation_node(arch_, op, *this);
    if (!node)
      return refuse(fmt::format("{} in this mode is not known to the tuner",
                                isa::find_row(arch_, op.op)->mnemonic),
                    "the plain scheduled program stays the best one", op.line);
    for (const NodeId operand : node->operands) {
      if (operand == kUnknown)
        return refuse("a row reads a register that the kernel has not written",
                      "tune a kernel that starts from its own values", op.line);
    }
    assign(op.vd, add(*node));
    return {};
  }

  Expected<void> swap(const MicroOp& op) {
    const NodeId a = value_of(op.vc), b = value_of(op.vb);
    if (a == kUnknown || b == kUnknown ||
        (op.mod != mod::kSwap && op.mod != mod::kMinMax && op.mod != mod::kMaxMin))
      return refuse("SFPSWAP in this mode is not known to the tuner", "use modes 0, 1 and 9",
                    op.line);
    NodeId to_vd = a, to_vc = b;
    if (op.mod != mod::kSwap) {
      Node node{.kind = NodeKind::Operation, .op = Op::SFPSWAP, .operands = {a, b}};
      if (is_constant(a)) std::swap(node.operands[0], node.operands[1]);
      node.maximum = op.mod == mod::kMaxMin;
      to_vd = add(node);
      node.maximum = !node.maximum;
      to_vc = add(node);
    }
    if (op.vb < kWritableLRegs) assign(op.vb, to_vd);
    if (op.vc < kWritableLRegs) assign(op.vc, to_vc);
    return {};
  }

  static constexpr std::size_t kWindow = 256;
  static constexpr unsigned kNamedValue = kLRegs;        ///< what LReg[7] names, of one instruction
  static constexpr unsigned kFirstConstantRegister = 11; ///< of those that SFPCONFIG fills

  Arch arch_;
  MachineState state_;
  std::array<NodeId, kLRegs + 1> lregs_{}; ///< the last one is kNamedValue
  std::vector<Node> nodes_;
  std::map<std::uint32_t, NodeId> constants_;
  std::vector<FollowedStore> stores_;
  LaneConditions conditions_;
  bool was_predicated_ = false;
  struct HeldValue {
    NodeId before = kUnknown, after = kUnknown;
  };
  std::map<unsigned, std::array<HeldValue, kLRegs>> held_; ///< of each slot
};

} // namespace

Unexpected refuse(std::string what, std::string remedy, std::uint32_t line) {
  return Unexpected(Fault{.kind = FaultKind::Unsupported,
                          .message = std::move(what),
                          .remedy = std::move(remedy),
                          .line = line});
}

Expected<Followed> follow(Arch arch, const MachineState& start, std::span<const MicroOp> ops) {
  Follower follower(arch, start);
  for (const MicroOp& op : ops) {
    if (auto done = follower.follow(op); !done) return Unexpected(done.error());
  }
  if (auto done = follower.end(); !done) return Unexpected(done.error());
  return follower.take();
}

} // namespace lanewise::tune
