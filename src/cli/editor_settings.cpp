#include "cli/editor_settings.h"

#include "cli/program.h"

namespace lanewise::cli {

editor::Settings editor_settings(const KernelOptions& kernel, Arch arch,
                                 const std::string& format) {
  return {.arch = std::string(arch_params(arch).names.id),
          .format = format,
          .syntax = kernel.syntax,
          .entry = kernel.entry,
          .init = kernel.init,
          .faces = kernel.faces,
          .sfpi = kernel.releases.empty() ? "" : kernel.releases.front(),
          .compiled = kernel.compiled,
          .metal = kernel.checkout.folder,
          .call = kernel.calls,
          .include = kernel.include_dirs,
          .define = kernel.defines};
}

Expected<execution::ProgramFile> editor_file(const std::string& name,
                                             const editor::Settings& settings, Arch arch,
                                             KernelOptions kernel) {
  kernel.syntax = settings.syntax;
  kernel.entry = settings.entry;
  kernel.init = settings.init;
  kernel.faces = settings.faces;
  kernel.releases.clear();
  if (!settings.sfpi.empty()) kernel.releases.push_back(settings.sfpi);
  kernel.compiled = settings.compiled;
  kernel.checkout.folder = settings.metal;
  kernel.calls = settings.call;
  kernel.include_dirs = settings.include;
  kernel.defines = settings.define;
  // Settings are of a folder, in which kernels and assembly stand side by side.
  if (!execution::is_kernel_file(name)) {
    kernel.calls.clear();
    kernel.init.clear();
    const bool may_have_functions = name.ends_with(".s") || name.ends_with(".S");
    if (!may_have_functions) kernel.entry = KernelOptions{}.entry;
  }
  return program_file(name, kernel, arch);
}

} // namespace lanewise::cli
