// lanewise llk-diff TREE_A TREE_B: what a change between two trees of LLK moves.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "base/file.h"
#include "cli/chips.h"
#include "cli/command.h"
#include "cli/kernel.h"
#include "cli/output.h"
#include "cli/part_options.h"
#include "cli/progress.h"
#include "cli/summary.h"
#include "report/llk_diff/report.h"
#include "study/changes/diff_trees.h"

namespace lanewise::cli {

namespace {

struct LlkDiffOptions {
  std::string first, second, baseline;
  std::vector<std::string> archs = whole_arch_names();
  std::vector<std::string> patterns;
  std::optional<std::uint64_t> variants;
  std::uint64_t jobs = std::max(1U, std::thread::hardware_concurrency());
  double minutes = 0;
  std::string only = "all";
  std::string summary;
  bool write_baseline = false, json = false, markdown = false;
  std::string html;
  PartOptions part;
  double seconds = kKernelSeconds;
};

Expected<changes::DiffSettings> settings_of(const LlkDiffOptions& options, ProgressLine& line) {
  const auto chips = chosen_chips(options.archs, "llk-diff", ChipNeed::Kernels);
  if (!chips) return Unexpected(chips.error());
  changes::DiffSettings settings{.chips = *chips, .patterns = options.patterns};
  if (options.variants) settings.variants = static_cast<unsigned>(*options.variants);
  settings.jobs = static_cast<unsigned>(options.jobs);
  settings.seconds = 60 * options.minutes;
  settings.tests = options.only != "programs";
  settings.programs = options.only != "tests";
  settings.limits.time =
      std::chrono::milliseconds(static_cast<std::int64_t>(options.seconds * 1000));
  settings.progress = [&line](const changes::DiffProgress& progress) {
    line.show(progress.total == 0 ? progress.step
                                  : fmt::format("{}: {} of {} cases", progress.step, progress.done,
                                                progress.total));
    return !interrupted();
  };
  return settings;
}

ExitStatus deliver_diff(const changes::TreeDiff& diff, const LlkDiffOptions& options) {
  if (!options.html.empty()) {
    const auto written =
        write_text_file(options.html, report::llk_diff_html(diff, typed_command()));
    if (!written) return fail(written.error());
  }
  if (!options.summary.empty()) {
    const auto appended = append_summary(options.summary, report::llk_diff_markdown(diff));
    if (!appended) return fail(appended.error());
  }
  if (options.json) {
    fmt::print("{}\n", report::llk_diff_json(diff).dump(2, ' ', false,
                                                        nlohmann::json::error_handler_t::replace));
  } else {
    fmt::print("{}",
               options.markdown ? report::llk_diff_markdown(diff) : report::llk_diff_text(diff));
  }
  if (diff.no_tests) {
    const ExitStatus failed = fail(*diff.no_tests);
    tell("no test was run; --only programs leaves them out\n");
    if (!changes::has_moved(diff)) return failed;
  }
  if (diff.stopped) tell("stopped before the end: {} cases were not run\n", diff.not_run);
  // What was stopped before anything ran, or by the user, has not found that nothing moves.
  const bool is_answer = !interrupted() && !(diff.stopped && diff.cases.empty());
  return exit_status(is_answer && !changes::has_moved(diff));
}

/// The first tree runs alone, and what it leaves goes into the file.
ExitStatus write_baseline(const changes::Tree& tree, const changes::DiffSettings& settings,
                          const LlkDiffOptions& options) {
  if (auto possible = check_can_write(options.baseline); !possible) return fail(possible.error());
  const auto run = changes::run_baseline(tree, settings);
  if (!run) return fail(run.error());
  const auto written =
      write_file_atomically(options.baseline, changes::baseline_bytes(run->baseline));
  if (!written) return fail(written.error());
  for (const std::string& note : run->notes) tell("note: {}\n", note);
  fmt::print("{}: {} cases of {}\n", options.baseline, run->baseline.cases.size(), tree.name);
  if (run->stopped) tell("stopped before the end: {} cases were not run\n", run->not_run);
  return ExitStatus::Success;
}

Expected<void> check_options(const LlkDiffOptions& options) {
  if (options.json && options.markdown)
    return bad_input("--json and --markdown are two forms of one report", "choose one of them");
  if (options.write_baseline && options.baseline.empty())
    return bad_input("--write-baseline needs a file", "name it with --baseline FILE");
  if (options.baseline.empty() && options.second.empty())
    return bad_input("there is nothing to compare with",
                     "name a second tree, or --baseline FILE that has what the first one did");
  if (!options.baseline.empty() && !options.second.empty())
    return bad_input("with --baseline, one side comes from the file", "name the other tree only");
  if (!options.part.part.empty() && options.minutes != 0)
    return bad_input("--minutes leaves cases out, and a part has all of its own",
                     "leave --minutes out; a part that is stopped goes on");
  return {};
}

/// The result, or what is said of a part.
ExitStatus hand_out(const Expected<changes::TreeDiff>& diff, const parts::SharedWork& work,
                    const LlkDiffOptions& options) {
  if (!diff) return fail(diff.error());
  if (work.is_part())
    return tell_of_part(work, work.records().size(), work.range().count(), "cases");
  return deliver_diff(*diff, options);
}

ExitStatus llk_diff(const LlkDiffOptions& options) {
  if (auto checked = check_options(options); !checked) return fail(checked.error());
  for (const std::string* file : {&options.html, &options.summary})
    if (auto possible = check_can_write(*file); !possible) return fail(possible.error());
  watch_for_interrupt();
  ProgressLine line;
  auto settings = settings_of(options, line);
  if (!settings) return fail(settings.error());
  auto work = shared_work(options.part, "llk-diff");
  if (!work) return fail(work.error());
  settings->work = &*work;
  const auto first = changes::open_tree(options.first);
  if (!first) return fail(first.error());
  if (options.baseline.empty()) {
    const auto second = changes::open_tree(options.second);
    if (!second) return fail(second.error());
    return hand_out(changes::diff_trees(*first, *second, *settings), *work, options);
  }
  std::error_code ignored;
  if (options.write_baseline || !std::filesystem::exists(options.baseline, ignored)) {
    if (settings->work->needs_key())
      return fail(bad_input("a baseline is written in one piece",
                            "leave --part and --resume out, and name the baseline again later")
                      .value());
    return write_baseline(*first, *settings, options);
  }
  const auto baseline = changes::read_baseline(options.baseline);
  if (!baseline) return fail(baseline.error());
  return hand_out(changes::diff_with_baseline(*baseline, *first, *settings), *work, options);
}

} // namespace

void add_llk_diff(CommandLine& line) {
  const Command command = line.add_command(
      "llk-diff", "Run what a change between two trees of LLK reaches on both: what moves?");
  auto options = std::make_shared<LlkDiffOptions>();
  command
      .option("tree_a", options->first,
              "A checkout of tt-metal or tt-llk: a folder, FOLDER@REF for a commit of the git "
              "repository there, or REF for one of the repository here")
      .required();
  command.option("tree_b", options->second, "The one to compare with it");
  add_archs_option(command, options->archs);
  command
      .option("--tests", options->patterns,
              "Only tests, operations and kernels whose name has this part; again for each")
      .one_at_a_time();
  command.option("--only", options->only, "tests, programs (operations and kernels), or all")
      .one_of({"all", "tests", "programs"});
  command
      .option("--variants", options->variants,
              "Variants of each test function; 0: all (default: 240 of all together)")
      .range(std::uint64_t{0}, std::uint64_t{1000000});
  command.option("--jobs", options->jobs, "Processes (default: as many as the machine has)")
      .range(std::uint64_t{1}, std::uint64_t{1024});
  command.option("--minutes", options->minutes, "Begin no further case after so many")
      .range(0.0, 100000.0);
  command
      .option("--baseline", options->baseline,
              "Keep one side: written with what TREE_A does if it is not there, else in the "
              "place of the first tree")
      .value("FILE");
  command.flag("--write-baseline", options->write_baseline, "Write it although it is there");
  command.flag("--json", options->json, "Print everything as JSON");
  command.flag("--markdown", options->markdown, "Print it for a pull request");
  add_summary_option(command, options->summary);
  add_part_options(command, options->part);
  command.option("--html", options->html, "Write a page").value("FILE");
  command
      .option(kTimeOption, options->seconds,
              "Seconds of processor time that g++ may take for a section, and the sections")
      .value("SECONDS")
      .range(0.1, 86400.0);
  command.footer(
      "Exit status 0 if nothing moved, 1 if something did. PYTHON names the Python that has what "
      "the tests need.\ndocs/llk-diff.md has more.");
  command.action([options] { return llk_diff(*options); });
}

} // namespace lanewise::cli
