// lanewise serve [PROGRAM]: a page in which a kernel is written, and everything follows its text.
#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/formats.h"
#include "cli/missing_confinement.h"
#include "cli/output.h"
#include "cli/program.h"
#include "cli/workbench_server.h"
#include "number/formats/format.h"
#include "report/page/page.h"

namespace lanewise::cli {

namespace {

constexpr unsigned kPort = 8760;
/// What a page without a program begins with, and what that kernel computes.
constexpr const char* kNewKernel = "kernel.cpp";
constexpr const char* kNewReference = "hardswish(x)";

struct ServeOptions {
  std::string program;
  unsigned port = kPort;
  Arch arch = kDefaultArch;
  std::string format = "bf16", reference, inputs;
  KernelOptions kernel;
  bool json = false;
};

/// For every chip that has the program: an operation may be on one of them only, which is then not
/// the one that the page begins with. Error: why the chosen one has not.
Expected<std::vector<report::ChipFile>> chip_files(const ServeOptions& options) {
  std::vector<report::ChipFile> files;
  for (const Arch arch : kArchs) {
    auto file = program_file(options.program, options.kernel, arch);
    if (file) {
      files.push_back({arch, std::move(*file)});
    } else if (arch == options.arch) {
      return Unexpected(file.error());
    }
  }
  return files;
}

/// The file that is shown: of an operation, that of its header.
std::string shown_file(const std::vector<report::ChipFile>& files, Arch arch) {
  for (const report::ChipFile& each : files) {
    if (each.arch == arch) return each.file.name;
  }
  return {};
}

/// Error: BadInput for a program that cannot be read, is no text, or none that anybody edits.
Expected<void> check_text(const std::string& file) {
  if (execution::is_recording_file(file))
    return bad_input(fmt::format("{}: a recording is read, not written", file),
                     "name its kernel; in a browser without a server recordings are opened");
  const auto text = read_text(file);
  if (!text) return Unexpected(text.error());
  if (text->find('\0') == std::string::npos) return {};
  return bad_input(fmt::format("{} is no text", file),
                   "name a kernel or assembly; 'lanewise elf' shows kernel ELFs");
}

/// A line that can be read at once.
void print_line(const nlohmann::ordered_json& line) {
  fmt::print("{}\n", line.dump());
  std::fflush(stdout);
}

void print_address(const WorkbenchServer& server, const std::string& file, bool json) {
  if (json) {
    print_line({{"address", server.address()},
                {"host", WorkbenchServer::kHost},
                {"port", server.port()},
                {"file", file.empty() ? nlohmann::ordered_json()
                                      : nlohmann::ordered_json(report::valid_utf8(file))}});
    return;
  }
  fmt::print("{}\nOpen this address in a browser on this machine; Ctrl-C ends.\n",
             server.address());
  std::fflush(stdout);
}

ExitStatus serve(ServeOptions options) {
  const bool is_new = options.program.empty() && options.kernel.checkout.op.empty();
  if (is_new) options.program = kNewKernel;
  if (auto settled =
          settle_op(options.program, options.kernel.checkout, {&options.format, nullptr});
      !settled)
    return fail(settled.error());
  const auto format = formats::parse_format(options.format);
  if (!format) return fail(format.error());
  auto files = chip_files(options);
  if (!files) return fail(files.error());
  const std::string file = is_new ? "" : shown_file(*files, options.arch);
  if (!file.empty()) {
    if (auto read = check_text(file); !read) return fail(read.error());
  }
  if (is_new && options.reference.empty()) options.reference = kNewReference;
  const std::function<void(std::size_t)> saved = [&file](std::size_t bytes) {
    print_line({{"saved", report::valid_utf8(file)}, {"bytes", bytes}});
  };
  WorkbenchServer server({.name = is_new ? options.program : file,
                          .files = std::move(*files),
                          .choices = {.text = {},
                                      .arch = options.arch,
                                      .format = options.format,
                                      .reference = options.reference,
                                      .inputs = options.inputs},
                          .file = file,
                          .saved = options.json ? saved : nullptr});
  if (auto opened = server.open(static_cast<std::uint16_t>(options.port)); !opened)
    return fail(opened.error());
  tell_missing_confinement();
  // Who reads the address may end the server at once.
  watch_for_interrupt();
  print_address(server, file, options.json);
  server.run(interrupted);
  return ExitStatus::Success;
}

} // namespace

void add_serve(CommandLine& line) {
  const Command command = line.add_command(
      "serve", "A page on this machine that compiles, times, checks and measures as you type");
  auto options = std::make_shared<ServeOptions>();
  command.option("program", options->program,
                 "A kernel (C++ with SFPI) or assembly to edit; a new kernel without it");
  command
      .option("--port", options->port,
              fmt::format("Port of 127.0.0.1 (default {}); 0 for any that is free", kPort))
      .range(std::uint64_t{0}, std::uint64_t{65535});
  add_arch_option(command, options->arch);
  add_format_option(command, options->format, "Format of the tiles in Dst");
  command
      .option("--ref", options->reference,
              "What it should compute: an expression, as in 'lanewise sweep'")
      .value("FUNCTION");
  command.option("--inputs", options->inputs,
                 "every, range:LO:HI, or sample:N[:SEED[:LO:HI]] (default: every one, or a sample "
                 "where there are too many)");
  command.flag("--json", options->json,
               "Print a JSON object a line: the address, and each file that is written");
  add_kernel_options(command, options->kernel);
  command.footer("docs/serve.md explains the page.");
  command.action([options] { return serve(*options); });
}

} // namespace lanewise::cli
