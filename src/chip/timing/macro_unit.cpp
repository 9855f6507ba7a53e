#include "chip/timing/macro_unit.h"

#include <algorithm>
#include <array>
#include <optional>

#include "chip/isa/encoding.h"
#include "chip/isa/fields.h"
#include "chip/machine/control.h"
#include "chip/machine/scheduled.h"
#include "chip/timing/access.h"
#include "chip/timing/word_facts.h"

namespace lanewise::timing {

namespace {

using isa::Op;
using isa::SubUnit;

/// Sub-units in the order of a sequence's bytes, and of UnitDelayKind's bits (VU 5.5, C39).
constexpr std::array kByteOrder{SubUnit::Simple, SubUnit::Mad, SubUnit::Round, SubUnit::Store};

/// A delay for which nothing is cancelled (seed 001).
constexpr unsigned kNeverCancels = 7;

/// One byte of a sequence (VU 5.5).
struct SequenceByte {
  unsigned selector, delay;
  bool macro_lreg; ///< bit 6: LReg[16] instead of the macro's VD
  bool select;     ///< bit 7: which operand the macro's VD becomes

  explicit SequenceByte(std::uint32_t sequence, unsigned index)
      : selector(sequence >> (8 * index) & 7),
        delay(sequence >> (8 * index + 3) & 7),
        macro_lreg((sequence >> (8 * index + 6) & 1) != 0),
        select((sequence >> (8 * index + 7) & 1) != 0) {}
};

namespace selector {
constexpr unsigned kNothing = 0, kUndefined = 1, kNop = 2, kStore = 3, kFirstTemplate = 4;
}

/// The configuration of one column, as far as one macro uses it.
struct ColumnConfig {
  std::uint32_t sequence, misc;
  std::array<std::uint32_t, 4> templates;

  friend bool operator==(const ColumnConfig&, const ColumnConfig&) = default;
};

/// Columns that share a configuration, as lanes.
struct Group {
  ColumnConfig config;
  std::uint32_t lanes = 0;
};

/// The lanes of a column: one in each of the four rows.
constexpr std::uint32_t lanes_of_column(unsigned column) {
  return 0x01010101U << column;
}

std::vector<Group> group_columns(const LoadMacroConfig& config, unsigned macro) {
  std::vector<Group> groups;
  for (unsigned column = 0; column < kColumns; ++column) {
    ColumnConfig mine{config.sequence[macro][column], config.misc[column], {}};
    for (unsigned i = 0; i < 4; ++i) mine.templates[i] = config.instruction_template[i][column];
    auto found = std::find_if(groups.begin(), groups.end(),
                              [&](const Group& group) { return group.config == mine; });
    if (found == groups.end()) found = groups.insert(groups.end(), Group{mine, 0});
    found->lanes |= lanes_of_column(column);
  }
  return groups;
}

MicroOp scheduled_nop(Arch arch, std::uint32_t line) {
  MicroOp op;
  op.kernel = op.instruction = no_effect;
  op.op = Op::SFPNOP;
  op.word = *isa::encode(arch, Op::SFPNOP, {});
  op.line = line;
  return op;
}

/// What one byte schedules, as the parts that its making needs.
struct Request {
  Arch arch;
  SubUnit sub_unit;
  SequenceByte byte;
  const ColumnConfig& config;
  const MicroOp& macro;
  unsigned macro_index;
};

/// The word behind the byte's selector; selectors 2 and 3 stand for instructions without operands.
std::uint32_t selected_word(const Request& r) {
  if (r.byte.selector == selector::kNop) return *isa::encode(r.arch, Op::SFPNOP, {});
  if (r.byte.selector == selector::kStore) return *isa::encode(r.arch, Op::SFPSTORE, {});
  return r.config.templates[r.byte.selector - selector::kFirstTemplate];
}

MicroOp make_store(const Request& r, std::uint32_t word) {
  unsigned vd = r.macro.vd;
  if (r.byte.macro_lreg) {
    vd = kMacroLReg;
  } else if (r.byte.select) {
    vd = isa::decode(r.arch, word)["VD"];
  }
  const std::uint32_t misc = r.config.misc;
  const bool uses_load_mode = (misc >> (4 + r.macro_index) & 1) != 0;
  return make_scheduled_store(r.arch, vd, uses_load_mode ? r.macro.mod : misc & 15,
                              r.macro.address_slot, r.macro.line);
}

/// What executes, or why nothing does; `note` is set as well where an SFPNOP takes its place.
std::optional<MicroOp> make_scheduled(const Request& r, std::optional<MacroNote>& note) {
  if (r.byte.selector == selector::kUndefined) {
    note = MacroNote::UndefinedSelector;
    return std::nullopt;
  }
  const std::uint32_t word = selected_word(r);
  const isa::Row* row = isa::decode(r.arch, word).row;
  const bool suits = row != nullptr && can_schedule(r.arch, r.sub_unit, row->op);
  if (r.sub_unit == SubUnit::Store) {
    if (suits) return make_store(r, word);
    note = r.byte.selector == selector::kNop ? MacroNote::UndefinedSelector
                                             : MacroNote::UnsuitableStore;
    return std::nullopt;
  }
  if (suits && row->op != Op::SFPNOP) {
    const MacroOperands operands{r.macro.vd, r.byte.select, r.byte.macro_lreg};
    if (auto op = decode_scheduled(r.arch, word, operands, r.macro.line)) return *op;
  }
  if (!suits) note = MacroNote::UnsuitableOpcode;
  return scheduled_nop(r.arch, r.macro.line);
}

ScheduledFacts scheduled_facts(Arch arch, const MicroOp& op) {
  const WordFacts facts = known_word_facts(arch, op.word);
  return {
      .reads = reads_of(arch, op, true, false),
      .writes = writes_of(arch, op, true, false),
      .latency = static_cast<std::uint8_t>(facts.takes_two_cycles || facts.is_mad_class ? 2 : 1),
      .configures = op.op == Op::SFPCONFIG || facts.is_template_write};
}

void set_lanes(MicroOp& op, std::uint32_t lanes) {
  op.lanes = lanes;
  op.kernel = lanes == kAllLanes ? op.instruction : in_some_lanes;
}

bool same_but_for_lanes(const Pending& a, const Pending& b) {
  return a.sub_unit == b.sub_unit && a.counter == b.counter &&
         a.counts_instructions == b.counts_instructions && a.op.instruction == b.op.instruction &&
         a.op.word == b.op.word && a.op.va == b.op.va && a.op.vb == b.op.vb && a.op.vc == b.op.vc &&
         a.op.vd == b.op.vd && a.op.mod == b.op.mod && a.op.immediate == b.op.immediate;
}

} // namespace

bool is_armed_for_instructions(std::uint32_t misc) {
  return (misc >> 8 & 15) != 0;
}

bool MacroUnit::counts_instructions() const {
  return std::any_of(pending_.begin(), pending_.end(),
                     [](const Pending& each) { return each.counts_instructions; });
}

bool MacroUnit::goes_on_alone() const {
  if (pending_.empty()) return false;
  const bool is_due = std::any_of(pending_.begin(), pending_.end(),
                                  [](const Pending& each) { return each.counter == 0; });
  return is_due || !counts_instructions();
}

bool MacroUnit::pends_like(const MacroUnit& other) const {
  return std::ranges::equal(pending_, other.pending_, [](const Pending& a, const Pending& b) {
    return a.issue == b.issue && a.op.lanes == b.op.lanes &&
           a.op.address_slot == b.op.address_slot && same_but_for_lanes(a, b);
  });
}

void MacroUnit::count(bool vector_instruction_issued) {
  if (pending_.empty()) return;
  if (counts_instructions() && !vector_instruction_issued) return;
  for (Pending& each : pending_) --each.counter;
}

void MacroUnit::cancel(SubUnit sub_unit, unsigned delay, std::uint32_t lanes, std::uint32_t by,
                       std::uint64_t cycle, std::vector<MacroRecord>& records) {
  if (delay == kNeverCancels) return;
  const auto meets = [&](const Pending& each) {
    return each.sub_unit == sub_unit && each.counter == delay && (each.op.lanes & lanes) != 0;
  };
  if (std::ranges::none_of(pending_, meets)) return;
  for (Pending& each : pending_) {
    if (!meets(each)) continue;
    records.push_back({MacroNote::Cancelled, cycle, each.issue, by, sub_unit});
    set_lanes(each.op, each.op.lanes & ~lanes);
  }
  std::erase_if(pending_, [](const Pending& each) { return each.op.lanes == 0; });
}

/// Columns whose configurations differ elsewhere may schedule the same.
void MacroUnit::add(const Pending& added) {
  for (Pending& each : pending_) {
    if (each.issue != added.issue || !same_but_for_lanes(each, added)) continue;
    set_lanes(each.op, each.op.lanes | added.op.lanes);
    return;
  }
  pending_.push_back(added);
}

const MacroUnit::Plan& MacroUnit::plan_of(const MicroOp& macro, const LoadMacroConfig& config) {
  const unsigned index = isa::field<"MacroIndex", Op::SFPLOADMACRO>(macro.word);
  const std::uint32_t operands = index << 16 | macro.vd << 8U | macro.mod;
  const auto known = std::ranges::find(plans_, operands, &Plan::operands);
  if (known != plans_.end()) return *known;
  Plan& plan = plans_.emplace_back(make_plan(macro, config));
  plan.operands = operands;
  return plan;
}

MacroUnit::Plan MacroUnit::make_plan(const MicroOp& macro, const LoadMacroConfig& config) const {
  const unsigned index = isa::field<"MacroIndex", Op::SFPLOADMACRO>(macro.word);
  Plan plan;
  std::uint32_t storing_lanes = 0;
  for (const Group& group : group_columns(config, index)) {
    for (unsigned i = 0; i < kByteOrder.size(); ++i) {
      const SequenceByte byte(group.config.sequence, i);
      Step step{.sub_unit = kByteOrder[i], .delay = byte.delay, .lanes = group.lanes};
      if (byte.selector == selector::kNothing) {
        if (empty_byte_cancels_) plan.steps.push_back(step);
        continue;
      }
      step.op = make_scheduled({arch_, step.sub_unit, byte, group.config, macro, index}, step.note);
      if (step.op) {
        if (step.sub_unit == SubUnit::Store) storing_lanes |= group.lanes;
        set_lanes(*step.op, group.lanes);
        step.facts = scheduled_facts(arch_, *step.op);
        step.counts_instructions = (group.config.misc >> (8 + i) & 1) != 0;
      }
      plan.steps.push_back(step);
    }
  }
  plan.stores_some_lanes = storing_lanes != 0 && storing_lanes != kAllLanes;
  return plan;
}

void MacroUnit::schedule(const MicroOp& macro, const LoadMacroConfig& config, std::uint32_t issue,
                         std::uint64_t cycle, unsigned address_slot,
                         std::vector<MacroRecord>& records) {
  const Plan& plan = plan_of(macro, config);
  for (const Step& step : plan.steps) {
    cancel(step.sub_unit, step.delay, step.lanes, issue, cycle, records);
    if (step.note) records.push_back({*step.note, cycle, issue, issue, step.sub_unit});
    if (!step.op) continue;
    Pending pending{step.sub_unit, *step.op,  step.delay, step.counts_instructions,
                    issue,         step.facts};
    pending.op.line = macro.line;
    if (step.sub_unit == SubUnit::Store)
      pending.op.address_slot = static_cast<std::uint8_t>(address_slot);
    add(pending);
  }
  if (plan.stores_some_lanes)
    records.push_back({MacroNote::StoreLanesDiffer, cycle, issue, issue, SubUnit::Store});
}

} // namespace lanewise::timing
