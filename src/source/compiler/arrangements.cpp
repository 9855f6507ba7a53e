#include "source/compiler/arrangements.h"

#include <algorithm>

#include "source/compiler/hoist.h"
#include "source/compiler/rows.h"

namespace lanewise::compiler {

namespace {

/// Rows that are joined. More than four save little: a step of 2 rows of Dst each, of which INCRWC
/// takes 15 at most, and the replay buffer has 32 slots.
constexpr unsigned kJoined[] = {2, 4};

/// Instructions of a kernel for which everything is tried; of longer ones only what costs little.
constexpr std::size_t kLong = 4000;

ArrangementGroup group(std::size_t constants, unsigned rows, bool is_long) {
  ArrangementGroup found;
  for (std::size_t hoisted = constants + 1; hoisted-- > 0;) {
    if (is_long && hoisted != 0 && hoisted != constants) continue;
    found.push_back({.hoisted = hoisted, .rows = rows, .lregs = kAllocatable});
  }
  return found;
}

} // namespace

CompiledAs compiled_as(const Recording& recording, const Options& options) {
  return options.compiled.value_or(recording.is_shipped ? CompiledAs::Shipped
                                                        : CompiledAs::Lanewise);
}

std::vector<ArrangementGroup> arrangements(const Code& code, const Options& options) {
  if (!options.hoist && !options.rows && !options.schedule) return {};
  const bool is_long = code.instrs.size() > kLong;
  const std::size_t constants =
      options.hoist ? std::min<std::size_t>(count_hoistable(code), kAllocatable - 1) : 0;
  std::vector<ArrangementGroup> found{group(constants, 1, is_long)};
  if (!options.rows || !has_rows(code)) return found;
  for (const unsigned rows : kJoined) found.push_back(group(constants, rows, is_long));
  return found;
}

} // namespace lanewise::compiler
