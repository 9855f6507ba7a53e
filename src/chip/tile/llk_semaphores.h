// Semaphores that LLK has given a meaning.
#pragma once

namespace lanewise::tile {

/// MATH_PACK, for halves of Dst: the math thread posts it, the pack thread gets it.
inline constexpr unsigned kMathPack = 1;

} // namespace lanewise::tile
