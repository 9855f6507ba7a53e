// lanewise noc accuracy: the model of the NoC against cycles of silicon; lanewise noc replay: a
// trace of silicon on the model.
#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "cli/chips.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "report/noc/report.h"
#include "study/traffic/series_file.h"

namespace lanewise::cli {

namespace {

/// Where a checkout of tt-metal has the measured series.
constexpr const char* kSeriesFile =
    "tt_metal/impl/experimental/noc_estimator/latencies/noc_latencies.yaml";

struct NocOptions {
  std::string what, metal;
  std::vector<std::string> files;
  std::uint64_t packets = 20000;
  Arch arch = kDefaultArch;
  bool json = false;
};

Expected<std::string> series_file(const NocOptions& options) {
  if (options.files.size() > 1)
    return bad_input("there is more than one file of series", "name one");
  if (!options.files.empty()) return options.files[0];
  if (!options.metal.empty()) return options.metal + "/" + kSeriesFile;
  if (const char* const metal = std::getenv("LANEWISE_METAL"))
    return std::string(metal) + "/" + kSeriesFile;
  return bad_input("there is nothing to compare with",
                   "name a file of series, or a checkout of tt-metal with --metal DIR");
}

ExitStatus accuracy(const NocOptions& options) {
  const auto file = series_file(options);
  if (!file) return fail(file.error());
  const auto series = traffic::read_series(*file);
  if (!series) return fail(series.error());
  watch_for_interrupt();
  report::NocAccuracy report{.file = *file};
  {
    ProgressLine line;
    report.accuracy =
        traffic::compare(*series, options.packets, [&](std::size_t done, std::size_t all) {
          line.show(fmt::format("{} of {} series", done, all));
          return !interrupted();
        });
  }
  if (interrupted()) {
    tell("stopped before the end\n");
    return exit_status(false);
  }
  report.bounds = traffic::bounds();
  if (options.json) {
    fmt::print("{}\n", report::noc_accuracy_json(report).dump(2));
  } else {
    fmt::print("{}", report::noc_accuracy_text(report));
  }
  bool holds = true;
  for (const traffic::Bound& each : report.bounds) holds = holds && each.holds();
  return exit_status(holds);
}

ExitStatus replay(const NocOptions& options) {
  if (options.files.empty())
    return fail(bad_input("there is no trace", "name a noc_trace*.json of tt-metal").value());
  std::vector<report::ReplayedFile> files;
  for (const std::string& file : options.files) {
    const auto trace = traffic::read_trace(file, options.arch);
    if (!trace) return fail(trace.error());
    files.push_back({.file = file, .replayed = traffic::replay(*trace)});
  }
  if (options.json) {
    fmt::print("{}\n", report::noc_replay_json(options.arch, files).dump(2));
  } else {
    fmt::print("{}", report::noc_replay_text(options.arch, files));
  }
  return ExitStatus::Success;
}

} // namespace

void add_noc(CommandLine& line) {
  const Command command =
      line.add_command("noc", "Data movement in time: the model against silicon, and traces on it");
  auto options = std::make_shared<NocOptions>();
  command.option("what", options->what, "accuracy or replay")
      .required()
      .one_of({"accuracy", "replay"});
  command.option("files", options->files,
                 "accuracy: measured series, as noc_latencies.yaml or as a table (.csv); replay: "
                 "noc_trace*.json");
  command
      .option("--metal", options->metal,
              "accuracy: a checkout of tt-metal, for its series (default: LANEWISE_METAL)")
      .value("DIR");
  command
      .option("--packets", options->packets,
              "accuracy: leave out what sends more packets (default 20000)")
      .range(std::uint64_t{1}, std::uint64_t{1} << 32);
  add_arch_option(command, options->arch);
  command.flag("--json", options->json, "Print everything as JSON");
  command.footer("docs/noc.md explains the model, and how near it is.");
  command.action(
      [options] { return options->what == "accuracy" ? accuracy(*options) : replay(*options); });
}

} // namespace lanewise::cli
