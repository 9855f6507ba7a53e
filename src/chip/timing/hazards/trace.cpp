// Executes the program on the clock and notes what only execution shows.
#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <utility>

#include "chip/isa/def_use.h"
#include "chip/isa/effects.h"
#include "chip/isa/lreg_sets.h"
#include "chip/machine/dst_address.h"
#include "chip/machine/host_arithmetic.h"
#include "chip/machine/state.h"
#include "chip/timing/access.h"
#include "chip/timing/clocked_state.h"
#include "chip/timing/hazards/context.h"
#include "chip/timing/vector_stall.h"
#include "chip/timing/word_facts.h"

namespace lanewise::timing {

namespace {

using isa::ConfigField;
using isa::Op;
using isa::SubUnit;

constexpr LRegMask kEveryNamed = 0xFFFF;
constexpr unsigned kIndexLReg = 7;

/// The registers that the index in LReg[7] names, in any lane.
LRegMask indexed_registers(const MachineState& state) {
  LRegMask registers = 0;
  for (const std::uint32_t index : state.vector.lreg[kIndexLReg]) registers |= 1U << (index & 15);
  return registers;
}

/// Sets of an event whose indirect operands have been looked up (VU C15).
void narrow(const Executed& event, const MachineState& state, EventFacts& facts) {
  facts.reads = event.reads;
  facts.writes = event.writes;
  if (event.sub_unit != SubUnit::Mad) return;
  if (event.writes == isa::kGeneralLRegs)
    facts.writes = indexed_registers(state) & isa::kGeneralLRegs;
  if ((event.reads & kEveryNamed) == kEveryNamed) {
    facts.reads =
        indexed_registers(state) | 1U << event.op.vb | 1U << event.op.vc | 1U << kIndexLReg;
  }
}

DstAddress address_of(const MachineState& state, const MicroOp& access, DstMode mode, bool wide) {
  if (has_plain_address(state, access, mode)) return plain_address(state, access, wide);
  // store_address() decides 16 or 32 bits as stores do, so loads name a mode of their width.
  const DstMode of_width =
      wide ? (mode == DstMode::Int32All ? mode : DstMode::Fp32) : DstMode::Bf16;
  return store_address(state, access, of_width);
}

void note_address(const Executed& event, const MachineState& state, EventFacts& facts) {
  if (event.dst_row < 0) return;
  const DstMode mode = resolve_dst_mode(state.config, static_cast<DstMode>(event.op.mod));
  MicroOp access = event.op;
  if (is_load(access)) access.address_slot = 0; // a load computes its address
  const bool wide = is_load(access) ? is_32bit(mode) : store_is_32bit(mode);
  const DstAddress address = address_of(state, access, mode, wide);
  facts.physical_row = static_cast<std::int16_t>(address.physical_row);
  facts.wide = wide;
  facts.odd = static_cast<std::uint8_t>(address.odd);
}

void note_macro(const Executed& event, const MachineState& state, EventFacts& facts) {
  if (event.op.op != Op::SFPLOADMACRO) return;
  const std::uint32_t index = isa::decode(state.config.arch(), event.op.word)["MacroIndex"];
  for (const std::uint32_t sequence : state.vector.macro.sequence[index])
    facts.sequence |= sequence;
  for (const std::uint32_t misc : state.vector.macro.misc) facts.misc |= misc;
}

bool enables_all_lanes(const VectorState& vector) {
  return vector.enabled() == kAllLanes;
}

/// What SFPLOAD and SFPSTORE read of the configuration beside MATH_Offset and ADDR_MOD (VU C21).
constexpr std::array kSrcbFields{
    ConfigField::ALU_FORMAT_SPEC_REG_SrcB_val, ConfigField::ALU_FORMAT_SPEC_REG_SrcB_override,
    ConfigField::ALU_FORMAT_SPEC_REG1_SrcB,    ConfigField::ALU_ACC_CTRL_SFPU_Fp32_enabled,
    ConfigField::SFPU_DEST_FMT_Enable,         ConfigField::SFPU_DEST_FMT_Base};
constexpr std::array kAccessFields{ConfigField::DEST_ACCESS_CFG_swizzle_32b,
                                   ConfigField::DEST_ACCESS_CFG_remap_addrs,
                                   ConfigField::DEST_SP_BASE_Base, ConfigField::SFPU_STACK_Incr,
                                   ConfigField::RISCV_DEBUG_REG_DBG_FEATURE_DISABLE};

/// The configuration before a cycle that may change it.
struct Configuration {
  std::array<std::uint32_t, kColumns> lane_config;
  LoadMacroConfig macro;
  std::array<std::uint32_t, kSrcbFields.size()> srcb;
  std::array<std::uint32_t, kAccessFields.size()> access;

  explicit Configuration(const MachineState& state)
      : lane_config(state.vector.lane_config), macro(state.vector.macro) {
    const auto get = [&](ConfigField field) { return state.config.get(field); };
    std::ranges::transform(kSrcbFields, srcb.begin(), get);
    std::ranges::transform(kAccessFields, access.begin(), get);
  }
};

std::uint32_t changed_lane_config(const Configuration& a, const Configuration& b) {
  std::uint32_t changed = 0;
  for (unsigned i = 0; i < kColumns; ++i) changed |= a.lane_config[i] ^ b.lane_config[i];
  return changed;
}

std::uint32_t changed_macro(const Configuration& a, const Configuration& b) {
  std::uint32_t changed = 0;
  for (unsigned i = 0; i < 4; ++i) {
    if (a.macro.instruction_template[i] != b.macro.instruction_template[i])
      changed |= macro_part::kTemplate0 << i;
    if (a.macro.sequence[i] != b.macro.sequence[i]) changed |= macro_part::kSequence0 << i;
  }
  return a.macro.misc == b.macro.misc ? changed : changed | macro_part::kMisc;
}

void note_changes(const Event& event, const Configuration& before, const MachineState& after,
                  EventFacts& facts) {
  const Configuration now(after);
  if (event.op.op == Op::SFPCONFIG) {
    facts.lane_config_changed = changed_lane_config(before, now);
    facts.macro_changed = changed_macro(before, now);
    for (const std::uint32_t misc : now.macro.misc) facts.misc |= misc;
    return;
  }
  facts.changes_srcb_format = before.srcb != now.srcb;
  facts.changes_dst_access = before.access != now.access;
  facts.seeds_prng = seeds_prng(after.config.arch(), event.op);
  facts.seeds_ones =
      facts.seeds_prng && after.config.get(ConfigField::PRNG_SEED_Seed_Val) == 0xFFFFFFFFU;
}

/// What an instruction reads and writes, where it does not become a macro template instead.
std::pair<LRegMask, LRegMask> registers_of(const MicroOp& op, const WordFacts& facts,
                                           const MachineState& state) {
  if (!facts.is_vector || becomes_template(facts, state.vector)) return {0, 0};
  if (state.vector.switches.dest_index == 0) return {facts.reads, facts.writes};
  const Arch arch = state.config.arch();
  return {reads_of(arch, op, false, true), writes_of(arch, op, false, true)};
}

} // namespace

Executed::Executed(const Event& event, Arch arch)
    : op(event.op),
      cycle(event.cycle),
      reads(event.reads),
      writes(event.writes),
      dst_row(event.dst_row),
      sub_unit(event.sub_unit),
      scheduled(event.scheduled),
      word(known_word_facts(arch, op.word)) {}

Executed::Executed(const MicroOp& instruction, std::uint64_t index, const MachineState& state)
    : op(instruction),
      cycle(index),
      dst_row(dst_place_of(state, op).row),
      scheduled(false),
      word(known_word_facts(state.config.arch(), op.word)) {
  std::tie(reads, writes) = registers_of(op, word, state);
  sub_unit = word.sub_unit;
}

EventFacts facts_before(const Executed& executed, const MachineState& state) {
  EventFacts facts;
  narrow(executed, state, facts);
  note_address(executed, state, facts);
  note_macro(executed, state, facts);
  facts.all_lanes = enables_all_lanes(state.vector);
  return facts;
}

/// By WRCFG or RMWCIB.
bool seeds_prng(Arch arch, const MicroOp& op) {
  if ((isa::parts_written(op.op) & isa::part::kPrngSeed) == 0) return false;
  const unsigned seed = isa::config_place(ConfigField::PRNG_SEED_Seed_Val).word_of(arch);
  const isa::Decoded d = isa::decode(arch, op.word);
  if (op.op != Op::WRCFG) return d["Index4"] == seed;
  return d["Is128Bit"] != 0 ? (d["CfgIndex"] & ~3U) == (seed & ~3U) : d["CfgIndex"] == seed;
}

bool may_write_configuration(Op op) {
  constexpr unsigned kConfiguration = isa::part::kConfig | isa::part::kVectorConfig;
  return (isa::parts_written(op) & kConfiguration) != 0;
}

std::optional<MachineState> trace_facts(HazardContext& context, const EventObserver& look) {
  const std::span<const Event> events = context.events();
  context.facts.resize(events.size());
  const Results results = results_of(context.program, HazardModel::Documented);
  ClockedState clocked(context.start, HazardModel::Documented, results);
  const HostArithmetic arithmetic(context.arch());
  for (std::size_t first = 0; first < events.size();) {
    const std::size_t last = context.next_cycle(first);
    clocked.settle(events[first].cycle);
    bool changes = false;
    for (std::size_t i = first; i < last; ++i) {
      const Executed executed(events[i], context.arch());
      context.facts[i] = facts_before(executed, clocked.state());
      look(i, executed, clocked.state());
      changes = changes || may_write_configuration(events[i].op.op);
      context.ops.add(events[i].op.op);
    }
    const auto before = changes ? std::optional<Configuration>(clocked.state()) : std::nullopt;
    clocked.step(events[first].cycle, events.subspan(first, last - first));
    for (std::size_t i = first; i < last && changes; ++i) {
      if (may_write_configuration(events[i].op.op))
        note_changes(events[i], *before, clocked.state(), context.facts[i]);
    }
    first = last;
  }
  return results == Results::Immediate ? std::optional(clocked.state()) : std::nullopt;
}

} // namespace lanewise::timing
