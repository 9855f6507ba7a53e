// lanewise conform FILE...: runs conformance vectors.
#include <fmt/format.h>

#include <cstdio>

#include "cli/command.h"
#include "cli/progress.h"
#include "run/vectors/conformance.h"

namespace lanewise::cli {

namespace {

struct ConformOptions {
  std::vector<std::string> files;
  std::uint64_t show = 10;
};

void print_difference(const std::string& file, const vectors::VectorCase& test,
                      const vectors::Difference& difference) {
  fmt::print("{}:{}: {}: {}", file, difference.line, test.name, difference.place);
  if (!difference.expected.empty()) {
    fmt::print(": expected {}, found {}", difference.expected, difference.found);
  }
  fmt::print("\n");
}

ExitStatus conform(const ConformOptions& options) {
  watch_for_interrupt();
  bool all_agree = true;
  for (const std::string& file : options.files) {
    auto reader = vectors::VectorReader::open(file);
    if (!reader) return fail(reader.error());
    std::uint64_t shown = 0;
    constexpr std::uint64_t kShownEvery = 500;
    ProgressLine progress;
    const auto result = vectors::run_conformance(
        *reader,
        [&](const vectors::VectorCase& test, const vectors::Difference& difference) {
          if (shown++ < options.show) print_difference(file, test, difference);
        },
        [&](const vectors::ConformanceResult& so_far) {
          if (so_far.cases % kShownEvery == 0) {
            progress.show(
                fmt::format("{}: {} cases, {} differ", file, so_far.cases, so_far.differing));
          }
          return !interrupted();
        });
    if (!result) return fail(result.error());
    if (shown > options.show)
      fmt::print("{}: {} more differ, see --show\n", file, shown - options.show);
    fmt::print("{}: {} cases, {} differ{}\n", file, result->cases, result->differing,
               interrupted() ? " (stopped before the end)" : "");
    all_agree = all_agree && result->differing == 0 && !interrupted();
    if (interrupted()) break;
  }
  return exit_status(all_agree);
}

} // namespace

void add_conform(CommandLine& line) {
  const Command command =
      line.add_command("conform", "Run conformance vectors and compare every bit");
  auto options = std::make_shared<ConformOptions>();
  command.option("files", options->files, "Vector files, *.vec or *.vec.gz").required();
  command.option("--show", options->show, "How many differing cases to show per file (default 10)");
  command.footer("Exit status 0 only if every case of every file agrees.");
  command.action([options] { return conform(*options); });
}

} // namespace lanewise::cli
