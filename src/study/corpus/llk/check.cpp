#include "study/corpus/llk/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <string_view>

#include "chip/isa/def_use.h"
#include "chip/isa/encoding.h"
#include "chip/isa/lreg_sets.h"
#include "run/execution/compiled_kernel.h"
#include "run/execution/tile_cost.h"
#include "run/execution/tile_runner.h"
#include "run/oracle/kernel_check.h"
#include "source/compiler/compiler.h"
#include "source/sfpi/kernel.h"
#include "study/corpus/llk/compare.h"
#include "study/corpus/llk/inputs.h"
#include "study/corpus/llk/source.h"

namespace lanewise::corpus {

namespace {

using compiler::Recording;

/// States of the machine on which the compiled kernel has to do the same as the interpreted one, in
/// addition to the inputs of its specification.
constexpr std::uint64_t kRandomStates = 2;

/// A value, or why the kernel is not "ok".
template <class T>
using OrReason = tl::expected<T, std::string>;

tl::unexpected<std::string> failure(std::string reason) {
  return tl::unexpected(std::move(reason));
}

OrReason<std::vector<tensors::Tensor>> make_inputs(const LlkKernel& kernel,
                                                   formats::Format format) {
  std::vector<tensors::Tensor> inputs;
  for (const LlkInput& input : kernel.inputs) {
    auto tensor = make_llk_input(input.pattern, input.format.value_or(format));
    if (!tensor) return failure(to_string(tensor.error()));
    inputs.push_back(std::move(*tensor));
  }
  return inputs;
}

OrReason<void> check_faults(const std::vector<Fault>& faults, std::string_view who) {
  for (const Fault& fault : faults) {
    if (!leaves_results_valid(fault.kind)) return failure(std::string(who) + to_string(fault));
  }
  return {};
}

/// A compiled kernel and its interpretation.
struct Kernel {
  Recording recording; ///< after the passes that may change a rounding
  Program program;

  bool has_macros() const {
    return std::any_of(program.words.begin(), program.words.end(), [&](ProgramWord word) {
      const isa::Decoded d = isa::decode(recording.arch, word.word);
      return d.row != nullptr && d.row->op == isa::Op::SFPLOADMACRO;
    });
  }
};

/// Executes and, where no clock is needed, interprets, which must give the same. Returns one
/// output.
OrReason<tensors::Tensor> run(const Kernel& kernel, std::span<const tensors::Tensor> inputs,
                              const execution::TileRunOptions& options) {
  auto executed = execution::run_on_tiles(kernel.recording.arch, kernel.program, inputs, options);
  if (!executed) return failure(to_string(executed.error()));
  if (auto valid = check_faults(executed->faults, ""); !valid) return failure(valid.error());
  if (kernel.has_macros()) return std::move(executed->output);
  const auto interpreted = execution::interpret_on_tiles(kernel.recording, inputs, options);
  if (!interpreted) return failure(to_string(interpreted.error()));
  if (auto valid = check_faults(interpreted->faults, "interpreter: "); !valid)
    return failure(valid.error());
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

/// Whether anybody says how exact the kernel has to be. Of an operation of tt-metal that is what
/// was published about it.
bool has_bound(const LlkKernel& specification, const LlkBound& bound) {
  const LlkReference& reference = specification.reference;
  if (std::holds_alternative<NoReference>(reference)) return false;
  return !std::holds_alternative<ExpressionReference>(reference) || bound != LlkBound{};
}

/// Runs the kernel on the inputs of its specification and compares. Errors go to the result.
OrReason<void> check_run(const LlkKernel& specification, const Kernel& kernel, LlkResult& result) {
  const auto inputs = make_inputs(specification, result.format);
  if (!inputs) return failure(inputs.error());
  std::vector<tensors::Tensor> outputs;
  for (const LlkOutput& output : specification.outputs) {
    auto tensor = run(kernel, *inputs,
                      {.format = result.format,
                       .output_tile = output.tile,
                       .output_format = output.format.value_or(result.format),
                       .as_kernel = true});
    if (!tensor) return failure(tensor.error());
    outputs.push_back(std::move(*tensor));
  }
  for (std::uint64_t seed = 0; seed < kRandomStates && !kernel.has_macros(); ++seed) {
    const oracle::KernelCheck check = oracle::check_kernel(kernel.recording, kernel.program, seed);
    if (!check.ok()) return failure("words and interpreter differ: " + check.difference);
  }
  const LlkComparison comparison =
      compare_with_reference(specification, result.bound, *inputs, outputs, result.measure);
  result.error = comparison.error;
  result.compared = comparison.compared;
  if (!has_bound(specification, result.bound)) {
    result.verdict = LlkVerdict::Ran;
    return {};
  }
  if (comparison.wrong.empty()) return {};
  if (specification.defect.empty()) return failure(comparison.wrong);
  result.verdict = LlkVerdict::KnownDefect;
  result.reason = specification.defect + ": " + comparison.wrong;
  return {};
}

/// How many of LReg[0..7] the words write.
unsigned used_lregs(Arch arch, const Program& program) {
  isa::LRegSet used = 0;
  for (const ProgramWord& word : program.words) used |= isa::lregs_written(arch, word.word);
  return static_cast<unsigned>(std::popcount(used & isa::kGeneralLRegs));
}

/// Compiles a version of the kernel; figures go to the result.
OrReason<Kernel> compile_version(const Expected<Recording>& recording,
                                 const compiler::Options& options, LlkResult& result) {
  if (!recording) return failure(to_string(recording.error()));
  compiler::Compiled compiled = compiler::compile(*recording, options);
  if (const Fault* error = execution::compile_error(compiled)) return failure(to_string(*error));
  result.compiled = true;
  result.words = compiled.program.words.size();
  result.executed = compiled.executed;
  result.lregs = used_lregs(result.arch, compiled.program);
  const auto cost = execution::tile_cost_of(result.arch, compiled.program,
                                            {.format = result.format, .as_kernel = true});
  if (!cost) return failure(to_string(cost.error()));
  result.init_cycles = cost->init;
  result.cycles = cost->pass.cycles;
  Kernel kernel{compiler::combined(*recording, options), std::move(compiled.program)};
  result.macros = kernel.has_macros();
  return kernel;
}

/// The format in which a tile of Dst is compared. Of a 16-bit result in 32-bit Dst, the halves that
/// nobody reads are not: fp32 -> fp16b clears them on purpose where it uses macros.
formats::Format compared_format(const LlkKernel& specification, unsigned tile,
                                formats::Format format) {
  for (const LlkOutput& output : specification.outputs) {
    if (output.tile == tile) return output.format.value_or(format);
  }
  return format;
}

/// Both versions must leave the same in every tile of Dst.
OrReason<void> compare_versions(const LlkKernel& specification, const Kernel& with_macros,
                                const Kernel& without, formats::Format format) {
  const auto inputs = make_inputs(specification, format);
  if (!inputs) return failure(inputs.error());
  execution::TileRunOptions options{.format = format, .as_kernel = true};
  for (options.output_tile = 0; options.output_tile < execution::dst_tiles(format);
       ++options.output_tile) {
    const Arch arch = with_macros.recording.arch;
    options.output_format = compared_format(specification, options.output_tile, format);
    const auto one = execution::run_on_tiles(arch, with_macros.program, *inputs, options);
    const auto other = execution::run_on_tiles(arch, without.program, *inputs, options);
    if (!one) return failure(to_string(one.error()));
    if (!other) return failure(to_string(other.error()));
    const auto [first, second] = std::ranges::mismatch(one->output.bits, other->output.bits);
    if (first == one->output.bits.end()) continue;
    const auto index = static_cast<std::size_t>(first - one->output.bits.begin());
    return failure(fmt::format("with macros {:X}, without {:X}: tile {}, {}", *first, *second,
                               options.output_tile, element_name(index)));
  }
  return {};
}

/// One version, checked; its twin follows the version with macros, which is held against it.
struct Checked {
  LlkResult result;
  std::optional<Kernel> kernel;
};

Checked check_one(const LlkKernel& kernel, const LlkDst& dst, bool twin, Arch arch,
                  const checkouts::Checkout& checkout, const LlkCheckOptions& options) {
  LlkResult result{.kernel = kernel.name,
                   .header = kernel.header,
                   .twin = twin,
                   .arch = arch,
                   .format = dst.format,
                   .measure = options.measure,
                   .error = {},
                   .bound = dst.bound_on(arch),
                   .verdict = LlkVerdict::Ok,
                   .reason = {}};
  const auto recording =
      sfpi::record_kernel(arch, llk_source(kernel, dst.format, twin, arch, checkout));
  auto compiled = compile_version(recording, options.compiler, result);
  OrReason<void> done;
  if (compiled) {
    done = check_run(kernel, *compiled, result);
  } else {
    done = failure(compiled.error());
  }
  if (!done) {
    result.verdict = LlkVerdict::Fail;
    result.reason = done.error();
    return {std::move(result), std::nullopt};
  }
  return {std::move(result), std::move(*compiled)};
}

void note_difference(LlkResult& result, const OrReason<void>& same) {
  result.equals_twin = same.has_value();
  if (same) return;
  result.verdict = LlkVerdict::Fail;
  result.reason = same.error();
}

} // namespace

std::vector<LlkResult> check_llk_kernel(const LlkKernel& kernel,
                                        const checkouts::Checkout& checkout,
                                        const LlkCheckOptions& options) {
  std::vector<LlkResult> results;
  for (const LlkDst& dst : kernel.dst) {
    std::map<Arch, std::pair<std::size_t, Kernel>> with_macros; ///< and where their results are
    for (const bool twin : {false, true}) {
      if (twin && !kernel.has_twin) continue;
      for (const Arch arch : options.chips) {
        if (std::ranges::find(kernel.chips, arch) == kernel.chips.end()) continue;
        if (options.progress && !options.progress(kernel.name)) return results;
        Checked checked = check_one(kernel, dst, twin, arch, checkout, options);
        results.push_back(std::move(checked.result));
        if (!checked.kernel) continue;
        const auto other = with_macros.find(arch);
        if (!twin && results.back().macros) {
          with_macros.emplace(arch, std::pair(results.size() - 1, std::move(*checked.kernel)));
        } else if (twin && other != with_macros.end() &&
                   results[other->second.first].verdict == results.back().verdict) {
          note_difference(
              results[other->second.first],
              compare_versions(kernel, other->second.second, *checked.kernel, dst.format));
        }
      }
    }
  }
  return results;
}

} // namespace lanewise::corpus
