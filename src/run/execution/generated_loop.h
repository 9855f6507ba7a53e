// A loop over rows as a C++ function, which the host's g++ compiles: the same lane kernels
// (chip/machine/kernels/), inlined one behind the other, with registers that stay in the
// processor's. For long sweeps, as it takes g++ about a second.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "base/fault.h"
#include "run/execution/row_program.h"

namespace lanewise::execution {

/// The text of the function, for the level in use (chip/machine/simd_level.h).
std::string generated_source(Arch arch, const RowProgram& program);

class GeneratedLoop {
 public:
  /// Compiles the function and loads it, from the cache (base/cache.h) if it has been compiled
  /// before. Error: BadInput if g++ or the library's headers are not there.
  static Expected<GeneratedLoop> compile(Arch arch, RowProgram program);

  /// Executes the micro-ops of the program in which the loop was found, as lanewise::execute()
  /// does: the same results, registers, counters and faults.
  void execute(MachineState& state, std::span<const MicroOp> ops) const;

  /// Executes what is generated alone, from program().begin to program().end, and notes its stores:
  /// `notes` has room for program().stores, or is nullptr. False, with nothing done, if generated
  /// code cannot start from this state.
  bool run(MachineState& state, StoreNote* notes) const;

  const RowProgram& program() const { return program_; }

 private:
  GeneratedLoop(Arch arch, RowProgram program) : arch_(arch), program_(std::move(program)) {}

  /// Whether the loop may be run from this state.
  bool suits(const VectorState& vector) const;

  Arch arch_;
  RowProgram program_;
  std::shared_ptr<void> object_; ///< of the dynamic loader
  RowLoop loop_ = nullptr;
};

} // namespace lanewise::execution
