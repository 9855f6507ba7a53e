// Specifications of kernels of LLK: what each of them computes, for which inputs, how exactly.
//
// One file per family, llk_<family>.cpp; lab/llk_specification.h has their shorthands.
#pragma once

#include <vector>

#include "lab/llk_kernel.h"

namespace lanewise::lab {

/// All of them, in the order of the families.
const std::vector<LlkKernel>& llk_corpus();

std::vector<LlkKernel> llk_predicates();   ///< signs, comparisons, constants
std::vector<LlkKernel> llk_functions();    ///< of one float
std::vector<LlkKernel> llk_exponentials(); ///< five ways to exp(x)
std::vector<LlkKernel> llk_arithmetic();   ///< two operands, rounding, integers
std::vector<LlkKernel> llk_typecasts();    ///< from one format to another
std::vector<LlkKernel> llk_tile_kernels(); ///< sums and extremes of columns, random numbers
std::vector<LlkKernel> llk_selections();   ///< maxima and sorting with indices

} // namespace lanewise::lab
