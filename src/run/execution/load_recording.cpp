#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text_file.h"
#include "run/execution/load_kernels.h"

namespace lanewise::execution {

namespace {

Unexpected not_recorded(const std::string& file, Arch arch) {
  Unexpected fault =
      bad_input(fmt::format("the kernel was not recorded for {}", arch_params(arch).names.full),
                "record it for all chips that it is for: --arch bh,wh --emit recording");
  fault.value().file = file;
  return fault;
}

} // namespace

Expected<LoadedProgram> compile_recording(
    compiler::Recording recording, const std::string& text, const compiler::Options& options,
    const std::function<void(const CompiledKernel&)>& on_kernel) {
  CompiledKernel kernel{std::move(recording), {}, lines_of(text)};
  kernel.compiled = compiler::compile(kernel.recording, options);
  if (on_kernel) on_kernel(kernel);
  if (const Fault* error = compile_error(kernel.compiled)) return Unexpected(*error);
  const Arch arch = kernel.recording.arch;
  Program program = kernel.compiled.program;
  return LoadedProgram{
      .arch = arch, .program = std::move(program), .text = text, .kernel = std::move(kernel)};
}

Expected<std::vector<LoadedProgram>> load_recorded(
    const ProgramFile& file, const sfpi::RecordedKernel& recorded, std::span<const Arch> chips,
    const std::function<void(const CompiledKernel&)>& on_kernel) {
  std::vector<LoadedProgram> programs;
  for (const Arch arch : chips) {
    const auto found = std::ranges::find(recorded.recordings, arch, &compiler::Recording::arch);
    if (found == recorded.recordings.end()) return not_recorded(file.name, arch);
    auto program = compile_recording(*found, recorded.source, file.compiler, on_kernel);
    if (!program) return Unexpected(program.error());
    programs.push_back(std::move(*program));
  }
  return programs;
}

Expected<std::vector<LoadedProgram>> load_recording(
    const ProgramFile& file, const std::string& text, std::span<const Arch> chips,
    const std::function<void(const CompiledKernel&)>& on_kernel) {
  const auto recorded = sfpi::parse_recording(text, file.name);
  if (!recorded) return Unexpected(recorded.error());
  return load_recorded(file, *recorded, chips, on_kernel);
}

} // namespace lanewise::execution
