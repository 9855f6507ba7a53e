#include "lab/llk_corpus.h"

#include "lab/llk_specification.h"

namespace lanewise::lab {

const std::vector<LlkKernel>& llk_corpus() {
  static const std::vector<LlkKernel> corpus = joined(
      llk_predicates(), llk_functions(), llk_reciprocals(), llk_exponentials(), llk_arithmetic(),
      llk_integers(), llk_quantization(), llk_choices(), llk_typecasts(), llk_tile_kernels(),
      llk_reductions(), llk_welfords(), llk_random(), llk_selections(), llk_topk());
  return corpus;
}

} // namespace lanewise::lab
