// lanewise llk DIR: runs the kernels of a checkout of tt-llk.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/command.h"
#include "cli/program.h"
#include "cli/progress.h"
#include "lab/llk_check.h"
#include "lab/llk_corpus.h"
#include "report/llk_report.h"

namespace lanewise::cli {

namespace {

struct LlkOptions {
  std::string folder;
  std::vector<std::string> kernels, archs{"bh", "wh"};
  bool json = false, list = false;
};

/// The kernels that --kernel names, by their names or their headers; all without it.
Expected<std::vector<const lab::LlkKernel*>> chosen_kernels(const LlkOptions& options) {
  std::vector<const lab::LlkKernel*> kernels;
  std::vector<bool> used(options.kernels.size());
  for (const lab::LlkKernel& kernel : lab::llk_corpus()) {
    bool chosen = options.kernels.empty();
    for (std::size_t i = 0; i < options.kernels.size(); ++i) {
      if (options.kernels[i] != kernel.name && options.kernels[i] != kernel.header) continue;
      chosen = used[i] = true;
    }
    if (chosen) kernels.push_back(&kernel);
  }
  const auto unused = std::find(used.begin(), used.end(), false);
  if (unused != used.end()) {
    return bad_input(fmt::format("there is no kernel '{}'",
                                 options.kernels[static_cast<std::size_t>(unused - used.begin())]),
                     "'lanewise llk --list' lists their names");
  }
  return kernels;
}

int llk(const LlkOptions& options) {
  const auto chips = chosen_chips(options.archs);
  if (!chips) return fail(chips.error());
  const auto kernels = chosen_kernels(options);
  if (!kernels) return fail(kernels.error());
  if (options.list) {
    fmt::print("{}", report::llk_list(*kernels));
    return kSuccess;
  }
  if (options.folder.empty()) {
    return fail(bad_input("no checkout of tt-llk is named",
                          "write 'lanewise llk DIR', or --list for the kernels")
                    .value());
  }
  const auto checkout = lab::LlkCheckout::open(options.folder, *chips);
  if (!checkout) return fail(checkout.error());

  watch_for_interrupt();
  std::vector<lab::LlkResult> results;
  {
    ProgressLine progress;
    lab::LlkCheckOptions check{.chips = *chips};
    for (std::size_t done = 0; done < kernels->size() && !interrupted(); ++done) {
      check.progress = [&](const std::string& name) {
        progress.show(fmt::format("{} of {} kernels: {}", done, kernels->size(), name));
        return !interrupted();
      };
      for (lab::LlkResult& result : lab::check_llk_kernel(*(*kernels)[done], *checkout, check)) {
        results.push_back(std::move(result));
      }
    }
  }
  fmt::print("{}",
             options.json ? report::llk_json(results).dump(2) + "\n" : report::llk_table(results));
  if (interrupted()) fmt::print(stderr, "stopped before the end\n");
  const bool failed = std::any_of(results.begin(), results.end(), [](const auto& result) {
    return result.verdict == lab::LlkVerdict::Fail;
  });
  return failed || interrupted() ? kFoundProblem : kSuccess;
}

} // namespace

void add_llk(CLI::App& app, Action& action) {
  auto* command =
      app.add_subcommand("llk", "Run the kernels of a tt-llk checkout, unmodified, and check them");
  auto options = std::make_shared<LlkOptions>();
  command->add_option("dir", options->folder,
                      "Checkout of github.com/tenstorrent/tt-llk: the folder that has "
                      "tt_llk_blackhole and tt_llk_wormhole_b0");
  command->add_option("--kernel", options->kernels,
                      "Only these kernels, by their names or the names of their headers");
  command->add_option("--arch", options->archs, "Chips: bh, wh or bh,wh (default)")->delimiter(',');
  command->add_flag("--json", options->json, "Print the results as JSON");
  command->add_flag("--list", options->list,
                    "Print the kernels with their calls and domains instead of running them");
  command->footer(
      "Each kernel is compiled from its header, run, and compared with the interpreter bit for "
      "bit\n"
      "and with a reference (docs/llk.md). Exit status 0 if all are right, 1 if not, 2 if DIR is "
      "no\n"
      "checkout. Words with SFPLOADMACRO must leave the same in Dst as the version without it "
      "(-twin).");
  command->callback([&action, options] { action = [options] { return llk(*options); }; });
}

} // namespace lanewise::cli
