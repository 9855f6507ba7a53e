// Pass "flags": comparisons fall out of the operation that makes the number.
#pragma once

#include "source/compiler/code.h"

namespace lanewise::compiler {

/// SFPIADD and SFPEXEXP can set the flags by the sign of their result, SFPLZ by whether its operand
/// is zero. Where SFPSETCC tests just that, the operation moves to its place and does it instead;
/// SFPLZ up to release 7.61 only.
void fold_flags(Code& code, int epoch);

} // namespace lanewise::compiler
