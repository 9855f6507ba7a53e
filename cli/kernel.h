// Kernels on the command line: the options that say what a kernel file's kernel is, and how it is
// compiled.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "compiler/options.h"
#include "report/run/kernel_listing.h"
#include "sfpi/kernel.h"

namespace lanewise::cli {

inline constexpr double kKernelSeconds = std::chrono::duration<double>(kKernelLimits.time).count();

struct KernelOptions {
  std::vector<std::string> calls;
  std::string init;
  std::string entry = "kernel";
  std::vector<std::string> include_dirs, defines;
  std::string faces; ///< rc, r, c or whole; by default rc with --call, else whole
  int epoch = sfpi::kDefaultEpoch;
  std::vector<std::string> switches; ///< what stands behind -f
  std::vector<std::string> dump;
  double seconds = kKernelSeconds; ///< that the kernel, or g++ for it, may take
  std::uint64_t mebibytes = kKernelLimits.memory >> 20; ///< of memory, likewise
};

/// Whether the file is C++, by its name.
bool is_kernel_file(const std::string& path);

void add_kernel_options(const Command& command, KernelOptions& options);

/// --kernel-time and --kernel-memory.
ProcessLimits kernel_limits(const KernelOptions& options);

/// The compiler's options. Error: BadInput for an unknown switch or pass.
Expected<compiler::Options> compiler_options(const KernelOptions& options);

/// Error: BadInput for faces that do not exist.
Expected<sfpi::KernelSource> kernel_source(const std::string& file, const KernelOptions& options);

/// Records and compiles the kernel for each chip. Warnings are printed, and what --dump asks for.
/// Error: the first error of any chip; what else is wrong has been printed.
Expected<std::vector<report::Kernel>> load_kernels(const std::string& file,
                                                   std::span<const Arch> chips,
                                                   const KernelOptions& options);

} // namespace lanewise::cli
