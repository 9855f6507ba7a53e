#include "run/execution/load_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "binary/elf/image.h"
#include "run/execution/load_kernels.h"
#include "source/assembly/assembly.h"

namespace lanewise::execution {

namespace {

constexpr std::array<std::string_view, 3> kHeaderEndings{".h", ".hpp", ".hh"};
constexpr std::array<std::string_view, 3> kSourceEndings{".cpp", ".cc", ".cxx"};

bool has_ending(const std::string& name, std::span<const std::string_view> endings) {
  return std::ranges::any_of(endings,
                             [&](std::string_view ending) { return name.ends_with(ending); });
}

/// A program of assembly, whose words the text has all.
Expected<LoadedProgram> load_assembly(const ProgramFile& file, const std::string& text, Arch arch) {
  auto read = assembly::read_assembly(arch, text, file.name, file.syntax);
  if (!read) return Unexpected(read.error());
  const std::string& entry = file.kernel.entry;
  auto chosen = entry == sfpi::KernelSource{}.entry
                    ? assembly::only_function(std::move(*read), entry)
                    : assembly::named_function(std::move(*read), entry);
  if (!chosen) return Unexpected(chosen.error());
  if (!chosen->computed.empty()) return Unexpected(chosen->computed.front());
  if (chosen->riscv != 0 && chosen->program.words.empty()) {
    return bad_input(
        fmt::format("{} has {} RISC-V instructions and no Tensix word", file.name, chosen->riscv),
        "choose a function of the compute kernel");
  }
  return LoadedProgram{.arch = arch,
                       .program = std::move(chosen->program),
                       .text = text,
                       .doubts = std::move(chosen->doubts),
                       .vendors = chosen->vendors};
}

Expected<LoadedProgram> load_words(const ProgramFile& file, const std::string& text, Arch arch) {
  auto program = assembly::parse_hex_words(text, file.name);
  if (!program) return Unexpected(program.error());
  return LoadedProgram{.arch = arch, .program = std::move(*program), .text = text};
}

} // namespace

namespace {

Expected<void> check_calls(const ProgramFile& file) {
  if (file.kernel.calls.empty() && file.kernel.init.empty()) return {};
  Unexpected fault = bad_input("--call and --init are for kernels in C++ and for ELF files",
                               "leave them out: all else runs as it is");
  fault.value().file = file.name;
  return fault;
}

Expected<std::vector<LoadedProgram>> load_any(
    const ProgramFile& file, const std::string& text, std::span<const Arch> chips,
    const std::function<void(const CompiledKernel&)>& on_kernel) {
  if (is_kernel_file(file.name)) return load_kernels(file, text, chips, on_kernel);
  if (elf::is_elf(text)) return load_elf(file, text, chips);
  if (auto sound = check_calls(file); !sound) return Unexpected(sound.error());
  if (is_recording_file(file.name)) return load_recording(file, text, chips, on_kernel);
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

bool takes_calls(const std::string& name, std::string_view text) {
  return is_kernel_file(name) || elf::is_elf(text);
}

bool is_header_file(const std::string& name) {
  return has_ending(name, kHeaderEndings);
}

bool is_recording_file(const std::string& name) {
  return name.ends_with(sfpi::kRecordingEnding);
}

bool is_kernel_file(const std::string& name) {
  return has_ending(name, kSourceEndings) || is_header_file(name);
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

} // namespace lanewise::execution
