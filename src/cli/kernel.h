// Kernels on the command line: the options that say what a kernel file's kernel is, and how it is
// compiled.
#pragma once

#include <string>
#include <vector>

#include "cli/checkout.h"
#include "cli/command_line.h"
#include "source/compiler/options.h"
#include "source/sfpi/kernel.h"

namespace lanewise::cli {

inline constexpr double kKernelSeconds = std::chrono::duration<double>(kKernelLimits.time).count();

struct KernelOptions {
  std::vector<std::string> calls;
  std::string init;
  std::string entry = "kernel"; ///< of a kernel, or of the vendor's assembly
  std::string syntax = "auto";  ///< of assembly
  std::vector<std::string> include_dirs, defines;
  std::string faces;                 ///< rc, r, c or whole; by default rc with --call, else whole
  std::vector<std::string> releases; ///< of SFPI; the newest if there is none
  CheckoutOptions checkout;
  std::string compiled;              ///< shipped or lanewise
  std::vector<std::string> switches; ///< what stands behind -f
  std::vector<std::string> dump;
  double seconds = kKernelSeconds; ///< that the kernel, or g++ for it, may take
  std::uint64_t mebibytes = kKernelLimits.memory >> 20; ///< of memory, likewise
};

/// --syntax auto|tti|gnu.
void add_syntax_option(const Command& command, std::string& syntax);

/// Also adds --syntax and those of kernels of a checkout, since a program is a kernel or assembly.
void add_kernel_options(const Command& command, KernelOptions& options);

/// --kernel-time and --kernel-memory.
ProcessLimits kernel_limits(const KernelOptions& options);

/// The compiler's options. Error: BadInput for an unknown switch or pass.
Expected<compiler::Options> compiler_options(const KernelOptions& options);

/// The releases of SFPI that --sfpi names, as epochs (source/compiler/epoch.h); the newest if it is
/// not there. Error: BadInput for one that is not known, or that stands there twice.
Expected<std::vector<int>> releases_of(const KernelOptions& options);

/// Whether the values of options are any: for programs that are no kernels, which do not need them.
/// Error: BadInput for a switch, a pass, a release or faces that do not exist.
Expected<void> check_kernel_options(const KernelOptions& options);

/// How a kernel is recorded; its file is left open. Error: BadInput for faces that do not exist,
/// and for no or several releases.
Expected<sfpi::KernelSource> kernel_source(const KernelOptions& options);

} // namespace lanewise::cli
