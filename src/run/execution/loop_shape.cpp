// Which micro-ops repeat themselves.
#include <algorithm>

#include "run/execution/row_program.h"

namespace lanewise::execution {

namespace {

using isa::Op;

constexpr std::size_t kFewestRows = 4, kLongestRow = 512, kLongestProgram = 1U << 16;

/// Whether its word and line are told in a fault.
bool may_fault(Op op) {
  return op == Op::SFPMUL24 || op == Op::SFPPUSHC || op == Op::SFPPOPC;
}

bool have_same_operands(const MicroOp& a, const MicroOp& b) {
  return a.kernel == b.kernel && a.instruction == b.instruction && a.lanes == b.lanes &&
         a.va == b.va && a.vb == b.vb && a.vc == b.vc && a.vd == b.vd && a.mod == b.mod;
}

/// Where an access goes is found out for each row, so that only what it does must be the same; of
/// an unrolled loop, each row has lines of its own.
bool is_same(const MicroOp& a, const MicroOp& b) {
  if (a.op != b.op || !have_same_operands(a, b)) return false;
  if (is_access(a)) return true;
  if (may_fault(a.op) && a.line != b.line) return false;
  return a.word == b.word && a.immediate == b.immediate;
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

} // namespace lanewise::execution
