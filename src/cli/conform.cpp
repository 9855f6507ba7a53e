// lanewise conform FILE...: runs conformance vectors.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/progress.h"
#include "run/vectors/conformance.h"

namespace lanewise::cli {

namespace {

struct ConformOptions {
  std::vector<std::string> files;
  std::uint64_t show = 10;
  bool json = false;
};

/// Where a case differs from what the vectors say.
struct Differing {
  std::string test;
  vectors::Difference difference;
};

/// What came of a file. Of the cases that differ, as many are kept as are shown.
struct FileResult {
  std::string file;
  vectors::ConformanceResult counts = {};
  std::vector<Differing> shown = {};
  std::uint64_t differences = 0;
  bool stopped = false;
};

Expected<FileResult> conform_file(const std::string& file, std::uint64_t most_shown) {
  auto reader = vectors::VectorReader::open(file);
  if (!reader) return Unexpected(reader.error());
  constexpr std::uint64_t kShownEvery = 500;
  ProgressLine progress;
  FileResult result{.file = file};
  const auto counts = vectors::run_conformance(
      *reader,
      [&](const vectors::VectorCase& test, const vectors::Difference& difference) {
        if (result.differences++ < most_shown) result.shown.push_back({test.name, difference});
      },
      [&](const vectors::ConformanceResult& so_far) {
        if (so_far.cases % kShownEvery == 0) {
          progress.show(
              fmt::format("{}: {} cases, {} differ", file, so_far.cases, so_far.differing));
        }
        return !interrupted();
      });
  if (!counts) return Unexpected(counts.error());
  result.counts = *counts;
  result.stopped = interrupted();
  return result;
}

void print_result(const FileResult& result) {
  for (const auto& [test, difference] : result.shown) {
    fmt::print("{}:{}: {}: {}", result.file, difference.line, test, difference.place);
    if (!difference.expected.empty())
      fmt::print(": expected {}, found {}", difference.expected, difference.found);
    fmt::print("\n");
  }
  if (result.differences > result.shown.size()) {
    fmt::print("{}: {} more differ, see --show\n", result.file,
               result.differences - result.shown.size());
  }
  fmt::print("{}: {} cases, {} differ{}\n", result.file, result.counts.cases,
             result.counts.differing, result.stopped ? " (stopped before the end)" : "");
}

nlohmann::json result_json(const FileResult& result) {
  nlohmann::json shown = nlohmann::json::array();
  for (const auto& [test, difference] : result.shown) {
    shown.push_back({{"case", test},
                     {"line", difference.line},
                     {"place", difference.place},
                     {"expected", difference.expected},
                     {"found", difference.found}});
  }
  return {{"file", result.file},
          {"cases", result.counts.cases},
          {"differing", result.counts.differing},
          {"stopped", result.stopped},
          {"differences", shown}};
}

ExitStatus conform(const ConformOptions& options) {
  watch_for_interrupt();
  bool all_agree = true;
  nlohmann::json results = nlohmann::json::array();
  for (const std::string& file : options.files) {
    const auto result = conform_file(file, options.show);
    if (!result) return fail(result.error());
    if (options.json) {
      results.push_back(result_json(*result));
    } else {
      print_result(*result);
    }
    all_agree = all_agree && result->counts.differing == 0 && !result->stopped;
    if (result->stopped) break;
  }
  if (options.json) fmt::print("{}\n", results.dump(2));
  return exit_status(all_agree);
}

} // namespace

void add_conform(CommandLine& line) {
  const Command command =
      line.add_command("conform", "Run conformance vectors and compare every bit");
  auto options = std::make_shared<ConformOptions>();
  command.option("files", options->files, "Vector files, *.vec or *.vec.gz").required();
  command.option("--show", options->show, "How many differing cases to show per file (default 10)");
  command.flag("--json", options->json, "Print the results as JSON");
  command.footer("Exit status 0 only if every case of every file agrees.");
  command.action([options] { return conform(*options); });
}

} // namespace lanewise::cli
