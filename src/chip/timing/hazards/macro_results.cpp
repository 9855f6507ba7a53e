// Who reads a two-cycle result too early where SFPLOADMACRO has scheduled the reader or the writer
// (VU 5.5): by mistake, or because the value of before is wanted.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "chip/timing/hazards/context.h"
#include "chip/timing/macro_unit.h"

namespace lanewise::timing {

namespace {

/// The first cycle in which an event's result can be read.
std::uint64_t landing(const Event& event) {
  return event.cycle + event.latency;
}

bool same_instruction(const Event& a, const Event& b) {
  return a.scheduled == b.scheduled && a.op.word == b.op.word && a.sub_unit == b.sub_unit;
}

/// A register that `reader` takes one cycle before the result of `writer` lands there.
struct EarlyRegister {
  const HazardContext& context;
  std::size_t writer, reader;
  LRegMask bit;

  const Event& first() const { return context.events()[writer]; }
  const Event& second() const { return context.events()[reader]; }

  bool reads_at(std::size_t i) const { return (context.facts[i].reads & bit) != 0; }
  bool writes_at(std::size_t i) const { return (context.facts[i].writes & bit) != 0; }

  /// Whether anybody reads the result once it has landed. Where the early reader belongs to the
  /// same SFPLOADMACRO as the writer, its like of the next macro does not count: what it stores
  /// there would belong to another row.
  bool is_read_later() const {
    const std::span<const Event> events = context.events();
    const bool one_macro = first().issue == second().issue;
    std::optional<std::uint64_t> overwritten;
    for (std::size_t i = writer + 1; i < events.size(); ++i) {
      if (overwritten && events[i].cycle >= *overwritten) return false;
      const bool is_like = one_macro && same_instruction(events[i], second());
      if (events[i].cycle >= landing(first()) && reads_at(i) && !is_like) return true;
      if (!writes_at(i) || !context.facts[i].all_lanes) continue;
      if (landing(events[i]) >= landing(first()))
        overwritten = std::min(overwritten.value_or(landing(events[i])), landing(events[i]));
    }
    return false;
  }

  /// Whether what wrote the old value stands behind the writer in the source: it is newer there.
  bool old_value_is_newer() const {
    for (std::size_t i = reader; i-- > 0;) {
      const Event& before = context.events()[i];
      if (i == writer || !writes_at(i) || landing(before) > second().cycle) continue;
      return before.issue > first().issue;
    }
    return false;
  }
};

/// The instruction of the Vector Unit that executes in a cycle, and what a macro's counters count.
struct Trigger {
  std::optional<std::uint32_t> issue;
  bool counts_instructions = false;
};

Trigger trigger_of(const HazardContext& context, std::size_t scheduled) {
  Trigger trigger;
  const Event& event = context.events()[scheduled];
  for (std::size_t i = scheduled; i-- > 0;) {
    const Event& other = context.events()[i];
    if (other.scheduled || other.sub_unit == isa::SubUnit::None) continue;
    if (other.cycle + 1 == event.cycle) trigger.issue = other.issue;
    if (other.issue == event.issue) {
      trigger.counts_instructions = is_armed_for_instructions(context.facts[i].misc);
      break;
    }
  }
  return trigger;
}

/// Whether the reader comes later, and the writer does not, if the core pauses between two words.
bool core_can_part(const HazardContext& context, std::size_t writer, std::size_t reader) {
  const Event &first = context.events()[writer], &second = context.events()[reader];
  if (!second.scheduled) return context.is_pushed(second.issue);
  const Trigger trigger = trigger_of(context, reader);
  // It counts down with the instruction of the cycle before, in which the writer executes.
  if (trigger.counts_instructions)
    return trigger.issue && trigger.issue != first.issue && context.is_pushed(*trigger.issue);
  return second.issue > first.issue && context.is_pushed(second.issue);
}

} // namespace

void EarlyReads::add(std::size_t writer, std::size_t reader, LRegMask registers) {
  const Event &first = context_.events()[writer], &second = context_.events()[reader];
  reads_[{first.op.word, first.scheduled, second.op.word, second.scheduled}].push_back(
      {writer, reader, registers});
}

void EarlyReads::report() const {
  const auto is_lost = [&](const Read& read) {
    for (LRegMask rest = read.registers; rest != 0; rest &= rest - 1) {
      const EarlyRegister early{context_, read.writer, read.reader, rest & (~rest + 1)};
      if (early.is_read_later() || early.old_value_is_newer()) return false;
    }
    return true;
  };
  for (const auto& [place, reads] : reads_) {
    const bool is_mistake = std::all_of(reads.begin(), reads.end(), is_lost);
    for (const Read& read : reads) {
      const Spot spot = context_.spot(read.reader, context_.events()[read.writer].op.line);
      if (is_mistake) {
        context_.findings.add(HazardId::MacroResult, spot, [&] {
          return HazardText{
              fmt::format("reads {} in the cycle after {}, whose result takes two cycles; nobody "
                          "reads that result later",
                          register_names(read.registers), context_.name(read.writer)),
              {},
              context_.events()[read.reader].scheduled
                  ? std::vector<ProposedChange>{}
                  : nop_before(context_, context_.events()[read.reader].op.line)};
        });
      } else if (core_can_part(context_, read.writer, read.reader)) {
        context_.findings.add(HazardId::MacroOldValue, spot, [&] {
          return HazardText{
              fmt::format("takes {} as it was before {}, whose result lands a cycle later: if the "
                          "core pauses here, it takes that one",
                          register_names(read.registers), context_.name(read.writer)),
              {}};
        });
      }
    }
  }
}

} // namespace lanewise::timing
