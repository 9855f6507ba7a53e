// lanewise diff A B: two kernels, or two versions of one, over every input there is.
#include <fmt/format.h>

#include <cstdio>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/sweep_setup.h"
#include "report/diff/html.h"
#include "report/diff/text.h"
#include "report/sweep/json.h"

namespace lanewise::cli {

namespace {

/// What may be different for the second program; empty = as for the first.
struct SecondOptions {
  std::vector<std::string> calls;
  std::string init, entry;
  std::vector<std::string> include_dirs, defines, switches, releases;

  friend bool operator==(const SecondOptions&, const SecondOptions&) = default;
};

struct DiffOptions {
  std::string first, second;
  SweepSetupOptions setup;
  unsigned operands = 1;
  bool json = false;
  std::string html;
  KernelOptions kernel;
  SecondOptions second_kernel;
};

KernelOptions second_kernel(const DiffOptions& options) {
  KernelOptions kernel = options.kernel;
  const SecondOptions& other = options.second_kernel;
  if (!other.calls.empty()) kernel.calls = other.calls;
  if (!other.init.empty()) kernel.init = other.init;
  if (!other.entry.empty()) kernel.entry = other.entry;
  if (!other.include_dirs.empty()) kernel.include_dirs = other.include_dirs;
  if (!other.defines.empty()) kernel.defines = other.defines;
  if (!other.switches.empty()) kernel.switches = other.switches;
  if (!other.releases.empty()) kernel.releases = other.releases;
  return kernel;
}

/// "kernel.cpp, SFPI 7.38" where the releases differ.
std::string name_of(const std::string& file, const std::vector<LoadedProgram>& programs,
                    const std::vector<LoadedProgram>& others) {
  const auto& kernel = programs.front().kernel;
  const auto& other = others.front().kernel;
  if (!kernel || !other || kernel->recording.epoch == other->recording.epoch) return file;
  return fmt::format("{}, SFPI {}", file, compiler::epoch_text(kernel->recording.epoch));
}

report::DiffReport make_report(const DiffOptions& options, const SweepSetup& setup,
                               std::vector<LoadedProgram> first, std::vector<LoadedProgram> second,
                               lab::DiffResult result) {
  report::DiffReport report;
  report.first_name = name_of(options.first, first, second);
  report.second_name = name_of(options.second, second, first);
  if (setup.reference) report.reference = setup.reference->text();
  report.result = std::move(result);
  report.first_programs = swept_programs(std::move(first));
  report.second_programs = swept_programs(std::move(second));
  return report;
}

ExitStatus diff(DiffOptions options) {
  if (options.second.empty()) {
    if (options.second_kernel == SecondOptions{})
      return fail(bad_input("there is nothing to compare with",
                            "name a second program, or what is different with an option that ends "
                            "in -b, such as --sfpi-b 7.38")
                      .value());
    options.second = options.first;
  }
  if (auto possible = check_can_write(options.html); !possible) return fail(possible.error());
  auto setup = sweep_setup(options.setup);
  if (!setup) return fail(setup.error());
  auto first = load_programs(options.first, options.setup.hex, setup->chips, options.kernel);
  if (!first) return fail(first.error());
  auto second =
      load_programs(options.second, options.setup.hex, setup->chips, second_kernel(options));
  if (!second) return fail(second.error());
  auto result = lab::diff_programs(sweep_programs(*first), sweep_programs(*second),
                                   options.operands, setup->reference.get(), setup->sweep);
  setup->sweep.progress = {}; // wipes the line
  if (!result) return fail(result.error());

  const report::DiffReport report =
      make_report(options, *setup, std::move(*first), std::move(*second), std::move(*result));
  if (!options.html.empty()) {
    const auto written = write_text_file(options.html, report::diff_html(report, typed_command()));
    if (!written) return fail(written.error());
  }
  if (options.json) {
    fmt::print("{}\n", report::diff_json(report).dump(2));
  } else {
    fmt::print("{}", report::diff_text(report));
  }
  const lab::DiffResult& compared = report.result;
  if (compared.done != compared.total)
    tell("stopped after {} of {} inputs\n", compared.done, compared.total);
  return exit_status(lab::is_same(compared));
}

void add_second_options(const Command& command, SecondOptions& options) {
  constexpr const char* kGroup = "The second kernel (default: as for the first)";
  command.option("--call-b", options.calls, "Its --call").one_at_a_time().group(kGroup);
  command.option("--init-b", options.init, "Its --init").group(kGroup);
  command.option("--entry-b", options.entry, "Its --entry").group(kGroup);
  command.option("--include-b", options.include_dirs, "Its --include").group(kGroup);
  command.option("--define-b", options.defines, "Its --define").group(kGroup);
  command.option("--switch-b", options.switches, "Its -f, for instance no-combine").group(kGroup);
  command.option("--sfpi-b", options.releases, "Its --sfpi").one_at_a_time().group(kGroup);
}

} // namespace

void add_diff(CommandLine& line) {
  const Command command = line.add_command(
      "diff", "Compare two kernels over every input: bits, ULP, cycles, instructions");
  auto options = std::make_shared<DiffOptions>();
  command.option("a", options->first, "Kernel, assembly or words, as for 'sweep'").required();
  command.option("b", options->second,
                 "The one to compare with it (default: the same file, with the options that end "
                 "in -b)");
  command.option("--ref", options->setup.reference, "Measure both against this expression as well");
  command.option("--ref-file", options->setup.reference_file,
                 "The same for a function in C++, as for 'sweep'");
  command
      .option("--operands", options->operands,
              "Operands without a reference: 1 (default), or 2 for tiles 0 and 1")
      .range(std::uint64_t{1}, std::uint64_t{2});
  add_sweep_setup(command, options->setup);
  command.flag("--json", options->json, "Print everything as JSON");
  command.option("--html", options->html, "Write a page with pictures, tables and both programs");
  add_kernel_options(command, options->kernel);
  add_second_options(command, options->second_kernel);
  command.footer("Exit status 0 if all bits are the same, 1 if not. docs/accuracy.md has more.");
  command.action([options] { return diff(*options); });
}

} // namespace lanewise::cli
