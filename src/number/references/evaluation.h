// An expression at one point, at any precision.
#pragma once

#include "number/formats/format.h"
#include "number/references/expression.h"
#include "number/references/interval.h"
#include "number/references/reference.h"

namespace lanewise::references {

struct Enclosure; // number/references/enclosure.h

/// A number and what the whole expression is there, or all that it may be between two numbers.
/// Ends that are infinite, and maybe_nan, may come from how wide the range is.
Enclosure evaluate_between(const Expression& expression, double low, double high);

/// A part without x and y, between two doubles.
Interval evaluate_constant(const Expression& expression, std::size_t node);

/// The whole expression, rounded to a format: with as many bits as that takes, up to
/// kHighestPrecision.
inline constexpr long kLowestPrecision = 128, kHighestPrecision = 4096;
ReferenceValue evaluate_precisely(const Expression& expression, formats::Format format, double x,
                                  double y);

} // namespace lanewise::references
