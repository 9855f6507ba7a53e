// lanewise check TARGET...: what silicon may do otherwise than a program means.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <utility>

#include "base/cache.h"
#include "base/in_quotes.h"
#include "cli/check_fixes.h"
#include "cli/command.h"
#include "cli/formats.h"
#include "cli/output.h"
#include "cli/part_options.h"
#include "cli/program.h"
#include "cli/progress.h"
#include "cli/summary.h"
#include "report/check/ci.h"
#include "report/check/hazard_report.h"
#include "run/execution/run_program.h"
#include "study/corpus/llk/check_hazards.h"
#include "study/parts/checked_program.h"

namespace lanewise::cli {

namespace {

struct CheckCommand {
  std::vector<std::string> targets;
  std::vector<std::string> archs = default_arch_names();
  std::vector<std::string> formats; ///< of the tiles in Dst, and of the report
  std::string format = "bf16";      ///< of the tiles in Dst
  std::string report = "text";
  std::string out, summary;
  std::vector<std::string> llk_kernels;
  bool hex = false, json = false, rules = false, perturb = false;
  std::string rule;
  KernelOptions kernel;
  PartOptions part;
};

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

ExitStatus explain_rules(const CheckCommand& options) {
  if (options.rule.empty()) {
    fmt::print("{}", options.json ? report::hazard_rules_json().dump(2) + "\n"
                                  : report::hazard_rule_table());
    return ExitStatus::Success;
  }
  const timing::HazardRule* rule = timing::find_hazard_rule(options.rule);
  if (rule == nullptr) {
    return fail(bad_input(fmt::format("there is no rule {}", in_quotes(options.rule)),
                          "'lanewise check --rules' lists them")
                    .value());
  }
  fmt::print("{}", report::explain_hazard_rule(*rule));
  return ExitStatus::Success;
}

/// Forms of the report; 'text' is for people.
constexpr std::array<std::string_view, 5> kReportFormats{"text", "json", "sarif", "github",
                                                         "junit"};

/// --format is of the report where it names one of these, else of the tiles in Dst.
Expected<void> sort_formats(CheckCommand& options) {
  if (options.json) options.report = "json";
  bool has_report = options.json, has_tile = false;
  for (const std::string& name : options.formats) {
    const bool is_report = std::ranges::find(kReportFormats, name) != kReportFormats.end();
    bool& has = is_report ? has_report : has_tile;
    if (has && (is_report ? options.report : options.format) != name)
      return bad_input(fmt::format("--format names {} and {}",
                                   is_report ? options.report : options.format, name),
                       "name one form of the report, and one format of tiles");
    has = true;
    (is_report ? options.report : options.format) = name;
  }
  return {};
}

/// What every target has in common.
struct Chosen {
  timing::PauseSearch pauses = timing::PauseSearch::Quick;
  std::vector<Arch> chips;
  formats::Format format;
  compiler::Options compiler;
};

/// What a report says about one target.
struct TargetReport {
  std::vector<execution::CheckedProgram> programs = {};
  std::string text = {};
  nlohmann::json missing = nlohmann::json::array(); ///< headers without a reference
};

Expected<std::vector<execution::CheckedProgram>> check_file(const std::string& target,
                                                            const CheckCommand& options,
                                                            const Chosen& chosen) {
  const auto programs = load_programs(target, options.hex, chosen.chips, options.kernel);
  if (!programs) return Unexpected(programs.error());
  std::vector<execution::CheckedProgram> result;
  ProgressLine line;
  const auto progress = [&](std::size_t done, std::size_t all) {
    line.show(fmt::format("{}: pauses before {} of {} words", target, done, all));
    return !interrupted();
  };
  for (const LoadedProgram& each : *programs) {
    execution::TileRunOptions tile;
    tile.format = chosen.format;
    tile.as_kernel = each.as_kernel();
    auto checked = execution::check_loaded(each, chosen.compiler, tile,
                                           {.pauses = chosen.pauses, .progress = progress});
    if (!checked) return Unexpected(checked.error());
    checked->name = target;
    result.push_back(std::move(*checked));
  }
  return result;
}

Expected<TargetReport> check_folder(const std::string& target, const CheckCommand& options,
                                    const Chosen& chosen, parts::SharedWork* work) {
  ProgressLine line;
  const auto progress = [&line](std::size_t done, std::size_t all, const std::string& kernel) {
    line.show(fmt::format("{} of {} kernels: {}", done, all, kernel));
    return !interrupted();
  };
  auto checked = corpus::check_llk_checkout(
      {target, options.llk_kernels, chosen.chips, chosen.compiler, kernel_limits(options.kernel),
       chosen.pauses, work, work != nullptr ? command_key() : parts::Json()},
      progress);
  if (!checked) return Unexpected(checked.error());
  report::LlkHeaderRows headers(std::move(checked->headers), options.llk_kernels.empty());
  count_results(headers, checked->programs);
  TargetReport result{.text = report::hazard_table(checked->programs, headers),
                      .missing = headers.missing_json()};
  result.programs = std::move(checked->programs);
  return result;
}

Expected<Chosen> chosen_options(const CheckCommand& options) {
  const auto chips = chosen_chips(options.archs, "check", ChipNeed::Clock);
  if (!chips) return Unexpected(chips.error());
  const auto format = formats::parse_format(options.format);
  if (!format) return Unexpected(format.error());
  const auto compiler = compiler_options(options.kernel);
  if (!compiler) return Unexpected(compiler.error());
  if (options.targets.empty())
    return bad_input("there is nothing to check",
                     "name a program, a kernel or a checkout of tt-llk, or use --rules");
  if (!options.llk_kernels.empty() && std::ranges::none_of(options.targets, is_folder))
    return bad_input("--kernel chooses among the kernels of a checkout, and none is named",
                     "name its folder, or leave --kernel out");
  return Chosen{options.perturb ? timing::PauseSearch::Whole : timing::PauseSearch::Quick, *chips,
                *format, *compiler};
}

/// What was found in all targets, and those that could not be looked at.
struct AllReports {
  TargetReport found;
  std::vector<report::Finding> refused;
};

void add(AllReports& all, TargetReport&& one) {
  all.found.text += one.text;
  std::ranges::move(one.programs, std::back_inserter(all.found.programs));
  for (nlohmann::json& each : one.missing) all.found.missing.push_back(std::move(each));
}

void refuse(AllReports& all, const Fault& fault, const std::string& target) {
  fail(fault);
  all.refused.push_back(report::finding_of(fault, target));
}

TargetReport file_report(std::vector<execution::CheckedProgram>&& programs) {
  TargetReport result{.programs = std::move(programs)};
  for (const execution::CheckedProgram& each : result.programs)
    result.text += report::hazard_text(each);
  return result;
}

/// In one piece.
AllReports check_targets(const CheckCommand& options, const Chosen& chosen) {
  AllReports all;
  for (const std::string& target : options.targets) {
    Expected<TargetReport> checked;
    if (is_folder(target)) {
      checked = check_folder(target, options, chosen, nullptr);
    } else {
      checked = check_file(target, options, chosen).map(file_report);
    }
    if (checked) {
      add(all, *std::move(checked));
    } else {
      refuse(all, checked.error(), target);
    }
    if (interrupted()) break;
  }
  return all;
}

/// What is kept of a file: its programs, or why there are none.
parts::Json kept_file(const Expected<std::vector<execution::CheckedProgram>>& checked) {
  if (!checked) return {{"refused", parts::fault_to_json(checked.error())}};
  return {{"programs", parts::checked_to_json(*checked)}};
}

/// The same back. Error: as it was, or that of a record that makes no sense.
Expected<std::vector<execution::CheckedProgram>> file_from(const parts::Json& kept,
                                                           const std::string& name) {
  if (!kept.contains("refused"))
    return parts::checked_from_json(kept.value("programs", parts::Json()), name);
  const auto fault = parts::kept_fault(kept["refused"], name);
  return Unexpected(fault ? *fault : fault.error());
}

/// Files in parts: an item is a file.
Expected<AllReports> check_files(const CheckCommand& options, const Chosen& chosen,
                                 parts::SharedWork& work) {
  parts::Json key = command_key();
  for (const std::string& target : options.targets)
    key["files"].push_back({target, file_digest(target, target)});
  if (auto begun = work.begin("check", std::move(key), options.targets.size(),
                              parts::SharedWork::Keeping::Lines);
      !begun)
    return Unexpected(begun.error());
  AllReports all;
  const parts::ItemRange range = work.range();
  for (std::uint64_t item = range.begin; item < range.end && !interrupted(); ++item) {
    const std::string& target = options.targets[item];
    const parts::Json* there = work.find(item);
    auto checked = there != nullptr ? file_from(*there, work.name_of(item))
                                    : check_file(target, options, chosen);
    if (interrupted()) break; // an error then tells nothing
    if (there == nullptr) work.keep(item, kept_file(checked));
    if (checked) {
      add(all, file_report(*std::move(checked)));
    } else {
      refuse(all, checked.error(), target);
    }
  }
  const bool is_done = !interrupted();
  if (auto ended = is_done ? work.end() : work.stop(); !ended) return Unexpected(ended.error());
  return all;
}

/// With --part or --resume, or of all parts.
Expected<AllReports> check_shared(const CheckCommand& options, const Chosen& chosen,
                                  parts::SharedWork& work) {
  const auto is_file = [](const std::string& target) {
    return !is_folder(target) && target != "-";
  };
  if (std::ranges::all_of(options.targets, is_file)) return check_files(options, chosen, work);
  if (options.targets.size() != 1 || options.targets.front() == "-")
    return bad_input("parts are of files, or of one checkout",
                     "name files alone, or one folder; standard input is there only once");
  AllReports all;
  auto checked = check_folder(options.targets.front(), options, chosen, &work);
  if (!checked) return Unexpected(checked.error());
  add(all, *std::move(checked));
  return all;
}

std::string in_form(const AllReports& all, const CheckCommand& options) {
  const std::string& form = options.report;
  report::CheckReport report{.programs = all.found.programs, .refused = all.refused};
  if (form == "sarif" && !options.hex) report.fixes = check_fixes(options.kernel, options.format);
  if (form == "sarif") return report::sarif(report).dump(2) + "\n";
  if (form == "github") return report::github_annotations(report);
  if (form == "junit") return report::junit(report);
  nlohmann::json entries = report::hazard_json(all.found.programs);
  for (const nlohmann::json& each : all.found.missing) entries.push_back(each);
  return entries.dump(2) + "\n";
}

/// The report into its file or to standard output, and the summary behind what its file has.
Expected<void> hand_out(const CheckCommand& options, const AllReports& all) {
  if (!options.summary.empty()) {
    const std::string summary =
        report::check_markdown({.programs = all.found.programs, .refused = all.refused});
    if (auto done = append_summary(options.summary, summary); !done) return done;
  }
  if (options.report == "text" && options.out.empty()) {
    print_report(all.found.text);
    return {};
  }
  const std::string text = options.report == "text" ? all.found.text : in_form(all, options);
  if (auto done = deliver(text, options.out); !done) return done;
  // What goes into a file for a machine is shown to people, too.
  if (!options.out.empty()) print_report(all.found.text);
  return {};
}

ExitStatus check(CheckCommand options) {
  if (auto sorted = sort_formats(options); !sorted) return fail(sorted.error());
  if (options.rules || !options.rule.empty()) return explain_rules(options);
  const CheckoutOptions& checkout = options.kernel.checkout;
  if (!checkout.op.empty() || !checkout.parameters.empty()) {
    std::string program = options.targets.empty() ? "" : options.targets.front();
    if (auto settled = settle_op(program, options.kernel.checkout, {&options.format, nullptr});
        !settled)
      return fail(settled.error());
    options.targets = {program};
  }
  const auto chosen = chosen_options(options);
  if (!chosen) return fail(chosen.error());
  for (const std::string* file : {&options.out, &options.summary})
    if (auto writable = check_can_write(*file); !writable) return fail(writable.error());

  watch_for_interrupt();
  auto work = shared_work(options.part, "check");
  if (!work) return fail(work.error());
  const auto shared =
      work->needs_key() ? check_shared(options, *chosen, *work) : check_targets(options, *chosen);
  if (!shared) return fail(shared.error());
  const AllReports& all = *shared;
  if (work->is_part())
    return tell_of_part(*work, work->records().size(), work->range().count(), "items");
  if (auto done = hand_out(options, all); !done) return fail(done.error());
  if (interrupted()) tell("stopped before the end\n");
  if (!all.refused.empty()) return ExitStatus::BadInput;
  return exit_status(!interrupted() &&
                     std::ranges::none_of(all.found.programs, execution::has_problem));
}

} // namespace

void add_check(CommandLine& line) {
  const Command command = line.add_command(
      "check", "Look for what silicon may do otherwise than a program means (docs/hazards.md)");
  auto options = std::make_shared<CheckCommand>();
  command.option(
      "targets", options->targets,
      "Programs: assembly, words in hexadecimal, kernels in C++, or - for assembly from standard "
      "input; or the folder of a checkout of tt-metal or tt-llk");
  add_archs_option(command, options->archs);
  command
      .option("--format", options->formats,
              "Form of the report: text (default), json, sarif (SARIF 2.1.0, for code scanning), "
              "github (annotations of a workflow) or junit; or the format of the tiles in Dst, as "
              "for 'run' (default bf16)")
      .value("FORM")
      .one_at_a_time();
  command
      .option("-o,--out", options->out,
              "Write the report into a file, and its text to standard output")
      .value("FILE");
  add_part_options(command, options->part);
  add_summary_option(command, options->summary);
  command.flag("--hex", options->hex, "Programs are words in hexadecimal (default for *.hex)");
  command
      .option("--kernel", options->llk_kernels,
              "Of a checkout only these kernels, by their names or headers")
      .value("NAME");
  command.flag("--json", options->json, "Print the findings, or the rules, as JSON");
  command.flag(
      "--perturb", options->perturb,
      "Let the core pause before every word that it pushes, and compare the results: names "
      "what depends on the time of a push");
  command.flag("--rules", options->rules, "Print all rules");
  command.option("--rule", options->rule, "Explain one rule").value("RULE");
  add_kernel_options(command, options->kernel);
  command.footer(
      "Exit status 0 if nothing was found but warnings, 1 if a hazard was, 2 for bad input.");
  command.action([options] { return check(*options); });
}

} // namespace lanewise::cli
