#include "run/execution/compiled_kernel.h"

#include <algorithm>
#include <utility>

namespace lanewise::execution {

const Fault* compile_error(const compiler::Compiled& compiled) {
  const auto error = std::ranges::find(compiled.diagnostics, FaultKind::BadInput, &Fault::kind);
  return error == compiled.diagnostics.end() ? nullptr : &*error;
}

Expected<CompiledKernel> compile_kernel(Arch arch, const sfpi::KernelSource& source,
                                        const compiler::Options& options) {
  auto recording = sfpi::record_kernel(arch, source);
  if (!recording) return Unexpected(recording.error());
  CompiledKernel kernel{std::move(*recording), {}};
  kernel.compiled = compiler::compile(kernel.recording, options);
  if (const Fault* error = compile_error(kernel.compiled)) return Unexpected(*error);
  return kernel;
}

} // namespace lanewise::execution
