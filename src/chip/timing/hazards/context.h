// What the checks look at: the events of a schedule, with what is known of each only by executing.
#pragma once

#include <bitset>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "chip/timing/hazards/findings.h"
#include "chip/timing/hazards/hazards.h"
#include "chip/timing/word_facts.h"

namespace lanewise::timing {

/// Parts of LoadMacroConfig, as a mask.
namespace macro_part {
constexpr std::uint32_t kTemplate0 = 1U << 0; ///< templates 0..3: bits 0..3
constexpr std::uint32_t kSequence0 = 1U << 4; ///< sequences 0..3: bits 4..7
constexpr std::uint32_t kMisc = 1U << 8;
} // namespace macro_part

/// What executing the program has shown of an event.
struct EventFacts {
  LRegMask reads = 0, writes = 0;        ///< as Event's, with what indirect VA and VD have reached
  std::uint32_t lane_config_changed = 0; ///< bits of LaneConfig, over all columns
  std::uint32_t macro_changed = 0;       ///< macro_part bits
  std::uint32_t sequence = 0;            ///< of an SFPLOADMACRO: the OR of all columns
  std::uint32_t misc = 0;                ///< the same; also of SFPCONFIG, when it is done
  std::int16_t physical_row = -1;        ///< first of four, of a load or store
  bool wide = false;                     ///< and the four rows kDstLowHalf further on
  std::uint8_t odd = 0;                  ///< odd columns
  bool all_lanes = false;                ///< no lane is switched off
  bool changes_srcb_format = false;      ///< configuration behind Mod0 = SRCB
  bool changes_dst_access = false;       ///< configuration that every load and store reads
  bool seeds_prng = false, seeds_ones = false;
};

/// What executes, as those look at it who follow a program.
struct Executed {
  const MicroOp& op; ///< as long as the program and its schedule
  std::uint64_t cycle;
  LRegMask reads, writes; ///< as Event's
  std::int32_t dst_row;   ///< the same
  isa::SubUnit sub_unit;
  bool scheduled;
  const WordFacts& word; ///< until somebody asks for those of another word

  Executed(const Event& event, Arch arch);
  /// An instruction of a program without SFPLOADMACRO, with the state before it: what its event
  /// would say. `index` takes the place of its cycle.
  Executed(const MicroOp& op, std::uint64_t index, const MachineState& state);
};

/// What is known of it before it executes.
EventFacts facts_before(const Executed& executed, const MachineState& state);

/// Whether the instruction writes the PRNG's seed.
bool seeds_prng(Arch arch, const MicroOp& op);

/// Whether a load or store touches an element that another one does.
bool touches_same_elements(const EventFacts& a, const EventFacts& b);

/// A set of instructions.
class OpSet {
 public:
  void add(isa::Op op) { has_.set(static_cast<std::size_t>(op)); }

  /// Whether one of them is such that `is(op)` holds.
  template <class Is>
  bool any(Is&& is) const {
    for (std::size_t i = 0; has_.any() && i < has_.size(); ++i) {
      if (has_[i] && is(static_cast<isa::Op>(i))) return true;
    }
    return false;
  }

 private:
  std::bitset<256> has_; ///< by enumerator
};

struct HazardContext {
  const Schedule& schedule;
  const MicroProgram& program;
  const MachineState& start;
  const CheckOptions& options;
  Findings& findings;
  std::vector<EventFacts> facts = {}; ///< of each of schedule.events
  OpSet ops = {};                     ///< of all events: what is not there need not be looked for

  Arch arch() const { return schedule.arch; }
  std::span<const Event> events() const { return schedule.events; }

  /// Index of the first event of a cycle after that of event `i`.
  std::size_t next_cycle(std::size_t i) const;
  /// The events of the cycle that follows that of event `i`, as [first, last).
  std::pair<std::size_t, std::size_t> following(std::size_t i) const;

  /// Whether the core pushes an instruction itself, of Schedule::issues: the next may come late.
  bool is_pushed(std::uint32_t issue) const;

  Spot spot(std::size_t event, std::uint32_t other_line) const;
  std::string name(std::size_t event) const;
};

/// SFPNOP in front of an instruction.
std::vector<ProposedChange> nop_before(const HazardContext& context, std::uint32_t line);

/// The same for several, where other instructions do as well.
std::vector<ProposedChange> nops_before(const HazardContext& context, std::uint32_t line,
                                        std::size_t count);

/// SFPNOP between two regular instructions, and an independent instruction that could be moved
/// there instead if one of the next few is. Indices into Schedule::issues.
std::vector<ProposedChange> keep_apart(const HazardContext& context, std::uint32_t writer,
                                       std::uint32_t reader);

/// Results of two cycles that a scheduled instruction reads too early, or that are scheduled
/// themselves.
class EarlyReads {
 public:
  explicit EarlyReads(const HazardContext& context) : context_(context) {}

  /// Events: `reader` executes in the cycle after `writer` and reads these registers.
  void add(std::size_t writer, std::size_t reader, LRegMask registers);
  /// Reports all that have been added.
  void report() const;

 private:
  struct Read {
    std::size_t writer, reader;
    LRegMask registers;
  };
  /// The two instructions wherever they stand: word, and whether it is scheduled. An unrolled loop
  /// has them on many lines.
  using Place = std::tuple<std::uint32_t, bool, std::uint32_t, bool>;

  const HazardContext& context_;
  std::map<Place, std::vector<Read>> reads_;
};

/// Sees each event, by its number and as what executes, with the state at the start of its cycle.
/// Facts of the event itself are there as far as that state decides them, those of earlier cycles
/// altogether.
using EventObserver =
    std::function<void(std::size_t event, const Executed& executed, const MachineState& state)>;

/// Executes the program and fills in the facts. Returns the state that the program leaves, where no
/// result of SFPLOADMACRO waits for its cycle.
std::optional<MachineState> trace_facts(HazardContext& context, const EventObserver& look);

/// What find_hazards() looks for once the facts are there.
std::vector<Hazard> search_facts(HazardContext& context);

/// Whether an event of the instruction has facts of what it changes of the configuration.
bool may_write_configuration(isa::Op op);

/// Whether the instruction takes a number from the PRNG.
bool draws_random_number(Arch arch, const MicroOp& op);

void check_results(const HazardContext& context);       ///< VU 5.2 to 5.4
void check_macros(const HazardContext& context);        ///< VU 5.5
void check_macro_supply(const HazardContext& context);  ///< VU 5.5: who issues macros, what stays
void check_dst(const HazardContext& context);           ///< VU 5.6
void check_configuration(const HazardContext& context); ///< VU 5.1, 5.6

} // namespace lanewise::timing
