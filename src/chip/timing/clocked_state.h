// A machine that executes cycle by cycle: everything reads what was there at the start of its
// cycle, and a result appears when its latency is over (VU 5.1).
//
// This is the plain, slow meaning of the clock. schedule() uses it to follow the configuration;
// what runs on tiles is the sequence that chip/timing/sequence.h makes, and tests hold the two
// against each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "chip/machine/state.h"
#include "chip/timing/schedule.h"
#include "chip/timing/without_values.h"

namespace lanewise::timing {

/// Whether results wait for their cycle.
enum class Results : std::uint8_t {
  Clocked, ///< a result appears when its latency is over
  /// At once: what comes to the same in the documented model where no SFPLOADMACRO schedules
  /// anything, since regular instructions see each other's results in program order. Only state()
  /// shows registers earlier.
  Immediate,
  None ///< nobody asks for values any more
};

/// How the results of a program's instructions can be followed.
Results results_of(bool has_macros, HazardModel model);
Results results_of(const MicroProgram& program, HazardModel model);

class ClockedState {
 public:
  ClockedState(const MachineState& start, HazardModel model, Results results = Results::Clocked)
      : state_(start), model_(model), when_(results) {}

  /// Executes the events of one cycle. Cycles come in order; those without events may be left out.
  void step(std::uint64_t cycle, std::span<const Event> events);

  /// Writes the results that can be read from `cycle` on.
  void settle(std::uint64_t cycle) {
    if (!results_.empty()) settle_results(cycle);
  }

  /// From here on, only what execute_remainder() changes is followed: counters and configuration.
  void drop_values() {
    when_ = Results::None;
    results_.clear();
  }
  bool has_values() const { return when_ != Results::None; }
  void execute_remainder(const MicroOp& op, Remainder remainder) {
    timing::execute_remainder(state_, op, remainder);
  }

  /// The state at the start of the cycle that was settled last.
  const MachineState& state() const { return state_; }

  /// Whether the same results wait, seen from a cycle of each.
  bool holds_the_same(std::uint64_t cycle, const ClockedState& other,
                      std::uint64_t other_cycle) const;

 private:
  static constexpr unsigned kHeldRegisters = 9;
  /// LReg[0..7], LReg[16] and LaneFlags: what events of one cycle must not see of each other.
  struct Registers {
    std::uint32_t lreg[kHeldRegisters][kLanes];
    std::uint32_t flags;

    friend bool operator==(const Registers&, const Registers&) = default;
  };

  /// What an event wrote, until it can be read.
  struct Result {
    std::uint64_t visible; ///< first cycle that reads it
    bool regular;
    Registers value;
    std::uint32_t lanes[kHeldRegisters];
    std::uint32_t flag_lanes;
  };

  void settle_results(std::uint64_t cycle);
  void take(Registers& registers) const;
  void put(const Registers& registers);
  void note_result(const Event& event, const Registers& before);
  template <class RowOf>
  static void write(const Result& result, const RowOf& row_of, std::uint32_t& flags);
  static void apply(Registers& registers, const Result& result);
  void apply_to_state(const Result& result);
  void execute(const Event& event, const Registers& base, bool is_at_base);

  MachineState state_;
  HazardModel model_;
  Results when_;
  std::vector<Result> results_;     ///< in the order of their events
  std::vector<const Result*> due_;  ///< of settle(); empty between calls
  std::vector<const Event*> order_; ///< of step(); empty between calls
};

/// The order in which the events of a cycle touch what is not a register: loads before stores, then
/// configuration and flag stack, then other units.
unsigned execution_rank(const Event& event);
/// Puts an event of a cycle, of which there are few, behind those of its rank and below.
void insert_by_rank(std::vector<const Event*>& order, const Event& event);

} // namespace lanewise::timing
