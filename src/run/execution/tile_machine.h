// A machine that is configured once and then runs a program on one tile after the other.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/fault.h"
#include "chip/isa/program.h"
#include "chip/machine/machine.h"
#include "chip/timing/schedule.h"
#include "run/execution/footprint.h"
#include "run/execution/row_program.h"
#include "run/execution/tile_runner.h"

namespace lanewise::execution {

/// Error: BadInput for formats that the chip does not have in Dst, or sources of a Matrix Unit that
/// is not here.
Expected<void> check_formats(Arch arch, const TileRunOptions& options,
                             std::span<const tensors::Tensor> inputs = {});

/// Sets what the firmware sets for the formats of `options`, and then the program's own settings.
/// `name` stands in the message. Error: BadInput for a setting that is wrong.
Expected<void> configure(Machine& machine, const std::string& name,
                         std::span<const ConfigSetting> settings, const TileRunOptions& options);

/// Whether the values of a program need the clock: it has an SFPLOADMACRO.
bool has_macros(const MicroProgram& program);

/// A program as execute() takes it. One that needs the clock, since it has macros or the hazards of
/// silicon are wanted, is scheduled.
class PreparedProgram {
 public:
  /// `start` is the state before the first tile.
  PreparedProgram(MicroProgram program, const TileRunOptions& options, const MachineState& start);
  /// Of a program that is scheduled already, in the model of `options`.
  PreparedProgram(TimedProgram timed, const TileRunOptions& options);

  const MicroProgram& program() const { return program_; }
  std::span<const MicroOp> ops() const {
    return sequence_ ? std::span<const MicroOp>(*sequence_) : program_.ops;
  }
  bool is_clocked() const { return is_clocked_; }

  /// Makes the schedule anew from a state whose tile has led to another macro configuration.
  void schedule(const MachineState& start);

 private:
  MicroProgram program_;
  timing::ScheduleOptions options_;
  bool is_clocked_;
  std::optional<std::vector<MicroOp>> sequence_; ///< of the clock
};

/// Not to be copied: a machine is 60 KB, and its program may be much more.
class TileMachine {
 public:
  /// Puts a tile into Dst.
  using Load = std::function<void(MachineState&)>;
  /// Executes micro-ops in order on the state, as lanewise::execute() does.
  using Execute = std::function<void(MachineState&, std::span<const MicroOp>)>;

  /// Of `options` the output tile is not used. Error: BadInput for a .cfg setting that is wrong.
  static Expected<std::unique_ptr<TileMachine>> prepare(Arch arch, const Program& program,
                                                        const TileRunOptions& options);

  /// Runs the program from reset on what `load` puts there. If a tile leads to another macro
  /// configuration than the one before it, it is loaded and executed a second time.
  void run(const Load& load, const Execute& execute);

  /// After a tile. Faults of execution are in `faults`, over all tiles; they may be cleared.
  MachineState& state() { return machine_.state(); }

  /// The loops of what run() executes, as generated code can run it. Error: BadInput, which says
  /// why it cannot.
  Expected<RowProgram> row_program() const;

  /// Of preparation, with the name of the program.
  const std::vector<Fault>& faults() const { return faults_; }
  /// Executed for one tile, REPLAY expanded.
  std::uint64_t instructions() const { return program_->program().ops.size(); }

 private:
  explicit TileMachine(Arch arch) : machine_(arch), start_(arch), entry_(arch) {}
  void execute_lead();
  void restart();
  void start_tile(const Load& load);

  Machine machine_;
  MachineState start_;   ///< before each tile
  std::size_t lead_ = 0; ///< micro-ops that do the same for every tile, as none sees one
  MachineState entry_;   ///< behind them
  std::optional<PreparedProgram> program_;
  std::optional<Footprint> footprint_; ///< else all is put back before each tile
  std::vector<Fault> faults_;
};

} // namespace lanewise::execution
