#include "study/corpus/accuracy/points.h"

#include <fmt/format.h>

#include <array>

#include "base/in_quotes.h"
#include "number/references/reference.h"
#include "run/execution/tile_runner.h"
#include "study/corpus/llk/inputs.h"

namespace lanewise::corpus {

Expected<std::vector<sweep::SweepCase>> accuracy_points(const AccuracyKernel& kernel,
                                                        const AccuracySources& sources, Arch arch) {
  if (kernel.operands != 1) {
    return bad_input(fmt::format("{} has two operands", in_quotes(kernel.name)),
                     "choose kernels of one operand with --kernel");
  }
  const auto reference = references::parse_reference(kernel.reference);
  if (!reference) return Unexpected(reference.error());
  const auto programs = accuracy_programs(kernel, sources, std::array{arch});
  if (!programs) return Unexpected(programs.error());
  const sweep::SweepProgram& program = programs->front();
  const auto input = make_llk_input("every", kAccuracyFormat);
  if (!input) return Unexpected(input.error());
  execution::TileRunOptions options;
  options.format = kAccuracyFormat;
  options.output_tile = accuracy_output_tile(kernel, sources, arch);
  options.as_kernel = program.as_kernel;
  const auto run = execution::run_on_tiles(arch, program.program, std::span(&*input, 1), options);
  if (!run) return Unexpected(run.error());

  std::vector<double> x;
  x.reserve(input->bits.size());
  for (const std::uint32_t bits : input->bits)
    x.push_back(formats::value_of_bits(kAccuracyFormat, bits));
  std::vector<references::ReferenceValue> wanted(x.size());
  if (auto done = (*reference)->evaluate(kAccuracyFormat, x, {}, wanted); !done)
    return Unexpected(done.error());
  std::vector<sweep::SweepCase> cases;
  cases.reserve(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    cases.push_back({.x = input->bits[i],
                     .y = 0,
                     .expected = wanted[i].bits,
                     .found = run->output.bits[i],
                     .exact = wanted[i].exact});
  }
  return cases;
}

} // namespace lanewise::corpus
