#include "execution/row_program.h"

#include <algorithm>

#include "machine/control.h"
#include "machine/dst_address.h"
#include "machine/executor.h"
#include "machine/simd_level.h"
#include "machine/vector/predication.h"

namespace lanewise::lab {

namespace {

using isa::Op;

constexpr std::size_t kFewestRows = 4, kLongestRow = 1024, kLongestProgram = 1U << 16;

bool is_same(const MicroOp& a, const MicroOp& b) {
  return a.word == b.word && a.line == b.line && a.kernel == b.kernel &&
         a.instruction == b.instruction && a.lanes == b.lanes && a.address_slot == b.address_slot;
}

/// The longest run of micro-ops of which each is the same as the one `period` behind it.
LoopShape longest_loop(std::span<const MicroOp> ops, std::size_t period) {
  LoopShape best{.begin = 0, .period = period, .rows = 0};
  std::size_t run = 0;
  for (std::size_t i = 0; i + period < ops.size(); ++i) {
    run = is_same(ops[i], ops[i + period]) ? run + 1 : 0;
    const std::size_t rows = run / period + 1;
    if (rows > best.rows) best = {.begin = i + 1 - run, .period = period, .rows = rows};
  }
  return best;
}

bool is_access(const MicroOp& op) {
  return op.op == Op::SFPLOAD || op.op == Op::SFPSTORE;
}

/// Whether nothing but counters changes. SETRWC may also give back a bank of a source.
bool only_moves_counters(const MicroOp& op) {
  constexpr std::uint32_t kFlips = 3U << 22; // FlipSrcB, FlipSrcA
  return op.kernel == no_effect || op.op == Op::INCRWC ||
         (op.op == Op::SETRWC && (op.word & kFlips) == 0);
}

/// Whether generated code has the instruction (machine/kernels/row.h).
bool has_step(Arch arch, const MicroOp& op) {
  if (op.kernel != op.instruction || op.address_slot != 0) return false;
  return op.kernel == find_lane_kernel(arch, op) ||
         find_predication_kernel<MachineState>(arch, op.op) != nullptr;
}

/// The access of a micro-op that is about to execute. `counters` is a copy: a load of the stack
/// moves them.
RowAddress address_of(MachineState& state, const MicroOp& op) {
  const auto mode = static_cast<DstMode>(op.mod);
  const Rwc before = state.rwc;
  const DstAddress address =
      op.op == Op::SFPLOAD ? load_address(state, op, mode) : store_address(state, op, mode);
  state.rwc = before;
  return {static_cast<std::uint16_t>(address.physical_row),
          static_cast<std::uint16_t>(address.odd)};
}

MicroOp resolved(const ConfigState& config, MicroOp op) {
  if (is_access(op))
    op.mod = static_cast<std::uint8_t>(resolve_dst_mode(config, static_cast<DstMode>(op.mod)));
  return op;
}

} // namespace

std::optional<LoopShape> find_loop(std::span<const MicroOp> ops) {
  if (ops.size() > kLongestProgram) return std::nullopt;
  LoopShape best;
  const std::size_t longest = std::min(kLongestRow, ops.size() / kFewestRows);
  for (std::size_t period = 1; period <= longest; ++period) {
    const LoopShape loop = longest_loop(ops, period);
    if (loop.rows < kFewestRows || 2 * loop.period * loop.rows < ops.size()) continue;
    if (loop.period * loop.rows > best.period * best.rows) best = loop;
  }
  if (best.rows == 0) return std::nullopt;
  return best;
}

std::optional<RowProgram> find_row_program(const MachineState& start,
                                           std::span<const MicroOp> ops) {
  const auto loop = find_loop(ops);
  if (!loop) return std::nullopt;
  RowProgram program{.loop = *loop, .body = {}, .addresses = {}, .counters_after = {}};
  const auto row = ops.subspan(loop->begin, loop->period);
  MachineState state = start;
  execute(state, ops.first(loop->begin));
  for (const MicroOp& op : row) {
    if (only_moves_counters(op)) continue;
    if (!has_step(start.config.arch(), op)) return std::nullopt;
    program.body.push_back(resolved(state.config, op));
  }
  for (std::size_t i = 0; i < loop->rows; ++i) {
    if (!are_rows_alike(state.vector)) return std::nullopt;
    program.uses_flags = program.uses_flags || state.vector.use_flags != 0;
    for (const MicroOp& op : row) {
      if (is_access(op)) program.addresses.push_back(address_of(state, resolved(state.config, op)));
      execute(state, {&op, 1});
    }
  }
  program.counters_after = state.rwc;
  return program;
}

} // namespace lanewise::lab
