// Tuned programs one behind the other on a tile, with what they set up shared and side by side.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "study/tune/tuned.h"

namespace lanewise::tune {

/// A tuned program in a chain.
struct SidePart {
  std::string name;
  Tuned tuned;
};

/// The programs as one: `pads` SFPNOPs behind each, in which its macros end. Bodies get replay
/// slots, macros and templates of their own, the same ones where they are equal, if there are
/// enough; settings that all have in common, or only one has, are made once; the others, and
/// LReg[0..7], for each tile in front of the program that needs them. Cycles are not predicted.
Tuned side_by_side(std::span<const SidePart> parts, unsigned pads);

} // namespace lanewise::tune
