// Results of two cycles that somebody needs a cycle earlier (VU 5.2 to 5.5).
#include <fmt/format.h>

#include "base/source_line.h"
#include "chip/isa/def_use.h"
#include "chip/isa/encoding.h"
#include "chip/isa/fields.h"
#include "chip/isa/interlock.h"
#include "chip/timing/access.h"
#include "chip/timing/hazards/context.h"

namespace lanewise::timing {

namespace {

using isa::Op;
using isa::SubUnit;

/// What SFPSHFT2 in mode 2 keeps the next cycle from writing (VU 5.4).
constexpr LRegMask kRotatedWrites = 0xE;
constexpr unsigned kRotateMode = isa::kMode<Op::SFPSHFT2, "SUBVEC_SHFLROR1_AND_COPY4">;

/// A two-cycle instruction, and one that executes in the cycle after it.
struct Pair {
  const HazardContext& context;
  std::size_t writer, reader;

  const Event& first() const { return context.events()[writer]; }
  const Event& second() const { return context.events()[reader]; }
  Arch arch() const { return context.arch(); }
  LRegMask written() const { return context.facts[writer].writes; }
  LRegMask read_too_early() const;
  std::vector<ProposedChange> distance() const;
  bool any_scheduled() const { return first().scheduled || second().scheduled; }
  bool first_is_shuffle() const { return first().op.op == Op::SFPSHFT2; }
  bool first_is_swap() const { return first().op.op == Op::SFPSWAP; }
  /// Simple and Round are kept from working by a swap or a shuffle (VU 5.5).
  bool second_is_in_the_way() const {
    return second().sub_unit == SubUnit::Simple || second().sub_unit == SubUnit::Round;
  }
};

LRegMask Pair::read_too_early() const {
  const bool reads_later = arch_params(arch()).vector.has_result_interlock &&
                           second().op.op == Op::SFPSWAP && second().op.mod == 0; // VU 5.3
  return reads_later ? 0 : context.facts[reader].reads & written();
}

/// What puts a cycle between the two. The delay of a scheduled instruction is up to its author.
std::vector<ProposedChange> Pair::distance() const {
  if (second().scheduled) return {};
  return first().scheduled ? nop_before(context, second().op.line)
                           : keep_apart(context, first().issue, second().issue);
}

/// The row of VU 5.3 that a reader which the stall logic has missed stands in.
HazardId hole_of(const Pair& pair, LRegMask registers) {
  const MicroOp& writer = pair.first().op;
  if (writer.op == Op::SFPLUTFP32 &&
      (registers & ~isa::believed_writes(pair.arch(), writer.word)) != 0)
    return HazardId::HoleLut;
  const MicroOp& reader = pair.second().op;
  const LRegMask believed = isa::believed_reads(pair.arch(), reader.word);
  if ((registers & ~believed) == 0) return HazardId::MadResult; // auto-stalling is off
  switch (reader.op) {
    case Op::SFPAND:
    case Op::SFPOR: return HazardId::HoleLogic;
    case Op::SFPIADD: return HazardId::HoleIadd;
    case Op::SFPSHFT: return HazardId::HoleShift;
    case Op::SFPCONFIG: return HazardId::HoleConfig;
    case Op::SFPSWAP: return HazardId::HoleSwap;
    case Op::SFPSHFT2:
      return isa::takes_two_cycles(pair.arch(), reader.word) ? HazardId::HoleRotate
                                                             : HazardId::HoleShuffle;
    default: return HazardId::MadResult;
  }
}

void report_registers(const Pair& pair, HazardId id, std::string_view verb, LRegMask registers,
                      std::string_view why) {
  pair.context.findings.add(id, pair.context.spot(pair.reader, pair.first().op.line), [&] {
    return HazardText{
        fmt::format("{} {} in the cycle after {}, whose result takes two cycles{}", verb,
                    register_names(registers), pair.context.name(pair.writer), why),
        {},
        pair.distance()};
  });
}

void report_busy(const Pair& pair, HazardId id) {
  pair.context.findings.add(id, pair.context.spot(pair.reader, pair.first().op.line), [&] {
    return HazardText{
        fmt::format("executes in the second cycle of {}", pair.context.name(pair.writer)),
        {},
        pair.distance()};
  });
}

/// VU Q5. True if it was one.
void check_write_order(const Pair& pair) {
  const LRegMask both = pair.written() & pair.context.facts[pair.reader].writes;
  if (both == 0 || pair.second().latency != 1) return;
  pair.context.findings.add(
      HazardId::WriteOrder, pair.context.spot(pair.reader, pair.first().op.line), [&] {
        return HazardText{fmt::format("writes {} in the same cycle as {}, whose result takes two "
                                      "cycles",
                                      register_names(both), pair.context.name(pair.writer)),
                          {},
                          pair.distance()};
      });
}

/// One of the two was scheduled by an SFPLOADMACRO: nothing stalls (VU 5.5).
void check_scheduled(const Pair& pair, EarlyReads& early) {
  if (pair.second_is_in_the_way() && pair.first_is_swap())
    return report_busy(pair, HazardId::MacroSwapBusy);
  if (pair.second_is_in_the_way() && pair.first_is_shuffle())
    return report_busy(pair, HazardId::MacroShuffleBusy);
  if (const LRegMask registers = pair.read_too_early(); registers != 0)
    return early.add(pair.writer, pair.reader, registers);
  check_write_order(pair);
}

/// VU 5.4.
void check_shuffle_on_wormhole(const Pair& pair) {
  const bool rotates = pair.first().op.mod == kRotateMode;
  const LRegMask read = pair.read_too_early();
  const LRegMask overwritten =
      rotates ? pair.context.facts[pair.reader].writes & kRotatedWrites : 0;
  if (read != 0) return report_registers(pair, HazardId::ShuffleResult, "reads", read, "");
  if (overwritten != 0)
    return report_registers(pair, HazardId::ShuffleResult, "writes", overwritten, "");
  if (isa::shares_result_port(pair.arch(), pair.second().op.word))
    return report_busy(pair, HazardId::ShufflePort);
  check_write_order(pair);
}

void check_regular(const Pair& pair) {
  const bool interlock = arch_params(pair.arch()).vector.has_result_interlock;
  if (pair.first_is_swap() || (pair.first_is_shuffle() && interlock))
    return report_busy(pair, HazardId::TwoCycleFollower);
  if (pair.first_is_shuffle()) return check_shuffle_on_wormhole(pair);
  const LRegMask registers = pair.read_too_early();
  if (registers == 0) return check_write_order(pair);
  if (!interlock) return report_registers(pair, HazardId::MadResult, "reads", registers, "");
  report_registers(pair, hole_of(pair, registers), "reads", registers,
                   ", and the stall logic does not see it");
}

bool can_be_in_the_way(const Event& event) {
  return event.sub_unit != SubUnit::None && event.op.op != Op::SFPNOP;
}

} // namespace

void check_results(const HazardContext& context) {
  const std::span<const Event> events = context.events();
  EarlyReads early(context);
  for (std::size_t writer = 0; writer < events.size(); ++writer) {
    if (events[writer].latency != 2 || events[writer].sub_unit == SubUnit::None) continue;
    const auto [first, last] = context.following(writer);
    for (std::size_t reader = first; reader < last; ++reader) {
      if (!can_be_in_the_way(events[reader])) continue;
      const Pair pair{context, writer, reader};
      if (pair.any_scheduled()) {
        check_scheduled(pair, early);
      } else {
        check_regular(pair);
      }
    }
  }
  early.report();
}

} // namespace lanewise::timing
