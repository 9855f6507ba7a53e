// The random tiles on which a changed program is held against the original.
//
// A change moves one instruction, or inserts some that do nothing. Without SFPLOADMACRO, values do
// not depend on the clock: both programs are the same up to the change, and mostly again behind it.
// Only what lies between is executed twice.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "chip/machine/frontend/front_end.h"
#include "chip/machine/state.h"

namespace lanewise::timing {

/// What a program leaves on a tile.
MachineState left_on(const MachineState& tile, const MicroProgram& program);

class TrialTiles {
 public:
  static constexpr unsigned kTiles = 3;

  /// Both must live as long.
  TrialTiles(const MachineState& start, const MicroProgram& original)
      : start_(start), original_(original) {}

  /// `start` with random values, for tile 0 to kTiles - 1.
  const MachineState& tile(unsigned number);

  /// What the original leaves there.
  const MachineState& left_by_original(unsigned number);

  /// Whether a changed program leaves the same values there as the original.
  bool leaves_same(unsigned number, const MicroProgram& changed);

 private:
  /// Instructions [first, end) of both programs, without those that do nothing: all others are the
  /// same.
  struct Difference {
    std::size_t first = 0, end = 0;
  };
  /// The original on a tile, up to an instruction.
  struct Progress {
    std::size_t done = 0;
    std::optional<MachineState> state;
  };
  /// A program comes to a change again in its second call.
  static constexpr std::size_t kDifferences = 2;

  struct Run {
    std::optional<MachineState> tile, left;
    std::array<Progress, kDifferences> progress;
  };

  const std::vector<MicroOp>& effective_original();
  bool rejoins(unsigned number, std::size_t which, Difference difference,
               std::span<const MicroOp> changed);
  bool rejoins_everywhere(unsigned number, const MicroProgram& changed);
  static std::optional<std::vector<Difference>> differences(std::span<const MicroOp> original,
                                                            std::span<const MicroOp> changed);

  const MachineState& start_;
  const MicroProgram& original_;
  std::optional<std::vector<MicroOp>> effective_; ///< of the original
  std::array<Run, kTiles> runs_;
};

} // namespace lanewise::timing
