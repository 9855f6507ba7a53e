// A virtual register that no LReg has room for during its whole life lives in two of them.
#pragma once

#include <optional>

#include "compiler/code.h"
#include "compiler/intervals.h"

namespace lanewise::compiler {

/// LReg of each virtual register, or negative where it has none yet.
using Places = std::vector<int>;

/// The instruction before which `reg` should move on: it can stay in some LReg up to there, and in
/// none longer. Nothing where no LReg is free even when its life begins.
std::optional<std::size_t> best_split(const Intervals& intervals, const Places& places,
                                      unsigned reg);

/// From instruction `at` on, a new virtual register takes the place of `reg`; a move to all lanes
/// before it hands the value over.
void split(Code& code, unsigned reg, std::size_t at);

} // namespace lanewise::compiler
