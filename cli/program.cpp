#include "cli/program.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text_file.h"
#include "cli/command.h"
#include "isa/assembly/assembly.h"

namespace lanewise::cli {

namespace {

Expected<std::vector<LoadedProgram>> compiled_programs(const std::string& file,
                                                       std::span<const Arch> chips,
                                                       const KernelOptions& options) {
  auto kernels = load_kernels(file, chips, options);
  if (!kernels) return Unexpected(kernels.error());
  std::vector<LoadedProgram> programs;
  for (report::Kernel& kernel : *kernels) {
    programs.push_back(
        {kernel.recording.arch, kernel.compiled.program, kernel.source, std::move(kernel)});
  }
  return programs;
}

} // namespace

Expected<std::vector<Arch>> chosen_chips(const std::vector<std::string>& names) {
  std::vector<Arch> chips;
  for (const std::string& name : names) {
    const auto arch = parse_arch(name);
    if (!arch)
      return bad_input(fmt::format("there is no chip '{}'", name), "use --arch bh, wh or bh,wh");
    if (std::find(chips.begin(), chips.end(), *arch) == chips.end()) chips.push_back(*arch);
  }
  return chips;
}

Expected<std::vector<LoadedProgram>> load_programs(const std::string& file, bool hex,
                                                   std::span<const Arch> chips,
                                                   const KernelOptions& options) {
  if (is_kernel_file(file)) return compiled_programs(file, chips, options);
  const auto text = read_text(file);
  if (!text) return Unexpected(text.error());
  std::vector<LoadedProgram> programs;
  for (Arch arch : chips) {
    auto program = hex || file.ends_with(".hex") ? isa::parse_hex_words(*text, file)
                                                 : isa::assemble(arch, *text, file);
    if (!program) return Unexpected(program.error());
    programs.push_back({arch, std::move(*program), lines_of(*text), std::nullopt});
  }
  return programs;
}

} // namespace lanewise::cli
