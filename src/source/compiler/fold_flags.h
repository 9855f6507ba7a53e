// Pass "flags": comparisons fall out of the operation that makes the number.
#pragma once

#include "source/compiler/code.h"

namespace lanewise::compiler {

/// SFPIADD and SFPEXEXP can set the flags by the sign of their result, SFPLZ by whether its operand
/// is zero. Where SFPSETCC tests just that, the operation moves to its place and does it instead;
/// SFPLZ up to release 7.61 only.
///
/// As the vendor's compiler: at 7.69, whose comparisons have types for the first time, not a sum
/// that goes to a variable of which other lanes stay.
void fold_flags(Code& code, int epoch, bool as_vendor);

} // namespace lanewise::compiler
