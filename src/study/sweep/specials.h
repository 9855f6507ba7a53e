// Inputs that deserve a look at every single one of them.
#pragma once

#include <optional>

#include "number/formats/format.h"
#include "study/sweep/order.h"
#include "study/sweep/space.h"

namespace lanewise::sweep {

/// Of a float format, with both signs: zero, the ends of the denormals and of the normal numbers,
/// 1, infinity, and one quiet NaN. Of an integer format: 0, 1, -1, and the ends of its range. Those
/// that lie in the range, if there is one. Of two operands all pairs.
ChunkInputs special_inputs(formats::Format format, unsigned operands,
                           const std::optional<SweepRange>& range);

/// The same without a range, and the magnitudes (study/sweep/order.h) that are a power of two or
/// beside one, with both signs: where carries, shifts and masks show. Some numbers may come twice.
ChunkInputs edge_inputs(formats::Format format, unsigned operands);

} // namespace lanewise::sweep
