#include "source/compiler/regions.h"

#include <algorithm>

#include "chip/isa/effects.h"
#include "chip/isa/encoding.h"
#include "chip/isa/fields.h"
#include "source/compiler/lane_change.h"

namespace lanewise::compiler {

namespace {

using isa::Op;

constexpr unsigned kIntAll = isa::kMode<Op::SFPLOAD, "INT32_ALL">;
constexpr std::uint32_t kLaneConfig = 15; ///< SFPCONFIG's destination
constexpr unsigned kDstIncrement = 14;    ///< INCRWC: DstInc 17:14

/// The section that increments nothing: the last that an instruction can name.
unsigned resting_section(Arch arch) {
  return (1U << arch_params(arch).front_end.addr_mod_bits) - 1;
}

/// Parts of the machine that an instruction changes beside LRegs, Dst and its counters.
bool changes_other_parts(const isa::Effects& effects) {
  constexpr unsigned kOfAccesses = isa::part::kDst | isa::part::kCounters;
  return (effects.parts_written() & ~kOfAccesses) != 0;
}

/// Modes of 32 bits, of 16, and the one that the configuration decides.
enum class Width { Narrow, Wide, Configured };

/// VU C22, C23: HI16 and LO16 load 16 bits and store 32.
Width width_of(const Instr& access) {
  constexpr unsigned kWide = 1U << isa::kMode<Op::SFPLOAD, "FP32"> |
                             1U << isa::kMode<Op::SFPLOAD, "INT32"> |
                             1U << isa::kMode<Op::SFPLOAD, "INT32_SM"> | 1U << kIntAll;
  constexpr unsigned kStoredWide =
      1U << isa::kMode<Op::SFPSTORE, "HI16"> | 1U << isa::kMode<Op::SFPSTORE, "LO16">;
  if (access.mod == isa::kMode<Op::SFPLOAD, "SRCB">) return Width::Configured;
  const unsigned wide = access.op == Op::SFPSTORE ? kWide | kStoredWide : kWide;
  return (wide >> access.mod & 1U) != 0 ? Width::Wide : Width::Narrow;
}

/// A fence for another reason than the lanes.
bool has_its_place(Arch arch, const Instr& instr) {
  if (instr.kind != InstrKind::Tensix || instr.op == Op::SFPNOP) return true;
  if (accesses_dst(instr)) return moves_counters(arch, instr.addr_mod, instr.mod);
  const isa::Effects effects(arch, instr.op, instr.mod);
  const bool writes_pins =
      std::any_of(instr.pins.begin(), instr.pins.end(), [](const Pin& pin) { return pin.written; });
  return writes_pins || clobbered(arch, instr) != 0 || isa::moves_lanes(effects.movement()) ||
         changes_other_parts(effects);
}

bool changes_lanes(Arch arch, const Instr& instr) {
  return instr.kind == InstrKind::Tensix &&
         (lane_change(arch, instr) != LaneChange::None ||
          isa::Effects(arch, instr.op, instr.mod).stack_use() != isa::StackUse::None);
}

/// SFPCONFIG of LaneConfig to anything but 0, which is what it is without a word.
bool sets_lanes(const isa::Decoded& d) {
  if (d.row->op != Op::SFPCONFIG || d["ConfigDest"] != kLaneConfig) return false;
  return d["Mod1"] != isa::kMode<Op::SFPCONFIG, "IMM16_IS_VALUE"> || d["Imm16"] != 0;
}

/// SETC16 of an increment in a section that is taken to have none. With Wormhole's
/// ADDR_MOD_SET_Base an instruction names sections 4 to 7 by 0 to 3.
bool moves_resting_section(Arch arch, const isa::Decoded& d) {
  const ArchParams& chip = arch_params(arch);
  const auto is_of = [&](unsigned section) {
    const unsigned word = d["CfgIndex"];
    return word == chip.config.addr_mod_ab_word + chip.config.addr_mod_ab_stride * section ||
           word == chip.config.addr_mod_dst_word + section ||
           word == chip.config.addr_mod_bias_word + section;
  };
  constexpr unsigned kBase = 4;
  const unsigned resting = resting_section(arch);
  return d["NewValue"] != 0 &&
         (is_of(resting) || (chip.front_end.addr_mod_has_base && is_of(resting + kBase)));
}

bool keeps_order(Arch arch, std::uint32_t word) {
  const isa::Effects effects(arch, word);
  if (effects.row() == nullptr) return false;
  const isa::Decoded& d = effects.decoded();
  if (effects.row()->op == Op::SETC16) return !moves_resting_section(arch, d);
  constexpr unsigned kSettings = isa::part::kConfig | isa::part::kInstructions;
  return !sets_lanes(d) && (effects.parts_written() & kSettings) == 0;
}

} // namespace

bool moves_counters(Arch arch, unsigned addr_mod, unsigned mod) {
  return addr_mod != resting_section(arch) || mod == kIntAll;
}

bool is_fence(Arch arch, const Instr& instr) {
  return has_its_place(arch, instr) || changes_lanes(arch, instr);
}

bool is_predicate(Arch arch, const Instr& instr) {
  return !has_its_place(arch, instr) && changes_lanes(arch, instr);
}

bool is_row_step(const Instr& instr) {
  if (instr.kind != InstrKind::Raw || instr.is_authors) return false;
  constexpr std::uint32_t kOpcode = 0x38U << 24;
  const std::uint32_t rest = instr.word & ~(kLargestStep << kDstIncrement);
  return rest == kOpcode && step_of(instr) != 0;
}

unsigned step_of(const Instr& instr) {
  return instr.word >> kDstIncrement & kLargestStep;
}

void set_step(Instr& instr, unsigned rows) {
  instr.word = (instr.word & ~(kLargestStep << kDstIncrement)) | rows << kDstIncrement;
  instr.executes = {instr.word};
}

bool accesses_dst(const Instr& instr) {
  return instr.kind == InstrKind::Tensix && (instr.op == Op::SFPLOAD || instr.op == Op::SFPSTORE);
}

bool may_meet(const Instr& a, const Instr& b) {
  if (width_of(a) != width_of(b)) return true;
  const auto apart = static_cast<unsigned>(a.imm - b.imm) % kDstAddresses;
  return apart <= 1 || apart == kDstAddresses - 1;
}

bool may_reorder(const Code& code) {
  return std::all_of(code.instrs.begin(), code.instrs.end(), [&](const Instr& instr) {
    return instr.kind != InstrKind::Raw ||
           (!instr.plays_unknown && keeps_order(code.arch, instr.word) &&
            std::all_of(instr.executes.begin(), instr.executes.end(),
                        [&](std::uint32_t word) { return keeps_order(code.arch, word); }));
  });
}

} // namespace lanewise::compiler
