// lanewise llk DIR: runs the kernels of a checkout of tt-llk.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <future>
#include <iterator>
#include <mutex>
#include <optional>
#include <span>
#include <thread>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/program.h"
#include "cli/progress.h"
#include "report/llk/report.h"
#include "source/compiler/switches.h"
#include "study/corpus/llk/check.h"
#include "study/corpus/llk/choose.h"
#include "study/corpus/llk/corpus.h"

namespace lanewise::cli {

namespace {

struct LlkOptions {
  std::string folder;
  std::vector<std::string> kernels, archs = whole_arch_names();
  std::string ulp = "line";
  unsigned jobs = 0;
  std::string compiled;
  bool json = false, list = false;
};

ExitStatus list_kernels(const LlkOptions& options) {
  const auto kernels = corpus::chosen_llk_kernels(corpus::llk_corpus(), options.kernels, {});
  if (!kernels) return fail(kernels.error());
  fmt::print("{}", report::llk_list(*kernels));
  return ExitStatus::Success;
}

void print_results(const LlkOptions& options, const std::vector<corpus::LlkHeader>& headers,
                   const std::vector<corpus::LlkResult>& results) {
  report::LlkHeaderRows rows(headers, options.kernels.empty());
  count_results(rows, results);
  if (options.json) {
    fmt::print("{}\n", report::llk_json(results, rows).dump(2));
  } else {
    fmt::print("{}", report::llk_table(results, rows));
  }
}

/// Checks the kernels, several at a time, until the end or Ctrl-C. What is known then: the results
/// of each kernel that is done, in the order of the kernels, and how many these are.
struct Checked {
  std::vector<corpus::LlkResult> results;
  std::size_t kernels = 0;
};

Checked check_kernels(std::span<const corpus::LlkKernel* const> kernels,
                      const checkouts::Checkout& checkout, const corpus::LlkCheckOptions& options,
                      unsigned jobs) {
  std::vector<std::optional<std::vector<corpus::LlkResult>>> found(kernels.size());
  std::atomic<std::size_t> next{0}, done{0};
  ProgressLine line;
  std::mutex showing;
  const auto work = [&] {
    corpus::LlkCheckOptions check = options;
    check.progress = [&](const std::string& name) {
      const std::lock_guard lock(showing);
      line.show(fmt::format("{} of {} kernels: {}", done.load(), kernels.size(), name));
      return !interrupted();
    };
    for (std::size_t at; !interrupted() && (at = next++) < kernels.size(); ++done) {
      auto results = corpus::check_llk_kernel(*kernels[at], checkout, check);
      if (!interrupted()) found[at] = std::move(results); // else it was cut short
    }
  };
  std::vector<std::future<void>> workers;
  for (unsigned i = 0; i < jobs; ++i) workers.push_back(std::async(std::launch::async, work));
  for (std::future<void>& worker : workers) worker.get();

  Checked checked;
  for (auto& results : found) {
    if (!results) continue;
    ++checked.kernels;
    std::ranges::move(*results, std::back_inserter(checked.results));
  }
  return checked;
}

ExitStatus llk(const LlkOptions& options) {
  const auto chips = chosen_chips(options.archs, "llk", ChipNeed::Kernels);
  if (!chips) return fail(chips.error());
  const auto measure = formats::parse_ulp_measure(options.ulp);
  if (!measure) return fail(measure.error());
  const auto compiled = compiler::parse_compiled_as(options.compiled);
  if (!compiled) return fail(compiled.error());
  if (options.list) return list_kernels(options);
  if (options.folder.empty()) {
    return fail(bad_input("no checkout of tt-llk is named",
                          "write 'lanewise llk DIR', or --list for the kernels")
                    .value());
  }
  const auto checkout = checkouts::Checkout::open(options.folder, *chips);
  if (!checkout) return fail(checkout.error());
  const std::vector<corpus::LlkKernel> known = corpus::known_kernels(*checkout, *chips);
  const auto headers = corpus::llk_headers(*checkout, *chips, known);
  const auto kernels = corpus::chosen_llk_kernels(known, options.kernels, headers);
  if (!kernels) return fail(kernels.error());

  watch_for_interrupt();
  const unsigned jobs =
      options.jobs != 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
  corpus::LlkCheckOptions check{.chips = *chips, .measure = *measure};
  check.compiler.compiled = *compiled;
  const Checked checked = check_kernels(*kernels, *checkout, check, jobs);
  print_results(options, headers, checked.results);
  if (interrupted()) {
    tell("stopped before the end: {} of {} kernels were checked\n", checked.kernels,
         kernels->size());
  }
  const bool failed = std::ranges::any_of(checked.results, [](const corpus::LlkResult& result) {
    return result.verdict == corpus::LlkVerdict::Fail;
  });
  return exit_status(!failed && !interrupted());
}

} // namespace

void add_llk(CommandLine& line) {
  const Command command = line.add_command(
      "llk", "Run the kernels of a tt-llk or tt-metal checkout, unmodified, and check them");
  auto options = std::make_shared<LlkOptions>();
  command.option("dir", options->folder,
                 "Checkout of github.com/tenstorrent/tt-llk, the folder that has "
                 "tt_llk_blackhole and tt_llk_wormhole_b0, or of tt-metal (docs/metal.md)");
  command
      .option("--kernel", options->kernels,
              "Only these kernels, by their names or the names of their headers")
      .value("NAME");
  add_archs_option(command, options->archs);
  command
      .option("--ulp", options->ulp,
              "How errors and bounds in ULP are counted; bounds are made for line:\n" +
                  formats::ulp_measure_help())
      .value("MEASURE");
  command
      .option("--jobs", options->jobs,
              "Kernels at a time (default: as many as there are processors)")
      .range(std::uint64_t{1}, std::uint64_t{256});
  command
      .option("--compiled", options->compiled,
              "Order of the instructions: shipped (default: as sfpi-gcc leaves it) or lanewise")
      .one_of({"shipped", "lanewise"});
  command.flag("--json", options->json, "Print the results as JSON");
  command.flag("--list", options->list,
               "Print the kernels with their calls and domains instead of running them");
  command.footer(
      "Each kernel is compiled from its header, run, and compared with the interpreter bit for "
      "bit\n"
      "and with a reference (docs/llk.md). Exit status 0 if all are right, 1 if not, 2 if DIR is "
      "no\n"
      "checkout. Words with SFPLOADMACRO must leave the same in Dst as the version without it "
      "(-twin).");
  command.action([options] { return llk(*options); });
}

} // namespace lanewise::cli
