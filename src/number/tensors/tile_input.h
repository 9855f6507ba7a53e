// The inputs of a run, tile by tile of Dst: each may have a format of its own.
#pragma once

#include <span>
#include <string_view>

#include "number/tensors/tile.h"

namespace lanewise::tensors {

/// The tensor of a specification as make_input() takes it (number/tensors/pattern.h), with '@' and
/// the name of a format behind it if that is not `format`: "ramp@int32", "a.npy@bf16". What follows
/// the last
/// '@' is part of a file's name if there is such a file. Error: as make_input() and parse_format()
/// say.
Expected<Tensor> make_tile_input(std::string_view specification, formats::Format format);

/// Whether the inputs, the i-th in tile i of its format, lie in different rows of Dst: a tile of 32
/// bits takes the rows of two tiles of 16 bits (MU 1.1).
/// Error: BadInput that names two inputs of which one would overwrite the other.
Expected<void> check_tiles_apart(std::span<const Tensor> inputs);

} // namespace lanewise::tensors
