// lanewise diff A B: two kernels, or two versions of one, over every input there is.
#include <fmt/format.h>

#include <cstdio>
#include <utility>

#include "cli/command.h"
#include "cli/diff_sides.h"
#include "cli/output.h"
#include "cli/part_options.h"
#include "cli/sweep_setup.h"
#include "report/diff/html.h"
#include "report/diff/text.h"
#include "report/sweep/json.h"

namespace lanewise::cli {

namespace {

struct DiffOptions {
  std::string first, second;
  SweepSetupOptions setup;
  unsigned operands = 1;
  bool json = false;
  std::string html;
  PartOptions part;
  KernelOptions kernel;
  SecondOptions second_kernel;
};

report::DiffReport make_report(const SweepSetup& setup, DiffSides sides, sweep::DiffResult result) {
  DiffSide first = std::move(sides[0]), second = std::move(sides[1]);
  report::DiffReport report;
  report.first_name = side_name(first, second);
  report.second_name = side_name(second, first);
  if (setup.reference) report.reference = setup.reference->text();
  report.result = std::move(result);
  report.first_programs = swept_programs(std::move(first.programs));
  report.second_programs = swept_programs(std::move(second.programs));
  return report;
}

ExitStatus diff(DiffOptions options) {
  auto sides =
      diff_sides({std::move(options.first), options.kernel}, options.second, options.second_kernel);
  if (!sides) return fail(sides.error());
  if (auto settled = settle_sides(*sides, {&options.setup.format, &options.setup.output_format});
      !settled)
    return fail(settled.error());
  if (auto possible = check_can_write(options.html); !possible) return fail(possible.error());
  auto setup = sweep_setup(options.setup);
  if (!setup) return fail(setup.error());
  setup->sweep.distance_parts = !options.html.empty();
  if (auto loaded = load_sides(*sides, options.setup.hex, setup->chips); !loaded)
    return fail(loaded.error());
  auto work = shared_work(options.part, "diff");
  if (!work) return fail(work.error());
  setup->sweep.work = &*work;
  auto result = sweep::diff_programs(sweep_programs((*sides)[0].programs),
                                     sweep_programs((*sides)[1].programs), options.operands,
                                     setup->reference.get(), setup->sweep);
  setup->sweep.progress = {}; // wipes the line
  if (!result) return fail(result.error());
  if (work->is_part()) return tell_of_part(*work, result->done, result->total, "inputs");

  const report::DiffReport report = make_report(*setup, std::move(*sides), std::move(*result));
  if (!options.html.empty()) {
    const auto written = write_text_file(options.html, report::diff_html(report, typed_command()));
    if (!written) return fail(written.error());
  }
  if (options.json) {
    fmt::print("{}\n", report::diff_json(report).dump(2));
  } else {
    fmt::print("{}", report::diff_text(report));
  }
  const sweep::DiffResult& compared = report.result;
  if (compared.done != compared.total)
    tell("stopped after {} of {} inputs; {}\n", compared.done, compared.total,
         how_to_go_on(*work, "comparison"));
  return exit_status(sweep::is_same(compared));
}

} // namespace

void add_diff(CommandLine& line) {
  const Command command = line.add_command(
      "diff", "Compare two kernels over every input: bits, ULP, cycles, instructions");
  auto options = std::make_shared<DiffOptions>();
  command.option("a", options->first, "Kernel, assembly or words, as for 'sweep'; none with --op");
  command.option("b", options->second,
                 "The one to compare with it (default: the same, with the options that end in -b)");
  command.option("--ref", options->setup.reference, "Measure both against this expression as well")
      .value("FUNCTION");
  command
      .option("--ref-file", options->setup.reference_file,
              "The same for a function in C++, as for 'sweep'")
      .value("FILE");
  command
      .option("--operands", options->operands,
              "Operands without a reference: 1 (default), or 2 for tiles 0 and 1")
      .range(std::uint64_t{1}, std::uint64_t{2});
  add_sweep_setup(command, options->setup);
  command.flag("--json", options->json, "Print everything as JSON");
  command.option("--html", options->html, "Write a page with pictures, tables and both programs")
      .value("FILE");
  add_part_options(command, options->part);
  add_kernel_options(command, options->kernel);
  add_second_options(command, options->second_kernel);
  command.footer("Exit status 0 if all bits are the same, 1 if not. docs/accuracy.md has more.");
  command.action([options] { return diff(*options); });
}

} // namespace lanewise::cli
