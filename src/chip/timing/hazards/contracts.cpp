// What a kernel leaves behind that the next one does not expect.
#include <fmt/format.h>

#include <algorithm>

#include "chip/isa/disassembler.h"
#include "chip/isa/encoding.h"
#include "chip/machine/vector/sfpconfig.h"
#include "chip/timing/access.h"
#include "chip/timing/hazards/findings.h"
#include "chip/timing/hazards/hazards.h"
#include "chip/timing/macro_unit.h"

namespace lanewise::timing {

namespace {

using isa::Op;

/// SFPI's -1.0 (VU C3).
constexpr unsigned kMinusOneLReg = 11;

struct Contracts {
  const MachineState& before;
  const MachineState& after;
  const Schedule& schedule;
  Findings findings;

  /// The last event for which `did_it(op)`, as a place; the program's end if there is none.
  template <class DidIt>
  Spot last(DidIt&& did_it) const {
    for (auto event = schedule.events.rbegin(); event != schedule.events.rend(); ++event) {
      if (did_it(event->op))
        return {.op = &event->op, .cycle = event->cycle, .scheduled = event->scheduled};
    }
    return {.cycle = schedule.cycles};
  }

  /// `endings`: what may mend it, one behind the other.
  void report(HazardId id, const Spot& spot, std::string message,
              std::vector<ProposedChange> endings = {}) {
    findings.add(id, spot, [&] {
      return HazardText{std::move(message), std::string(hazard_rule(id).mend), std::move(endings)};
    });
  }

  Arch arch() const { return schedule.arch; }
};

/// The word so often behind the last one of the call.
ProposedChange ending(Arch arch, std::uint32_t word, std::size_t copies = 1) {
  ProposedChange change;
  change.text = fmt::format("append {} at the end", isa::disassemble(arch, word));
  if (copies != 1) change.text += fmt::format(", {} times", copies);
  change.words.assign(copies, word);
  return change;
}

/// SFPCONFIG with an immediate; of SFPI's own constant that is the constant.
ProposedChange configuration_ending(Arch arch, unsigned destination, std::uint32_t value) {
  return ending(arch, *isa::encode(arch, Op::SFPCONFIG,
                                   {{"Imm16", value}, {"ConfigDest", destination}, {"Mod1", 1}}));
}

bool configures(const MicroOp& op, unsigned destination) {
  return op.op == Op::SFPCONFIG && op.vd == destination;
}

void check_minus_one(Contracts& c) {
  const auto& before = c.before.vector.lreg[kMinusOneLReg];
  const auto& after = c.after.vector.lreg[kMinusOneLReg];
  const auto changed = std::ranges::mismatch(before, after).in2;
  if (changed == std::ranges::end(after)) return;
  c.report(HazardId::ContractMinusOne,
           c.last([](const MicroOp& op) { return configures(op, kMinusOneLReg); }),
           fmt::format("leaves {:08X} in LReg[11]", *changed),
           {configuration_ending(c.arch(), kMinusOneLReg, 0)});
}

void check_flags(Contracts& c) {
  const auto enabled = [](const VectorState& v) { return v.flags | ~v.use_flags; };
  const VectorState& v = c.after.vector;
  const std::uint32_t off = ~enabled(v);
  const std::uint32_t unused = c.before.vector.use_flags & ~v.use_flags;
  if (off == 0 && unused == 0) return;
  const Spot spot = c.last([](const MicroOp& op) { return writes_flags(op); });
  c.report(HazardId::ContractFlags, spot,
           off != 0 ? fmt::format("leaves lanes switched off (mask {:08X})", off)
                    : fmt::format("leaves flags out of use in some lanes (mask {:08X})", unused),
           {ending(c.arch(), *isa::encode(c.arch(), Op::SFPENCC, {{"Imm2", 3}, {"Mod1", 10}}))});
}

void check_stack(Contracts& c) {
  if (c.before.vector.stack.at_depth == c.after.vector.stack.at_depth) return;
  const Spot spot =
      c.last([](const MicroOp& op) { return op.op == Op::SFPPUSHC || op.op == Op::SFPPOPC; });
  c.report(HazardId::ContractStack, spot,
           fmt::format("leaves {} entries on the flag stack, where there were {}",
                       c.after.vector.stack.depth(0), c.before.vector.stack.depth(0)));
}

void check_lane_config(Contracts& c) {
  const auto& before = c.before.vector.lane_config;
  const auto& after = c.after.vector.lane_config;
  const auto changed = std::ranges::mismatch(before, after).in2;
  if (changed == after.end()) return;
  std::vector<ProposedChange> endings;
  constexpr std::uint32_t kImmediate = 0xFFFF;
  if (before.front() <= kImmediate)
    endings = {configuration_ending(c.arch(), kLaneConfigDestination, before.front())};
  c.report(HazardId::ContractLaneConfig,
           c.last([](const MicroOp& op) { return configures(op, kLaneConfigDestination); }),
           fmt::format("leaves LaneConfig at {:#x}", *changed), std::move(endings));
}

/// Field that accesses without increment use: 7 on Blackhole, 3 on Wormhole, where the base or the
/// bias counter makes it 7 (VU 2, note 4). The base itself may stay set: LLK leaves it so.
void check_addr_mod(Contracts& c) {
  const bool has_base = arch_params(c.after.config.arch()).front_end.addr_mod_has_base;
  const auto moves = [](const MachineState& state, unsigned section) {
    Rwc rwc;
    constexpr std::uint32_t kProbe = 1; // shows clearing as well as adding
    rwc.dst = rwc.dst_cr = kProbe;
    const Rwc still = rwc;
    apply_addr_mod(rwc, state.config.addr_mod_section(section), false);
    return rwc.dst != still.dst || rwc.dst_cr != still.dst_cr || rwc.bias != still.bias;
  };
  const Spot spot = c.last([](const MicroOp& op) { return op.op == Op::SETC16; });
  for (const unsigned section : {3U, 7U}) {
    if (section == 3 && !has_base) continue;
    if (!moves(c.after, section) || moves(c.before, section)) continue;
    c.report(
        HazardId::ContractAddrMod, spot,
        fmt::format("leaves ADDR_MOD {}, which accesses without increment use, moving counters",
                    section));
    return;
  }
}

/// SFPNOPs, as few as do.
std::vector<ProposedChange> pauses(Arch arch) {
  constexpr std::size_t kLongestDelay = 8;
  std::vector<ProposedChange> some;
  for (std::size_t count = 1; count <= kLongestDelay; ++count)
    some.push_back(ending(arch, *isa::encode(arch, Op::SFPNOP, {}), count));
  return some;
}

void check_macros(Contracts& c) {
  for (const MacroRecord& record : c.schedule.records) {
    if (record.note != MacroNote::LeftPending) continue;
    const auto macro = std::ranges::find_if(c.schedule.events, [&](const Event& event) {
      return event.issue == record.issue && event.op.op == Op::SFPLOADMACRO;
    });
    const bool found = macro != c.schedule.events.end();
    c.report(HazardId::ContractPending, {.op = found ? &macro->op : nullptr, .cycle = record.cycle},
             fmt::format("what it has scheduled on {} is still waiting when the program ends",
                         isa::sub_unit_name(record.sub_unit)),
             pauses(c.arch()));
  }
  const auto armed = [](const MachineState& state) {
    return std::ranges::any_of(state.vector.macro.misc, is_armed_for_instructions);
  };
  if (armed(c.after) && !armed(c.before)) {
    c.report(HazardId::ContractArmed,
             c.last([](const MicroOp& op) { return configures(op, kMiscDestination); }),
             "leaves Misc counting instructions",
             {configuration_ending(c.arch(), kMiscDestination, 0)});
  }
}

} // namespace

std::vector<Hazard> find_contract_breaks(const MachineState& before, const MachineState& after,
                                         const Schedule& schedule) {
  Contracts contracts{before, after, schedule, Findings(schedule.arch)};
  check_minus_one(contracts);
  check_flags(contracts);
  check_stack(contracts);
  check_lane_config(contracts);
  check_addr_mod(contracts);
  check_macros(contracts);
  return contracts.findings.take();
}

} // namespace lanewise::timing
