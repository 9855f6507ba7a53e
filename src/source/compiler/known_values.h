// What operations give whose operands are known before the kernel runs.
#pragma once

#include <cstdint>
#include <optional>

#include "source/compiler/comparison.h"
#include "source/compiler/ir.h"

namespace lanewise::compiler {

/// The bits of a node all of whose operands have known bits (constant_bits() in
/// source/compiler/uses.h): sums and products of numbers, and what SFPIADD, SFPSHFT, SFPAND and
/// their like make of them. Nothing for other operations, for infinities and NaNs, and on chips
/// with narrow lanes.
std::optional<std::uint32_t> known_bits(const Recording& recording, const Node& node);

/// Whether a Compare of known bits holds that is decided in that way. Nothing if it is not known.
std::optional<bool> known_outcome(const Recording& recording, const Node& compare,
                                  const Decision& decision);

} // namespace lanewise::compiler
