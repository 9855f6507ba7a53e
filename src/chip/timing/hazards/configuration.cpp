// Configuration that changes while somebody uses it, and words that configure the wrong thing (VU
// 5.1, 5.6, 6).
#include <fmt/format.h>

#include <utility>

#include "base/source_line.h"
#include "chip/isa/block_mask.h"
#include "chip/isa/def_use.h"
#include "chip/isa/effects.h"
#include "chip/isa/encoding.h"
#include "chip/isa/fields.h"
#include "chip/machine/dst_address.h"
#include "chip/machine/vector/sfpconfig.h"
#include "chip/timing/access.h"
#include "chip/timing/hazards/context.h"
#include "chip/timing/hazards/stallwait.h"
#include "chip/timing/word_facts.h"

namespace lanewise::timing {

namespace {

using isa::Op;
using isa::SubUnit;

/// SFPNOPs that shipping kernels issue behind a seed (VU 3.8).
constexpr std::uint64_t kSeedingCycles = 600;

/// Instructions that no lane enable concerns, in whichever mode (VU C6, C37).
bool ignores_lane_enables(Arch arch, Op op) {
  return isa::Effects(arch, op, 0).lane_scope() != isa::LaneScope::Enabled;
}

/// Whether SFPMOV reads a special source: configuration, or the PRNG (VU C30).
bool reads_special(const MicroOp& op) {
  return op.op == Op::SFPMOV && isa::has_mode<Op::SFPMOV, "FROM_SPECIAL">(op.mod);
}

/// Whether SFPCONFIG makes the new value of the old one (VU C38).
bool combines(const MicroOp& op) {
  constexpr unsigned kHow =
      isa::kMode<Op::SFPCONFIG, "BITWISE_OR"> | isa::kMode<Op::SFPCONFIG, "BITWISE_AND">;
  return op.op == Op::SFPCONFIG && (op.mod & kHow) != 0;
}

/// Bits of LaneConfig on which an instruction depends (VU C39).
std::uint32_t lane_config_used(Arch arch, const MicroOp& op) {
  using namespace lane_config;
  constexpr std::uint32_t kRowMask = 0xFU << kRowMaskShift;
  constexpr unsigned kSpecialLaneConfig = 15;
  std::uint32_t used = ignores_lane_enables(arch, op.op) ? 0 : kRowMask;
  if (is_load(op))
    used |= kEnableFp16aInf | kCaptureDefaultDestIndex | kBlockSfpuRdFromDest | kDestRdColExchange;
  if (is_store(op)) used |= kBlockDestWrFromSfpu | kDestWrColExchange;
  if (op.op == Op::SFPSWAP)
    used |= kEnableDestIndex | (isa::has_mode<Op::SFPSWAP, "SWAP">(op.mod) ? 0 : kExchangeSrcbSrcc);
  if (reads_special(op) && op.vc == kSpecialLaneConfig) used |= kBits;
  if (combines(op) && op.vd == kLaneConfigDestination) used |= kBits;
  return used;
}

/// Parts of LoadMacroConfig on which an instruction depends.
std::uint32_t macro_parts_used(Arch arch, const MicroOp& op, const EventFacts& facts) {
  if (combines(op) && op.vd == kMiscDestination) return macro_part::kMisc;
  if (reads_special(op) && op.vc <= kMiscDestination) return 1U << op.vc; // VU C30
  if (op.op != Op::SFPLOADMACRO) return 0;
  std::uint32_t used = macro_part::kMisc | macro_part::kSequence0
                                               << isa::decode(arch, op.word)["MacroIndex"];
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint32_t selector = facts.sequence >> (8 * i) & 7;
    if (selector >= 4) used |= macro_part::kTemplate0 << (selector - 4);
  }
  return used;
}

/// SFPNOP behind what changes the configuration: in front of its user, if that has a place.
std::vector<ProposedChange> nop_between(const HazardContext& context, std::size_t user) {
  const Event& event = context.events()[user];
  return event.scheduled ? std::vector<ProposedChange>{} : nop_before(context, event.op.line);
}

void check_user(const HazardContext& context, std::size_t config, std::size_t user) {
  const EventFacts& facts = context.facts[config];
  const MicroOp& changer = context.events()[config].op;
  const MicroOp& op = context.events()[user].op;
  if (op.op == Op::SFPNOP) return;
  if ((facts.lane_config_changed & lane_config::kDisableBackdoorLoad) != 0) {
    context.findings.add(HazardId::Backdoor, context.spot(user, changer.line), [&] {
      return HazardText{
          fmt::format("may see the old or the new DISABLE_BACKDOOR_LOAD, which {} has just changed",
                      context.name(config)),
          {},
          nop_between(context, user)};
    });
    return;
  }
  // A word that becomes a template executes nothing.
  if (!context.events()[user].scheduled && isa::is_template_write(context.arch(), op.word)) return;
  const bool uses_lanes = (facts.lane_config_changed & lane_config_used(context.arch(), op)) != 0;
  const bool uses_macro =
      (facts.macro_changed & macro_parts_used(context.arch(), op, context.facts[user])) != 0;
  if (!uses_lanes && !uses_macro) return;
  context.findings.add(HazardId::ConfigLatency, context.spot(user, changer.line), [&] {
    return HazardText{
        fmt::format("uses the {} that {} changes in the cycle before",
                    uses_lanes ? "LaneConfig" : "LoadMacroConfig", context.name(config)),
        {},
        nop_between(context, user)};
  });
}

void check_latency(const HazardContext& context) {
  for (std::size_t i = 0; i < context.events().size(); ++i) {
    if ((context.facts[i].lane_config_changed | context.facts[i].macro_changed) == 0) continue;
    const auto [first, last] = context.following(i);
    for (std::size_t user = first; user < last; ++user) {
      if (context.events()[user].sub_unit != SubUnit::None) check_user(context, i, user);
    }
  }
}

/// Loads and stores since the Vector Unit was last waited for, and configuration that they read.
void check_in_flight(const HazardContext& context) {
  const Event* access = nullptr;      // the last one
  const Event* srcb_access = nullptr; // the last one with Mod0 = SRCB
  for (std::size_t i = 0; i < context.events().size(); ++i) {
    const Event& event = context.events()[i];
    const EventFacts& facts = context.facts[i];
    if (event.op.op == Op::STALLWAIT && waits_for(event.op.word, WaitFor::VectorUnit))
      access = srcb_access = nullptr;
    if (event.dst_row >= 0) {
      access = &event;
      if (static_cast<DstMode>(event.op.mod) == DstMode::Srcb) srcb_access = &event;
    }
    const Event* user = facts.changes_dst_access    ? access
                        : facts.changes_srcb_format ? srcb_access
                                                    : nullptr;
    if (user == nullptr) continue;
    context.findings.add(HazardId::ConfigInFlight, context.spot(i, user->op.line), [&] {
      return HazardText{
          fmt::format("changes configuration that {} reads, which may still be in flight",
                      context.findings.op_name(user->op, user->scheduled)),
          {},
          wait_before(context, event.op.line, WaitFor::VectorUnit, isa::block::kConfigure)};
    });
  }
}

void check_prng(const HazardContext& context) {
  const Event* seeding = nullptr;
  for (std::size_t i = 0; i < context.events().size(); ++i) {
    const Event& event = context.events()[i];
    if (context.facts[i].seeds_ones) {
      context.findings.add(HazardId::PrngOnes, context.spot(i, 0), [&] {
        return HazardText{"seeds the PRNG with all ones, which it never leaves",
                          std::string(hazard_rule(HazardId::PrngOnes).mend)};
      });
    }
    if (context.facts[i].seeds_prng) seeding = &event;
    if (seeding == nullptr || !draws_random_number(context.arch(), event.op)) continue;
    const std::uint64_t distance = event.cycle - seeding->cycle;
    if (distance >= kSeedingCycles) continue;
    context.findings.add(HazardId::PrngSeeding, context.spot(i, seeding->op.line), [&] {
      return HazardText{fmt::format("draws a random number {} cycles after {} has written the seed",
                                    distance, context.findings.op_name(seeding->op, false)),
                        {},
                        nops_before(context, event.op.line, kSeedingCycles - distance)};
    });
  }
}

std::string_view here_it_concerns(WaitFor here) {
  switch (here) {
    case WaitFor::SrcAFilled: return "; here it concerns SrcA";
    case WaitFor::SrcBFilled: return "; here it concerns SrcB";
    case WaitFor::Packer: return "; here it concerns a packer";
    default: return "";
  }
}

/// The bits of the condition mask that wait for a packer.
std::uint32_t packer_conditions(Arch arch) {
  std::uint32_t mask = 0, bit = 1;
  for (const WaitFor each : arch_params(arch).tile.wait_conditions) {
    if (each == WaitFor::Packer) mask |= bit;
    bit <<= 1;
  }
  return mask;
}

/// What is wrong with the conditions of a STALLWAIT, or an empty text. Conditions that make sense
/// for the blocked instructions are left alone: on Blackhole C7, and on Wormhole C11, are what the
/// Matrix Unit waits for before it uses SrcA and SrcB (MU 8).
std::string wrong_condition(Arch arch, std::uint32_t word) {
  const isa::Decoded d = isa::decode(arch, word);
  const std::uint32_t conditions = d["ConditionMask"];
  const bool blocks_matrix = (d["BlockMask"] & isa::block::kMatrix) != 0;
  const auto makes_sense = [&](unsigned condition, WaitFor here) {
    switch (here) {
      case WaitFor::SrcAFilled:
      case WaitFor::SrcBFilled: return blocks_matrix;
      // Those of the packers come together.
      case WaitFor::Packer: return (conditions & packer_conditions(arch)) != 1U << condition;
      default: return false;
    }
  };
  const Arch other = other_chip(arch);
  for (const auto& [unit, name] : {std::pair(WaitFor::VectorUnit, "Vector Unit"),
                                   std::pair(WaitFor::MatrixUnit, "Matrix Unit")}) {
    const unsigned condition = wait_condition(other, unit);
    const WaitFor here = arch_params(arch).tile.wait_conditions[condition];
    if ((conditions >> condition & 1U) == 0 || makes_sense(condition, here)) continue;
    return fmt::format("waits for C{}, which is {}'s number for '{} busy'{}", condition,
                       arch_params(other).names.family, name, here_it_concerns(here));
  }
  return {};
}

void check_words(const HazardContext& context) {
  for (std::size_t i = 0; i < context.events().size(); ++i) {
    const MicroOp& op = context.events()[i].op;
    if (op.op == Op::STALLWAIT) {
      std::string message = wrong_condition(context.arch(), op.word);
      if (message.empty()) continue;
      context.findings.add(HazardId::StallwaitChip, context.spot(i, 0), [&] {
        return HazardText{std::move(message),
                          fmt::format("use C{} for the Matrix Unit, C{} for the Vector Unit",
                                      wait_condition(context.arch(), WaitFor::MatrixUnit),
                                      wait_condition(context.arch(), WaitFor::VectorUnit))};
      });
    }
    constexpr unsigned kImmediateAndMask = isa::kMode<Op::SFPCONFIG, "IMM16_IS_VALUE"> |
                                           isa::kMode<Op::SFPCONFIG, "IMM16_IS_LANE_MASK">;
    if (op.op == Op::SFPCONFIG && (op.mod & kImmediateAndMask) == kImmediateAndMask) {
      context.findings.add(HazardId::ConfigMask, context.spot(i, 0), [&] {
        return HazardText{fmt::format("Imm16 = {:#x} is the value and the lane mask",
                                      isa::decode(context.arch(), op.word)["Imm16"]),
                          std::string(hazard_rule(HazardId::ConfigMask).mend)};
      });
    }
  }
}

} // namespace

bool draws_random_number(Arch arch, const MicroOp& op) {
  return known_word_facts(arch, op.word).depends_on_random_numbers;
}

void check_configuration(const HazardContext& context) {
  if (context.ops.any(may_write_configuration)) {
    check_latency(context);
    check_in_flight(context);
    check_prng(context);
  }
  if (context.ops.any([](Op op) { return op == Op::STALLWAIT || op == Op::SFPCONFIG; }))
    check_words(context);
}

} // namespace lanewise::timing
