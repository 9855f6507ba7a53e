#include "run/execution/load_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/text_file.h"
#include "binary/elf/call.h"
#include "source/assembly/assembly.h"

namespace lanewise::lab {

namespace {

constexpr std::array<std::string_view, 3> kHeaderEndings{".h", ".hpp", ".hh"};
constexpr std::array<std::string_view, 3> kSourceEndings{".cpp", ".cc", ".cxx"};

bool has_ending(const std::string& name, std::span<const std::string_view> endings) {
  return std::ranges::any_of(endings,
                             [&](std::string_view ending) { return name.ends_with(ending); });
}

Expected<std::vector<LoadedProgram>> load_kernels(
    const ProgramFile& file, const std::string& text, std::span<const Arch> chips,
    const std::function<void(const CompiledKernel&)>& on_kernel) {
  sfpi::KernelSource source = file.kernel;
  source.file = file.name;
  source.is_header = has_ending(file.name, kHeaderEndings);
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

/// The words that a called function pushes. Chips may differ in what the function finds there.
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

/// A program of assembly, whose words the text has all.
Expected<LoadedProgram> load_assembly(const ProgramFile& file, const std::string& text, Arch arch) {
  auto read = isa::read_assembly(arch, text, file.name, file.syntax);
  if (!read) return Unexpected(read.error());
  auto chosen = isa::only_function(std::move(*read), file.kernel.entry);
  if (!chosen) return Unexpected(chosen.error());
  if (!chosen->computed.empty()) return Unexpected(chosen->computed.front());
  if (chosen->riscv != 0 && chosen->program.words.empty()) {
    return bad_input(
        fmt::format("{} has {} RISC-V instructions and no Tensix word", file.name, chosen->riscv),
        "choose a function of the compute kernel");
  }
  return LoadedProgram{.arch = arch,
                       .program = std::move(chosen->program),
                       .source = lines_of(text),
                       .doubts = std::move(chosen->doubts),
                       .vendors = chosen->vendors};
}

Expected<LoadedProgram> load_words(const ProgramFile& file, const std::string& text, Arch arch) {
  auto program = isa::parse_hex_words(text, file.name);
  if (!program) return Unexpected(program.error());
  return LoadedProgram{.arch = arch, .program = std::move(*program), .source = lines_of(text)};
}

} // namespace

namespace {

Expected<std::vector<LoadedProgram>> load_any(
    const ProgramFile& file, const std::string& text, std::span<const Arch> chips,
    const std::function<void(const CompiledKernel&)>& on_kernel) {
  if (is_kernel_file(file.name)) return load_kernels(file, text, chips, on_kernel);
  if (elf::is_elf(text)) return load_elf(file, text, chips);
  std::vector<LoadedProgram> programs;
  for (const Arch arch : chips) {
    const bool hex = file.hex || file.name.ends_with(".hex");
    auto program = hex ? load_words(file, text, arch) : load_assembly(file, text, arch);
    if (!program) return Unexpected(program.error());
    programs.push_back(std::move(*program));
  }
  return programs;
}

} // namespace

bool is_kernel_file(const std::string& name) {
  return has_ending(name, kSourceEndings) || has_ending(name, kHeaderEndings);
}

Expected<std::vector<LoadedProgram>> load_program(
    const ProgramFile& file, const std::string& text, std::span<const Arch> chips,
    const std::function<void(const CompiledKernel&)>& on_kernel) {
  auto programs = load_any(file, text, chips, on_kernel);
  if (!programs) return programs;
  for (LoadedProgram& each : *programs) {
    if (each.program.words.empty() && !each.kernel) {
      Unexpected fault =
          bad_input("there is no instruction in it", "check that this is the right file");
      fault.value().file = file.name;
      return fault;
    }
    const ArchParams& chip = arch_params(each.arch);
    if (!chip.arithmetic_source.empty())
      each.notes.push_back(fmt::format("results are {}", chip.arithmetic_source));
  }
  return programs;
}

} // namespace lanewise::lab
