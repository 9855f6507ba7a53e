// What SFPLOADMACRO schedules, against other instructions of the same cycle (VU 5.5).
#include <fmt/format.h>

#include <optional>

#include "chip/isa/encoding.h"
#include "chip/timing/access.h"
#include "chip/timing/hazards/context.h"

namespace lanewise::timing {

namespace {

using isa::Op;
using isa::SubUnit;

constexpr std::size_t kNobody = ~std::size_t{0};

std::string_view name_of(SubUnit sub_unit) {
  return isa::sub_unit_name(sub_unit);
}

/// The events of one cycle, by sub-unit; SFPNOP counts as idle.
struct Cycle {
  std::size_t simple = kNobody, mad = kNobody, round = kNobody;
  bool any_scheduled = false;

  Cycle(const HazardContext& context, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const Event& event = context.events()[i];
      any_scheduled = any_scheduled || event.scheduled;
      if (event.op.op == Op::SFPNOP) continue;
      if (event.sub_unit == SubUnit::Simple) simple = i;
      if (event.sub_unit == SubUnit::Mad) mad = i;
      if (event.sub_unit == SubUnit::Round) round = i;
    }
  }
};

void check_write_port(const HazardContext& context, const Cycle& cycle) {
  if (cycle.simple == kNobody || cycle.round == kNobody) return;
  const Event& simple = context.events()[cycle.simple];
  const Event& round = context.events()[cycle.round];
  const bool first = simple.op.vd == kMacroLReg, second = round.op.vd == kMacroLReg;
  if (first != second) return;
  context.findings.add(HazardId::MacroWritePort, context.spot(cycle.round, simple.op.line), [&] {
    return HazardText{
        fmt::format("executes on Round in the same cycle as {} on Simple, and {} LReg[16]",
                    context.name(cycle.simple), first ? "both write" : "neither writes"),
        {}};
  });
}

void check_swap(const HazardContext& context, const Cycle& cycle) {
  if (cycle.simple == kNobody || context.events()[cycle.simple].op.op != Op::SFPSWAP) return;
  const Event& swap = context.events()[cycle.simple];
  if (swap.scheduled && swap.op.vd == kMacroLReg) {
    context.findings.add(HazardId::MacroSwapTarget, context.spot(cycle.simple, 0), [&] {
      return HazardText{"is told to write LReg[16]; it is taken to write the registers it compares",
                        {}};
    });
  }
  if (cycle.mad == kNobody) return;
  const Event& mad = context.events()[cycle.mad];
  context.findings.add(HazardId::MacroSwapMad, context.spot(cycle.simple, mad.op.line), [&] {
    return HazardText{
        fmt::format("executes in the same cycle as {}, and needs the MAD sub-unit, too",
                    context.name(cycle.mad)),
        {}};
  });
}

/// Two results of one cycle for the same register; a two-cycle one against the next cycle is found
/// with the results.
void check_same_register(const HazardContext& context, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i) {
    for (std::size_t j = i + 1; j < last; ++j) {
      const Event &a = context.events()[i], &b = context.events()[j];
      const LRegMask both = context.facts[i].writes & context.facts[j].writes;
      const bool port = (a.sub_unit == SubUnit::Simple && b.sub_unit == SubUnit::Round) ||
                        (a.sub_unit == SubUnit::Round && b.sub_unit == SubUnit::Simple);
      if (both == 0 || a.latency != b.latency || port) continue; // check_write_port() has those
      context.findings.add(HazardId::WriteOrder, context.spot(j, a.op.line), [&] {
        return HazardText{
            fmt::format("writes {} in the same cycle as {}", register_names(both), context.name(i)),
            {}};
      });
    }
  }
}

void check_cycles(const HazardContext& context) {
  for (std::size_t first = 0; first < context.events().size();) {
    const std::size_t last = context.next_cycle(first);
    const Cycle cycle(context, first, last);
    if (cycle.any_scheduled) {
      check_write_port(context, cycle);
      check_swap(context, cycle);
      check_same_register(context, first, last);
    }
    first = last;
  }
}

const MicroOp* op_of(const HazardContext& context, std::uint32_t issue) {
  if (issue >= context.schedule.issues.size()) return nullptr;
  const std::uint32_t op = context.schedule.issues[issue].op;
  return op < context.program.ops.size() ? &context.program.ops[op] : nullptr;
}

HazardText record_text(const HazardContext& context, const MacroRecord& record,
                       const MicroOp& other) {
  const std::string_view unit = name_of(record.sub_unit);
  const std::string by = context.findings.op_name(other, false);
  switch (record.note) {
    case MacroNote::Discarded:
      return {
          fmt::format("is discarded: {} executes what {} has scheduled for this cycle", unit, by),
          {},
          nop_before(context, op_of(context, record.issue)->line)};
    case MacroNote::Cancelled:
      return {fmt::format("loses what it has scheduled on {}: {} schedules something for the same "
                          "cycle",
                          unit, by),
              {}};
    case MacroNote::UndefinedSelector:
      return {fmt::format("its sequence has an undefined selector for {}", unit), {}};
    case MacroNote::UnsuitableOpcode:
      return {fmt::format("its sequence gives {} a template that it cannot execute: SFPNOP takes "
                          "its place",
                          unit),
              {}};
    case MacroNote::UnsuitableStore:
      return {"its sequence gives Store a template that is not SFPSTORE", {}};
    case MacroNote::StoreLanesDiffer: return {"schedules a store in some lanes only", {}};
    case MacroNote::LeftPending: break;
  }
  return {};
}

/// The rule of a record; nothing for what find_contract_breaks() reports.
std::optional<HazardId> rule_of(MacroNote note) {
  switch (note) {
    case MacroNote::Discarded: return HazardId::MacroCollision;
    case MacroNote::Cancelled: return HazardId::MacroCancelled;
    case MacroNote::UndefinedSelector: return HazardId::MacroSelector;
    case MacroNote::UnsuitableOpcode: return HazardId::MacroTemplate;
    case MacroNote::UnsuitableStore: return HazardId::MacroStoreTemplate;
    case MacroNote::StoreLanesDiffer: return HazardId::MacroStoreLanes;
    case MacroNote::LeftPending: break;
  }
  return std::nullopt;
}

void check_records(const HazardContext& context) {
  for (const MacroRecord& record : context.schedule.records) {
    const auto id = rule_of(record.note);
    const MicroOp* op = op_of(context, record.issue);
    const MicroOp* other = op_of(context, record.other);
    if (!id || op == nullptr || other == nullptr) continue;
    const std::uint32_t other_line = other == op ? 0 : other->line;
    context.findings.add(*id, {.op = op, .cycle = record.cycle, .other_line = other_line},
                         [&] { return record_text(context, record, *other); });
  }
}

/// LReg[16] is read before anything has been told to write it.
void check_macro_register(const HazardContext& context) {
  constexpr LRegMask kBit = 1U << kMacroLReg;
  bool written = false;
  for (std::size_t first = 0; first < context.events().size() && !written;) {
    const std::size_t last = context.next_cycle(first);
    for (std::size_t i = first; i < last; ++i) {
      if ((context.events()[i].reads & kBit) == 0) continue;
      context.findings.add(HazardId::MacroRegister, context.spot(i, 0), [&] {
        return HazardText{"stores LReg[16], which nothing in this program has written", {}};
      });
    }
    for (std::size_t i = first; i < last; ++i)
      written = written || (context.events()[i].writes & kBit) != 0;
    first = last;
  }
}

} // namespace

void check_macros(const HazardContext& context) {
  check_records(context);
  if (!context.schedule.has_macros) return;
  check_cycles(context);
  check_macro_register(context);
}

} // namespace lanewise::timing
