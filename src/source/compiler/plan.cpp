#include "source/compiler/plan.h"

#include <algorithm>
#include <array>
#include <bit>

#include "chip/isa/def_use.h"
#include "chip/isa/fields.h"
#include "source/compiler/comparison.h"
#include "source/compiler/lane_sets.h"

namespace lanewise::compiler {

namespace {

using isa::Op;

constexpr auto kSum = isa::kMode<Op::SFPIADD, "CC_NONE">;
/// VC - VD, without flags.
constexpr auto kDifference = kSum | isa::kMode<Op::SFPIADD, "ARG_2SCOMP_LREG_DST">;

bool is_constant(const Recording& recording, Value value) {
  return recording.nodes[value].kind == Kind::Constant;
}

/// Nodes that leave no instruction at their own place.
bool is_placeless(Kind kind) {
  switch (kind) {
    case Kind::Undefined:
    case Kind::Constant:
    case Kind::ConstRegister:
    case Kind::Result:
    case Kind::Print: return true;
    default: return is_condition(kind);
  }
}

class Planner {
 public:
  Planner(const Recording& recording, ConstantLoads loads)
      : recording_(recording),
        nodes_(recording.nodes),
        loads_(loads),
        is_vendors_(loads == ConstantLoads::WhereMade) {
    plan_.merge.assign(nodes_.size(), kNone);
    plan_.position.assign(nodes_.size(), kNone);
    plan_.last_use.assign(nodes_.size(), 0);
    plan_.uses.assign(nodes_.size(), 0);
    plan_.at_test.assign(nodes_.size(), false);
  }

  Plan run() {
    find_snapshots();
    for (Value v = 0; v < nodes_.size(); ++v) {
      if (nodes_[v].dead) continue;
      if (!is_placeless(nodes_[v].kind) || plan_.snapshot[v]) plan_.order.push_back(v);
    }
    if (loads_ == ConstantLoads::Anew) delay_loads();
    if (is_vendors_) plan_.float_immediates = vendors_immediates();
    measure();
    find_merges();
    place_constants();
    measure();
    find_merges();
    return std::move(plan_);
  }

 private:
  const Node& node(Value value) const { return nodes_[value]; }

  // ------------------------------------------------------------ programmable constants
  /// The programmable constant that a node writes, or 0.
  unsigned written_constant(const Node& writer) const {
    if (writer.kind == Kind::WriteConst) return static_cast<unsigned>(writer.imm);
    if (writer.kind != Kind::Raw) return 0;
    const auto word = static_cast<std::uint32_t>(writer.imm);
    constexpr isa::LRegSet kProgrammable = 0x7800;
    const isa::LRegSet set = isa::lregs_written(recording_.arch, word) & kProgrammable;
    return set == 0 ? 0 : static_cast<unsigned>(std::countr_zero(set));
  }

  void find_snapshots() {
    plan_.snapshot.assign(nodes_.size(), false);
    std::array<std::vector<Value>, 16> readers; // of the present content of each constant
    std::vector<bool> stale(nodes_.size());
    for (Value v = 0; v < nodes_.size(); ++v) {
      const Node& each = node(v);
      if (each.dead) continue;
      for_each_read(recording_, v, [&](Value value) {
        if (stale[value]) plan_.snapshot[value] = true;
      });
      if (each.kind == Kind::ConstRegister) readers[each.imm & 15].push_back(v);
      const unsigned constant = written_constant(each);
      for (const Value reader : readers[constant]) stale[reader] = constant != 0;
      if (constant != 0) readers[constant].clear();
    }
  }

  // ------------------------------------------------------------ as the vendor's compiler
  /// From the release on whose patterns are a table (rvtt.gc) to the one that prefers SFPMAD, each
  /// sum and each product with a literal in FP16b has it as an immediate, whatever that copies. It
  /// never uses the modes in which SFPADDI and SFPMULI negate.
  FloatImmediates vendors_immediates() const {
    constexpr int kFirstTable = 767;
    return recording_.epoch >= kFirstTable && recording_.epoch < kMadFirst
               ? FloatImmediates::Always
               : FloatImmediates::WhereFree;
  }

  /// Whether the vendor's compiler has the operation write into the variable: only where nothing
  /// stands between it and the assignment (its pass "live"), and since that release in which an
  /// operation that overwrites its operand can (issues 45648 and 39709 of tt-metal).
  bool is_merged_by_vendor(Value made, Value user) const {
    constexpr int kShifts = 761, kOthers = 755;
    for (Value between = made + 1; between < user; ++between) {
      const Node& each = node(between);
      const bool leaves_nothing = each.dead || each.kind == Kind::Print ||
                                  (each.kind == Kind::Constant && plan_.uses[between] == 0);
      if (!leaves_nothing) return false;
    }
    if (node(made).kind != Kind::Instruction || node(made).operand[kVd] == kNone) return true;
    const bool is_shift = operation(recording_, node(made)) == Op::SFPSHFT;
    return recording_.epoch >= (is_shift ? kShifts : kOthers);
  }

  // ------------------------------------------------------------ positions and uses
  void number() {
    for (std::uint32_t i = 0; i < plan_.order.size(); ++i) plan_.position[plan_.order[i]] = i;
  }

  void measure() {
    number();
    std::fill(plan_.last_use.begin(), plan_.last_use.end(), 0);
    std::fill(plan_.uses.begin(), plan_.uses.end(), 0);
    for (const Value user : plan_.order) read_operands(user, plan_.position[user]);
  }

  void read_operands(Value reader, std::uint32_t place) {
    for_each_read(recording_, reader, [&](Value value) { read(value, place); });
  }

  void read(Value value, std::uint32_t place) {
    ++plan_.uses[value];
    plan_.last_use[value] = std::max(plan_.last_use[value], place);
    if (node(value).kind == Kind::Result) read(node(value).operand[0], place);
    if (plan_.at_test[value]) plan_.position[value] = place;
  }

  // ------------------------------------------------------------ loads for comparisons
  void delay_loads() {
    const std::vector<std::uint32_t> uses = count_uses(recording_);
    Value behind_effects = 0;
    for (const Value user : plan_.order) {
      for_each_operand(node(user), [&](Value operand) {
        if (is_condition(node(operand).kind)) delay_loads_of(operand, behind_effects, uses);
      });
      if (has_effect(recording_, node(user))) behind_effects = user + 1;
    }
    std::erase_if(plan_.order, [&](Value value) { return plan_.at_test[value]; });
  }

  /// Loads behind the last effect: nothing that they might see happens before the test.
  void delay_loads_of(Value condition, Value behind_effects,
                      const std::vector<std::uint32_t>& uses) {
    for_each_operand(node(condition), [&](Value operand) {
      const Node& source = node(operand);
      if (is_condition(source.kind)) return delay_loads_of(operand, behind_effects, uses);
      plan_.at_test[operand] = source.kind == Kind::Instruction && uses[operand] == 1 &&
                               operand >= behind_effects &&
                               operation(recording_, source) == Op::SFPLOAD;
    });
  }

  // ------------------------------------------------------------ constants
  /// A place that reads a constant from a register, and the context in whose lanes it must be
  /// there: the place's own, or for the old value of a variable, and where lanes move, the one
  /// where the constant came to be.
  struct Read {
    std::uint32_t place;
    std::uint32_t context;
    std::uint32_t lanes;
  };

  void place_constants() {
    find_openers();
    std::vector<std::vector<Read>> reads(nodes_.size());
    for (const Value user : plan_.order) {
      if (loads_ != ConstantLoads::Anew || node(user).kind == Kind::Assign ||
          moves_lanes(recording_, node(user)))
        collect_constants(user, user, reads);
    }
    add_raw_words(reads);
    std::vector<std::pair<std::uint32_t, Value>> places;
    const std::vector<LaneSets::Id> lanes = raw_lanes(recording_);
    for (Value v = 0; v < nodes_.size(); ++v) {
      if (reads[v].empty()) continue;
      std::uint32_t place = best_place(reads[v]);
      if (is_vendors_) place = std::min(place, place_made(v, reads[v], lanes));
      places.emplace_back(place, v);
    }
    std::stable_sort(places.begin(), places.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Value> order;
    auto next = places.begin();
    for (std::uint32_t i = 0; i < plan_.order.size(); ++i) {
      for (; next != places.end() && next->first == i; ++next) order.push_back(next->second);
      order.push_back(plan_.order[i]);
    }
    plan_.order = std::move(order);
  }

  void collect_constants(Value reader, Value place, std::vector<std::vector<Read>>& reads) const {
    const Node& user = node(reader);
    const auto immediate = immediate_operand(recording_, plan_, reader);
    for (unsigned i = 0; i < std::size(user.operand); ++i) {
      const Value value = user.operand[i];
      if (value == kNone || immediate == i) continue;
      if (is_condition(node(value).kind)) {
        collect_constants(value, place, reads);
      } else if (is_constant(recording_, value) && !constant_register(recording_, plan_, value) &&
                 !(user.kind == Kind::Assign && i == 1)) {
        const std::uint32_t context = node(place).context;
        const bool beyond = user.kind == Kind::Assign || moves_lanes(recording_, user);
        reads[value].push_back(
            {plan_.position[place], context, beyond ? node(value).context : context});
      }
    }
  }

  /// A constant that is read in other lanes than raw words have left enabled where it is loaded
  /// first must be there before any of these words: as if the first of them read it.
  void add_raw_words(std::vector<std::vector<Read>>& reads) const {
    const std::vector<LaneSets::Id> lanes = raw_lanes(recording_);
    for (Value v = 0; v < nodes_.size(); ++v) {
      if (reads[v].empty()) continue;
      const auto lanes_of = [&](const Read& read) {
        return read.lanes == read.context ? lanes[plan_.order[read.place]] : lanes[v];
      };
      const std::uint32_t first = lanes[plan_.order[reads[v].front().place]];
      if (std::ranges::all_of(reads[v], [&](const Read& r) { return lanes_of(r) == first; }))
        continue;
      const auto change = std::find_if(plan_.order.begin(), plan_.order.end(), [&](Value each) {
        return each > v && node(each).kind == Kind::Raw;
      });
      if (change == plan_.order.end()) continue;
      const std::uint32_t context = node(*change).context;
      reads[v].push_back(
          {static_cast<std::uint32_t>(change - plan_.order.begin()), context, context});
    }
  }

  /// Where each context begins: the place to go back to for the lanes of its parent.
  void find_openers() {
    opener_.assign(recording_.contexts.size(), kNone);
    std::vector<std::uint32_t> chains;
    std::uint32_t pending = 0;
    for (std::uint32_t i = 0; i < plan_.order.size(); ++i) {
      const Node& each = node(plan_.order[i]);
      if (opener_[each.context] == kNone) opener_[each.context] = pending;
      switch (each.kind) {
        case Kind::If:
        case Kind::Block:
          chains.push_back(i);
          pending = i;
          break;
        case Kind::Narrow: pending = i; break;
        case Kind::Else:
        case Kind::ElseIf: pending = chains.empty() ? 0 : chains.back(); break;
        case Kind::EndIf:
        case Kind::EndBlock:
          if (!chains.empty()) chains.pop_back();
          break;
        default: break;
      }
    }
  }

  std::uint32_t best_place(const std::vector<Read>& reads) const {
    std::uint32_t common = reads.front().context;
    for (const Read& read : reads) {
      while (!is_within(recording_, read.context, common) ||
             !is_within(recording_, read.lanes, common))
        common = recording_.contexts[common].parent;
    }
    std::uint32_t place = kNone;
    for (const Read& read : reads) {
      std::uint32_t at = read.place;
      for (std::uint32_t c = read.context; c != common; c = recording_.contexts[c].parent) {
        at = std::min(at, opener_[c]);
      }
      place = std::min(place, at);
    }
    return place;
  }

  /// The place of a constant in the source, if the lanes that need it are enabled there, by
  /// predicates and by raw words; else kNone.
  std::uint32_t place_made(Value constant, const std::vector<Read>& reads,
                           const std::vector<LaneSets::Id>& lanes) const {
    const std::uint32_t made = node(constant).context;
    const bool reaches = std::ranges::all_of(reads, [&](const Read& read) {
      return is_within(recording_, read.context, made) && is_within(recording_, read.lanes, made) &&
             lanes[plan_.order[read.place]] == lanes[constant];
    });
    if (!reaches) return kNone;
    const auto next = std::ranges::upper_bound(plan_.order, constant);
    return static_cast<std::uint32_t>(next - plan_.order.begin());
  }

  // ------------------------------------------------------------ results straight into variables
  void find_merges() {
    std::fill(plan_.merge.begin(), plan_.merge.end(), kNone);
    std::vector<std::vector<std::uint32_t>> readers(nodes_.size());
    for (const Value user : plan_.order) {
      for_each_read(recording_, user,
                    [&](Value value) { readers[value].push_back(plan_.position[user]); });
    }
    for (const Value user : plan_.order) {
      if (node(user).kind != Kind::Assign) continue;
      const Value old_value = node(user).operand[0];
      const Value made = node(user).operand[1];
      if (!can_write_anywhere(made) || plan_.uses[made] != 1 || plan_.position[made] == kNone)
        continue;
      if (node(made).context != node(user).context) continue;
      const bool read_between = std::any_of(
          readers[old_value].begin(), readers[old_value].end(),
          [&](std::uint32_t at) { return at > plan_.position[made] && at < plan_.position[user]; });
      // The variable must exist when the operation runs.
      const bool exists =
          plan_.position[old_value] == kNone || plan_.position[old_value] < plan_.position[made];
      if (read_between || !exists || is_written_between(old_value, made, user)) continue;
      if (!is_vendors_ || is_merged_by_vendor(made, user)) plan_.merge[made] = user;
    }
  }

  /// Whether the old value comes from a Result, whose instruction may lie in between.
  bool is_written_between(Value old_value, Value made, Value user) const {
    const Node& source = node(old_value);
    if (source.kind != Kind::Result) return false;
    const std::uint32_t at = plan_.position[source.operand[0]];
    return at >= plan_.position[made] && at <= plan_.position[user];
  }

  /// Operations whose result can go to any register.
  bool can_write_anywhere(Value value) const {
    switch (node(value).kind) {
      case Kind::FloatAdd:
      case Kind::FloatSub:
      case Kind::FloatMul:
      case Kind::FloatMad: return true;
      case Kind::Instruction: {
        const Op op = operation(recording_, node(value));
        return op != Op::SFPSWAP && op != Op::SFPTRANSP && op != Op::SFPSTORE &&
               !has_indirect_result(recording_, node(value)) &&
               !has_fixed_result(recording_, node(value));
      }
      default: return false;
    }
  }

  const Recording& recording_;
  const std::vector<Node>& nodes_;
  ConstantLoads loads_;
  bool is_vendors_; ///< in the order of the source, as the vendor's compiler leaves it
  Plan plan_;
  std::vector<std::uint32_t> opener_; ///< of each context: the place that began it
};

/// A constant that a comparison needs in no register.
std::optional<unsigned> compare_immediate(const Recording& recording, const Node& compare) {
  const Decision decision = decide(recording, compare);
  if (decision.measure == Measure::First) return decision.swapped ? 0 : 1;
  if (decision.measure == Measure::Bits &&
      is_zero(recording.arch, recording.nodes[compare.operand[1]]))
    return 1;
  return compared_sum(recording, compare) ? std::optional(1U) : std::nullopt;
}

/// SFPADDI and SFPMULI overwrite the other operand.
std::optional<unsigned> float_immediate(const Recording& recording, const Plan& plan, Value value) {
  constexpr int kIntoVariables = 763; // the release that has them for a variable (47984)
  const Node& node = recording.nodes[value];
  const Value merge = plan.merge[value];
  const bool is_vendors = plan.float_immediates != FloatImmediates::Negating;
  const bool is_always = plan.float_immediates == FloatImmediates::Always;
  const bool is_difference = node.kind == Kind::FloatSub;
  if (is_difference && !is_always && !arch_params(recording.arch).vector.mad_negate_bits)
    return std::nullopt;
  if (merge != kNone && is_vendors && recording.epoch < kIntoVariables) return std::nullopt;
  for (unsigned i = 0; i < 2; ++i) {
    const Value constant = node.operand[i];
    const Value other = node.operand[1 - i];
    if (!is_float_immediate(recording, recording.nodes[constant])) continue;
    if (is_difference && i == 1) continue; // x + -constant, where it has its own
    if (is_always) return i;
    if (constant_register(recording, plan, other)) continue;
    if (is_vendors && negates_operand(recording, node, i)) continue;
    if (!may_overwrite(recording, plan, other, value)) continue;
    if (merge != kNone && recording.nodes[merge].operand[0] != other) continue;
    return i;
  }
  return std::nullopt;
}

std::optional<unsigned> integer_immediate(const Recording& recording, const Node& node) {
  for (const unsigned i : {kVd, kVc}) {
    if (i == kVc && node.mod == kDifference) continue; // constant - x has no immediate form
    if (node.operand[i] == kNone || !is_constant(recording, node.operand[i])) continue;
    if (is_constant(recording, node.operand[kVc + kVd - i])) continue;
    const std::int64_t value = recording.nodes[node.operand[i]].imm;
    if (fits_imm12(node.mod == kDifference ? -value : value)) return i;
  }
  return std::nullopt;
}

} // namespace

bool negates_operand(const Recording& recording, const Node& node, unsigned constant) {
  if (node.kind == Kind::FloatSub && constant == 0) return true;
  return node.mod != 0 && !arch_params(recording.arch).vector.mad_adds_half;
}

std::optional<std::int32_t> compared_sum(const Recording& recording, const Node& compare) {
  constexpr int kCommutes = 771; // the release in which SFPIADD's immediates serve > and <= again
  std::uint32_t bits = 0;
  if (compare.type == NumberType::Float ||
      !constant_bits(recording.arch, recording.nodes[compare.operand[1]], bits) || bits == 0)
    return std::nullopt;
  const bool is_swapped = decide(recording, compare).swapped;
  if (is_swapped && recording.epoch < kCommutes) return std::nullopt;
  const std::int64_t addend =
      -(std::int64_t{static_cast<std::int32_t>(bits)} + (is_swapped ? 1 : 0));
  if (!fits_imm12(addend)) return std::nullopt;
  return static_cast<std::int32_t>(addend);
}

bool fits_imm12(std::int64_t value) {
  constexpr std::int64_t kLowest = -2048, kHighest = 2047;
  return value >= kLowest && value <= kHighest;
}

bool has_indirect_result(const Recording& recording, const Node& node) {
  return operation(recording, node) == Op::SFPLUTFP32 &&
         isa::has_mode<Op::SFPLUTFP32, "INDIRECT_VD">(node.mod);
}

bool has_fixed_result(const Recording& recording, const Node& node) {
  return operation(recording, node) == Op::SFPLUT && has_narrow_lanes(recording.arch);
}

bool may_overwrite(const Recording& recording, const Plan& plan, Value value, Value user) {
  if (plan.last_use[value] == plan.position[user]) return true;
  const Value merge = plan.merge[user];
  return merge != kNone && recording.nodes[merge].operand[0] == value &&
         plan.last_use[value] == plan.position[merge];
}

std::optional<unsigned> constant_register(const Recording& recording, const Plan& plan,
                                          Value value) {
  const Node& node = recording.nodes[value];
  if (node.kind == Kind::ConstRegister) {
    if (plan.snapshot[value]) return std::nullopt;
    return static_cast<unsigned>(node.imm);
  }
  return literal_register(recording, node);
}

std::optional<unsigned> immediate_operand(const Recording& recording, const Plan& plan,
                                          Value value) {
  const Node& node = recording.nodes[value];
  switch (node.kind) {
    case Kind::Compare: return compare_immediate(recording, node);
    case Kind::FloatAdd:
    case Kind::FloatSub:
    case Kind::FloatMul: return float_immediate(recording, plan, value);
    case Kind::Instruction:
      if (operation(recording, node) == Op::SFPIADD &&
          (node.mod == kSum || node.mod == kDifference))
        return integer_immediate(recording, node);
      return std::nullopt;
    default: return std::nullopt;
  }
}

Plan make_plan(const Recording& recording, ConstantLoads loads) {
  return Planner(recording, loads).run();
}

} // namespace lanewise::compiler
