// The machine: state, front end and executor behind one class. Start here to use the library.
//
//   lanewise::Machine machine(lanewise::Arch::Blackhole);
//   auto program = lanewise::assembly::assemble(machine.arch(), source, "kernel.tt");
//   auto faults = machine.run(*program);
//   machine.state().vector.lreg[0][lane] ...
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "chip/isa/program.h"
#include "chip/machine/executor.h"
#include "chip/machine/frontend/front_end.h"
#include "chip/machine/state.h"

namespace lanewise {

/// Sets a configuration field by name, or a whole word of an ADDR_MOD section: ADDR_MOD_AB_SEC0,
/// ADDR_MOD_DST_SEC0, ADDR_MOD_BIAS_SEC0 and so on, as the thread sees it that the state acts for.
/// Error: BadInput if the chip has no such field or the value is too wide.
Expected<void> set_config(MachineState& state, std::string_view name, std::uint32_t value);

class Machine {
 public:
  explicit Machine(Arch arch) : front_end_(arch), state_(arch) {}

  Arch arch() const { return state_.config.arch(); }
  MachineState& state() { return state_; }
  const MachineState& state() const { return state_; }

  /// Everything as after reset, MOP expander and replay buffer included.
  void reset();

  /// lanewise::set_config() on the math thread.
  Expected<void> set_config(std::string_view name, std::uint32_t value);

  /// Expands MOP and REPLAY and decodes; the result can be executed any number of times, on copies
  /// of the state too.
  MicroProgram prepare(const Program& program) { return front_end_.expand(program); }

  /// Executes. Faults of execution are in state().faults.
  void execute(const MicroProgram& program) { lanewise::execute(state_, program.ops); }

  /// Applies the program's .cfg settings, prepares and executes; returns all faults, in order.
  std::vector<Fault> run(const Program& program);

 private:
  FrontEnd front_end_;
  MachineState state_;
};

} // namespace lanewise
