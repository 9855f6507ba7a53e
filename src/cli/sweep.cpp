// lanewise sweep KERNEL --ref EXPRESSION: every input there is, held against a function.
#include <fmt/format.h>

#include <cstdio>
#include <optional>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/part_options.h"
#include "cli/remembering.h"
#include "cli/sweep_setup.h"
#include "report/sweep/html.h"
#include "report/sweep/json.h"
#include "report/sweep/text.h"

namespace lanewise::cli {

namespace {

struct SweepOptions {
  std::string program;
  SweepSetupOptions setup;
  sweep::SweepGates gates;
  PartOptions part;
  std::string html, svg;
  bool json = false, no_decades = false;
  KernelOptions kernel;
};

report::SweepReport make_report(const SweepOptions& options, const SweepSetup& setup,
                                std::vector<LoadedProgram> programs, sweep::SweepResult result) {
  report::SweepReport swept;
  swept.name = options.program;
  swept.reference = setup.reference->text();
  swept.domain = options.setup.domain;
  swept.result = std::move(result);
  swept.gates = options.gates;
  swept.programs = swept_programs(std::move(programs));
  return swept;
}

Expected<void> write_files(const SweepOptions& options, const report::SweepReport& swept) {
  if (!options.html.empty()) {
    if (auto done = write_text_file(options.html, report::sweep_html(swept, typed_command()));
        !done)
      return done;
  }
  if (options.svg.empty()) return {};
  return write_text_file(options.svg, report::sweep_svg(swept));
}

void print_report(const SweepOptions& options, const report::SweepReport& swept) {
  if (options.json) {
    fmt::print("{}\n", report::sweep_json(swept).dump(2));
    return;
  }
  fmt::print("{}", report::sweep_text(
                       swept, {.worst = options.setup.worst, .decades = !options.no_decades}));
}

ExitStatus sweep(SweepOptions options) {
  if (auto settled = settle_op(options.program, options.kernel.checkout,
                               {&options.setup.format, &options.setup.output_format});
      !settled)
    return fail(settled.error());
  if (options.setup.reference.empty() && options.setup.reference_file.empty()) {
    return fail(bad_input("a sweep needs a reference",
                          "add --ref 'tanh(x)' or another expression, or --ref-file FILE.cpp")
                    .value());
  }
  const auto is_bound = [](std::optional<double> ulp) { return ulp.value_or(0) >= 0; }; // no NaN
  if (!is_bound(options.gates.max_ulp) || !is_bound(options.gates.max_exact_ulp)) {
    return fail(bad_input("no error is below 0 ULP",
                          "give --max-ulp and --max-exact-ulp a number "
                          "that is not negative")
                    .value());
  }
  for (const std::string& path : {options.html, options.svg}) {
    if (auto possible = check_can_write(path); !possible) return fail(possible.error());
  }
  auto setup = sweep_setup(options.setup);
  if (!setup) return fail(setup.error());
  auto work = shared_work(options.part, "sweep");
  if (!work) return fail(work.error());
  setup->sweep.work = &*work;
  if (options.gates.max_exact_ulp && !formats::has_exact_errors(setup->sweep.measure)) {
    return fail(bad_input(fmt::format("--ulp {} has no errors before rounding, which "
                                      "--max-exact-ulp would bound",
                                      options.setup.ulp),
                          "use --max-ulp, or another way to count")
                    .value());
  }
  auto programs = load_programs(options.program, options.setup.hex, setup->chips, options.kernel);
  if (!programs) return fail(programs.error());
  auto result = sweep::sweep(sweep_programs(*programs), *setup->reference, setup->sweep);
  setup->sweep.progress = {}; // wipes the line
  if (!result) return fail(result.error());

  if (work->is_part()) return tell_of_part(*work, result->done, result->total, "inputs");
  if (result->done == 0) {
    tell("stopped before the first input: nothing was measured\n");
    return exit_status(false);
  }
  const report::SweepReport swept =
      make_report(options, *setup, std::move(*programs), std::move(*result));
  const auto written = write_files(options, swept);
  print_report(options, swept);
  if (!written) return fail(written.error());
  if (!swept.result.complete())
    tell("stopped after {} of {} inputs; {}\n", swept.result.done, swept.result.total,
         how_to_go_on(*work, "sweep"));
  return exit_status(sweep::sweep_holds(swept.result, swept.gates));
}

void add_gates(const Command& command, sweep::SweepGates& gates) {
  constexpr const char* kGroup = "Gates (status 1 if missed)";
  command
      .option("--max-ulp", gates.max_ulp,
              "No result further than so many ULP from the rounded reference")
      .group(kGroup);
  command
      .option("--max-exact-ulp", gates.max_exact_ulp,
              "The same from the reference before rounding, which may be a fraction")
      .group(kGroup);
  command
      .flag("--specials", gates.specials,
            "NaN, infinite and denormal inputs and the signs of zeros as the reference has them")
      .group(kGroup);
}

} // namespace

void add_sweep(CommandLine& line) {
  const Command command = line.add_command(
      "sweep", "Run a kernel over every input there is, and measure its error in ULP");
  auto options = std::make_shared<SweepOptions>();
  command.option("program", options->program,
                 "A kernel (C++ with SFPI), assembly, or words in hexadecimal; - for assembly "
                 "from standard input");
  add_reference_options(command, options->setup);
  add_sweep_setup(command, options->setup);
  add_no_cache_option(command);
  command.flag("--no-decades", options->no_decades, "Leave out the table per decade of input");
  command.flag("--json", options->json, "Print everything as JSON");
  command.option("--html", options->html, "Write a page with pictures, tables and assembly")
      .value("FILE");
  command.option("--svg", options->svg, "Write the pictures alone").value("FILE");
  add_gates(command, options->gates);
  add_part_options(command, options->part);
  add_kernel_options(command, options->kernel);
  command.footer("Expressions:\n" + references::reference_help() +
                 "docs/accuracy.md explains ULP and the report.");
  command.action([options] { return sweep(*options); });
}

} // namespace lanewise::cli
