#include "run/execution/load_kernels.h"

#include <fmt/format.h>

#include <utility>

#include "base/text_file.h"
#include "binary/elf/call.h"

namespace lanewise::execution {

namespace {

/// What --call asks for of an ELF file.
Expected<elf::CallText> elf_call(const ProgramFile& file) {
  const std::vector<std::string>& calls = file.kernel.calls;
  if (calls.size() == 1) return elf::parse_call(calls.front());
  Unexpected fault = bad_input(calls.empty() ? "nothing says which of its functions is to run"
                                             : "an ELF file's program is one call",
                               "name one: --call 'f(8)'; 'lanewise elf' lists them");
  fault.value().file = file.name;
  return fault;
}

} // namespace

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

Expected<std::vector<LoadedProgram>> load_elf(const ProgramFile& file, const std::string& text,
                                              std::span<const Arch> chips) {
  const auto image = elf::read_image(text, file.name);
  if (!image) return Unexpected(image.error());
  const auto wanted = elf_call(file);
  if (!wanted) return Unexpected(wanted.error());
  const auto function = elf::find_function(*image, wanted->function);
  if (!function) return Unexpected(function.error());
  std::vector<LoadedProgram> programs;
  for (const Arch arch : chips) {
    if (!arch_params(arch).has_clock)
      return bad_input(fmt::format("ELF files of {} are not read", arch_params(arch).names.family),
                       "give the kernel's source, its assembly, or its words");
    auto result = elf::call(*image, *function, wanted->arguments, arch);
    if (!result) return Unexpected(result.error());
    programs.push_back(
        {.arch = arch, .program = std::move(result->program), .notes = std::move(result->notes)});
  }
  return programs;
}

} // namespace lanewise::execution
