// Inputs for kernels of LLK.
#pragma once

#include <string_view>

#include "base/fault.h"
#include "number/tensors/tile.h"

namespace lanewise::corpus {

/// The tensor of a pattern:
///   every      64x32x32: an element for each of the 65,536 upper halves of a 32-bit word, in
///   order,
///              which for bf16 and 16-bit integers are all values. The lower halves are random, or
///              0 where the upper half is a multiple of 64, as those of zeros and infinities are.
///   integers   `every`, but with -16384, -16383... in each second place
///   halves     64x32x32 multiples of 1/2 from -8 to 7.5 in a random order
///   shuffled   the same in another order, so that with `every` each pair is a random one
///   short      `every`, where each second word of 32 bits is shifted down by 16 places
///   distinct, distinct:DIGIT   32x32 different numbers of (-8, 8) in a random order; with an even
///              digit and with an odd one they have none in common
///   ties, ties:DIGIT   32x32 numbers of which each occurs some 64 times, in a random order
///   index      32x32: 0, 1, 2...
///   signed:SEED:LO:HI   as `random` gives signed integers: two's complement, whatever the format
/// and all patterns of make_input().
Expected<tensors::Tensor> make_llk_input(std::string_view pattern, formats::Format format);

} // namespace lanewise::corpus
