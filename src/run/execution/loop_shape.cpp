// Which micro-ops repeat themselves.
#include <algorithm>
#include <unordered_map>

#include "run/execution/row_program.h"

namespace lanewise::execution {

namespace {

using isa::Op;

constexpr std::size_t kLongestRow = 512, kLongestProgram = 1U << 16;

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

/// The same for those that are the same.
std::size_t hash_of(const MicroOp& op) {
  constexpr std::size_t kFactor = 0x9E3779B97F4A7C15U; // 2^64 by the golden ratio
  std::size_t hash = static_cast<std::size_t>(op.op);
  for (const std::size_t part : {std::size_t{op.va}, std::size_t{op.vb}, std::size_t{op.vc},
                                 std::size_t{op.vd}, std::size_t{op.mod}})
    hash = (hash ^ part) * kFactor;
  return is_access(op) ? hash : (hash ^ op.word) * kFactor;
}

/// For each micro-op the first one that is the same.
std::vector<std::size_t> first_of_same(std::span<const MicroOp> ops) {
  std::unordered_multimap<std::size_t, std::size_t> kinds;
  std::vector<std::size_t> firsts;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const std::size_t hash = hash_of(ops[i]);
    const auto [first, last] = kinds.equal_range(hash);
    const auto known = std::find_if(
        first, last, [&](const auto& kind) { return is_same(ops[kind.second], ops[i]); });
    firsts.push_back(known == last ? i : known->second);
    if (known == last) kinds.emplace(hash, i);
  }
  return firsts;
}

/// Looks for loops of at least so many rows.
struct LoopSearch {
  std::span<const MicroOp> ops;
  std::vector<std::size_t> firsts; ///< first_of_same()
  std::size_t fewest_rows;

  /// The loop of the shortest rows, of at most `longest`, that begins at `begin`; of no rows if
  /// there is none.
  LoopShape at(std::size_t begin, std::size_t longest = kLongestRow) const {
    const std::size_t left = ops.size() - begin;
    bool accesses = false;
    for (std::size_t period = 1; period <= std::min(longest, left / fewest_rows); ++period) {
      accesses = accesses || is_access(ops[begin + period - 1]);
      if (!accesses || firsts[begin] != firsts[begin + period]) continue;
      std::size_t run = 0;
      while (run + period < left && firsts[begin + run] == firsts[begin + run + period]) ++run;
      const std::size_t rows = run / period + 1;
      if (rows >= fewest_rows) return {.begin = begin, .period = period, .rows = rows};
    }
    return {};
  }

  /// The first loop in a row of another one: a face that begins with instructions of its own is no
  /// row, but has some.
  LoopShape inner(const LoopShape& outer) const {
    for (std::size_t begin = outer.begin + 1; begin < outer.begin + outer.period; ++begin) {
      const LoopShape found = at(begin, outer.period / fewest_rows);
      if (found.rows != 0) return found;
    }
    return outer;
  }
};

} // namespace

bool may_fault(Op op) {
  return op == Op::SFPMUL24 || op == Op::SFPPUSHC || op == Op::SFPPOPC;
}

std::vector<LoopShape> find_loops(std::span<const MicroOp> ops, std::size_t fewest_rows) {
  std::vector<LoopShape> loops;
  if (ops.size() > kLongestProgram) return loops;
  const LoopSearch search{ops, first_of_same(ops), fewest_rows};
  for (std::size_t at = 0; at < ops.size();) {
    const LoopShape loop = search.inner(search.at(at));
    if (loop.rows != 0) loops.push_back(loop);
    at = loop.rows != 0 ? loop.end() : at + 1;
  }
  return loops;
}

} // namespace lanewise::execution
