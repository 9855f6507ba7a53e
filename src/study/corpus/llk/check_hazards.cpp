#include "study/corpus/llk/check_hazards.h"

#include "run/execution/compiled_kernel.h"
#include "source/checkouts/checkout.h"
#include "study/corpus/llk/cases.h"
#include "study/corpus/llk/choose.h"
#include "study/corpus/llk/corpus.h"
#include "study/corpus/llk/source.h"

namespace lanewise::corpus {

namespace {

Expected<execution::CheckedProgram> compile_and_check(const LlkCase& which,
                                                      const checkouts::Checkout& checkout,
                                                      const LlkCheckoutCheck& check) {
  sfpi::KernelSource source =
      llk_source(*which.kernel, which.format, which.twin, which.arch, checkout);
  source.limits = check.limits;
  const auto compiled = execution::compile_kernel(which.arch, source, check.compiler);
  if (!compiled) return Unexpected(compiled.error());
  execution::TileRunOptions tile;
  tile.format = which.format;
  tile.as_kernel = true;
  return execution::check_and_cost(
      which.arch, compiled->compiled.program, tile,
      {.filled = filled_tiles(*which.kernel, which.format), .pauses = check.pauses});
}

execution::CheckedProgram check_case(const LlkCase& which, const checkouts::Checkout& checkout,
                                     const LlkCheckoutCheck& check) {
  auto checked = compile_and_check(which, checkout, check);
  execution::CheckedProgram result = checked ? std::move(*checked) : execution::CheckedProgram{};
  if (!checked) result.failure = to_string(checked.error());
  result.name = which.kernel->name;
  result.header = which.kernel->header;
  result.arch = which.arch;
  result.variant = variant_name(which);
  return result;
}

} // namespace

Expected<CheckedCheckout> check_llk_checkout(
    const LlkCheckoutCheck& check,
    const std::function<bool(std::size_t, std::size_t, const std::string&)>& progress) {
  const auto checkout = checkouts::Checkout::open(check.folder, check.chips);
  if (!checkout) return Unexpected(checkout.error());
  const std::vector<LlkKernel> known = known_kernels(*checkout, check.chips);
  CheckedCheckout results{.headers = llk_headers(*checkout, check.chips, known)};
  const auto kernels = chosen_llk_kernels(known, check.kernels, results.headers);
  if (!kernels) return Unexpected(kernels.error());
  for (std::size_t i = 0; i < kernels->size(); ++i) {
    const LlkKernel& kernel = *(*kernels)[i];
    for (const LlkCase& each : llk_cases(kernel, check.chips)) {
      if (!progress(i, kernels->size(), kernel.name)) return results;
      execution::CheckedProgram result = check_case(each, *checkout, check);
      // Ctrl-C ends the host's compiler as well: that says nothing about the kernel.
      if (!result.failure.empty() && !progress(i, kernels->size(), kernel.name)) return results;
      results.programs.push_back(std::move(result));
    }
  }
  return results;
}

} // namespace lanewise::corpus
