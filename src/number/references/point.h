// An expression at one point: in an interval of doubles, and in MPFR numbers where that leaves more
// than one choice. It decides what vectors leave open, and they are held against it.
#pragma once

#include "number/references/expression.h"
#include "number/references/program.h"
#include "number/references/reference.h"

namespace lanewise::references {

/// `program` is that of `expression`.
ReferenceValue evaluate_at_point(const Expression& expression, const BlockProgram& program,
                                 formats::Format format, double x, double y);

} // namespace lanewise::references
