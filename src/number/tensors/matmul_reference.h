// How far a program's result is from the product of its sources.
#pragma once

#include "number/tensors/source_tile.h"
#include "number/tensors/tile.h"

namespace lanewise::tensors {

/// Errors over all elements. A relative one is that of an element whose product is not 0, divided
/// by the product's magnitude.
struct MatmulError {
  double largest = 0, mean = 0;
  double largest_relative = 0, mean_relative = 0;
};

/// Compares each tile of a result with SrcB x SrcA in double precision, of the numbers as they
/// arrive in SrcA and SrcB. The tiles of the three correspond, and a single tile of a source serves
/// all of the other. Error: BadInput if they do not, or a number cannot arrive (source_cells()).
Expected<MatmulError> matmul_error(const SourceInput& srcb, const SourceInput& srca,
                                   const Tensor& output);

} // namespace lanewise::tensors
