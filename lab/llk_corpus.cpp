#include "lab/llk_corpus.h"

#include "lab/llk_specification.h"

namespace lanewise::lab {

const std::vector<LlkKernel>& llk_corpus() {
  static const std::vector<LlkKernel> corpus =
      joined(llk_predicates(), llk_functions(), llk_exponentials(), llk_arithmetic(),
             llk_typecasts(), llk_tile_kernels(), llk_selections());
  return corpus;
}

} // namespace lanewise::lab
