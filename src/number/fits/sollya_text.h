// Expressions of references in the language of Sollya (https://www.sollya.org), which takes their
// derivatives.
#pragma once

#include <string>

#include "base/fault.h"
#include "number/references/expression.h"

namespace lanewise::fits {

/// A finite double, exactly: a whole number times a power of two, in parentheses.
std::string sollya_number(double value);

/// The function of x, in parentheses. Error: BadInput for y, for NaN and infinities, and for what
/// has no derivative or none that Sollya knows, with the functions that can be used.
Expected<std::string> sollya_text(const references::Expression& function);

} // namespace lanewise::fits
