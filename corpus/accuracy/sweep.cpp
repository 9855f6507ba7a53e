#include "corpus/accuracy/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/text_file.h"
#include "corpus/llk/corpus.h"
#include "corpus/llk/source.h"
#include "execution/load_program.h"
#include "reference/reference.h"

namespace lanewise::lab {

namespace {

/// The specification of a kernel of LLK for a chip; of the same name there may be one for each.
const LlkKernel* find_llk_kernel(std::string_view name, Arch arch) {
  for (const LlkKernel& kernel : llk_corpus()) {
    if (kernel.name == name && std::ranges::find(kernel.chips, arch) != kernel.chips.end())
      return &kernel;
  }
  return nullptr;
}

Expected<SweepProgram> compiled(Arch arch, const sfpi::KernelSource& source) {
  auto kernel = compile_kernel(arch, source, {});
  if (!kernel) return Unexpected(kernel.error());
  return SweepProgram{
      .arch = arch, .program = std::move(kernel->compiled.program), .as_kernel = true};
}

Expected<SweepProgram> example_program(Arch arch, const std::filesystem::path& file) {
  const auto text = read_text_file(file.string());
  if (!text) return Unexpected(text.error());
  const std::array chips{arch};
  auto loaded = load_program({.name = file.string()}, *text, chips);
  if (!loaded) return Unexpected(loaded.error());
  LoadedProgram& only = loaded->front();
  return SweepProgram{
      .arch = arch, .program = std::move(only.program), .as_kernel = only.as_kernel()};
}

Expected<SweepProgram> llk_program(const AccuracyKernel& kernel, Arch arch,
                                   const AccuracySources& sources) {
  const LlkKernel* specification = find_llk_kernel(kernel.name, arch);
  if (specification == nullptr) {
    return bad_input(
        fmt::format("there is no kernel '{}' for {}", kernel.name, arch_params(arch).name),
        "'lanewise llk --list' lists the kernels");
  }
  if (!sources.llk) {
    return bad_input(
        fmt::format("'{}' is a kernel of tt-llk, and no checkout is named", kernel.name),
        "name one with --llk DIR");
  }
  return compiled(arch, llk_source(*specification, kAccuracyFormat, false, arch, *sources.llk));
}

/// The tile of Dst that has the result: of kernels with two operands, not the first one.
unsigned output_tile(const AccuracyKernel& kernel, Arch arch) {
  if (!kernel.is_llk) return 0;
  const LlkKernel* specification = find_llk_kernel(kernel.name, arch);
  return specification == nullptr ? 0 : specification->outputs.front().tile;
}

} // namespace

std::vector<Arch> accuracy_chips(const AccuracyKernel& kernel, std::span<const Arch> chips) {
  std::vector<Arch> result;
  for (const Arch arch : chips) {
    if (!kernel.is_llk || find_llk_kernel(kernel.name, arch) != nullptr) result.push_back(arch);
  }
  return result;
}

Expected<std::vector<SweepProgram>> accuracy_programs(const AccuracyKernel& kernel,
                                                      const AccuracySources& sources,
                                                      std::span<const Arch> chips) {
  std::vector<SweepProgram> programs;
  for (const Arch arch : chips) {
    auto program = kernel.is_llk ? llk_program(kernel, arch, sources)
                                 : example_program(arch, sources.examples / kernel.name);
    if (!program) return Unexpected(program.error());
    programs.push_back(std::move(*program));
  }
  return programs;
}

Expected<SweepResult> sweep_accuracy(const AccuracyKernel& kernel, const AccuracySources& sources,
                                     std::span<const Arch> chips,
                                     std::function<bool(const SweepProgress&)> progress,
                                     UlpMeasure measure) {
  const auto programs = accuracy_programs(kernel, sources, chips);
  if (!programs) return Unexpected(programs.error());
  const auto reference = parse_reference(kernel.reference);
  if (!reference) return Unexpected(reference.error());
  std::unique_ptr<Reference> domain;
  if (const std::string expression = domain_expression(kernel); !expression.empty()) {
    auto parsed = parse_reference(expression);
    if (!parsed) return Unexpected(parsed.error());
    domain = std::move(*parsed);
  }
  SweepOptions options;
  options.format = kAccuracyFormat;
  options.output_tile = chips.empty() ? 0 : output_tile(kernel, chips.front());
  options.space = accuracy_space(kernel);
  options.domain = domain.get();
  options.measure = measure;
  options.progress = std::move(progress);
  return sweep(*programs, **reference, options);
}

} // namespace lanewise::lab
