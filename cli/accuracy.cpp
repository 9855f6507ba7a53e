// lanewise accuracy: how exact the examples and the kernels of a tt-llk checkout are.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/program.h"
#include "cli/progress.h"
#include "corpus/accuracy/sweep.h"
#include "report/accuracy/table.h"
#include "report/table/table.h"

namespace lanewise::cli {

namespace {

struct AccuracyOptions {
  std::string llk, examples = "examples", out;
  std::vector<std::string> kernels, archs{"bh", "wh"};
  std::string ulp = "line";
  bool json = false, list = false;
};

/// What --kernel names. Without it everything, kernels of LLK only where a checkout is named.
Expected<std::vector<const lab::AccuracyKernel*>> chosen_kernels(const AccuracyOptions& options) {
  std::vector<const lab::AccuracyKernel*> kernels;
  for (const std::string& name : options.kernels) {
    const auto& corpus = lab::accuracy_corpus();
    const auto found = std::ranges::find(corpus, name, &lab::AccuracyKernel::name);
    if (found == corpus.end()) {
      return bad_input(fmt::format("there is no kernel '{}'", name),
                       "'lanewise accuracy --list' lists their names");
    }
    if (std::ranges::find(kernels, &*found) == kernels.end()) kernels.push_back(&*found);
  }
  if (!options.kernels.empty()) return kernels;
  for (const lab::AccuracyKernel& kernel : lab::accuracy_corpus()) {
    if (!kernel.is_llk || options.list || !options.llk.empty()) kernels.push_back(&kernel);
  }
  return kernels;
}

void print_list(std::span<const lab::AccuracyKernel* const> kernels) {
  report::Table table{.columns = {{}, {}, {}}};
  for (const lab::AccuracyKernel* kernel : kernels) {
    const std::string domain = kernel->domain.empty() ? "" : "   for " + kernel->domain;
    table.rows.push_back(
        {kernel->name, kernel->is_llk ? "llk" : "example", kernel->reference + domain});
  }
  fmt::print("{}", report::table_text(table));
}

/// What the user typed, but for the names of files.
std::string command_text(const AccuracyOptions& options) {
  std::string text = "./lanewise accuracy";
  if (!options.llk.empty()) text += " --llk DIR";
  if (options.archs != AccuracyOptions{}.archs)
    text += fmt::format(" --arch {}", fmt::join(options.archs, ","));
  if (options.ulp != AccuracyOptions{}.ulp) text += " --ulp " + options.ulp;
  for (const std::string& name : options.kernels) text += " --kernel " + name;
  return text + (options.out.empty() ? "" : " --out FILE");
}

Expected<lab::AccuracySources> open_sources(const AccuracyOptions& options,
                                            std::span<const Arch> chips) {
  lab::AccuracySources sources{.examples = options.examples};
  if (options.llk.empty()) return sources;
  auto checkout = trees::Checkout::open(options.llk, chips);
  if (!checkout) return Unexpected(checkout.error());
  sources.llk = std::move(*checkout);
  return sources;
}

/// Sweeps the kernels one after the other, until the end or until Ctrl-C. The first that cannot be
/// swept ends it, since the table would lack it.
Expected<std::vector<report::AccuracyRow>> sweep_all(
    std::span<const lab::AccuracyKernel* const> kernels, const lab::AccuracySources& sources,
    std::span<const Arch> chips, lab::UlpMeasure measure) {
  std::vector<report::AccuracyRow> rows;
  ProgressLine progress;
  for (std::size_t done = 0; done < kernels.size() && !interrupted(); ++done) {
    const lab::AccuracyKernel& kernel = *kernels[done];
    const auto show = [&](const lab::SweepProgress& sweep) {
      progress.show(fmt::format("{} of {} kernels: {}, {} of {} inputs", done, kernels.size(),
                                kernel.name, sweep.done, sweep.total));
      return !interrupted();
    };
    progress.show(fmt::format("{} of {} kernels: {}", done, kernels.size(), kernel.name));
    const std::vector<Arch> own_chips = lab::accuracy_chips(kernel, chips);
    if (own_chips.empty()) continue;
    const auto result = lab::sweep_accuracy(kernel, sources, own_chips, show, measure);
    if (interrupted()) break; // which ends g++ as well, so that an error tells nothing
    if (!result) return Unexpected(result.error());
    if (!result->complete()) break;
    for (report::AccuracyRow& row : report::accuracy_rows(kernel, *result))
      rows.push_back(std::move(row));
  }
  return rows;
}

bool holds(const report::AccuracyRow& row) {
  return std::ranges::all_of(row.statistics.faults,
                             [](const Fault& fault) { return leaves_results_valid(fault.kind); });
}

ExitStatus accuracy(const AccuracyOptions& options) {
  const auto chips = chosen_chips(options.archs);
  if (!chips) return fail(chips.error());
  const auto measure = lab::parse_ulp_measure(options.ulp);
  if (!measure) return fail(measure.error());
  const auto kernels = chosen_kernels(options);
  if (!kernels) return fail(kernels.error());
  if (options.list) {
    print_list(*kernels);
    return ExitStatus::Success;
  }
  if (auto possible = check_can_write(options.out); !possible) return fail(possible.error());
  const auto sources = open_sources(options, *chips);
  if (!sources) return fail(sources.error());

  watch_for_interrupt();
  const auto rows = sweep_all(*kernels, *sources, *chips, *measure);
  if (!rows) return fail(rows.error());
  if (interrupted()) {
    tell("stopped before the end{}\n", options.out.empty() ? "" : "; nothing was written");
    if (!options.out.empty()) return exit_status(false);
  }
  const std::string text = options.json ? report::accuracy_json(*rows).dump(2) + "\n"
                                        : report::accuracy_markdown(*rows, command_text(options));
  if (const auto written = deliver(text, options.out); !written) return fail(written.error());
  return exit_status(!interrupted() && std::ranges::all_of(*rows, holds));
}

} // namespace

void add_accuracy(CommandLine& line) {
  const Command command =
      line.add_command("accuracy", "Tell how exact the examples and the kernels of tt-llk are");
  auto options = std::make_shared<AccuracyOptions>();
  command.option("--llk", options->llk,
                 "Checkout of github.com/tenstorrent/tt-llk; without it, only the examples");
  command.option("--examples", options->examples, "Folder with the examples (default examples)");
  command.option("--kernel", options->kernels, "Only these, by the names that --list prints");
  command.option("--arch", options->archs, "Chips: bh, wh or bh,wh (default)").delimiter(',');
  command.option("--ulp", options->ulp,
                 "How errors are counted (docs/ulp.md):\n" + lab::ulp_measure_help());
  command.option("--out", options->out, "Write to a file instead of standard output");
  command.flag("--json", options->json, "JSON instead of a table in Markdown");
  command.flag("--list", options->list,
               "Print the kernels with their functions and domains instead of running them");
  command.footer(
      "Each kernel gets every bf16 number (of two operands, a sample of pairs) on both chips, and "
      "is\nheld against the correctly rounded function (docs/accuracy.md). The result is the same "
      "whenever\nand wherever it is made.");
  command.action([options] { return accuracy(*options); });
}

} // namespace lanewise::cli
