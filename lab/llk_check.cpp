#include "lab/llk_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string_view>

#include "compiler/compiler.h"
#include "isa/def_use.h"
#include "lab/kernel_check.h"
#include "lab/llk_compare.h"
#include "lab/llk_inputs.h"
#include "lab/tile_runner.h"
#include "sfpi/kernel.h"

namespace lanewise::lab {

namespace {

using compiler::Recording;

/// States of the machine on which the compiled kernel has to do the same as the interpreted one, in
/// addition to the inputs of its specification.
constexpr std::uint64_t kRandomStates = 2;
constexpr std::string_view kNoMacros = "DISABLE_SFPLOADMACRO";

std::string filled_in(std::string text, Format format) {
  constexpr std::string_view kPlace = "{FP32}";
  for (std::size_t at = text.find(kPlace); at != std::string::npos; at = text.find(kPlace, at)) {
    text.replace(at, kPlace.size(), is_32bit(format) ? "true" : "false");
  }
  return text;
}

sfpi::KernelSource source_of(const LlkKernel& kernel, Format format, bool twin, Arch arch,
                             const LlkCheckout& checkout) {
  sfpi::KernelSource source;
  source.file = checkout.header(arch, kernel.header).string();
  source.is_header = true;
  source.init = filled_in(kernel.init, format);
  source.calls = {filled_in(kernel.call, format)};
  source.include_dirs = checkout.include_folders(arch);
  source.faces = kernel.faces;
  if (twin) source.defines.emplace_back(kNoMacros);
  return source;
}

/// What stands in the way of "ok", and why. SFPLOADMACRO is no mistake.
struct Obstacle {
  LlkVerdict verdict = LlkVerdict::Fail;
  std::string reason;
};
template <class T>
using OrObstacle = tl::expected<T, Obstacle>;

tl::unexpected<Obstacle> failure(std::string reason) {
  return tl::unexpected(Obstacle{LlkVerdict::Fail, std::move(reason)});
}

OrObstacle<std::vector<Tensor>> make_inputs(const LlkKernel& kernel, Format format) {
  std::vector<Tensor> inputs;
  for (const LlkInput& input : kernel.inputs) {
    auto tensor = make_llk_input(input.pattern, input.format.value_or(format));
    if (!tensor) return failure(to_string(tensor.error()));
    inputs.push_back(std::move(*tensor));
  }
  return inputs;
}

OrObstacle<void> check_faults(const std::vector<Fault>& faults, std::string_view who) {
  for (const Fault& fault : faults) {
    if (leaves_results_valid(fault.kind)) continue;
    if (fault.kind == FaultKind::Unsupported && fault.instruction == "SFPLOADMACRO") {
      return tl::unexpected(Obstacle{LlkVerdict::NeedsLoadMacro, "needs SFPLOADMACRO"});
    }
    return failure(std::string(who) + to_string(fault));
  }
  return {};
}

/// A compiled kernel and its interpretation.
struct Kernel {
  Recording recording; ///< after the passes that may change a rounding
  Program program;
};

/// Executes and interprets, which must give the same. Returns one output.
OrObstacle<Tensor> run(const Kernel& kernel, std::span<const Tensor> inputs,
                       const TileRunOptions& options) {
  auto executed = run_on_tiles(kernel.recording.arch, kernel.program, inputs, options);
  if (!executed) return failure(to_string(executed.error()));
  if (auto valid = check_faults(executed->faults, ""); !valid) return tl::unexpected(valid.error());
  const auto interpreted = interpret_on_tiles(kernel.recording, inputs, options);
  if (!interpreted) return failure(to_string(interpreted.error()));
  if (auto valid = check_faults(interpreted->faults, "interpreter: "); !valid)
    return tl::unexpected(valid.error());
  const auto& words = executed->output.bits;
  const auto& oracle = interpreted->output.bits;
  const auto [first, second] = std::ranges::mismatch(words, oracle);
  if (first != words.end()) {
    const auto index = static_cast<std::size_t>(first - words.begin());
    return failure(fmt::format("the words give {:X} where the interpreter gives {:X}: tile {}, {}",
                               *first, *second, options.output_tile, element_name(index)));
  }
  return std::move(executed->output);
}

/// Runs the kernel on the inputs of its specification and compares. Errors go to the result.
OrObstacle<void> check_run(const LlkKernel& specification, const Kernel& kernel,
                           LlkResult& result) {
  const auto inputs = make_inputs(specification, result.format);
  if (!inputs) return tl::unexpected(inputs.error());
  std::vector<Tensor> outputs;
  for (const LlkOutput& output : specification.outputs) {
    auto tensor = run(kernel, *inputs,
                      {.format = result.format,
                       .output_tile = output.tile,
                       .output_format = output.format.value_or(result.format),
                       .as_kernel = true});
    if (!tensor) return tl::unexpected(tensor.error());
    outputs.push_back(std::move(*tensor));
  }
  for (std::uint64_t seed = 0; seed < kRandomStates; ++seed) {
    const KernelCheck check = check_kernel(kernel.recording, kernel.program, seed);
    if (!check.ok()) return failure("words and interpreter differ: " + check.difference);
  }
  const LlkComparison comparison =
      compare_with_reference(specification, result.bound, *inputs, outputs);
  result.error = comparison.error;
  result.compared = comparison.compared;
  if (!comparison.wrong.empty()) return failure(comparison.wrong);
  return {};
}

/// How many of LReg[0..7] the words write.
unsigned used_lregs(Arch arch, const Program& program) {
  constexpr isa::LRegSet kGeneral = 0xFF;
  isa::LRegSet used = 0;
  for (const ProgramWord& word : program.words) used |= isa::lregs_written(arch, word.word);
  return static_cast<unsigned>(std::popcount(used & kGeneral));
}

OrObstacle<void> check_recording(const LlkKernel& specification,
                                 const Expected<Recording>& recording,
                                 const compiler::Options& options, LlkResult& result) {
  if (!recording) return failure(to_string(recording.error()));
  compiler::Compiled compiled = compiler::compile(*recording, options);
  for (const Fault& fault : compiled.diagnostics) {
    if (fault.kind == FaultKind::BadInput) return failure(to_string(fault));
  }
  result.compiled = true;
  result.words = compiled.program.words.size();
  result.executed = compiled.executed;
  result.lregs = used_lregs(result.arch, compiled.program);
  const Kernel kernel{compiler::combined(*recording, options), std::move(compiled.program)};
  return check_run(specification, kernel, result);
}

LlkResult check_one(const LlkKernel& kernel, const LlkDst& dst, bool twin, Arch arch,
                    const LlkCheckout& checkout, const compiler::Options& options) {
  LlkResult result{.kernel = kernel.name,
                   .twin = twin,
                   .arch = arch,
                   .format = dst.format,
                   .error = {},
                   .bound = arch == Arch::Wormhole ? dst.wormhole.value_or(dst.bound) : dst.bound,
                   .verdict = LlkVerdict::Ok,
                   .reason = {}};
  const auto recording =
      sfpi::record_kernel(arch, source_of(kernel, dst.format, twin, arch, checkout));
  if (const auto done = check_recording(kernel, recording, options, result); !done) {
    result.verdict = done.error().verdict;
    result.reason = done.error().reason;
  }
  return result;
}

} // namespace

std::vector<LlkResult> check_llk_kernel(const LlkKernel& kernel, const LlkCheckout& checkout,
                                        const LlkCheckOptions& options) {
  std::vector<LlkResult> results;
  for (const LlkDst& dst : kernel.dst) {
    for (const bool twin : {false, true}) {
      if (twin && !kernel.has_twin) continue;
      for (const Arch arch : options.chips) {
        if (std::ranges::find(kernel.chips, arch) == kernel.chips.end()) continue;
        if (options.progress && !options.progress(kernel.name)) return results;
        results.push_back(check_one(kernel, dst, twin, arch, checkout, options.compiler));
      }
    }
  }
  return results;
}

} // namespace lanewise::lab
