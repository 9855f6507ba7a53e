// Runs a program over tiles: inputs into Dst, the program once per tile, the result out of Dst.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/fault.h"
#include "chip/isa/program.h"
#include "chip/machine/machine.h"
#include "chip/timing/schedule.h"
#include "number/tensors/source_tile.h"
#include "number/tensors/tile.h"
#include "run/oracle/printed.h"
#include "source/compiler/ir.h"

namespace lanewise::execution {

struct TileRunOptions {
  formats::Format format =
      formats::Format::BF16; ///< that the Vector Unit is configured for; inputs have their own
  unsigned output_tile = 0;  ///< the tile of Dst that is the result
  std::optional<formats::Format> output_format =
      std::nullopt;       ///< of the result, if it is not `format`
  bool as_kernel = false; ///< start as the firmware enters a kernel (chip/machine/kernel_entry.h)
  /// What instructions that come too early read; scheduled ones follow the clock in any case.
  timing::HazardModel hazards = timing::HazardModel::Documented;
  /// Tiles for bank 0 of SrcA and SrcB, one each time that the program runs. With either of them
  /// the Matrix Unit is configured for `format` as well: FP32 for 32-bit ones, integers if a source
  /// is INT8 and `format` INT32.
  std::optional<tensors::SourceInput> srca = std::nullopt, srcb = std::nullopt;
};

struct TileRun {
  Arch arch = kDefaultArch;
  tensors::Tensor output;    ///< shape of the first input, else that of SrcB, of SrcA, or one tile
  std::vector<Fault> faults; ///< of preparation and execution, over all tiles
  std::uint64_t instructions = 0; ///< executed for one tile, REPLAY expanded
  std::uint64_t tiles = 0;
};

/// Looks at the machine as one tile is executed instruction by instruction; see
/// chip/machine/trace.h.
using TileObserver = std::function<void(MachineState&, std::span<const MicroOp>)>;

/// Number of tiles that Dst holds in a format: 8 of 32 bits, 16 of 16 bits or, if these are the
/// high halves of 32 bits, 8 (MU 1.1).
unsigned dst_tiles(formats::Format format, Dst16View view = Dst16View::Rows);

/// Error: BadInput if Dst, as `view` looks at it, has no such tile.
Expected<void> check_output_tile(formats::Format format, unsigned tile,
                                 Dst16View view = Dst16View::Rows);

/// How often a program runs on the inputs: once for each of their tiles. Error: BadInput for more
/// inputs than Dst holds, for one without elements, for inputs that differ in their number of
/// tiles, and as check_output_tile() says.
Expected<std::size_t> check_tiles(std::span<const tensors::Tensor> inputs,
                                  const TileRunOptions& options, Dst16View view);

/// Puts one tile, which Dst has (check_tiles()), into Dst, at logical rows 64 * tile and up.
void load_tile(Dst& dst, formats::Format format, unsigned tile, const tensors::Tile& values,
               Dst16View view = Dst16View::Rows);
/// Takes one tile out of Dst; invalid rows read as zero.
tensors::Tile read_tile(const Dst& dst, formats::Format format, unsigned tile,
                        Dst16View view = Dst16View::Rows);

/// Executes the program for every tile of the inputs, each time from reset: input i goes to tile i
/// of Dst, and SRCB accesses are configured for the format, before the program's own .cfg settings.
/// SrcA and SrcB get their tiles, formats and configuration if `options` has inputs for them.
/// Inputs of a single tile serve every tile of the others. `observe` replaces the execution of the
/// first tile, if given. Error: BadInput if inputs differ in their number of tiles, do not fit in
/// Dst, have numbers that a source format does not have, or a .cfg setting is wrong.
Expected<TileRun> run_on_tiles(Arch arch, const Program& program,
                               std::span<const tensors::Tensor> inputs,
                               const TileRunOptions& options, const TileObserver& observe = {});

class PreparedProgram;

/// The same for a program that has been prepared already; a tile that leads to another macro
/// configuration schedules it anew.
Expected<TileRun> run_on_tiles(Arch arch, const Program& program, PreparedProgram& prepared,
                               std::span<const tensors::Tensor> inputs,
                               const TileRunOptions& options, const TileObserver& observe = {});

/// A program and where it starts, as run_on_tiles() executes it.
struct TileProgram {
  MachineState start; ///< before the first tile
  MicroProgram program;
};

/// Expands the program for a tile of zeros. Error: BadInput if a .cfg setting is wrong.
Expected<TileProgram> expand_on_tile(Arch arch, const Program& program,
                                     const TileRunOptions& options);

/// The same on the clock.
struct TimedProgram : TileProgram {
  timing::Schedule schedule;

  std::span<const MicroOp> ops() const { return schedule.ops(program); }
};

TimedProgram schedule_on_tile(TileProgram on_tile,
                              const timing::ScheduleOptions& schedule_options = {});

/// Expands and schedules the program for a tile of zeros. Error: BadInput if a .cfg setting is
/// wrong, or for a chip without a clock.
Expected<TimedProgram> schedule_on_tile(Arch arch, const Program& program,
                                        const TileRunOptions& options,
                                        const timing::ScheduleOptions& schedule_options = {});

/// The same as run_on_tiles() for a kernel's recording, interpreted instead of compiled. `print`
/// gets what the kernel prints on the first tile. Error also: BadInput if the kernel has an
/// SFPLOADMACRO, since what that schedules needs the clock, which the interpreter does not have.
Expected<TileRun> interpret_on_tiles(const compiler::Recording& recording,
                                     std::span<const tensors::Tensor> inputs,
                                     const TileRunOptions& options,
                                     const oracle::PrintSink& print = {});

} // namespace lanewise::execution
