// Pass "cc": fewer SFPPUSHC and SFPPOPC.
#pragma once

#include "source/compiler/code.h"

namespace lanewise::compiler {

/// Kernels are entered with all lanes enabled, so the outermost SFPPUSHC saves nothing: it goes,
/// and its SFPPOPC becomes SFPENCC that enables all lanes. A pair that ends where the enclosing
/// pair ends goes, too, unless a SFPCOMPC needs what it saved; so does a pair around nothing.
void simplify_predicates(Code& code);

} // namespace lanewise::compiler
