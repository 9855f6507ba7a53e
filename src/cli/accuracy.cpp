// lanewise accuracy: how exact the examples and the kernels of a tt-llk checkout are.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/in_quotes.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/part_options.h"
#include "cli/program.h"
#include "cli/progress.h"
#include "cli/remembering.h"
#include "cli/summary.h"
#include "report/accuracy/baseline.h"
#include "report/accuracy/budget.h"
#include "report/accuracy/html.h"
#include "report/accuracy/perf.h"
#include "report/accuracy/report_index.h"
#include "report/accuracy/silicon.h"
#include "report/accuracy/table.h"
#include "report/table/table.h"
#include "study/corpus/accuracy/points.h"
#include "study/corpus/accuracy/sweep.h"
#include "study/corpus/llk/choose.h"
#include "study/corpus/metal/silicon.h"
#include "study/parts/source_digest.h"
#include "study/sweep/json.h"

namespace lanewise::cli {

namespace {

struct AccuracyOptions {
  std::string checkout, examples = "examples", out, html, summary;
  std::string format = "table";
  std::string against, growth; ///< --against, --max-cycles
  std::vector<std::string> kernels, archs = whole_arch_names();
  std::string ulp = "line";
  PartOptions part;
  bool json = false, list = false;
  bool is_metal = false; ///< the checkout is one of tt-metal
};

/// What there is: of a checkout of tt-metal its operations, else the examples and the kernels of
/// tt-llk.
std::vector<corpus::AccuracyKernel> known_kernels(const corpus::AccuracySources& sources) {
  if (sources.llk && sources.llk->is_metal()) return corpus::accuracy_metal_kernels(sources.known);
  return corpus::accuracy_corpus();
}

/// What --kernel names. Without it everything, kernels of LLK only where a checkout is named.
Expected<std::vector<const corpus::AccuracyKernel*>> chosen_kernels(
    const AccuracyOptions& options, std::span<const corpus::AccuracyKernel> corpus) {
  std::vector<const corpus::AccuracyKernel*> kernels;
  for (const std::string& name : options.kernels) {
    const auto found = std::ranges::find(corpus, name, &corpus::AccuracyKernel::name);
    if (found == corpus.end()) {
      return bad_input(fmt::format("there is no kernel {}", in_quotes(name)),
                       "'lanewise accuracy --list' lists their names");
    }
    if (std::ranges::find(kernels, &*found) == kernels.end()) kernels.push_back(&*found);
  }
  if (!options.kernels.empty()) return kernels;
  for (const corpus::AccuracyKernel& kernel : corpus) {
    const bool can_run =
        kernel.origin == corpus::AccuracyOrigin::Example || !options.checkout.empty();
    const bool is_wanted = options.format != "silicon" || corpus::has_silicon(kernel.name);
    if ((can_run || options.list) && is_wanted) kernels.push_back(&kernel);
  }
  return kernels;
}

std::string_view origin_name(corpus::AccuracyOrigin origin) {
  switch (origin) {
    case corpus::AccuracyOrigin::Example: return "example";
    case corpus::AccuracyOrigin::Llk: return "llk";
    case corpus::AccuracyOrigin::Metal: return "metal";
  }
  return "";
}

void print_list(std::span<const corpus::AccuracyKernel* const> kernels) {
  report::Table table{.columns = {{}, {}, {}}};
  for (const corpus::AccuracyKernel* kernel : kernels) {
    const std::string domain = kernel->domain.empty() ? "" : "   for " + kernel->domain;
    table.rows.push_back(
        {kernel->name, std::string(origin_name(kernel->origin)), kernel->reference + domain});
  }
  fmt::print("{}", report::table_text(table));
}

/// What the user typed, but for the names of files.
std::string command_text(const AccuracyOptions& options) {
  std::string text = "./lanewise accuracy";
  if (!options.checkout.empty()) text += options.is_metal ? " --metal DIR" : " --llk DIR";
  if (options.format != AccuracyOptions{}.format) text += " --format " + options.format;
  if (options.archs != AccuracyOptions{}.archs)
    text += fmt::format(" --arch {}", fmt::join(options.archs, ","));
  if (options.ulp != AccuracyOptions{}.ulp && options.format == AccuracyOptions{}.format)
    text += " --ulp " + options.ulp;
  for (const std::string& name : options.kernels) text += " --kernel " + name;
  return text + (options.out.empty() ? "" : " --out FILE");
}

Expected<corpus::AccuracySources> open_sources(const AccuracyOptions& options,
                                               std::span<const Arch> chips) {
  corpus::AccuracySources sources{.examples = options.examples};
  if (options.checkout.empty()) return sources;
  auto checkout = checkouts::Checkout::open(options.checkout, chips);
  if (!checkout) return Unexpected(checkout.error());
  sources.known = corpus::known_kernels(*checkout, chips);
  sources.llk = std::move(*checkout);
  return sources;
}

/// What is asked of kernels.
struct Question {
  std::span<const corpus::AccuracyKernel* const> kernels;
  const corpus::AccuracySources& sources;
  std::span<const Arch> chips;
  formats::UlpMeasure measure;
};

/// What the answers depend on: an item is a kernel, on all its chips.
parts::Json accuracy_key(const Question& question, const parts::SharedWork& work,
                         std::string_view format) {
  if (!work.needs_key()) return parts::Json::object();
  parts::Json key{{"format", format}, {"ulp", formats::ulp_measure_name(question.measure)}};
  for (const Arch arch : question.chips) key["chips"].push_back(arch_params(arch).names.id);
  for (const corpus::AccuracyKernel* kernel : question.kernels)
    key["kernels"].push_back(kernel->name);
  std::vector<std::filesystem::path> folders{question.sources.examples};
  if (question.sources.llk)
    std::ranges::move(question.sources.llk->source_folders(), std::back_inserter(folders));
  key["sources"] = parts::source_digest(folders);
  return key;
}

/// Sweeps the kernels of a run one after the other, until the end or until Ctrl-C. The first that
/// cannot be swept ends it, since the table would lack it.
Expected<std::vector<report::AccuracyRow>> sweep_all(const Question& question,
                                                     parts::SharedWork& work) {
  const auto& [kernels, sources, chips, measure] = question;
  if (auto begun = work.begin("table", accuracy_key(question, work, "table"), kernels.size(),
                              parts::SharedWork::Keeping::Lines);
      !begun)
    return Unexpected(begun.error());
  std::vector<report::AccuracyRow> rows;
  ProgressLine progress;
  const parts::ItemRange range = work.range();
  for (std::size_t done = range.begin; done < range.end && !interrupted(); ++done) {
    const corpus::AccuracyKernel& kernel = *kernels[done];
    const auto take = [&](const sweep::SweepResult& result) {
      for (report::AccuracyRow& row : report::accuracy_rows(kernel, result))
        rows.push_back(std::move(row));
    };
    if (const parts::Json* there = work.find(done)) {
      const auto kept = sweep::kept_result(*there, work.name_of(done));
      if (!kept) return Unexpected(kept.error());
      take(*kept);
      continue;
    }
    const auto show = [&](const sweep::SweepProgress& sweep) {
      progress.show(fmt::format("{} of {} kernels: {}, {} of {} inputs", done - range.begin,
                                range.count(), kernel.name, sweep.done, sweep.total));
      return !interrupted();
    };
    progress.show(
        fmt::format("{} of {} kernels: {}", done - range.begin, range.count(), kernel.name));
    const std::vector<Arch> own_chips = corpus::accuracy_chips(kernel, sources, chips);
    if (own_chips.empty()) {
      if (work.keeps()) work.keep(done, sweep::result_to_json({}));
      continue;
    }
    const auto result = corpus::sweep_accuracy(kernel, sources, own_chips, show, measure);
    if (interrupted()) break; // which ends g++ as well, so that an error tells nothing
    if (!result) return Unexpected(result.error());
    if (!result->complete()) break;
    if (work.keeps()) work.keep(done, sweep::result_to_json(*result));
    take(*result);
  }
  if (auto ended = interrupted() ? work.stop() : work.end(); !ended)
    return Unexpected(ended.error());
  return rows;
}

bool holds(const report::AccuracyRow& row) {
  return std::ranges::all_of(row.statistics.faults,
                             [](const Fault& fault) { return leaves_results_valid(fault.kind); });
}

/// What was measured, in the form that the user wants.
std::string result_text(const AccuracyOptions& options, std::span<const report::AccuracyRow> rows) {
  if (options.json) return report::accuracy_json(rows).dump(2) + "\n";
  if (options.format == "silicon") return report::silicon_markdown(rows, command_text(options));
  if (options.format == "perf-csv") return report::perf_csv(rows);
  if (options.format == "tt-lang") return report::cost_table(rows);
  if (options.format == "budget-yaml") return report::budget_yaml(rows, command_text(options));
  return report::accuracy_markdown(rows, command_text(options));
}

/// The page if there is one, then the text.
Expected<void> write_results(const AccuracyOptions& options,
                             std::span<const report::AccuracyRow> rows) {
  if (!options.html.empty()) {
    const std::string page = report::accuracy_html(rows, typed_command());
    if (auto written = write_text_file(options.html, page); !written) return written;
  }
  return deliver(result_text(options, rows), options.out);
}

/// Before long work: whether its files can be written.
Expected<void> check_files(const AccuracyOptions& options) {
  if (!options.html.empty() && options.format == "report-index") {
    return bad_input("--format report-index has no figures for a page",
                     "leave --html out, or --format");
  }
  for (const std::string& path : {options.out, options.html, options.summary}) {
    if (auto possible = check_can_write(path); !possible) return possible;
  }
  return {};
}

/// --against: what has become worse is told, and what cannot be compared. False if anything has.
Expected<bool> holds_against(const AccuracyOptions& options, const report::Baseline& baseline,
                             std::span<const report::AccuracyRow> rows) {
  const auto growth = report::parse_growth(options.growth.empty() ? "+0%" : options.growth);
  if (!growth) return Unexpected(growth.error());
  const auto compared = report::compare_with(rows, baseline, *growth);
  if (!compared) return Unexpected(compared.error());
  if (!compared->left_out.empty()) tell("not compared: {}\n", fmt::join(compared->left_out, "; "));
  if (!baseline.unknown.empty()) tell("not known here: {}\n", fmt::join(baseline.unknown, ", "));
  const bool holds = compared->worse.rows.empty();
  const std::string found = holds ? fmt::format("nothing is worse than in {}", options.against)
                                  : fmt::format("{} figures are worse than in {}",
                                                compared->worse.rows.size(), options.against);
  const auto appended = append_summary(
      options.summary, fmt::format("### lanewise accuracy: {}\n\n{}\n", found,
                                   holds ? "" : report::table_markdown(compared->worse)));
  if (!appended) return Unexpected(appended.error());
  if (holds) tell("nothing is worse than in {}\n", options.against);
  if (!holds) tell("worse than in {}:\n{}", options.against, report::table_text(compared->worse));
  return holds;
}

/// The figures of --against, in whose measure errors are then counted; nothing without it.
Expected<std::optional<report::Baseline>> load_baseline(AccuracyOptions& options) {
  if (options.against.empty()) {
    if (!options.summary.empty())
      return bad_input("--summary tells what --against has found", "name a file with --against");
    if (!options.growth.empty())
      return bad_input("--max-cycles compares with a file", "name it with --against");
    return std::nullopt;
  }
  const auto text = read_text(options.against);
  if (!text) return Unexpected(text.error());
  auto baseline = report::parse_baseline(*text, options.against);
  if (!baseline) return Unexpected(baseline.error());
  options.ulp = formats::ulp_measure_name(baseline->measure);
  return std::optional(std::move(*baseline));
}

/// The results of a kernel with one operand, chip by chip; nothing after Ctrl-C, which ends g++ as
/// well, so that an error tells nothing.
Expected<std::optional<sweep::ChipCases>> all_points(const corpus::AccuracyKernel& kernel,
                                                     const Question& question) {
  sweep::ChipCases cases;
  if (kernel.operands != 1) return cases;
  for (const Arch arch : corpus::accuracy_chips(kernel, question.sources, question.chips)) {
    auto points = corpus::accuracy_points(kernel, question.sources, arch);
    if (interrupted()) return std::nullopt;
    if (!points) return Unexpected(points.error());
    cases.emplace_back(arch, *std::move(points));
  }
  return cases;
}

/// The items of a run into the index.
Expected<void> fill_index(const Question& question, parts::SharedWork& work,
                          report::ReportIndex& index) {
  const auto kernels = question.kernels;
  if (auto begun = work.begin("index", accuracy_key(question, work, "report-index"), kernels.size(),
                              parts::SharedWork::Keeping::Lines);
      !begun)
    return begun;
  ProgressLine progress;
  const parts::ItemRange range = work.range();
  for (std::size_t done = range.begin; done < range.end && !interrupted(); ++done) {
    const corpus::AccuracyKernel& kernel = *kernels[done];
    progress.show(
        fmt::format("{} of {} kernels: {}", done - range.begin, range.count(), kernel.name));
    sweep::ChipCases cases;
    if (const parts::Json* there = work.find(done)) {
      auto kept = sweep::kept_cases(*there, work.name_of(done));
      if (!kept) return Unexpected(kept.error());
      cases = *std::move(kept);
    } else {
      auto swept = all_points(kernel, question);
      if (!swept) return Unexpected(swept.error());
      if (!*swept) break;
      cases = **std::move(swept);
      if (work.keeps()) work.keep(done, sweep::cases_to_json(cases));
    }
    for (const auto& [arch, points] : cases) index.add(arch, kernel.name, points);
  }
  return interrupted() ? work.stop() : work.end();
}

/// --format report-index: every number of every kernel with one operand.
ExitStatus report_index(const AccuracyOptions& options, const Question& question,
                        parts::SharedWork& work) {
  report::ReportIndex index;
  if (auto filled = fill_index(question, work, index); !filled) return fail(filled.error());
  if (work.is_part())
    return tell_of_part(work, work.records().size(), work.range().count(), "kernels");
  if (interrupted()) {
    tell("stopped before the end; nothing was written\n");
    return exit_status(false);
  }
  if (const auto written = deliver(index.json().dump(2) + "\n", options.out); !written)
    return fail(written.error());
  return ExitStatus::Success;
}

ExitStatus accuracy(AccuracyOptions options) {
  const auto chips = chosen_chips(options.archs, "accuracy", ChipNeed::Kernels);
  if (!chips) return fail(chips.error());
  if (options.format == "silicon") options.ulp = "accuracy-report";
  if (options.format == "budget-yaml") options.ulp = "tt-llk";
  const auto baseline = load_baseline(options);
  if (!baseline) return fail(baseline.error());
  const auto measure = formats::parse_ulp_measure(options.ulp);
  if (!measure) return fail(measure.error());
  const auto sources = open_sources(options, *chips);
  if (!sources) return fail(sources.error());
  options.is_metal = sources->llk && sources->llk->is_metal();
  if (options.format == "silicon" && !options.is_metal) {
    return fail(bad_input("silicon was measured with the operations of tt-metal",
                          "name a checkout of it with --metal DIR")
                    .value());
  }
  const std::vector<corpus::AccuracyKernel> corpus = known_kernels(*sources);
  const auto kernels = chosen_kernels(options, corpus);
  if (!kernels) return fail(kernels.error());
  if (options.list) {
    print_list(*kernels);
    return ExitStatus::Success;
  }
  if (const auto possible = check_files(options); !possible) return fail(possible.error());

  watch_for_interrupt();
  const Question question{*kernels, *sources, *chips, *measure};
  auto work = shared_work(options.part, "accuracy");
  if (!work) return fail(work.error());
  if (options.format == "report-index") return report_index(options, question, *work);
  const auto rows = sweep_all(question, *work);
  if (!rows) return fail(rows.error());
  if (work->is_part())
    return tell_of_part(*work, work->records().size(), work->range().count(), "kernels");
  if (interrupted()) {
    const bool has_file = !options.out.empty() || !options.html.empty();
    tell("stopped before the end{}\n", has_file ? "; nothing was written" : "");
    if (has_file) return exit_status(false);
  }
  if (const auto written = write_results(options, *rows); !written) return fail(written.error());
  bool good = !interrupted() && std::ranges::all_of(*rows, holds);
  if (*baseline && !interrupted()) {
    const auto held = holds_against(options, **baseline, *rows);
    if (!held) return fail(held.error());
    good = good && *held;
  }
  return exit_status(good);
}

} // namespace

void add_accuracy(CommandLine& line) {
  const Command command = line.add_command(
      "accuracy", "Tell how exact the examples and the kernels of tt-llk or tt-metal are");
  auto options = std::make_shared<AccuracyOptions>();
  command
      .option("--llk,--metal", options->checkout,
              "Checkout of github.com/tenstorrent/tt-llk, whose kernels come after the examples, "
              "or of tt-metal, whose operations are the table; without it, only the examples")
      .value("DIR");
  command
      .option("--format", options->format,
              "table (default); silicon: beside the figures that were measured on boards and "
              "published (docs/silicon.md); report-index: entries of tt-eltwise-accuracy-report; "
              "budget-yaml: rows of tt-llk's sfpu_accuracy_budget.yaml; perf-csv: its table of "
              "cycles; tt-lang: rows of its table of costs")
      .value("FORMAT")
      .one_of({"table", "silicon", "report-index", "budget-yaml", "perf-csv", "tt-lang"});
  command.option("--examples", options->examples, "Folder with the examples (default examples)")
      .value("DIR");
  command.option("--kernel", options->kernels, "Only these, by the names that --list prints")
      .value("NAME");
  add_archs_option(command, options->archs);
  command
      .option("--ulp", options->ulp,
              "How errors are counted (docs/ulp.md):\n" + formats::ulp_measure_help())
      .value("MEASURE");
  command
      .option("--against", options->against,
              "Status 1 if an error or a tile's cycles are worse than in this file: what --json "
              "has written, report_index.json, or tt-llk's sfpu_accuracy_budget.yaml")
      .value("FILE");
  command.option("--max-cycles", options->growth,
                 "With --against: by how much cycles may grow, +2% (default +0%)");
  add_summary_option(command, options->summary);
  add_part_options(command, options->part);
  command.option("--out", options->out, "Write to a file instead of standard output").value("FILE");
  command
      .option("--html", options->html,
              "Write the table as a page that can be sorted and searched as well")
      .value("FILE");
  command.flag("--json", options->json, "JSON instead of a table in Markdown");
  add_no_cache_option(command);
  command.flag("--list", options->list,
               "Print the kernels with their functions and domains instead of running them");
  command.footer(
      "Each kernel gets every bf16 number (of two operands, a sample of pairs) on both chips, and "
      "is\nheld against the correctly rounded function (docs/accuracy.md). The result is the same "
      "whenever\nand wherever it is made.");
  command.action([options] { return accuracy(*options); });
}

} // namespace lanewise::cli
