// Specifications of kernels of LLK: what each of them computes, for which inputs, how exactly.
//
// One file per family, llk_<family>.cpp; study/corpus/llk/specification.h has their shorthands.
#pragma once

#include <vector>

#include "study/corpus/llk/kernel.h"

namespace lanewise::corpus {

/// All of them, in the order of the families.
const std::vector<LlkKernel>& llk_corpus();

std::vector<LlkKernel> llk_predicates();        ///< signs, comparisons, constants
std::vector<LlkKernel> llk_comparisons();       ///< integers, limits
std::vector<LlkKernel> llk_helpers();           ///< of other headers
std::vector<LlkKernel> llk_functions();         ///< of one float
std::vector<LlkKernel> llk_activations();       ///< of other functions' approximations
std::vector<LlkKernel> llk_reciprocals();       ///< 1/x
std::vector<LlkKernel> llk_roots();             ///< in all their forms
std::vector<LlkKernel> llk_exponentials();      ///< five ways to exp(x)
std::vector<LlkKernel> llk_exponential_forms(); ///< and their variants
std::vector<LlkKernel> llk_logarithms();        ///< inverse hyperbolic functions, powers
std::vector<LlkKernel> llk_arithmetic();        ///< two float operands, rounding
std::vector<LlkKernel> llk_integers();          ///< sums, products, bits, shifts
std::vector<LlkKernel> llk_quantization();      ///< numbers to int8 and back
std::vector<LlkKernel> llk_choices();           ///< which choose one of their inputs, or a bound
std::vector<LlkKernel> llk_typecasts();         ///< from one format to another
std::vector<LlkKernel> llk_tile_kernels();      ///< sums of rows
std::vector<LlkKernel> llk_reductions();        ///< sums, averages and extremes
std::vector<LlkKernel> llk_welfords();          ///< mean and variance
std::vector<LlkKernel> llk_random();            ///< random numbers
std::vector<LlkKernel> llk_selections();        ///< maxima with indices
std::vector<LlkKernel> llk_topk();              ///< sorting with indices

} // namespace lanewise::corpus
