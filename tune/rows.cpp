#include "tune/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>

#include "isa/def_use.h"
#include "isa/effects.h"
#include "isa/encoding.h"
#include "machine/executor.h"
#include "timing/access.h"

namespace lanewise::tune {

namespace {

using isa::Op;

/// What no instruction of the program has written.
constexpr NodeId kUnknown = ~NodeId{0};
constexpr std::uint32_t kAddressMask = 0x3FF;

namespace mod {
constexpr unsigned kNegateVa = 1, kNegateVc = 2, kIndirect = 12;
constexpr unsigned kImmediate = 1, kUseVc = 4, kShiftArithmetic = 2;
constexpr unsigned kSwap = 0, kMinMax = 1, kMaxMin = 9;
constexpr unsigned kMoveNegate = 1, kMoveSpecial = 8;
constexpr unsigned kStochastic = 1;
constexpr unsigned kConditionalReciprocal = 1;
constexpr unsigned kNoFlags = 4; // SFPIADD: CC_NONE
} // namespace mod

Unexpected refuse(std::string what, std::string remedy, std::uint32_t line) {
  return Unexpected(Fault{.kind = FaultKind::Unsupported,
                          .message = std::move(what),
                          .remedy = std::move(remedy),
                          .line = line});
}

/// Follows one program, micro-op by micro-op, on a machine, so that constants and counters are what
/// they are.
class Follower {
 public:
  Follower(Arch arch, const MachineState& start) : arch_(arch), state_(start) {
    lregs_.fill(kUnknown);
    for (unsigned i = 8; i < 15; ++i) lregs_[i] = constant(state_.vector.lreg[i][0]);
  }

  Expected<void> follow(const MicroOp& op) {
    const std::uint32_t counter = state_.rwc.dst;
    if (auto fits = check_lanes(op); !fits) return fits;
    execute(state_, std::span(&op, 1));
    if (state_.vector.flags != kAllLanes && state_.vector.use_flags != 0)
      return refuse("rows are predicated", "write the choice with min, max or setsgn", op.line);
    if (!timing::is_vector(arch_, op)) return check_other(op);
    if (timing::is_load(op)) return load(op, counter);
    if (timing::is_store(op)) return store(op, counter);
    return compute(op);
  }

  std::vector<Node>& nodes() { return nodes_; }
  struct Store {
    NodeId value;
    std::uint32_t address, line;
    std::uint8_t mode;
  };
  const std::vector<Store>& stores() const { return stores_; }
  const MachineState& state() const { return state_; }

 private:
  NodeId add(const Node& node) {
    // Equal operations on equal values are one: rows have few dozen nodes.
    const std::size_t window = nodes_.size() > kWindow ? nodes_.size() - kWindow : 0;
    const auto found = std::find(nodes_.rbegin(), nodes_.rend() - static_cast<long>(window), node);
    if (found != nodes_.rend() - static_cast<long>(window))
      return static_cast<NodeId>(nodes_.rend() - found - 1);
    nodes_.push_back(node);
    return static_cast<NodeId>(nodes_.size() - 1);
  }

  NodeId constant(std::uint32_t bits) {
    const auto [place, is_new] = constants_.try_emplace(bits, static_cast<NodeId>(nodes_.size()));
    if (is_new) nodes_.push_back({.kind = NodeKind::Constant, .bits = bits});
    return place->second;
  }

  bool is_constant(NodeId id) const {
    return id != kUnknown && nodes_[id].kind == NodeKind::Constant;
  }

  Expected<void> check_lanes(const MicroOp& op) const {
    const isa::Effects effects(arch_, op.word);
    if (op.op == Op::SFPLOADMACRO)
      return refuse("the kernel has SFPLOADMACROs of its own",
                    "tune the version without them: what they do is found anew", op.line);
    if (op.op == Op::SFPENCC || !timing::is_vector(arch_, op)) return {};
    if (effects.lane_change() != isa::LaneChange::None ||
        effects.stack_use() != isa::StackUse::None)
      return refuse("rows are predicated",
                    "write the choice with min, max or setsgn; predication is not pipelined",
                    op.line);
    if (effects.depends_on_random_numbers())
      return refuse("rows depend on random numbers", "round to nearest", op.line);
    return {};
  }

  Expected<void> check_other(const MicroOp& op) const {
    const unsigned written = isa::parts_written(op.op);
    if ((written & (isa::part::kDst | isa::part::kInstructions)) != 0)
      return refuse("another unit writes Dst between rows", "tune the Vector Unit's part alone",
                    op.line);
    return {};
  }

  Expected<void> load(const MicroOp& op, std::uint32_t counter) {
    const std::uint32_t address =
        (static_cast<std::uint32_t>(op.immediate) + counter) & kAddressMask;
    const bool is_stored =
        std::ranges::any_of(stores_, [&](const Store& store) { return store.address == address; });
    if (is_stored)
      return refuse("a row loads what the program has stored: a value is carried through Dst",
                    "keep it in a variable", op.line);
    lregs_[op.vd] =
        add({.kind = NodeKind::Load, .mode = op.mod, .offset = static_cast<std::int32_t>(address)});
    return {};
  }

  Expected<void> store(const MicroOp& op, std::uint32_t counter) {
    const std::uint32_t address =
        (static_cast<std::uint32_t>(op.immediate) + counter) & kAddressMask;
    if (lregs_[op.vd] == kUnknown)
      return refuse(fmt::format("LReg[{}] is stored, which the kernel has not written", op.vd),
                    "tune a kernel that starts from its own values", op.line);
    stores_.push_back({lregs_[op.vd], address, op.line, op.mod});
    return {};
  }

  /// An instruction without inputs from Dst is a constant, whatever it does.
  bool reads_constants_only(const MicroOp& op) const {
    const isa::LRegSet reads = isa::lregs_read(arch_, op.word, false);
    for (unsigned i = 0; i < 16; ++i) {
      if ((reads >> i & 1) != 0 && lregs_[i] != kUnknown && !is_constant(lregs_[i])) return false;
    }
    return true;
  }

  Expected<void> take_constants(const MicroOp& op) {
    const isa::LRegSet writes = isa::lregs_written(arch_, op.word, false);
    for (unsigned i = 0; i < 15; ++i) {
      if ((writes >> i & 1) == 0) continue;
      const std::uint32_t* lanes = state_.vector.lreg[i];
      if (!std::all_of(lanes, lanes + kLanes, [&](std::uint32_t bits) { return bits == lanes[0]; }))
        return refuse("a constant differs from lane to lane", "leave the lane number out", op.line);
      lregs_[i] = constant(lanes[0]);
    }
    return {};
  }

  Expected<void> compute(const MicroOp& op) {
    if (op.op == Op::SFPNOP || op.op == Op::SFPENCC) return {};
    if (isa::is_template_write(arch_, op.word))
      return refuse("the kernel programs macro templates", "tune the version without macros",
                    op.line);
    if (op.op == Op::SFPCONFIG || reads_constants_only(op)) return take_constants(op);
    if (op.op == Op::SFPSWAP) return swap(op);
    if (op.op == Op::SFPMOV && (op.mod & (mod::kMoveSpecial | mod::kMoveNegate)) == 0) {
      lregs_[op.vd] = lregs_[op.vc];
      return {};
    }
    const auto node = node_of(op);
    if (!node)
      return refuse(fmt::format("{} in this mode is not known to the tuner",
                                isa::find_row(arch_, op.op)->mnemonic),
                    "the plain scheduled program stays the best one", op.line);
    for (const NodeId operand : node->operands) {
      if (operand == kUnknown)
        return refuse("a row reads a register that the kernel has not written",
                      "tune a kernel that starts from its own values", op.line);
    }
    lregs_[op.vd] = add(*node);
    return {};
  }

  Expected<void> swap(const MicroOp& op) {
    const NodeId a = lregs_[op.vc], b = lregs_[op.vb];
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
    if (op.vb < kWritableLRegs) lregs_[op.vb] = to_vd;
    if (op.vc < kWritableLRegs) lregs_[op.vc] = to_vc;
    return {};
  }

  std::optional<Node> multiply(const MicroOp& op) {
    if ((op.mod & mod::kIndirect) != 0) return std::nullopt;
    Node node{.kind = NodeKind::Operation,
              .op = Op::SFPMAD,
              .mod = op.mod,
              .operands = {lregs_[op.va], lregs_[op.vb], lregs_[op.vc]}};
    if (op.op == Op::SFPADDI || op.op == Op::SFPMULI) {
      if (op.mod != 0) return std::nullopt;
      const NodeId number = constant(isa::decode(arch_, op.word)["Imm16"] << 16);
      const NodeId value = lregs_[op.vc];
      node.operands = op.op == Op::SFPADDI
                          ? std::vector<NodeId>{constant(kOneBits), value, number}
                          : std::vector<NodeId>{value, number, constant(kZeroBits)};
    }
    fold_signs(node);
    return node;
  }

  /// Blackhole: the sign of a factor and of the addend is part of the instruction.
  void fold_signs(Node& node) const {
    if (!arch_params(arch_).mad_negate_bits) return;
    for (unsigned i = 0; i < 3; ++i) {
      const Node& operand = nodes_[node.operands[i]];
      if (node.operands[i] == kUnknown || operand.kind != NodeKind::Operation ||
          operand.op != Op::SFPMOV)
        continue;
      node.operands[i] = operand.operands[0];
      node.mod ^= i == 2 ? mod::kNegateVc : mod::kNegateVa;
    }
  }

  Node unary(const MicroOp& op, unsigned source, unsigned modifier, std::int32_t immediate) const {
    return {.kind = NodeKind::Operation,
            .op = op.op,
            .mod = static_cast<std::uint8_t>(modifier),
            .immediate = immediate,
            .operands = {lregs_[source]}};
  }

  Node binary(const MicroOp& op, unsigned modifier) const {
    return {.kind = NodeKind::Operation,
            .op = op.op,
            .mod = static_cast<std::uint8_t>(modifier),
            .operands = {lregs_[op.vc], lregs_[op.vb]}};
  }

  std::optional<Node> round(const MicroOp& op) const {
    const isa::Decoded word = isa::decode(arch_, op.word);
    const unsigned rounding = word["RoundingMode"] | word["Stochastic"];
    if ((rounding & mod::kStochastic) != 0) return std::nullopt;
    Node node = unary(op, op.vc, op.mod, static_cast<std::int32_t>(word["Imm5"]));
    node.rounding = static_cast<std::uint8_t>(rounding);
    const bool takes_register = (op.mod & 7) == 4 || (op.mod & 7) == 5;
    if (takes_register && (op.mod & 8) == 0) return std::nullopt;
    return node;
  }

  std::optional<Node> shift(const MicroOp& op) const {
    const std::int32_t amount = static_cast<std::int32_t>(isa::decode(arch_, op.word)["Imm12"]);
    if ((op.mod & mod::kImmediate) == 0) return binary(op, op.mod);
    const bool uses_vc = (op.mod & mod::kUseVc) != 0;
    return unary(op, uses_vc ? op.vc : op.vb, op.mod & (mod::kImmediate | mod::kShiftArithmetic),
                 amount);
  }

  std::optional<Node> node_of(const MicroOp& op) {
    const isa::Decoded word = isa::decode(arch_, op.word);
    const auto immediate = [&](std::string_view field) {
      return static_cast<std::int32_t>(word[field]);
    };
    const auto with_argument = [&](std::string_view field) -> Node {
      return (op.mod & mod::kImmediate) != 0 ? unary(op, op.vc, op.mod, immediate(field))
                                             : binary(op, op.mod);
    };
    if (op.op == Op::SFPMAD || op.op == Op::SFPADD || op.op == Op::SFPMUL || op.op == Op::SFPADDI ||
        op.op == Op::SFPMULI)
      return multiply(op);
    if (op.op == Op::SFPSTOCHRND) return round(op);
    if (op.op == Op::SFPSHFT) return shift(op);
    if (op.op == Op::SFPIADD) {
      if ((op.mod & mod::kNoFlags) == 0) return std::nullopt;
      return with_argument("Imm12");
    }
    if (op.op == Op::SFPSETMAN) return with_argument("Imm12");
    if (op.op == Op::SFPSETEXP) return with_argument("Imm8");
    if (op.op == Op::SFPSETSGN) return with_argument("Imm1");
    if (op.op == Op::SFPDIVP2) return unary(op, op.vc, op.mod, immediate("Imm12"));
    if (op.op == Op::SFPAND || op.op == Op::SFPOR || op.op == Op::SFPXOR) return binary(op, 0);
    if (op.op == Op::SFPARECIP && op.mod == mod::kConditionalReciprocal) return std::nullopt;
    if (op.op == Op::SFPEXEXP || op.op == Op::SFPEXMAN || op.op == Op::SFPABS ||
        op.op == Op::SFPNOT || op.op == Op::SFPLZ || op.op == Op::SFPCAST ||
        op.op == Op::SFPARECIP || op.op == Op::SFPMOV)
      return unary(op, op.vc, op.mod, 0);
    return std::nullopt;
  }

  static constexpr std::size_t kWindow = 256;

  Arch arch_;
  MachineState state_;
  std::array<NodeId, 17> lregs_{};
  std::vector<Node> nodes_;
  std::map<std::uint32_t, NodeId> constants_;
  std::vector<Store> stores_;
};

/// The part of the graph that one store needs, with addresses from its own.
class Slice {
 public:
  Slice(const std::vector<Node>& nodes, std::uint32_t address) : nodes_(nodes), address_(address) {}

  std::vector<Node> of(NodeId value) {
    number(value);
    return std::move(row_);
  }

 private:
  NodeId number(NodeId id) {
    if (const auto found = numbers_.find(id); found != numbers_.end()) return found->second;
    Node node = nodes_[id];
    for (NodeId& operand : node.operands) operand = number(operand);
    if (node.kind == NodeKind::Load) {
      const std::uint32_t away =
          (static_cast<std::uint32_t>(node.offset) - address_) & kAddressMask;
      node.offset =
          away >= 512 ? static_cast<std::int32_t>(away) - 1024 : static_cast<std::int32_t>(away);
    }
    row_.push_back(std::move(node));
    return numbers_[id] = static_cast<NodeId>(row_.size() - 1);
  }

  const std::vector<Node>& nodes_;
  std::uint32_t address_;
  std::map<NodeId, NodeId> numbers_;
  std::vector<Node> row_;
};

Expected<Rows> rows_of(Arch arch, Follower& follower) {
  Rows rows;
  for (const Follower::Store& store : follower.stores()) {
    RowGraph row{.arch = arch,
                 .nodes = Slice(follower.nodes(), store.address).of(store.value),
                 .store_mode = store.mode};
    if (rows.addresses.empty()) rows.row = row;
    if (!(row == rows.row))
      return refuse(
          fmt::format("row {} computes something else than row 0: {} operations instead of {}",
                      rows.addresses.size(), row.nodes.size(), rows.row.nodes.size()),
          "a value is carried from row to row, or rows differ: tune them apart", store.line);
    if (std::ranges::find(rows.addresses, store.address) != rows.addresses.end())
      return refuse("a place of Dst is stored twice", "store every row once", store.line);
    rows.addresses.push_back(store.address);
  }
  if (rows.addresses.empty())
    return refuse("the kernel stores nothing in Dst", "there is no row to tune", 0);
  return rows;
}

Expected<void> find_stride(Rows& rows) {
  if (rows.addresses.size() < 2) return {};
  rows.stride = (rows.addresses[1] - rows.addresses[0]) & kAddressMask;
  for (std::size_t i = 1; i < rows.addresses.size(); ++i) {
    if (((rows.addresses[i] - rows.addresses[i - 1]) & kAddressMask) != rows.stride)
      return refuse(fmt::format("row {} lies at another distance than the rows before it", i),
                    "let rows follow each other at one distance", 0);
  }
  return {};
}

} // namespace

Expected<Rows> find_rows(Arch arch, const Program& program, const lab::TileRunOptions& options) {
  const auto timed = lab::schedule_on_tile(arch, program, options);
  if (!timed) return Unexpected(timed.error());
  Follower follower(arch, timed->start);
  for (const MicroOp& op : timed->program.ops) {
    if (auto done = follower.follow(op); !done) return Unexpected(done.error());
  }
  auto rows = rows_of(arch, follower);
  if (!rows) return rows;
  if (auto done = find_stride(*rows); !done) return Unexpected(done.error());
  rows->dst_counter = (follower.state().rwc.dst - timed->start.rwc.dst) & kAddressMask;
  return rows;
}

} // namespace lanewise::tune
