// One program through the checker: everything that says how many hazards there are asks here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/fault.h"
#include "chip/isa/arch.h"
#include "chip/isa/program.h"
#include "chip/timing/hazards/hazards.h"
#include "chip/timing/hazards/late_push.h"
#include "chip/timing/tile_cost.h"
#include "run/execution/tile_runner.h"
#include "run/execution/unprogrammed.h"

namespace lanewise::execution {

/// A program on a chip, checked.
struct CheckedProgram {
  std::string name;        ///< file, or kernel of a checkout
  std::string header = {}; ///< of a kernel of a checkout: which it is from
  Arch arch = kDefaultArch;
  std::string variant = {}; ///< what else distinguishes it, as "fp32, twin"; may be empty
  std::size_t instructions = 0;
  std::uint64_t cycles = 0;                  ///< of one pass, with what runs once
  std::optional<timing::TileCost> cost = {}; ///< what of it a tile takes, where asked for
  std::vector<timing::Hazard> hazards = {};
  std::optional<timing::PausesTried> pauses = {}; ///< with PauseSearch::Whole
  std::vector<Fault> faults = {};                 ///< found while it was prepared and executed
  std::string failure = {};                       ///< why it could not be checked; empty if it was
};

/// How much was found.
struct FindingCounts {
  std::size_t hazards = 0, warnings = 0, faults = 0;
};
FindingCounts count_findings(const CheckedProgram& checked);

bool finds_anything(const CheckedProgram& checked);

/// Findings that are no mere warnings, faults after which results do not hold, or a failure.
bool has_problem(const CheckedProgram& checked);

/// What the checker is told of a program, and what it looks for beside the rest.
struct CheckSettings {
  FilledTiles filled = std::nullopt; ///< the tiles of Dst that are inputs, if that is known
  timing::PauseSearch pauses = timing::PauseSearch::Quick;
  timing::PauseProgress progress = {}; ///< of the pauses
};

/// What 'check', 'time' and 'run' say of a program that was scheduled on a tile of zeros: executes
/// it, and looks for hazards and for contracts between kernels that it breaks.
CheckedProgram check_program(const TimedProgram& timed, const Program& program,
                             const CheckSettings& settings = {});

/// The same from the beginning, with what a tile costs. Error: BadInput if a .cfg setting is wrong.
Expected<CheckedProgram> check_and_cost(Arch arch, const Program& program,
                                        const TileRunOptions& options,
                                        const CheckSettings& settings = {});

} // namespace lanewise::execution
