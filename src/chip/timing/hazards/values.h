// Values that silicon treats otherwise than one may think (VU 6), and what only values decide.
#pragma once

#include "chip/machine/state.h"
#include "chip/timing/hazards/context.h"

namespace lanewise::timing {

/// Follows the program from event to event, in order.
class ValueChecks {
 public:
  explicit ValueChecks(HazardContext& context);

  /// Looks at the state at the start of the event's cycle.
  void look(std::size_t event, const Executed& executed, const MachineState& state);

 private:
  void check_store(std::size_t event, const MachineState& state);
  void check_load(std::size_t event, const MachineState& state);
  void check_address(std::size_t event, const MachineState& state);
  void check_setcc(std::size_t event, const Executed& executed, const MachineState& state);
  void check_mul24(std::size_t event, const MachineState& state);
  void check_flags(std::size_t event, const MachineState& state);
  void check_raw(std::size_t event, const Executed& executed, const MachineState& state);
  /// Reports if `holds(value)` for VC in an enabled lane.
  template <class Holds>
  void check_vc(std::size_t event, const MachineState& state, HazardId id, Holds&& holds);

  HazardContext& context_;
  LRegMask floats_ = 0; ///< registers whose last writer computed a float
  LRegMask raw_ = 0;    ///< registers with what a load in mode 12 has left as it was (Blackhole)
  std::uint32_t raw_line_ = 0; ///< of the last such load
  bool has_inputs_;            ///< some row of Dst was written before the program started
  bool matrix_may_have_written_ = false;
};

} // namespace lanewise::timing
