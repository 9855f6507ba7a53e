#include "study/corpus/accuracy/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/in_quotes.h"
#include "base/text_file.h"
#include "number/references/reference.h"
#include "run/execution/compiled_kernels.h"
#include "run/execution/load_program.h"
#include "study/corpus/llk/corpus.h"
#include "study/corpus/llk/source.h"

namespace lanewise::corpus {

namespace {

/// What the checkout's kernels are; without a checkout, those of tt-llk.
std::span<const LlkKernel> known_of(const AccuracySources& sources) {
  return sources.llk ? std::span<const LlkKernel>(sources.known) : llk_corpus();
}

/// The specification of a kernel of LLK for a chip; of the same name there may be one for each.
const LlkKernel* find_llk_kernel(const AccuracySources& sources, std::string_view name, Arch arch) {
  for (const LlkKernel& kernel : known_of(sources)) {
    if (kernel.name == name && std::ranges::find(kernel.chips, arch) != kernel.chips.end())
      return &kernel;
  }
  return nullptr;
}

using Programs = std::vector<sweep::SweepProgram>;

Expected<Programs> example_programs(std::span<const Arch> chips,
                                    const std::filesystem::path& file) {
  const auto text = read_text_file(file.string());
  if (!text) return Unexpected(text.error());
  auto loaded = execution::load_program({.name = file.string()}, *text, chips);
  if (!loaded) return Unexpected(loaded.error());
  Programs programs;
  for (std::size_t i = 0; i < chips.size(); ++i) {
    const bool as_kernel = (*loaded)[i].as_kernel();
    programs.push_back(
        {.arch = chips[i], .program = std::move((*loaded)[i].program), .as_kernel = as_kernel});
  }
  return programs;
}

Expected<sfpi::ChipKernel> llk_kernel(const AccuracyKernel& kernel, Arch arch,
                                      formats::Format format, const AccuracySources& sources) {
  const LlkKernel* specification = find_llk_kernel(sources, kernel.name, arch);
  if (specification == nullptr) {
    return bad_input(fmt::format("there is no kernel {} for {}", in_quotes(kernel.name),
                                 arch_params(arch).names.id),
                     "'lanewise llk --list' lists the kernels");
  }
  if (!sources.llk) {
    return bad_input(fmt::format("{} is a kernel of a checkout, and no checkout is named",
                                 in_quotes(kernel.name)),
                     "name one with --llk DIR or --metal DIR");
  }
  return sfpi::ChipKernel{arch, llk_source(*specification, format, false, arch, *sources.llk)};
}

/// Of all chips at the same time, as most of the time is the host's compiler.
Expected<Programs> llk_programs(const AccuracyKernel& kernel, std::span<const Arch> chips,
                                formats::Format format, const AccuracySources& sources) {
  std::vector<sfpi::ChipKernel> kernels;
  for (const Arch arch : chips) {
    auto source = llk_kernel(kernel, arch, format, sources);
    if (!source) return Unexpected(source.error());
    kernels.push_back(*std::move(source));
  }
  auto compiled = execution::compile_kernels(kernels, {});
  if (!compiled) return Unexpected(compiled.error());
  Programs programs;
  for (std::size_t i = 0; i < chips.size(); ++i) {
    programs.push_back({.arch = chips[i],
                        .program = std::move((*compiled)[i].compiled.program),
                        .as_kernel = true});
  }
  return programs;
}

} // namespace

const LlkKernel* accuracy_specification(const AccuracyKernel& kernel,
                                        const AccuracySources& sources, Arch arch) {
  if (kernel.origin == AccuracyOrigin::Example) return nullptr;
  return find_llk_kernel(sources, kernel.name, arch);
}

unsigned accuracy_output_tile(const AccuracyKernel& kernel, const AccuracySources& sources,
                              Arch arch) {
  const LlkKernel* specification = accuracy_specification(kernel, sources, arch);
  return specification == nullptr ? 0 : specification->outputs.front().tile;
}

std::vector<Arch> accuracy_chips(const AccuracyKernel& kernel, const AccuracySources& sources,
                                 std::span<const Arch> chips) {
  std::vector<Arch> result;
  for (const Arch arch : chips) {
    if (kernel.origin == AccuracyOrigin::Example ||
        find_llk_kernel(sources, kernel.name, arch) != nullptr)
      result.push_back(arch);
  }
  return result;
}

Expected<sweep::SweepProgram> accuracy_program(const AccuracyKernel& kernel,
                                               const AccuracySources& sources, Arch arch,
                                               formats::Format format) {
  auto programs = accuracy_programs(kernel, sources, std::array{arch}, format);
  if (!programs) return Unexpected(programs.error());
  return std::move(programs->front());
}

Expected<std::vector<sweep::SweepProgram>> accuracy_programs(const AccuracyKernel& kernel,
                                                             const AccuracySources& sources,
                                                             std::span<const Arch> chips,
                                                             formats::Format format) {
  return kernel.origin == AccuracyOrigin::Example
             ? example_programs(chips, sources.examples / kernel.name)
             : llk_programs(kernel, chips, format, sources);
}

Expected<sweep::SweepResult> sweep_function(const AccuracyKernel& kernel,
                                            std::span<const sweep::SweepProgram> programs,
                                            sweep::SweepOptions options) {
  const auto reference = references::parse_reference(kernel.reference);
  if (!reference) return Unexpected(reference.error());
  std::unique_ptr<references::Reference> domain;
  if (const std::string expression = domain_expression(kernel); !expression.empty()) {
    auto parsed = references::parse_reference(expression);
    if (!parsed) return Unexpected(parsed.error());
    domain = std::move(*parsed);
  }
  options.domain = domain.get();
  return sweep::sweep(programs, **reference, options);
}

Expected<sweep::SweepResult> sweep_accuracy(
    const AccuracyKernel& kernel, const AccuracySources& sources, std::span<const Arch> chips,
    std::function<bool(const sweep::SweepProgress&)> progress, formats::UlpMeasure measure) {
  const auto programs = accuracy_programs(kernel, sources, chips);
  if (!programs) return Unexpected(programs.error());
  sweep::SweepOptions options;
  options.format = kAccuracyFormat;
  options.output_tile = chips.empty() ? 0 : accuracy_output_tile(kernel, sources, chips.front());
  options.space = accuracy_space(kernel);
  options.measure = measure;
  options.progress = std::move(progress);
  return sweep_function(kernel, *programs, std::move(options));
}

} // namespace lanewise::corpus
