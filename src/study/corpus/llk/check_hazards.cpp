#include "study/corpus/llk/check_hazards.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "run/execution/compiled_kernel.h"
#include "source/checkouts/checkout.h"
#include "study/corpus/llk/cases.h"
#include "study/corpus/llk/choose.h"
#include "study/corpus/llk/corpus.h"
#include "study/corpus/llk/source.h"
#include "study/parts/checked_program.h"
#include "study/parts/source_digest.h"

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

/// All configurations of a kernel; false if it was stopped before the last one.
bool check_kernel(const LlkKernel& kernel, const checkouts::Checkout& checkout,
                  const LlkCheckoutCheck& check, const std::function<bool()>& goes_on,
                  std::vector<execution::CheckedProgram>& programs) {
  for (const LlkCase& each : llk_cases(kernel, check.chips)) {
    if (!goes_on()) return false;
    execution::CheckedProgram result = check_case(each, checkout, check);
    // Ctrl-C ends the host's compiler as well: that says nothing about the kernel.
    if (!result.failure.empty() && !goes_on()) return false;
    programs.push_back(std::move(result));
  }
  return true;
}

/// What the findings depend on.
parts::Json check_key(const LlkCheckoutCheck& check, const std::vector<const LlkKernel*>& kernels,
                      const checkouts::Checkout& checkout) {
  parts::Json key{
      {"options", check.key}, {"kernels", parts::Json::array()}, {"chips", parts::Json::array()}};
  for (const LlkKernel* kernel : kernels) key["kernels"].push_back(kernel->name);
  for (const Arch arch : check.chips) key["chips"].push_back(arch_params(arch).names.id);
  key["sources"] = parts::source_digest(checkout.source_folders());
  return key;
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
  parts::SharedWork all;
  parts::SharedWork& work = check.work != nullptr ? *check.work : all;
  parts::Json key = parts::Json::object();
  if (work.needs_key()) key = check_key(check, *kernels, *checkout);
  if (auto begun =
          work.begin("check", std::move(key), kernels->size(), parts::SharedWork::Keeping::Lines);
      !begun)
    return Unexpected(begun.error());
  const parts::ItemRange range = work.range();
  for (std::uint64_t item = range.begin; item < range.end; ++item) {
    const LlkKernel& kernel = *(*kernels)[item];
    std::vector<execution::CheckedProgram> programs;
    if (const parts::Json* there = work.find(item)) {
      auto kept = parts::checked_from_json(*there, work.name_of(item));
      if (!kept) return Unexpected(kept.error());
      programs = *std::move(kept);
    } else {
      const bool is_whole = check_kernel(
          kernel, *checkout, check,
          [&] { return progress(item - range.begin, range.count(), kernel.name); }, programs);
      if (is_whole) work.keep(item, parts::checked_to_json(programs));
      if (!is_whole) {
        std::ranges::move(programs, std::back_inserter(results.programs));
        if (auto stopped = work.stop(); !stopped) return Unexpected(stopped.error());
        return results;
      }
    }
    std::ranges::move(programs, std::back_inserter(results.programs));
  }
  if (auto ended = work.end(); !ended) return Unexpected(ended.error());
  return results;
}

} // namespace lanewise::corpus
