// lanewise score KERNEL --ref EXPRESSION: how exact and how fast a kernel is, in a line per chip.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/remembering.h"
#include "cli/sweep_setup.h"
#include "report/score/score.h"
#include "study/sweep/gates.h"

namespace lanewise::cli {

namespace {

struct ScoreOptions {
  std::string program, before;
  SweepSetupOptions setup;
  bool json = false;
  KernelOptions kernel;
};

Expected<sweep::SweepResult> swept(const std::string& program, const ScoreOptions& options,
                                   const SweepSetup& setup) {
  const auto programs = load_programs(program, options.setup.hex, setup.chips, options.kernel);
  if (!programs) return Unexpected(programs.error());
  return sweep::sweep(sweep_programs(*programs), *setup.reference, setup.sweep);
}

Expected<report::ScoreReport> scored(const ScoreOptions& options, const SweepSetup& setup) {
  report::ScoreReport report{.name = options.program, .reference = setup.reference->text()};
  auto result = swept(options.program, options, setup);
  if (!result) return Unexpected(result.error());
  report.result = std::move(*result);
  if (options.before.empty() || !report.result.complete()) return report;
  auto before = swept(options.before, options, setup);
  if (!before) return Unexpected(before.error());
  report.before = std::move(*before);
  return report;
}

bool is_complete(const report::ScoreReport& report) {
  return report.result.complete() && (!report.before || report.before->complete());
}

ExitStatus score(ScoreOptions options) {
  if (auto settled = settle_op(options.program, options.kernel.checkout,
                               {&options.setup.format, &options.setup.output_format});
      !settled)
    return fail(settled.error());
  auto setup = sweep_setup(options.setup);
  if (!setup) return fail(setup.error());
  if (setup->reference == nullptr) {
    return fail(bad_input("a score needs a reference", "add --ref 'tanh(x)' or another expression")
                    .value());
  }
  if (!formats::has_exact_errors(setup->sweep.measure)) {
    return fail(bad_input(fmt::format("--ulp {} does not tell whether results are faithful",
                                      options.setup.ulp),
                          "use line, or another way to count with errors before rounding")
                    .value());
  }
  const auto report = scored(options, *setup);
  setup->sweep.progress = {}; // wipes the line
  if (!report) return fail(report.error());
  if (!is_complete(*report)) {
    tell("stopped before the last input\n");
    return exit_status(false);
  }
  if (options.json) {
    fmt::print("{}\n", report::score_json(*report).dump(2));
  } else {
    print_report(report::score_text(*report));
  }
  return exit_status(sweep::sweep_holds(report->result, {}));
}

} // namespace

void add_score(CommandLine& line) {
  const Command command =
      line.add_command("score", "How exact and how fast a kernel is, in a line per chip");
  auto options = std::make_shared<ScoreOptions>();
  command.option("program", options->program,
                 "A kernel (C++ with SFPI), assembly, or words in hexadecimal");
  add_reference_options(command, options->setup);
  command.option("--before", options->before,
                 "Another version of the kernel, with which it is compared");
  add_sweep_setup(command, options->setup);
  add_no_cache_option(command);
  command.flag("--json", options->json, "Print everything as JSON");
  add_kernel_options(command, options->kernel);
  command.footer("Expressions:\n" + references::reference_help() +
                 "docs/accuracy.md explains ULP and what faithful means.");
  command.action([options] { return score(*options); });
}

} // namespace lanewise::cli
