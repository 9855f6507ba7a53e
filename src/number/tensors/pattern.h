// Inputs by name: the word after --input on the command line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/fault.h"
#include "number/tensors/tile.h"

namespace lanewise::tensors {

/// The generator SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
/// 2014). It is spelled out here so that a seed gives the same input on every machine and library.
class SplitMix64 {
 public:
  explicit constexpr SplitMix64(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t operator()() {
    state_ += 0x9E37'79B9'7F4A'7C15;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58'476D'1CE4'E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D0'49BB'1331'11EB;
    return mixed ^ (mixed >> 31);
  }

 private:
  std::uint64_t state_;
};

/// The tensor that a specification asks for, in a format:
///   ramp, ramp:LO:HI                  32x32, equal steps from LO to HI
///   random, random:SEED[:LO:HI]       32x32, uniform between LO and HI
///   bits, bits:SEED                   32x32, uniform over the patterns of the format
///   every-bf16                        64x32x32, all BF16 patterns from 0000 to FFFF
///   special                           one dimension; the values where arithmetic breaks
///   value:X, zero                     32x32, all the same
///   a path                            a .npy file, if it ends so or the file exists
/// LO and HI default to -8 and 8; to -512 and 511 in a signed integer format, to 0 and 1023 in an
/// unsigned one. SEED defaults to 0. A random float is LO + (HI - LO) * (r >> 11) / 2^53, rounded
/// to the format, and a random integer LO + (r >> 32) * (HI - LO + 1) / 2^32, for r = each output
/// of SplitMix64 in turn. Error: BadInput that lists the possibilities, or says what is wrong with
/// an argument or a file.
Expected<Tensor> make_input(std::string_view specification, formats::Format format);

/// The possible specifications, one a line, for --help.
std::string pattern_help();

} // namespace lanewise::tensors
