#include "chip/timing/hazards/trial_tiles.h"

#include <algorithm>
#include <iterator>

#include "chip/machine/executor.h"
#include "chip/timing/hazards/random_tile.h"
#include "chip/timing/same_future.h"
#include "chip/timing/schedule.h"

namespace lanewise::timing {

namespace {

bool has_macros(const MicroProgram& program) {
  return std::ranges::any_of(program.ops,
                             [](const MicroOp& op) { return op.op == isa::Op::SFPLOADMACRO; });
}

/// Without SFPNOP, which does nothing.
std::vector<MicroOp> effective(const MicroProgram& program) {
  std::vector<MicroOp> ops;
  ops.reserve(program.ops.size());
  std::ranges::copy_if(program.ops, std::back_inserter(ops),
                       [](const MicroOp& op) { return op.op != isa::Op::SFPNOP; });
  return ops;
}

} // namespace

MachineState left_on(const MachineState& tile, const MicroProgram& program) {
  MachineState state = tile;
  if (has_macros(program)) {
    execute(state, schedule(tile, program).ops(program));
  } else {
    execute(state, program.ops);
  }
  return state;
}

const MachineState& TrialTiles::tile(unsigned number) {
  std::optional<MachineState>& tile = runs_[number].tile;
  if (!tile) tile = random_tile(start_, number);
  return *tile;
}

const MachineState& TrialTiles::left_by_original(unsigned number) {
  std::optional<MachineState>& left = runs_[number].left;
  if (!left) left = left_on(tile(number), original_);
  return *left;
}

bool TrialTiles::leaves_same(unsigned number, const MicroProgram& changed) {
  return rejoins_everywhere(number, changed) ||
         same_values(left_on(tile(number), changed), left_by_original(number));
}

const std::vector<MicroOp>& TrialTiles::effective_original() {
  if (!effective_) effective_ = effective(original_);
  return *effective_;
}

/// Where the words of both differ; nothing if more differs than a change and its second call.
std::optional<std::vector<TrialTiles::Difference>> TrialTiles::differences(
    std::span<const MicroOp> original, std::span<const MicroOp> changed) {
  // A moved instruction has passed some that may be the same by chance.
  constexpr std::size_t kApart = 16;
  if (original.size() != changed.size()) return std::nullopt;
  std::vector<Difference> found;
  for (std::size_t i = 0; i < original.size(); ++i) {
    if (original[i].word == changed[i].word) continue;
    if (!found.empty() && i - found.back().end < kApart) {
      found.back().end = i + 1;
    } else if (found.size() < kDifferences) {
      found.push_back({i, i + 1});
    } else {
      return std::nullopt;
    }
  }
  return found;
}

/// Whether the changed program finds behind a difference what the original does, if it has before
/// it.
bool TrialTiles::rejoins(unsigned number, std::size_t which, Difference difference,
                         std::span<const MicroOp> changed) {
  const std::span<const MicroOp> original = effective_original();
  Progress& progress = runs_[number].progress[which];
  if (!progress.state || progress.done > difference.first)
    progress = {.done = 0, .state = tile(number)};
  execute(*progress.state, original.subspan(progress.done, difference.first - progress.done));
  progress.done = difference.first;
  const std::size_t count = difference.end - difference.first;
  MachineState usual = *progress.state, mine = *progress.state;
  execute(usual, original.subspan(difference.first, count));
  execute(mine, changed.subspan(difference.first, count));
  return same_future(usual, mine);
}

/// Of programs that need the clock for their values, nothing is said.
bool TrialTiles::rejoins_everywhere(unsigned number, const MicroProgram& changed) {
  if (!start_.resting.empty() || has_macros(original_) || has_macros(changed)) return false;
  const std::vector<MicroOp> ops = effective(changed);
  const auto found = differences(effective_original(), ops);
  if (!found) return false;
  for (std::size_t i = 0; i < found->size(); ++i) {
    if (!rejoins(number, i, (*found)[i], ops)) return false;
  }
  return true;
}

} // namespace lanewise::timing
