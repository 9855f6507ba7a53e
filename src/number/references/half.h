// Functions that are next to half of a tiny operand: gelu() and others.
#pragma once

#include <optional>

#include "number/references/expression.h"
#include "number/references/reference.h"

namespace lanewise::references {

/// The result of an expression that is such a function of x and nothing else, at an x that is so
/// tiny that half of it is the nearest double; nothing elsewhere.
///
/// Half of a denormal FP32 with an odd pattern is the middle between two others, and the distance
/// of the result from it shows in no double. But on which side of it the result lies is known.
std::optional<ReferenceValue> half_of_tiny(const Expression& expression, formats::Format format,
                                           double x);

} // namespace lanewise::references
