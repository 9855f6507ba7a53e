#include <fmt/format.h>

#include <utility>

#include "binary/elf/call.h"
#include "run/execution/load_kernels.h"

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
