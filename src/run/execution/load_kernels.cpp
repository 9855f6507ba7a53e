#include "run/execution/load_kernels.h"

#include <utility>

#include "base/text_file.h"

namespace lanewise::execution {

Expected<std::vector<LoadedProgram>> load_kernels(
    const ProgramFile& file, const std::string& text, std::span<const Arch> chips,
    const std::function<void(const CompiledKernel&)>& on_kernel) {
  sfpi::KernelSource source = file.kernel;
  source.file = file.name;
  source.is_header = is_header_file(file.name);
  std::vector<LoadedProgram> programs;
  for (auto& recording : sfpi::record_kernel(chips, source)) {
    if (!recording) return Unexpected(recording.error());
    CompiledKernel kernel{std::move(*recording), {}, lines_of(text)};
    kernel.compiled = compiler::compile(kernel.recording, file.compiler);
    if (on_kernel) on_kernel(kernel);
    if (const Fault* error = compile_error(kernel.compiled)) return Unexpected(*error);
    programs.push_back(
        {kernel.recording.arch, kernel.compiled.program, kernel.source, std::move(kernel)});
  }
  return programs;
}

} // namespace lanewise::execution
