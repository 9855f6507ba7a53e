// Who issues macros, with which configuration, and what they leave behind (VU 5.5).
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "isa/encoding.h"
#include "timing/access.h"
#include "timing/hazard_context.h"
#include "timing/macro_unit.h"

namespace lanewise::timing {

namespace {

using isa::Op;
using isa::SubUnit;

constexpr unsigned kSequenceBytes = 4;

/// Whether a byte of the sequence schedules something after more than the next cycle.
bool has_delay(std::uint32_t sequence) {
  for (unsigned i = 0; i < kSequenceBytes; ++i) {
    const std::uint32_t byte = sequence >> (8 * i) & 0xFF;
    if ((byte & 7) != 0 && (byte >> 3 & 7) != 0) return true;
  }
  return false;
}

const MicroOp* pushed_op(const HazardContext& context, std::uint32_t issue) {
  if (issue >= context.schedule.issues.size()) return nullptr;
  const std::uint32_t op = context.schedule.issues[issue].op;
  if (op >= context.program.ops.size()) return nullptr;
  const bool expanded = op < context.program.supply.size() && context.program.supply[op].expanded;
  return context.options.pushed && !expanded ? &context.program.ops[op] : nullptr;
}

/// Whether `later`, of an instruction behind the macro, and what the macro has scheduled come in
/// another order, or meet in the same cycle, once the core pushes that instruction later.
bool order_can_change(const HazardContext& context, std::size_t scheduled, std::size_t later) {
  const Event &a = context.events()[scheduled], &b = context.events()[later];
  const EventFacts &x = context.facts[scheduled], &y = context.facts[later];
  const std::uint64_t a_lands = a.cycle + a.latency, b_lands = b.cycle + b.latency;
  if (b.cycle < a.cycle && a.sub_unit == b.sub_unit && b.op.op != Op::SFPNOP) return true;
  const bool two_cycle_result = b.cycle == a.cycle + 1; // a hazard of its own
  if ((x.writes & y.reads) != 0 && b.cycle < a_lands && !two_cycle_result) return true;
  if ((x.reads & y.writes) != 0 && b_lands <= a.cycle) return true;
  if ((x.writes & y.writes) != 0 && b_lands <= a_lands) return true;
  if (b.cycle > a.cycle) return false;
  return is_store(a.op) && (is_load(b.op) || is_store(b.op)) && touches_same_elements(x, y);
}

/// The first event, in cycles, of a later instruction whose place against what the macro has
/// scheduled depends on the core; nothing if there is none.
std::optional<std::size_t> moved_by_core(const HazardContext& context, std::size_t macro) {
  constexpr std::uint64_t kLongestDelay = 9; // 7, one to start, one for a two-cycle result
  const std::span<const Event> events = context.events();
  const auto in_reach = [&](std::size_t i) {
    return i < events.size() && events[i].cycle <= events[macro].cycle + kLongestDelay;
  };
  for (std::size_t i = macro; in_reach(i); ++i) {
    if (!events[i].scheduled || events[i].issue != events[macro].issue) continue;
    for (std::size_t j = macro; in_reach(j); ++j) {
      const bool follows = events[j].sub_unit != SubUnit::None && events[j].issue > events[i].issue;
      if (follows && order_can_change(context, i, j)) return j;
    }
  }
  return std::nullopt;
}

/// Macros that count cycles, and the core's timing.
void check_pushed(const HazardContext& context) {
  std::optional<std::size_t> first;
  std::uint64_t pushed = 0;
  for (std::size_t i = 0; i < context.events().size(); ++i) {
    const Event& event = context.events()[i];
    const EventFacts& facts = context.facts[i];
    if (event.op.op != Op::SFPLOADMACRO || is_armed_for_instructions(facts.misc)) continue;
    if (facts.sequence == 0 || pushed_op(context, event.issue) == nullptr) continue;
    if (const auto moved = moved_by_core(context, i)) {
      context.findings.add(
          HazardId::MacroOrder, context.spot(i, context.events()[*moved].op.line), [&] {
            return HazardText{
                fmt::format("counts cycles, and {} comes before or with what it has scheduled only "
                            "if the core pushes in time",
                            context.name(*moved)),
                std::string(hazard_rule(HazardId::MacroOrder).mend)};
          });
    } else if (has_delay(facts.sequence)) {
      if (!first) first = i;
      ++pushed;
    }
  }
  if (!first) return;
  context.findings.add(HazardId::MacroPushed, context.spot(*first, 0), [&] {
    return HazardText{
        fmt::format("counts cycles and is pushed by the core ({} macros of this program are)",
                    pushed),
        std::string(hazard_rule(HazardId::MacroPushed).mend)};
  });
}

void check_programmed(const HazardContext& context) {
  for (std::size_t i = 0; i < context.events().size(); ++i) {
    const Event& event = context.events()[i];
    if (event.op.op != Op::SFPLOADMACRO || context.facts[i].sequence != 0) continue;
    context.findings.add(HazardId::MacroUnprogrammed, context.spot(i, 0), [&] {
      const std::uint32_t index = isa::decode(context.arch(), event.op.word)["MacroIndex"];
      return HazardText{
          fmt::format("sequence {} is empty: nothing is scheduled, only the load executes", index),
          fmt::format("program it before: SFPCONFIG with destination {}", 4 + index)};
    });
  }
}

/// Instructions that set macros up, or let time pass.
bool is_plain_code(const Event& event) {
  return event.sub_unit != SubUnit::None && !event.scheduled && event.op.op != Op::SFPNOP &&
         event.op.op != Op::SFPCONFIG && event.op.op != Op::SFPLOADI &&
         event.op.op != Op::SFPLOADMACRO && (event.reads | event.writes) != 0;
}

/// Wormhole: plain code while Misc counts instructions, once the last macro is done.
void check_armed(const HazardContext& context) {
  std::uint64_t macros_until = 0;
  for (const Event& event : context.events()) {
    if (event.scheduled || event.op.op == Op::SFPLOADMACRO)
      macros_until = event.cycle + event.latency;
  }
  // Misc before the program counts as another's: only what this one arms is its own doing.
  std::optional<std::uint32_t> armed_by;
  bool armed = false;
  for (std::size_t i = 0; i < context.events().size(); ++i) {
    const Event& event = context.events()[i];
    if (event.op.op == Op::SFPCONFIG && (context.facts[i].macro_changed & macro_part::kMisc) != 0) {
      armed = is_armed_for_instructions(context.facts[i].misc);
      armed_by = event.op.line;
    }
    if (!armed || event.cycle < macros_until || !is_plain_code(event)) continue;
    context.findings.add(HazardId::MacroArmed, context.spot(i, *armed_by), [&] {
      return HazardText{
          fmt::format("plain code while Misc, set by {}, makes macros count instructions",
                      line_name(*armed_by)),
          "set UnitDelayKind of Misc to 0 before it: SFPCONFIG 0, 8, 1"};
    });
    return;
  }
}

} // namespace

void check_macro_supply(const HazardContext& context) {
  if (context.schedule.has_macros) {
    check_pushed(context);
    check_programmed(context);
  }
  check_armed(context);
}

} // namespace lanewise::timing
