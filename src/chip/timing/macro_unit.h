// SFPLOADMACRO's memory: what it has scheduled and when that executes (VU 5.5, C52 to C58).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "chip/isa/row.h"
#include "chip/machine/micro_op.h"
#include "chip/machine/vector/vector_state.h"
#include "chip/timing/schedule.h"

namespace lanewise::timing {

/// What the clock asks of a scheduled instruction.
struct ScheduledFacts {
  LRegMask reads = 0, writes = 0; ///< where no index registers are tracked
  std::uint8_t latency = 1;
  bool configures = false; ///< may change what macros schedule
};

/// An instruction that waits for its cycle.
struct Pending {
  isa::SubUnit sub_unit = isa::SubUnit::None;
  MicroOp op;           ///< op.lanes: the lanes whose configuration scheduled it
  unsigned counter = 0; ///< executes in the next cycle once it is 0
  bool counts_instructions = false;
  std::uint32_t issue = 0; ///< the SFPLOADMACRO, as an index into Schedule::issues
  ScheduledFacts facts = {};
};

/// The queues of the four sub-units. Call once per cycle, in this order: take_due(), count(), and
/// schedule() if an SFPLOADMACRO executes (VU 5.5, per-cycle order).
class MacroUnit {
 public:
  explicit MacroUnit(Arch arch, bool empty_byte_cancels)
      : arch_(arch), empty_byte_cancels_(empty_byte_cancels) {}

  /// Gives what executes in this cycle to `take`; at most one instruction per sub-unit and lane.
  template <class Take>
  void take_due(Take&& take) {
    if (pending_.empty()) return;
    for (const Pending& each : pending_)
      if (each.counter == 0) take(each);
    std::erase_if(pending_, [](const Pending& each) { return each.counter == 0; });
  }

  /// Lets the counters of what remains run: by one, if this cycle counts. All count issued
  /// instructions as soon as one does (VU C57).
  void count(bool vector_instruction_issued);

  /// Schedules what the configuration says for an SFPLOADMACRO. `address_slot` holds its address.
  /// What goes wrong is appended to `records`.
  void schedule(const MicroOp& macro, const LoadMacroConfig& config, std::uint32_t issue,
                std::uint64_t cycle, unsigned address_slot, std::vector<MacroRecord>& records);

  /// The configuration may have changed since the last schedule().
  void configuration_changed() { plans_.clear(); }

  /// Whether something pending executes although no instruction comes any more: a counter has
  /// reached 0, whatever it counts (ISA SFPLOADMACRO: in the cycle after), or cycles bring it
  /// there.
  bool goes_on_alone() const;
  const std::vector<Pending>& pending() const { return pending_; }
  /// Whether the same is pending, scheduled by the same instructions.
  bool pends_like(const MacroUnit& other) const;

 private:
  /// What a byte of the sequence does, in lanes that share a configuration.
  struct Step {
    isa::SubUnit sub_unit = isa::SubUnit::None;
    unsigned delay = 0;
    std::uint32_t lanes = 0;
    std::optional<MacroNote> note = {};
    std::optional<MicroOp> op = {}; ///< what is scheduled
    bool counts_instructions = false;
    ScheduledFacts facts = {};
  };
  /// What the configuration says for all SFPLOADMACROs with the same operands.
  struct Plan {
    std::uint32_t operands = 0;
    std::vector<Step> steps;
    bool stores_some_lanes = false; ///< and not others
  };

  const Plan& plan_of(const MicroOp& macro, const LoadMacroConfig& config);
  Plan make_plan(const MicroOp& macro, const LoadMacroConfig& config) const;
  /// Whether only an instruction of the Vector Unit can bring what is pending nearer.
  bool counts_instructions() const;
  void add(const Pending& added);
  void cancel(isa::SubUnit sub_unit, unsigned delay, std::uint32_t lanes, std::uint32_t by,
              std::uint64_t cycle, std::vector<MacroRecord>& records);

  Arch arch_;
  bool empty_byte_cancels_;
  std::vector<Pending> pending_; ///< in the order in which they were scheduled
  std::vector<Plan> plans_;      ///< of the configuration as it is
};

/// Whether a Misc word makes any sub-unit count instructions (VU C39).
bool is_armed_for_instructions(std::uint32_t misc);

} // namespace lanewise::timing
