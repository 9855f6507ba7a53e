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
    auto program = compile_recording(*std::move(recording), text, file.compiler, on_kernel);
    if (!program) return Unexpected(program.error());
    programs.push_back(*std::move(program));
  }
  return programs;
}

} // namespace lanewise::execution
