// Programs on a device: on one core, or on many, a process each (docs/grid.md).
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/fault.h"
#include "run/launch/launch.h"
#include "run/launch/orders.h"
#include "source/programs/compile.h"
#include "source/programs/grid.h"

namespace lanewise::grid {

/// A program that is ready to run.
struct Prepared {
  const programs::Program* program = nullptr;
  std::vector<programs::CoreProgram> cores;
  std::vector<programs::ProgramObjects> groups; ///< by CoreProgram::group

  /// Where the buffers lie, and what a program of one core is.
  const programs::Layout& layout() const { return cores.front().layout; }
  const programs::ProgramObjects& objects() const { return groups.front(); }
  /// Whether more than one core has to do with it.
  bool is_on_many() const;
};

/// Compiles the kernels of a program that is laid out on its cores. It must live as long. Error:
/// BadInput.
Expected<Prepared> prepare(const programs::Program& program,
                           std::vector<programs::CoreProgram> cores,
                           const programs::CompileSettings& settings);
/// The same of programs::lay_out_on_cores().
Expected<Prepared> prepare(const programs::Program& program,
                           const programs::CompileSettings& settings);

/// The cores whose L1 the program may reach: where it is on many, those of all of its grid.
void for_memories(const Prepared& prepared, const std::function<void(const programs::Core&)>& each);

/// Makes L1 of these.
Expected<void> add_memories(const Prepared& prepared, launch::DeviceMemory& memory);

/// Runs the kernels to their end or to where nobody can go on. Error: as of
/// launch::launch_program().
Expected<launch::LaunchOutcome> run(const Prepared& prepared, const launch::LaunchSettings& how,
                                    launch::DeviceMemory& memory);

/// The same on a device that nothing has run on, of which the buffers are all that remains.
Expected<launch::LaunchOutcome> run(const Prepared& prepared, const launch::LaunchSettings& how);

/// launch::compare_orders() of a program.
Expected<launch::ComparedOrders> run_in_orders(const Prepared& prepared,
                                               std::span<const tile::ScheduleChoice> orders,
                                               const launch::LaunchSettings& how,
                                               std::span<const unsigned> elements,
                                               launch::DeviceMemory& memory);
Expected<launch::ComparedOrders> run_in_orders(const Prepared& prepared,
                                               std::span<const tile::ScheduleChoice> orders,
                                               const launch::LaunchSettings& how,
                                               std::span<const unsigned> elements);

} // namespace lanewise::grid
