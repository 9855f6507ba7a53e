#include "chip/machine/trace.h"

#include "chip/machine/scheduled.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "chip/machine/executor.h"

namespace lanewise {

namespace {

/// Lanes that are listed one by one before the rest is counted.
constexpr unsigned kListedLanes = 4;

/// What a lane holds: its bits, and the number that they are as a float.
std::string number(Arch arch, std::uint32_t lane) {
  const unsigned bits = arch_params(arch).vector.lane_bits;
  return fmt::format("{:0{}X} ({:g})", lane & (~0U >> (32 - bits)), (bits + 3) / 4,
                     std::bit_cast<float>(float_of_lane(arch, lane)));
}

/// The groups of lanes in their order: the one in `state.vector` is the first.
template <class Visit>
void visit_groups(const MachineState& state, Visit visit) {
  visit(0, state.vector);
  for (std::size_t i = 0; i < state.resting.size(); ++i)
    visit(static_cast<unsigned>(i + 1), state.resting[i]);
}

/// Where a lane of a group stands among all.
unsigned place_of(const MachineState& state, unsigned group, unsigned lane) {
  return state.resting.empty() ? lane : lane_number(group, lane);
}

std::vector<std::uint32_t> lanes_of(const MachineState& state, unsigned lreg) {
  std::vector<std::uint32_t> lanes(kLanes * (state.resting.size() + 1));
  visit_groups(state, [&](unsigned group, const VectorState& v) {
    for (unsigned lane = 0; lane < kLanes; ++lane)
      lanes[place_of(state, group, lane)] = v.lreg[lreg][lane];
  });
  return lanes;
}

/// A mask of lanes by their places.
std::uint64_t mask_of(const MachineState& state, std::uint32_t VectorState::*mask) {
  std::uint64_t all = 0;
  visit_groups(state, [&](unsigned group, const VectorState& v) {
    for (unsigned lane = 0; lane < kLanes; ++lane)
      all |= std::uint64_t{v.*mask >> lane & 1U} << place_of(state, group, lane);
  });
  return all;
}

/// As many digits as there are lanes to four.
std::string mask_text(std::uint64_t mask, std::size_t lanes) {
  return fmt::format("{:0{}X}", mask, lanes / 4);
}

/// How one register changed: a common value, or the first few lanes.
void add_register(std::vector<Change>& changes, unsigned lreg, const MachineState& old,
                  const MachineState& present) {
  const Arch arch = old.config.arch();
  const std::vector<std::uint32_t> before = lanes_of(old, lreg), after = lanes_of(present, lreg);
  std::uint64_t changed = 0;
  for (std::size_t lane = 0; lane < after.size(); ++lane)
    changed |= std::uint64_t{before[lane] != after[lane]} << lane;
  if (changed == 0) return;
  const std::uint32_t first = after[static_cast<std::size_t>(std::countr_zero(changed))];
  bool uniform = true;
  for (std::size_t lane = 0; lane < after.size(); ++lane)
    uniform = uniform && ((changed >> lane & 1U) == 0 || after[lane] == first);
  const auto count = static_cast<std::size_t>(std::popcount(changed));
  if (uniform && count > 1) {
    const std::string where =
        count == after.size() ? "all lanes"
                              : fmt::format("{} lanes {}", count, mask_text(changed, after.size()));
    changes.push_back(fmt::format("L{} = {} in {}", lreg, number(arch, first), where));
    return;
  }
  std::string text = fmt::format("L{}:", lreg);
  unsigned listed = 0;
  for (std::size_t lane = 0; lane < after.size() && listed < kListedLanes; ++lane) {
    if ((changed >> lane & 1U) == 0) continue;
    text += fmt::format("{} lane {} = {}", listed == 0 ? "" : ",", lane, number(arch, after[lane]));
    ++listed;
  }
  if (count > listed) text += fmt::format(", and {} lanes more", count - listed);
  changes.push_back(std::move(text));
}

void add_counter(std::vector<Change>& changes, std::string_view name, std::uint32_t before,
                 std::uint32_t after) {
  if (before != after) changes.push_back(fmt::format("{} = {}", name, after));
}

void add_mask(std::vector<Change>& changes, std::string_view name, const MachineState& before,
              const MachineState& after, std::uint32_t VectorState::*mask) {
  const std::uint64_t now = mask_of(after, mask);
  const std::size_t lanes = kLanes * (after.resting.size() + 1);
  if (mask_of(before, mask) != now)
    changes.push_back(fmt::format("{} = {}", name, mask_text(now, lanes)));
}

void add_dst(std::vector<Change>& changes, const Dst& before, const Dst& after) {
  std::string rows;
  unsigned count = 0;
  for (unsigned row = 0; row < kDstRows; ++row) {
    if (std::equal(std::begin(before.cell[row]), std::end(before.cell[row]),
                   std::begin(after.cell[row])))
      continue;
    if (++count <= kListedLanes) rows += fmt::format("{}{}", count == 1 ? "" : ", ", row);
  }
  if (count == 0) return;
  if (count > kListedLanes) rows += fmt::format(" and {} more", count - kListedLanes);
  changes.push_back(fmt::format("Dst rows {}", rows));
}

} // namespace

std::vector<Change> changes_between(const MachineState& before, const MachineState& after) {
  std::vector<Change> changes;
  for (unsigned reg = 0; reg < kLRegs; ++reg) {
    add_register(changes, reg, before, after);
  }
  const VectorState &v = before.vector, &w = after.vector;
  add_mask(changes, "flags", before, after, &VectorState::flags);
  add_mask(changes, "flags in use", before, after, &VectorState::use_flags);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (v.stack.depth(lane) != w.stack.depth(lane)) {
      changes.push_back(fmt::format("flag stack depth = {}", w.stack.depth(lane)));
      break;
    }
  }
  if (v.stack.entry != w.stack.entry && v.stack.at_depth == w.stack.at_depth)
    changes.emplace_back("flag stack entry");
  for (unsigned column = 0; column < kColumns; ++column) {
    if (v.lane_config[column] != w.lane_config[column]) {
      changes.push_back(
          fmt::format("LaneConfig = {:05X} (column {})", w.lane_config[column], column));
      break;
    }
  }
  if (v.macro.instruction_template != w.macro.instruction_template)
    changes.emplace_back("macro template");
  if (v.macro.sequence != w.macro.sequence) changes.emplace_back("macro sequence");
  if (v.macro.misc != w.macro.misc) changes.emplace_back("macro Misc");
  if (!std::equal(std::begin(v.prng), std::end(v.prng), std::begin(w.prng)))
    changes.emplace_back("PRNG");
  add_counter(changes, "RWC Dst", before.rwc.dst, after.rwc.dst);
  add_counter(changes, "RWC Dst_Cr", before.rwc.dst_cr, after.rwc.dst_cr);
  add_counter(changes, "RWC SrcA", before.rwc.srca, after.rwc.srca);
  add_counter(changes, "RWC SrcB", before.rwc.srcb, after.rwc.srcb);
  add_counter(changes, "RWC Fidelity", before.rwc.fidelity, after.rwc.fidelity);
  add_counter(changes, "RWC Sp", before.rwc.sp, after.rwc.sp);
  add_counter(changes, "bias bit", before.rwc.bias, after.rwc.bias);
  add_dst(changes, before.dst, after.dst);
  return changes;
}

void execute_traced(MachineState& state, std::span<const MicroOp> ops,
                    const TraceObserver& observe) {
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const MachineState before = state;
    // A held result shows where it is written.
    const bool held = begins_hold(ops[i]);
    const std::size_t shown = held ? i + 1 : i;
    execute(state, ops.subspan(i, held ? 3 : 1));
    if (held) i += 2;
    const std::vector<Change> changes = changes_between(before, state);
    if (is_bookkeeping(ops[shown]) && changes.empty()) continue;
    observe(ops[shown], changes);
  }
}

} // namespace lanewise
