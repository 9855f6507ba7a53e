// Pass "rows": neighbouring rows of a tile become one stretch, in which they can overlap.
#pragma once

#include "source/compiler/code.h"

namespace lanewise::compiler {

/// Joins `count` rows each, where rows are the same instructions on registers of their own, each
/// followed by dst_reg++: the steps between them go into the addresses of their loads and stores,
/// and one step of the same length comes after them. What is left over at the end stays.
void join_rows(Code& code, unsigned count);

/// Whether there is a row that join_rows() could join with the next.
bool has_rows(const Code& code);

} // namespace lanewise::compiler
