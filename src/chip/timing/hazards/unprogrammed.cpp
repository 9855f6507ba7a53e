#include "chip/timing/hazards/unprogrammed.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>

#include "base/source_line.h"
#include "chip/isa/effects.h"
#include "chip/isa/encoding.h"
#include "chip/isa/lreg_sets.h"
#include "chip/isa/matrix_ops.h"
#include "chip/machine/executor.h"
#include "chip/machine/host_arithmetic.h"
#include "chip/machine/vector/sfpconfig.h"
#include "chip/timing/access.h"
#include "chip/timing/hazards/context.h"
#include "chip/timing/hazards/unprogrammed_text.h"
#include "chip/timing/hazards/unwritten_lanes.h"
#include "chip/timing/hazards/values.h"

namespace lanewise::timing {

namespace {

using isa::Op;

/// Whether a configuration field is part of an ADDR_MOD section, and of which.
std::optional<unsigned> addr_mod_section(std::string_view field) {
  constexpr std::string_view kBehind = "_SEC";
  const std::size_t at = field.find(kBehind);
  if (!field.starts_with("ADDR_MOD_") || at == std::string_view::npos) return std::nullopt;
  if (at + kBehind.size() >= field.size()) return std::nullopt;
  const char digit = field[at + kBehind.size()];
  return digit >= '0' && digit <= '7' ? std::optional<unsigned>(digit - '0') : std::nullopt;
}

constexpr std::uint32_t kRowLanes = (1U << kColumns) - 1;
constexpr unsigned kRowsOfAccess = kLanes / kColumns; ///< of a load or store
static_assert(kColumns == 8);

/// Bit n of eight becomes bit 2n: lanes of a row to their even columns.
constexpr std::uint32_t even_bits(std::uint32_t lanes) {
  lanes = (lanes | lanes << 4) & 0x0F0F;
  lanes = (lanes | lanes << 2) & 0x3333;
  return (lanes | lanes << 1) & 0x5555;
}

constexpr auto kEvenColumns = [] {
  std::array<std::uint16_t, kRowLanes + 1> columns{};
  for (std::uint32_t lanes = 0; lanes <= kRowLanes; ++lanes)
    columns[lanes] = static_cast<std::uint16_t>(even_bits(lanes));
  return columns;
}();

/// The way back; odd bits are left out.
constexpr std::uint32_t of_even_bits(std::uint32_t columns) {
  columns &= 0x5555;
  columns = (columns | columns >> 1) & 0x3333;
  columns = (columns | columns >> 2) & 0x0F0F;
  return (columns | columns >> 4) & 0x00FF;
}
static_assert(of_even_bits(even_bits(0xB2)) == 0xB2 && even_bits(0x81) == 0x4001);

/// Follows the program, and collects what it uses.
class Uses {
 public:
  Uses(const MachineState& start, Findings& findings, const Programmed& programmed)
      : arch_(start.config.arch()),
        findings_(findings),
        programmed_(programmed),
        registers_(arch_),
        is_seeded_(std::ranges::any_of(start.vector.prng,
                                       [](std::uint32_t state) { return state != 0; })) {
    settle(start);
  }

  /// Whether the instruction need not be looked at, given all that was settled.
  bool can_pass(const WordFacts& word) const {
    return word.is_of_registers && ((word.reads | word.writes) & watched_) == 0;
  }

  /// Takes over what was looked at last; `state`: behind it.
  void settle(const MachineState& state) {
    end_cycle();
    const bool moves_indices = state.vector.switches.dest_index != 0; // facts do not know of these
    watched_ = moves_indices ? isa::kEveryLReg : registers_.lacking();
  }

  void look(const Executed& e, const EventFacts& facts, const MachineState& state) {
    if (e.cycle != cycle_) end_cycle();
    cycle_ = e.cycle;
    note_configuration(e);
    look_at_stale_stores(e, facts, state);
    look_at_registers(e, facts, state);
    look_at_dst(e, facts, state);
    look_at_addr_mod(e, state);
    look_at_macro(e, facts);
    if (!is_seeded_ && e.word.depends_on_random_numbers)
      note(HazardId::UnprogrammedPrng, e, {.what = 1});
    if (!is_seeded_ && e.sub_unit == isa::SubUnit::None) seeds_ = seeds_ || seeds_prng(arch_, e.op);
  }

  void report() {
    for (const StaleStore& store : stale_) note(HazardId::UnprogrammedLReg, store.use);
    stale_.clear();
    for (const auto& [place, use] : uses_) {
      const auto id = std::get<0>(place);
      for (std::uint64_t i = 0; i < use.count; ++i) {
        findings_.add(id, use.spot,
                      [&, &found = use] { return unprogrammed_text(id, found, findings_); });
      }
    }
  }

 private:
  using Use = UnprogrammedUse;
  /// A store of what nobody has written, which nobody has read yet.
  struct StaleStore {
    EventFacts facts;
    std::uint32_t lanes = 0; ///< where it stands still
    Use use;
  };
  /// Rule, line, and the word where there is no line.
  using Place = std::tuple<HazardId, std::uint32_t, std::uint32_t>;

  static Use at(const Executed& e, Use use) {
    use.spot = {.op = &e.op, .cycle = e.cycle, .scheduled = e.scheduled};
    use.dst_row = e.dst_row;
    return use;
  }

  void note(HazardId id, const Executed& e, const Use& use) { note(id, at(e, use)); }

  void note(HazardId id, const Use& use) {
    const MicroOp& op = *use.spot.op;
    const auto [entry, is_new] =
        uses_.try_emplace({id, op.line, has_line(op.line) ? 0 : op.word}, use);
    if (is_new) return;
    entry->second.what |= use.what;
    entry->second.lanes |= use.lanes;
    ++entry->second.count;
  }

  /// What the cycle that is over has changed.
  void end_cycle() {
    registers_.end_cycle();
    for (const auto& [row, columns] : stored_) programmed_.dst[row] |= columns;
    stored_.clear();
    is_seeded_ = is_seeded_ || seeds_;
  }

  /// Of the Matrix Unit it is not known which rows it writes; ZEROACC is a rule of its own.
  void note_configuration(const Executed& e) {
    if (e.sub_unit == isa::SubUnit::None) {
      if (e.op.op == Op::SETC16) note_section(isa::decode(arch_, e.op.word)["CfgIndex"]);
      if (isa::matrix_writes_dst(e.op.op)) programmed_.knows_dst = false;
      return;
    }
    if (e.word.is_template_write) {
      const unsigned vd = isa::decode(arch_, e.op.word)["VD"];
      macro_ |= macro_part::kTemplate0 << (vd & 3); // VD 12 to 15
    }
    if (e.op.op == Op::SFPCONFIG && e.op.vd <= kMiscDestination) macro_ |= 1U << e.op.vd;
  }

  void note_section(unsigned word) {
    const unsigned first = arch_params(arch_).config.addr_mod_dst_word;
    constexpr unsigned kSections = 8;
    if (word >= first && word < first + kSections)
      programmed_.addr_mods |= static_cast<std::uint8_t>(1U << (word - first));
  }

  void look_at_registers(const Executed& e, const EventFacts& facts, const MachineState& state) {
    const auto use = registers_.look(e, facts, state);
    if ((use.registers & isa::kGeneralLRegs) != 0) {
      const Use found{
          .what = use.registers & isa::kGeneralLRegs, .lanes = use.lanes, .origin = use.origin};
      if (is_store(e.op)) {
        stale_.push_back({facts, use.lanes, at(e, found)}); // told once anybody can see it
      } else {
        note(HazardId::UnprogrammedLReg, e, found);
      }
    }
    if ((use.registers & ~isa::kGeneralLRegs) != 0)
      note(HazardId::UnprogrammedConstant, e, {.what = use.registers & ~isa::kGeneralLRegs});
  }

  /// What is stored and written over before anybody reads it does no harm: kernels that handle a
  /// row per cycle store one too many.
  void look_at_stale_stores(const Executed& e, const EventFacts& facts, const MachineState& state) {
    const bool other_unit =
        e.sub_unit == isa::SubUnit::None && (isa::parts_read(e.op.op) & isa::part::kDst) != 0;
    if (stale_.empty() || !(other_unit || is_load(e.op) || is_store(e.op))) return;
    const std::uint32_t written =
        is_store(e.op) ? state.vector.enabled() & e.op.lanes & ~state.vector.switches.block_store
                       : 0;
    std::erase_if(stale_, [&](StaleStore& store) {
      const EventFacts& stored = store.facts;
      if (other_unit || (is_load(e.op) && touches_same_elements(facts, stored))) {
        note(HazardId::UnprogrammedLReg, store.use);
        return true;
      }
      const bool covers = facts.physical_row == stored.physical_row && facts.odd == stored.odd &&
                          (facts.wide || !stored.wide);
      if (accesses_dst(e) && covers) store.lanes &= ~written;
      return store.lanes == 0;
    });
  }

  /// A load or store that executes as such, not one that becomes a macro template.
  static bool accesses_dst(const Executed& e) {
    return (is_load(e.op) || is_store(e.op)) && (e.reads | e.writes) != 0;
  }

  void look_at_dst(const Executed& e, const EventFacts& facts, const MachineState& state) {
    if (!programmed_.knows_dst || !accesses_dst(e) || facts.physical_row < 0) return;
    const LaneSwitches& switches = state.vector.switches;
    const std::uint32_t blocked = is_load(e.op) ? switches.block_load : switches.block_store;
    const std::uint32_t exchanged = is_load(e.op) ? switches.load_odd : switches.store_odd;
    const std::uint32_t enabled = state.vector.enabled() & e.op.lanes & ~blocked;
    const std::uint32_t odd = enabled & (facts.odd != 0 ? kAllLanes : exchanged);
    const auto row = static_cast<unsigned>(facts.physical_row);
    if (is_store(e.op)) {
      store_rows(row, enabled, odd);
      if (facts.wide) store_rows(row + kDstLowHalf, enabled, odd);
    } else if (const std::uint32_t unfilled = unfilled_lanes(row, enabled, odd); unfilled != 0) {
      note(HazardId::UnprogrammedDst, e, {.what = 1, .lanes = unfilled});
    }
  }

  /// The columns that the lanes of row `i` of an access reach, of which some use odd columns.
  static std::uint16_t columns_of_row(unsigned i, std::uint32_t lanes, std::uint32_t odd) {
    const auto of_row = [i](std::uint32_t all) { return all >> (kColumns * i) & kRowLanes; };
    return static_cast<std::uint16_t>(kEvenColumns[of_row(lanes & ~odd)] | kEvenColumns[of_row(odd)]
                                                                               << 1);
  }

  /// Notes what becomes filled at the end of the cycle.
  void store_rows(unsigned row, std::uint32_t lanes, std::uint32_t odd) {
    for (unsigned i = 0; i < kRowsOfAccess; ++i) {
      const std::uint16_t columns = columns_of_row(i, lanes, odd);
      if ((columns & ~programmed_.dst[row + i]) != 0) stored_.emplace_back(row + i, columns);
    }
  }

  std::uint32_t unfilled_lanes(unsigned row, std::uint32_t lanes, std::uint32_t odd) const {
    std::uint32_t unfilled = 0;
    for (unsigned i = 0; i < kRowsOfAccess; ++i) {
      const unsigned missing = columns_of_row(i, lanes, odd) & ~programmed_.dst[row + i];
      if (missing == 0) continue;
      unfilled |= (of_even_bits(missing) | of_even_bits(missing >> 1)) << (kColumns * i);
    }
    return unfilled;
  }

  void look_at_addr_mod(const Executed& e, const MachineState& state) {
    if (!accesses_dst(e) || e.scheduled) return;
    constexpr unsigned kBase = 4; // Wormhole's fields have two bits
    const bool has_base =
        arch_params(arch_).front_end.addr_mod_has_base &&
        (state.rwc.bias != 0 || state.config.get(isa::ConfigField::ADDR_MOD_SET_Base) != 0);
    const unsigned section = e.op.addr_mod + (has_base ? kBase : 0);
    if ((programmed_.addr_mods >> section & 1U) == 0)
      note(HazardId::UnprogrammedAddrMod, e, {.what = 1U << section});
  }

  void look_at_macro(const Executed& e, const EventFacts& facts) {
    if (e.op.op != Op::SFPLOADMACRO) return;
    const std::uint32_t index = isa::decode(arch_, e.op.word)["MacroIndex"];
    std::uint32_t used = macro_part::kSequence0 << index;
    if ((macro_ & used) != 0) used |= parts_of(facts.sequence);
    const std::uint32_t missing = used & ~macro_;
    if ((missing & ~macro_part::kMisc) != 0)
      note(HazardId::UnprogrammedMacro, e, {.what = missing & ~macro_part::kMisc});
    if ((missing & macro_part::kMisc) != 0) note(HazardId::UnprogrammedMisc, e, {.what = missing});
  }

  /// What a sequence refers to: the templates of its selectors 4 to 7; Misc if it schedules
  /// anything.
  static std::uint32_t parts_of(std::uint32_t sequence) {
    constexpr unsigned kSelector = 7, kFirstTemplate = 4, kByte = 8, kBytes = 4;
    std::uint32_t parts = sequence != 0 ? macro_part::kMisc : 0;
    for (unsigned i = 0; i < kBytes; ++i) {
      const unsigned selector = sequence >> (kByte * i) & kSelector;
      if (selector >= kFirstTemplate)
        parts |= macro_part::kTemplate0 << (selector - kFirstTemplate);
    }
    return parts;
  }

  Arch arch_;
  Findings& findings_;
  Programmed programmed_; ///< what has been, so far
  UnwrittenLanes registers_;
  LRegMask watched_ = 0;    ///< who touches none of them uses nothing that is lacking
  std::uint32_t macro_ = 0; ///< macro_part bits
  std::uint64_t cycle_ = 0;
  bool is_seeded_;
  bool seeds_ = false;                                     ///< what has been looked at
  std::vector<std::pair<unsigned, std::uint16_t>> stored_; ///< row and columns, of this cycle
  std::map<Place, Use> uses_;
  std::vector<StaleStore> stale_;
};

} // namespace

Programmed programmed_by(std::span<const ConfigSetting> settings) {
  Programmed programmed;
  for (const ConfigSetting& setting : settings) {
    if (const auto section = addr_mod_section(setting.name))
      programmed.addr_mods |= static_cast<std::uint8_t>(1U << *section);
  }
  return programmed;
}

std::vector<Hazard> find_unprogrammed(const Schedule& schedule, const MicroProgram& program,
                                      const MachineState& start, const Programmed& programmed) {
  Findings findings(schedule.arch);
  const CheckOptions options;
  HazardContext context{.schedule = schedule,
                        .program = program,
                        .start = start,
                        .options = options,
                        .findings = findings};
  Uses uses(start, findings, programmed);
  trace_facts(context, [&](std::size_t event, const Executed& executed, const MachineState& state) {
    uses.look(executed, context.facts[event], state);
  });
  uses.report();
  return findings.take();
}

namespace {

/// Instructions from there on are the same to whoever looks at uses, whatever registers hold.
std::size_t end_of_values(KnownWords& words, std::span<const MicroOp> ops) {
  std::size_t end = ops.size();
  while (end != 0 && !words.of(ops[end - 1].word).decides_by_values) --end;
  return end;
}

} // namespace

/// Most instructions touch registers alone, and nothing of them is lacking. They are passed by, and
/// executed only where somebody asks for values later.
std::vector<Hazard> find_unprogrammed(const MicroProgram& program, const MachineState& start,
                                      const Programmed& programmed) {
  const std::span<const MicroOp> ops = program.ops;
  KnownWords& words = known_words(start.config.arch());
  const std::size_t values_end = end_of_values(words, ops);
  Findings findings(start.config.arch());
  Uses uses(start, findings, programmed);
  MachineState state = start;
  const HostArithmetic arithmetic(start.config.arch());
  std::size_t passed = 0; // the first of those that were passed by last
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if (uses.can_pass(words.of(ops[i].word))) continue;
    if (passed < values_end) execute(state, ops.subspan(passed, i - passed));
    const Executed next(ops[i], i, state);
    uses.look(next, facts_before(next, state), state);
    execute(state, {&next.op, 1});
    uses.settle(state);
    passed = i + 1;
  }
  uses.report();
  return findings.take();
}

Followed follow_program(const Schedule& schedule, const MicroProgram& program,
                        const MachineState& start, const CheckOptions& options,
                        const Programmed& programmed) {
  Findings findings(schedule.arch, options.line_text, options.worded);
  Findings of_uses(schedule.arch);
  HazardContext context{.schedule = schedule,
                        .program = program,
                        .start = start,
                        .options = options,
                        .findings = findings};
  ValueChecks values(context);
  Uses uses(start, of_uses, programmed);
  Followed followed;
  followed.after = trace_facts(
      context, [&](std::size_t event, const Executed& executed, const MachineState& state) {
        values.look(event, executed, state);
        uses.look(executed, context.facts[event], state);
      });
  uses.report();
  followed.unprogrammed = of_uses.take();
  followed.hazards = search_facts(context);
  return followed;
}

} // namespace lanewise::timing
