#include "run/execution/footprint.h"

#include <algorithm>

#include "chip/isa/encoding.h"
#include "chip/machine/control.h"
#include "chip/machine/dst_address.h"
#include "chip/machine/executor.h"
#include "chip/machine/scheduled.h"

namespace lanewise::execution {

namespace {

constexpr unsigned kGroupRows = 4; ///< of one access

void add_group(unsigned first, std::vector<std::uint16_t>& rows) {
  for (unsigned row = first; row < first + kGroupRows; ++row)
    rows.push_back(static_cast<std::uint16_t>(row));
}

void add_store(const MachineState& state, const MicroOp& store, std::vector<std::uint16_t>& rows) {
  const DstMode mode = resolve_dst_mode(state.config, static_cast<DstMode>(store.mod));
  const unsigned row = store_address(state, store, mode).physical_row;
  add_group(row, rows);
  if (store_is_32bit(mode)) add_group(row + kDstLowHalf, rows);
}

bool is_of_vector_unit(Arch arch, const MicroOp& op) {
  if (is_bookkeeping(op) || only_moves_counters(op)) return true;
  const isa::Row* row = isa::decode(arch, op.word).row;
  return (row != nullptr && row->unit == isa::Unit::Vector) ||
         find_control_kernel(arch, op.op) != nullptr;
}

/// Whether it leaves configuration and scalar registers alone.
bool is_of_lanes_alone(Arch arch, const MicroOp& op) {
  if (is_bookkeeping(op) || only_moves_counters(op)) return true;
  const isa::Row* row = isa::decode(arch, op.word).row;
  return row != nullptr && row->unit == isa::Unit::Vector;
}

} // namespace

bool only_moves_counters(const MicroOp& op) {
  constexpr std::uint32_t kFlips = 3U << 22; // FlipSrcB, FlipSrcA: give back a bank of a source
  return op.kernel == no_effect || op.op == isa::Op::INCRWC ||
         (op.op == isa::Op::SETRWC && (op.word & kFlips) == 0);
}

std::optional<Footprint> Footprint::of(const MachineState& start, std::span<const MicroOp> ops) {
  if (!start.resting.empty()) return std::nullopt; // a machine of few, which need not be fast
  Footprint made;
  MachineState state = start;
  for (const MicroOp& op : ops) {
    if (!is_of_vector_unit(start.config.arch(), op)) return std::nullopt;
    if (op.op == isa::Op::SFPSTORE) add_store(state, op, made.rows_);
    made.writes_config_ = made.writes_config_ || !is_of_lanes_alone(start.config.arch(), op);
    execute(state, {&op, 1});
  }
  std::sort(made.rows_.begin(), made.rows_.end());
  made.rows_.erase(std::unique(made.rows_.begin(), made.rows_.end()), made.rows_.end());
  return made;
}

void Footprint::restore(const MachineState& start, MachineState& state) const {
  state.vector = start.vector;
  state.rwc = start.rwc;
  if (writes_config_) {
    state.config = start.config;
    state.gpr = start.gpr;
  }
  state.clock = start.clock;
  state.dst.valid_bits = start.dst.valid_bits;
  for (auto first = rows_.begin(); first != rows_.end();) { // rows that lie side by side at once
    auto end = first + 1;
    while (end != rows_.end() && *end == end[-1] + 1) ++end;
    const auto rows = static_cast<std::size_t>(end - first);
    std::copy_n(start.dst.cell[*first], rows * kDstColumns, state.dst.cell[*first]);
    first = end;
  }
}

} // namespace lanewise::execution
