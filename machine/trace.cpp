#include "machine/trace.h"

#include "machine/scheduled.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "machine/executor.h"

namespace lanewise {

namespace {

/// Lanes that are listed one by one before the rest is counted.
constexpr unsigned kListedLanes = 4;

std::string number(std::uint32_t bits) {
  return fmt::format("{:08X} ({:g})", bits, std::bit_cast<float>(bits));
}

/// How one register changed: a common value, or the first few lanes.
void add_register(std::vector<Change>& changes, const std::string& name,
                  const std::uint32_t* before, const std::uint32_t* after) {
  std::uint32_t changed = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    changed |= static_cast<std::uint32_t>(before[lane] != after[lane]) << lane;
  if (changed == 0) return;
  const auto first = static_cast<unsigned>(std::countr_zero(changed));
  bool uniform = true;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    uniform = uniform && ((changed >> lane & 1U) == 0 || after[lane] == after[first]);
  }
  const int count = std::popcount(changed);
  if (uniform && count > 1) {
    const std::string where =
        changed == kAllLanes ? "all lanes" : fmt::format("{} lanes {:08X}", count, changed);
    changes.push_back(fmt::format("{} = {} in {}", name, number(after[first]), where));
    return;
  }
  std::string text = fmt::format("{}:", name);
  unsigned listed = 0;
  for (unsigned lane = 0; lane < kLanes && listed < kListedLanes; ++lane) {
    if ((changed >> lane & 1U) == 0) continue;
    text += fmt::format("{} lane {} = {}", listed == 0 ? "" : ",", lane, number(after[lane]));
    ++listed;
  }
  if (static_cast<unsigned>(count) > listed)
    text += fmt::format(", and {} lanes more", count - static_cast<int>(listed));
  changes.push_back(std::move(text));
}

void add_counter(std::vector<Change>& changes, std::string_view name, std::uint32_t before,
                 std::uint32_t after) {
  if (before != after) changes.push_back(fmt::format("{} = {}", name, after));
}

void add_mask(std::vector<Change>& changes, std::string_view name, std::uint32_t before,
              std::uint32_t after) {
  if (before != after) changes.push_back(fmt::format("{} = {:08X}", name, after));
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
    add_register(changes, fmt::format("L{}", reg), before.vector.lreg[reg], after.vector.lreg[reg]);
  }
  const VectorState &v = before.vector, &w = after.vector;
  add_mask(changes, "flags", v.flags, w.flags);
  add_mask(changes, "flags in use", v.use_flags, w.use_flags);
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
