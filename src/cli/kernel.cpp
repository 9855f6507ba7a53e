#include "cli/kernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "cli/command.h"
#include "cli/output.h"
#include "source/compiler/pass_names.h"
#include "source/compiler/switches.h"

namespace lanewise::cli {

namespace {

/// What --kernel-time and --kernel-memory take: up to a day, and up to a TiB.
constexpr double kLeastSeconds = 0.001, kMostSeconds = 24 * 60 * 60;
constexpr std::uint64_t kLeastMebibytes = 16, kMostMebibytes = 1 << 20;

} // namespace

void add_syntax_option(const Command& command, std::string& syntax) {
  command
      .option(
          "--syntax", syntax,
          "Syntax of assembly: tti (docs/assembly.md), gnu (sfpi-gcc, Compiler Explorer, objdump), "
          "or auto, by its content (default)")
      .one_of({"auto", "tti", "gnu"});
}

void add_kernel_options(const Command& command, KernelOptions& options) {
  add_syntax_option(command, options.syntax);
  constexpr const char* kGroup = "Kernels (C++ files that use SFPI)";
  command
      .option("--call", options.calls,
              "Statement that runs the kernel, instead of 'void kernel()': 'ns::f<true, 8>(8)'; of "
              "an ELF file, the function that runs, with its integers")
      .value("STATEMENT")
      .one_at_a_time()
      .more(kGroup);
  command.option("--init", options.init, "Statement that runs once before it")
      .value("STATEMENT")
      .more(kGroup);
  command
      .option("--entry", options.entry,
              "Function without parameters that is the kernel (default kernel); of the vendor's "
              "assembly with several functions, the one to read")
      .value("NAME")
      .more(kGroup);
  command
      .option("--faces", options.faces,
              "Faces of the tile on which the kernel runs, as LLK's VectorMode: rc (all four, "
              "default with "
              "--call), r, c, or whole (once; it addresses the tile itself: default)")
      .value("FACES")
      .more(kGroup);
  command.option("--include,-I", options.include_dirs, "Folder with headers of the kernel")
      .value("DIR")
      .one_at_a_time()
      .more(kGroup);
  command.option("--define,-D", options.defines, "Macro NAME or NAME=VALUE")
      .value("NAME[=VALUE]")
      .one_at_a_time()
      .more(kGroup);
  command
      .option("--sfpi", options.releases,
              "Release of SFPI whose interface and compiler the kernel is for: 5.0, or 7.38 to "
              "7.80 (default 7.80); 'run' takes several, as 7.38,7.80")
      .value("RELEASE")
      .one_at_a_time()
      .delimiter(',')
      .more(kGroup);
  command
      .option("--compiled", options.compiled,
              "Order of the instructions: shipped (as sfpi-gcc leaves it: default for headers and "
              "operations) or lanewise (hoisted, joined, scheduled: default for 'void kernel()')")
      .one_of({"shipped", "lanewise"})
      .more(kGroup);
  command
      .option("-f", options.switches,
              "Compiler switch: -fno- with " + compiler::switch_names() +
                  "; the names -fno-rvtt-sfpu-... work, too (docs/compiler.md)")
      .value("SWITCH")
      .one_at_a_time()
      .more(kGroup);
  command
      .option(kTimeOption, options.seconds,
              fmt::format(
                  "Seconds of processor time that the kernel may take, and g++ over it (default "
                  "{})",
                  kKernelSeconds))
      .value("SECONDS")
      .range(kLeastSeconds, kMostSeconds)
      .more(kGroup);
  command
      .option(
          kMemoryOption, options.mebibytes,
          fmt::format("MiB of memory for the kernel, and for g++ (default {})", options.mebibytes))
      .value("MIB")
      .range(kLeastMebibytes, kMostMebibytes)
      .more(kGroup);
  command
      .option("--dump", options.dump,
              fmt::format("Print the kernel after a pass: {}, or all",
                          fmt::join(compiler::pass_names(), " ")))
      .value("PASS")
      .delimiter(',')
      .more(kGroup);
  add_checkout_options(command, options.checkout);
}

ProcessLimits kernel_limits(const KernelOptions& options) {
  return {std::chrono::milliseconds(std::llround(options.seconds * 1000)), options.mebibytes << 20};
}

Expected<compiler::Options> compiler_options(const KernelOptions& options) {
  auto parsed = compiler::parse_options(options.switches, options.dump);
  const auto compiled = compiler::parse_compiled_as(options.compiled);
  if (!compiled) return Unexpected(compiled.error());
  if (parsed) parsed->compiled = *compiled;
  return parsed;
}

Expected<std::vector<int>> releases_of(const KernelOptions& options) {
  std::vector<int> epochs;
  epochs.reserve(options.releases.size() + 1);
  for (const std::string& text : options.releases) {
    const auto epoch = compiler::parse_epoch(text);
    if (!epoch) return Unexpected(epoch.error());
    if (std::ranges::find(epochs, *epoch) != epochs.end())
      return bad_input("--sfpi names " + compiler::epoch_text(*epoch) + " twice", "name it once");
    epochs.push_back(*epoch);
  }
  if (epochs.empty()) epochs.push_back(sfpi::kDefaultEpoch);
  return epochs;
}

namespace {

Expected<sfpi::Faces> chosen_faces(const KernelOptions& options) {
  const std::string faces = !options.faces.empty()  ? options.faces
                            : options.calls.empty() ? "whole"
                                                    : "rc";
  auto parsed = sfpi::parse_faces(faces);
  if (!parsed) parsed.error().file = "--faces";
  return parsed;
}

} // namespace

Expected<void> check_kernel_options(const KernelOptions& options) {
  if (auto compiler = compiler_options(options); !compiler) return Unexpected(compiler.error());
  if (auto epochs = releases_of(options); !epochs) return Unexpected(epochs.error());
  if (auto faces = chosen_faces(options); !faces) return Unexpected(faces.error());
  return {};
}

Expected<sfpi::KernelSource> kernel_source(const KernelOptions& options) {
  const auto epochs = releases_of(options);
  if (!epochs) return Unexpected(epochs.error());
  if (epochs->size() > 1)
    return bad_input("--sfpi names several releases", "name one; 'lanewise run' takes several");
  const auto faces = chosen_faces(options);
  if (!faces) return Unexpected(faces.error());
  sfpi::KernelSource source;
  source.entry = options.entry;
  source.calls = options.calls;
  source.init = options.init;
  source.include_dirs = options.include_dirs;
  source.defines = options.defines;
  source.epoch = epochs->front();
  source.asks_for_epoch = !options.releases.empty();
  source.limits = kernel_limits(options);
  source.faces = *faces;
  return source;
}

} // namespace lanewise::cli
