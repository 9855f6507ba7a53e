#include "source/sfpi/kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/process.h"
#include "source/sfpi/chip_kernels.h"
#include "source/sfpi/compile_hints.h"
#include "source/sfpi/entry.h"
#include "source/sfpi/headers.h"
#include "source/sfpi/host_compiler.h"
#include "source/sfpi/isolation.h"
#include "source/sfpi/locations.h"

namespace lanewise::sfpi {
namespace {

namespace fs = std::filesystem;
using compiler::Recording;
using compiler::Site;

Expected<void> check_source(const KernelSource& source) {
  std::error_code ignored;
  const bool is_there = fs::is_regular_file(source.file, ignored);
  const bool has_usable_name = source.file.find_first_of("\"\n") == std::string::npos;
  if (is_there && has_usable_name) return {};
  Unexpected fault = is_there ? bad_input("g++ cannot include a file of this name", "rename it")
                              : bad_input("there is no such kernel file", "check the path");
  fault.value().file = source.file;
  return fault;
}

std::string file_text(const std::string& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The release for which the kernel is compiled. Some chips are known to one alone.
int epoch_for(Arch arch, const KernelSource& source) {
  const int only = arch_params(arch).only_sfpi_release;
  return only == 0 ? source.epoch : only;
}

Expected<void> check_chip(Arch arch, const KernelSource& source) {
  const ArchParams& chip = arch_params(arch);
  if (chip.only_sfpi_release == 0) return {};
  Unexpected fault = bad_input("");
  fault.value().file = source.file;
  if (source.asks_for_epoch && source.epoch != chip.only_sfpi_release) {
    fault.value().message = fmt::format("SFPI {} does not know {}",
                                        compiler::epoch_text(source.epoch), chip.names.family);
    fault.value().remedy = fmt::format("leave out --sfpi, or use --sfpi {}",
                                       compiler::epoch_text(chip.only_sfpi_release));
    return fault;
  }
  if (!needs_llk(source)) return {};
  fault.value().message = fmt::format("there is no LLK for {} here", chip.names.family);
  fault.value().remedy = "write the kernel to SFPI alone, with sfpi.h";
  return fault;
}

Expected<fs::path> compile(Arch arch, const KernelSource& source) {
  if (auto checked = check_source(source); !checked) return Unexpected(checked.error());
  if (auto checked = check_chip(arch, source); !checked) return Unexpected(checked.error());
  CompileRequest request{
      .prelude = {.arch = arch, .epoch = epoch_for(arch, source), .llk = needs_llk(source)},
      .name = source.file,
      .text = entry_text(source),
      .includes = {},
      .defines = source.defines,
      .flags = source.flags,
      .limits = source.limits,
  };
  const std::string folder = fs::path(source.file).parent_path().string();
  request.includes.push_back(folder.empty() ? "." : folder);
  request.includes.insert(request.includes.end(), source.include_dirs.begin(),
                          source.include_dirs.end());
  auto object = compile_kernel(request);
  if (object) return object;
  const std::string hint = compile_hint(source, file_text(source.file), object.error().message);
  if (!hint.empty()) object.error().message += "\nhint: " + hint;
  return object;
}

/// A fault at the place of the user's code that is nearest to what went wrong.
Unexpected fault_at(const Site& site, std::string message, std::string remedy) {
  Unexpected fault = bad_input(std::move(message), std::move(remedy));
  if (site.frames.empty()) return fault;
  // std::vector allocates in a header of the compiler's; the user's code is what called it.
  const auto of_user = std::ranges::find_if(
      site.frames, [](const auto& frame) { return !frame.file.starts_with("/usr/"); });
  const auto& frame = of_user == site.frames.end() ? site.frames.front() : *of_user;
  fault.value().file = frame.file;
  fault.value().line = frame.line;
  return fault;
}

Unexpected death_fault(const Death& death, const Site& site, const ProcessLimits& limits) {
  const Cause cause = cause_of(death, limits);
  const bool is_near = !death.at_fault && !site.frames.empty();
  return fault_at(site, cause.message + (is_near ? " after its operation in this line" : ""),
                  cause.remedy);
}

bool runs_in_process() {
  const char* value = std::getenv("LANEWISE_IN_PROCESS");
  return value != nullptr && std::string_view(value) == "1";
}

Expected<Recording> run(Arch arch, const KernelSource& source, const fs::path& object) {
  auto message = runs_in_process() ? run_here(object, arch, source.file)
                                   : run_isolated(object, arch, source.file, source.limits);
  if (!message) return Unexpected(message.error());
  const auto headers = sfpi_include_folder();
  if (!headers) return Unexpected(headers.error());
  const SourceFiles files{.kernel = source.file, .hidden = {*headers}};
  if (const auto* death = std::get_if<Death>(&*message)) {
    const auto sites = find_sites(object, {death->stack}, files);
    return death_fault(*death, sites && !sites->empty() ? sites->front() : Site{}, source.limits);
  }
  auto& raw = std::get<RawRecording>(*message);
  if (raw.failure) {
    const auto sites = find_sites(object, {raw.stacks[raw.failure->stack]}, files);
    return fault_at(sites ? sites->front() : Site{}, raw.failure->mistake.message,
                    raw.failure->mistake.remedy);
  }
  const auto sites = find_sites(object, raw.stacks, files);
  if (!sites) return Unexpected(sites.error());
  set_sites(raw.recording, *sites);
  raw.recording.epoch = epoch_for(arch, source);
  raw.recording.is_shipped = needs_llk(source);
  return std::move(raw.recording);
}

/// One after the other would take twice as long. The threads have ended when this returns: the
/// kernel's process allocates, and must not be forked while a thread holds the allocator's locks.
std::vector<Expected<fs::path>> compile_all(std::span<const ChipKernel> kernels) {
  std::vector<std::future<Expected<fs::path>>> compilations;
  for (const ChipKernel& kernel : kernels) {
    compilations.push_back(
        std::async(std::launch::async, [&kernel] { return compile(kernel.arch, kernel.source); }));
  }
  std::vector<Expected<fs::path>> objects;
  objects.reserve(compilations.size());
  for (auto& compilation : compilations) objects.push_back(compilation.get());
  return objects;
}

} // namespace

Expected<Recording> record_kernel(Arch arch, const KernelSource& source) {
  const auto object = compile(arch, source);
  if (!object) return Unexpected(object.error());
  return run(arch, source, *object);
}

std::vector<Expected<Recording>> record_kernels(std::span<const ChipKernel> kernels) {
  const auto objects = compile_all(kernels);
  std::vector<Expected<Recording>> recordings;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    recordings.push_back(objects[i] ? run(kernels[i].arch, kernels[i].source, *objects[i])
                                    : Expected<Recording>(Unexpected(objects[i].error())));
  }
  return recordings;
}

std::vector<Expected<Recording>> record_kernel(std::span<const Arch> archs,
                                               const KernelSource& source) {
  std::vector<ChipKernel> kernels;
  for (const Arch arch : archs) kernels.push_back({arch, source});
  return record_kernels(kernels);
}

} // namespace lanewise::sfpi
