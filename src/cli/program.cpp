#include "cli/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/in_quotes.h"
#include "cli/command.h"
#include "cli/output.h"

namespace lanewise::cli {

namespace {

/// What --dump asks for, and the warnings.
void print_kernel(const execution::CompiledKernel& kernel) {
  const std::string_view chip = arch_params(kernel.recording.arch).names.id;
  for (const auto& [pass, dump] : kernel.compiled.dumps)
    fmt::print("--- {}: {}\n{}", chip, pass, dump);
  for (const Fault& fault : kernel.compiled.diagnostics) {
    if (fault.kind == FaultKind::BadInput) return; // becomes the error
    tell("{}: {}\n", chip, to_string(fault));
  }
}

void print_notes(const LoadedProgram& program) {
  for (const std::string& note : program.notes)
    tell("{}: note: {}\n", arch_params(program.arch).names.id, note);
}

} // namespace

void tell_doubts(const std::vector<Fault>& doubts) {
  constexpr std::size_t kMostShown = 10;
  for (std::size_t i = 0; i < std::min(doubts.size(), kMostShown); ++i) {
    tell("warning: {}\n", to_string(doubts[i]));
  }
  if (doubts.size() > kMostShown) {
    tell("warning: {} more such places\n", doubts.size() - kMostShown);
  }
}

namespace {

/// A program as the library loads it, without its text and what a checkout adds.
Expected<execution::ProgramFile> plain_file(const std::string& file, bool hex,
                                            const KernelOptions& options) {
  execution::ProgramFile source{
      .name = file,
      .hex = hex,
      .syntax = assembly::parse_syntax(options.syntax).value_or(assembly::Syntax::Auto)};
  source.kernel.entry = options.entry;
  if (execution::is_kernel_file(file)) {
    auto compiler = compiler_options(options);
    if (!compiler) return Unexpected(compiler.error());
    source.compiler = std::move(*compiler);
    auto kernel = kernel_source(options);
    if (!kernel) return Unexpected(kernel.error());
    source.kernel = std::move(*kernel);
  } else if (auto sound = check_kernel_options(options); !sound) {
    return Unexpected(sound.error());
  }
  if (execution::is_recording_file(file)) {
    if (!options.releases.empty() || !options.faces.empty())
      return bad_input("--sfpi and --faces are settled when a kernel is recorded",
                       "leave them out, or give them with --emit recording");
    source.compiler = *compiler_options(options);
  }
  source.kernel.calls = options.calls;
  source.kernel.init = options.init;
  return source;
}

Expected<std::vector<LoadedProgram>> load_file(const execution::ProgramFile& source,
                                               std::span<const Arch> chips) {
  const auto text = read_text(source.name);
  if (!text) return Unexpected(text.error());
  return execution::load_program(source, *text, chips, print_kernel);
}

/// With a checkout, each chip has a file and folders of its own.
Expected<execution::ProgramFile> file_of_checkout(const execution::ProgramFile& source,
                                                  const KernelOptions& options, Arch arch) {
  execution::ProgramFile own = source;
  if (auto added = add_checkout(own, options.checkout, arch); !added)
    return Unexpected(added.error());
  if (!options.releases.empty()) own.kernel.epoch = source.kernel.epoch;
  return own;
}

Expected<std::vector<LoadedProgram>> load_from_checkout(const execution::ProgramFile& source,
                                                        std::span<const Arch> chips,
                                                        const KernelOptions& options) {
  std::vector<LoadedProgram> programs;
  for (const Arch arch : chips) {
    const auto own = file_of_checkout(source, options, arch);
    if (!own) return Unexpected(own.error());
    auto loaded = load_file(*own, std::array{arch});
    if (!loaded) return loaded;
    programs.push_back(std::move(loaded->front()));
  }
  return programs;
}

} // namespace

Expected<execution::ProgramFile> program_file(const std::string& file, const KernelOptions& options,
                                              Arch arch) {
  auto source = plain_file(file, false, options);
  if (!source || options.checkout.folder.empty()) return source;
  return file_of_checkout(*source, options, arch);
}

Expected<std::vector<LoadedProgram>> load_programs(const std::string& file, bool hex,
                                                   std::span<const Arch> chips,
                                                   const KernelOptions& options) {
  const auto source = plain_file(file, hex, options);
  if (!source) return Unexpected(source.error());
  auto programs = options.checkout.folder.empty() ? load_file(*source, chips)
                                                  : load_from_checkout(*source, chips, options);
  if (!programs) return programs;
  for (const LoadedProgram& each : *programs) print_notes(each);
  if (!programs->empty()) tell_doubts(programs->front().doubts);
  return programs;
}

Expected<std::vector<LoadedProgram>> load_releases(const std::string& file,
                                                   std::span<const Arch> chips,
                                                   const KernelOptions& options) {
  std::vector<LoadedProgram> all;
  for (const std::string& release : options.releases) {
    KernelOptions one = options;
    one.releases = {release};
    auto programs = load_programs(file, false, chips, one);
    if (!programs) return programs;
    std::ranges::move(*programs, std::back_inserter(all));
  }
  std::ranges::stable_sort(all, {}, [&](const LoadedProgram& each) {
    return std::ranges::find(chips, each.arch) - chips.begin();
  });
  return all;
}

} // namespace lanewise::cli
