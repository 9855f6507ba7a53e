// Who issues macros, with which configuration, and what they leave behind (VU 5.5).
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "chip/isa/encoding.h"
#include "chip/timing/access.h"
#include "chip/timing/hazards/context.h"
#include "chip/timing/macro_unit.h"

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
    if (facts.sequence == 0 || !context.is_pushed(event.issue)) continue;
    if (const auto moved = moved_by_core(context, i)) {
      context.findings.add(
          HazardId::MacroOrder, context.spot(i, context.events()[*moved].op.line), [&] {
            return HazardText{
                fmt::format("counts cycles, and {} comes before or with what it has scheduled only "
                            "if the core pushes in time",
                            context.name(*moved)),
                {}};
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
        {}};
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

/// Misc from when it is set to when it is set again.
struct Armed {
  bool counts = false;                   ///< instructions, not cycles
  std::uint32_t by_line = 0;             ///< of the SFPCONFIG
  std::size_t by = 0;                    ///< the event
  bool is_used = false;                  ///< an SFPLOADMACRO has executed
  std::optional<std::size_t> plain = {}; ///< the first event of plain code
};

void report_armed(const HazardContext& context, const Armed& armed) {
  if (!armed.plain) {
    context.findings.add(HazardId::MacroArmed, context.spot(armed.by, 0), [] {
      return HazardText{"makes macros count instructions, no macro uses it, and the kernel ends so",
                        {}};
    });
    return;
  }
  context.findings.add(HazardId::MacroArmed, context.spot(*armed.plain, armed.by_line), [&] {
    return HazardText{fmt::format("plain code while Misc, set by {}, makes macros count "
                                  "instructions, and no macro uses it",
                                  context.findings.line_name(armed.by_line)),
                      {}};
  });
}

/// Wormhole: plain code while Misc counts instructions and no macro has used it, in this program or
/// in the next. Behind macros that have, kernels ship with plain code (docs/sources.md). What only
/// initialises, and stores nothing, leaves Misc to macros that follow.
void check_armed(const HazardContext& context) {
  // Misc before the program counts as another's: only what this one arms is its own doing.
  Armed armed;
  bool stores = false;
  for (std::size_t i = 0; i < context.events().size(); ++i) {
    const Event& event = context.events()[i];
    stores = stores || is_store(event.op);
    if (event.op.op == Op::SFPCONFIG && (context.facts[i].macro_changed & macro_part::kMisc) != 0) {
      if (armed.counts && !armed.is_used && armed.plain) report_armed(context, armed);
      armed = {.counts = is_armed_for_instructions(context.facts[i].misc),
               .by_line = event.op.line,
               .by = i};
    }
    if (!armed.counts) continue;
    if (event.op.op == Op::SFPLOADMACRO) armed.is_used = true;
    if (!armed.plain && is_plain_code(event)) armed.plain = i;
  }
  if (armed.counts && !armed.is_used && (armed.plain || stores)) report_armed(context, armed);
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
