// A loaded program on tiles, with everything that is known about its results beside them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "run/execution/check_program.h"
#include "run/execution/load_program.h"
#include "run/execution/tile_machine.h"
#include "run/execution/tile_runner.h"
#include "source/compiler/options.h"

namespace lanewise::execution {

/// What is done about instructions that come too close together.
enum class HazardPolicy : std::uint8_t {
  Warn,  ///< report; values are those that the program means
  Model, ///< report; values are those that the hardware would read
  Error, ///< report, and do not run
  Off    ///< do not look
};

/// Error: BadInput for another word than warn, model, error or off.
Expected<HazardPolicy> parse_hazard_policy(std::string_view text);

/// What is known of a program before it runs.
struct ProgramOutlook {
  std::optional<CheckedProgram> checked;     ///< on a tile of zeros, where that was asked for
  std::vector<Fault> unprogrammed;           ///< what it uses that nobody has programmed
  std::shared_ptr<PreparedProgram> prepared; ///< to run it; nullptr where the chip has no clock
};

/// Schedules the program for a tile. `checks`: also runs it through the checker. Error: BadInput if
/// a .cfg setting is wrong, and as check_tiles() says.
Expected<ProgramOutlook> look_ahead(const LoadedProgram& loaded,
                                    std::span<const tensors::Tensor> inputs,
                                    const TileRunOptions& tile, bool checks);

/// The hazards that are told before a run: no mere warnings, and not what the program
/// uses unprogrammed, which is told with its results.
std::vector<timing::Hazard> told_hazards(const CheckedProgram& checked);

struct ProgramRunOptions {
  TileRunOptions tile = {};
  compiler::Options compiler = {}; ///< with which a kernel was compiled
  bool interpret = false;    ///< a kernel's recording with unlimited registers instead of its words
  TileObserver observe = {}; ///< of the first tile; not with `interpret`
  std::function<void(const std::string&)> print = {}; ///< gets the lines that a kernel prints
};

struct ProgramRun {
  TileRun run;
  std::vector<std::string> notes; ///< sentences about a kernel that are no faults
};

/// run_on_tiles() for a loaded program. The faults have those of `outlook` too, and for a kernel
/// those that only the interpreter sees: its first tile goes through that as well, from where comes
/// what it prints, so that printing never changes the words. Errors as run_on_tiles() and
/// interpret_on_tiles() say.
Expected<ProgramRun> run_program(const LoadedProgram& loaded,
                                 std::span<const tensors::Tensor> inputs,
                                 const ProgramRunOptions& options, const ProgramOutlook& outlook);

/// check_and_cost() for a loaded program; of a kernel with what the interpreter finds on a tile of
/// zeros.
Expected<CheckedProgram> check_loaded(const LoadedProgram& loaded,
                                      const compiler::Options& compiler, const TileRunOptions& tile,
                                      const CheckSettings& settings = {});

/// Adds what only the interpreter finds, on a tile of zeros: lanes that were never computed and are
/// used. Nothing for a program that is no kernel.
void add_kernel_faults(CheckedProgram& checked, const LoadedProgram& loaded,
                       const compiler::Options& compiler, const TileRunOptions& tile);

} // namespace lanewise::execution
