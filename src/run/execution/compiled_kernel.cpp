#include "run/execution/compiled_kernel.h"

#include <algorithm>
#include <utility>

#include "run/execution/compiled_kernels.h"

namespace lanewise::execution {

const Fault* compile_error(const compiler::Compiled& compiled) {
  const auto error = std::ranges::find(compiled.diagnostics, FaultKind::BadInput, &Fault::kind);
  return error == compiled.diagnostics.end() ? nullptr : &*error;
}

namespace {

Expected<CompiledKernel> compile_recorded(Expected<compiler::Recording> recording,
                                          const compiler::Options& options) {
  if (!recording) return Unexpected(recording.error());
  CompiledKernel kernel{std::move(*recording), {}};
  kernel.compiled = compiler::compile(kernel.recording, options);
  if (const Fault* error = compile_error(kernel.compiled)) return Unexpected(*error);
  return kernel;
}

} // namespace

Expected<CompiledKernel> compile_kernel(Arch arch, const sfpi::KernelSource& source,
                                        const compiler::Options& options) {
  return compile_recorded(sfpi::record_kernel(arch, source), options);
}

Expected<std::vector<CompiledKernel>> compile_kernels(std::span<const sfpi::ChipKernel> kernels,
                                                      const compiler::Options& options) {
  std::vector<CompiledKernel> compiled;
  for (auto& recording : sfpi::record_kernels(kernels)) {
    auto kernel = compile_recorded(std::move(recording), options);
    if (!kernel) return Unexpected(kernel.error());
    compiled.push_back(*std::move(kernel));
  }
  return compiled;
}

} // namespace lanewise::execution
