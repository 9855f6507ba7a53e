// Who reads a two-cycle result too early where SFPLOADMACRO has scheduled the reader or the writer
// (VU 5.5): by mistake, or because the value of before is wanted.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "chip/timing/hazards/context.h"
#include "chip/timing/hazards/register_history.h"
#include "chip/timing/macro_unit.h"

namespace lanewise::timing {

namespace {

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

/// Of the registers that somebody asks for.
class Histories {
 public:
  explicit Histories(const HazardContext& context) : context_(context) {}

  const RegisterHistory& of(int reg) {
    std::optional<RegisterHistory>& history = known_.at(static_cast<std::size_t>(reg));
    if (!history) history.emplace(context_.events(), context_.facts, LRegMask{1} << reg);
    return *history;
  }

 private:
  const HazardContext& context_;
  std::array<std::optional<RegisterHistory>, kLRegs> known_;
};

} // namespace

void EarlyReads::add(std::size_t writer, std::size_t reader, LRegMask registers) {
  const Event &first = context_.events()[writer], &second = context_.events()[reader];
  reads_[{first.op.word, first.scheduled, second.op.word, second.scheduled}].push_back(
      {writer, reader, registers});
}

void EarlyReads::report() const {
  Histories histories(context_);
  const auto is_lost = [&](const Read& read) {
    for (LRegMask rest = read.registers; rest != 0; rest &= rest - 1) {
      const RegisterHistory& history = histories.of(std::countr_zero(rest));
      if (history.is_read_later(read.writer, read.reader) ||
          history.old_value_is_newer(read.writer, read.reader))
        return false;
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
