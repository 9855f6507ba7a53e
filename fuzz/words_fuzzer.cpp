// Instruction words: whatever they are, the machine executes or reports them, and the clock and the
// checker get through them.
#include <cstdint>
#include <cstring>

#include "chip/machine/machine.h"
#include "chip/timing/hazards/calls.h"
#include "chip/timing/hazards/hazards.h"
#include "chip/timing/hazards/late_push.h"
#include "chip/timing/schedule.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lanewise;
  if (size == 0) return 0;
  Program program;
  for (std::size_t i = 1; i + 4 <= size; i += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, data + i, sizeof word);
    program.words.push_back({word, static_cast<std::uint32_t>(i)});
  }
  const Arch arch = kArchs[data[0] % 2];
  for (const Arch each : kEveryArch) {
    Machine machine(each);
    if (each == arch || !arch_params(each).has_clock) machine.run(program);
  }

  Machine clocked(arch);
  const MachineState start = clocked.state();
  const MicroProgram micro = clocked.prepare(program);
  const auto model =
      data[0] % 4 < 2 ? timing::HazardModel::Documented : timing::HazardModel::Hardware;
  const timing::Schedule schedule = timing::schedule(start, micro, {.model = model});
  execute(clocked.state(), schedule.ops(micro));
  timing::find_hazards(schedule, micro, start, {.source = &program});
  std::vector<timing::Hazard> breaks =
      timing::find_contract_breaks(start, clocked.state(), schedule);
  timing::try_endings(breaks, program, start);
  timing::find_changed_init(program, start);
  timing::find_late_pushes(program, micro, start, timing::PauseSearch::Quick);
  return 0;
}
