#include "run/launch/launch.h"

#include <system_error>
#include <utility>

#include "base/memory_file.h"
#include "base/process.h"
#include "base/supervisor.h"
#include "run/launch/images.h"
#include "run/launch/outcome_wire.h"
#include "run/launch/program_run.h"

namespace lanewise::launch {

Expected<LaunchOutcome> launch_program(const programs::Program& program,
                                       const programs::Layout& layout,
                                       const programs::ProgramObjects& objects,
                                       const LaunchSettings& how, DeviceMemory& memory) {
  if (auto added = memory.add(program.core); !added) return Unexpected(added.error());
  fill_core(program, layout, memory.l1(program.core));
  fill_buffers(program, layout, memory.l1_of_cores(), memory.dram());
  const auto file = make_outcome_file();
  if (!file) return Unexpected(file.error());
  const Launch launch{program, layout, objects, how, memory};
  const auto end = run_supervised(
      kernel_limits(how.limits), kernel_confinement(memory, program.core, {file->number()}),
      [&]() -> int { be_the_kernels(launch, file->number(), nullptr); }, {.stop = how.stop});
  if (!end) return Unexpected(end.error());
  if (end->start_error != 0)
    return bad_input("cannot make a process: " + std::generic_category().message(end->start_error));
  auto outcome = decode_outcome(contents(file->number()));
  if (!outcome) return no_outcome(*end, how.limits);
  return std::move(*outcome);
}

Expected<LaunchOutcome> launch_program(const programs::Program& program,
                                       const programs::Layout& layout,
                                       const programs::ProgramObjects& objects,
                                       const LaunchSettings& how) {
  auto memory = DeviceMemory::make(program.arch, layout.dram_bytes);
  if (!memory) return Unexpected(memory.error());
  auto outcome = launch_program(program, layout, objects, how, *memory);
  if (outcome)
    outcome->buffers = buffer_contents(program, layout, memory->l1_of_cores(), memory->dram());
  return outcome;
}

} // namespace lanewise::launch
