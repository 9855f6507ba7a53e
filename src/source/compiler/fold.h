// Pass "fold": what is known before the kernel runs is not computed by it.
#pragma once

#include "source/compiler/ir.h"

namespace lanewise::compiler {

/// Operations on numbers that are known become Constants, and a v_if whose condition is known gives
/// way to the arm that it takes:
///
///     vInt n = 3;                     %0 = Constant 3
///     n = n - 5;                      %1 = SFPIADD VC=%0 imm=-5        %1 = Constant -2
///     v_if (n < 0) {                  %3 = Compare.Int %1 < 0
///       dst_reg[0] = 1.0f;            If %3 ... SFPSTORE ... EndIf     SFPSTORE ...
///     } v_endif;
///
/// No bit changes. Returns whether anything was found; if not, the recording is of no use.
bool fold_known(Recording& recording);

} // namespace lanewise::compiler
