#include "study/corpus/llk/corpus.h"

#include "study/corpus/llk/specification.h"

namespace lanewise::corpus {

const std::vector<LlkKernel>& llk_corpus() {
  static const std::vector<LlkKernel> corpus =
      joined(llk_predicates(), llk_comparisons(), llk_helpers(), llk_functions(), llk_activations(),
             llk_reciprocals(), llk_roots(), llk_exponentials(), llk_exponential_forms(),
             llk_logarithms(), llk_arithmetic(), llk_integers(), llk_quantization(), llk_choices(),
             llk_typecasts(), llk_tile_kernels(), llk_reductions(), llk_welfords(), llk_random(),
             llk_selections(), llk_topk());
  return corpus;
}

} // namespace lanewise::corpus
