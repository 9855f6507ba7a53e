#include "chip/timing/schedule.h"

#include "chip/timing/clock.h"

namespace lanewise::timing {

std::string_view stall_cause_name(StallCause cause) {
  switch (cause) {
    case StallCause::None: return "no stall";
    case StallCause::Result: return "waits for a two-cycle result";
    case StallCause::Spurious: return "spurious stall";
    case StallCause::TwoCycles: return "unit held for two cycles";
    case StallCause::Recording: return "replay buffer records";
    case StallCause::Push: return "not pushed yet";
    case StallCause::Wait: return "STALLWAIT";
    case StallCause::DstBlock: return "Dst rows still being written";
    case StallCause::MatrixUnit: return "Matrix Unit busy with a move";
  }
  return {};
}

Schedule schedule(const MachineState& start, const MicroProgram& program,
                  const ScheduleOptions& options) {
  return Clock(start, program, options).run();
}

} // namespace lanewise::timing
