// lanewise llk-state CALL...: the state that calls of LLK leave behind, and two ways to a state
// compared (docs/llk-state.md).
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/in_quotes.h"
#include "cli/chips.h"
#include "cli/command.h"
#include "cli/kernel.h"
#include "cli/l1_files.h"
#include "cli/output.h"
#include "report/state/report.h"
#include "run/section/state_calls.h"

namespace lanewise::cli {

namespace {

using section::StateCall;

struct LlkStateOptions {
  std::vector<std::string> calls; ///< or the file of a test
  std::string before, against, thread, tree, build_header;
  bool has_against = false, twice = false, swap = false, late = false;
  std::vector<std::string> headers, parameters, includes, defines, only;
  Arch arch = kDefaultArch;
  L1Options l1;
  double seconds = kKernelSeconds;
  bool json = false, markdown = false;
};

/// The orders of --late that are tried.
constexpr std::uint64_t kLateOrders = 6;

bool is_test(const LlkStateOptions& options) {
  std::error_code ignored;
  return options.calls.size() == 1 && std::filesystem::is_regular_file(options.calls[0], ignored);
}

Expected<section::TestSource> source_of(const LlkStateOptions& options) {
  if (!options.build_header.empty() && !options.parameters.empty()) {
    return bad_input("--build-header has the parameters of the test, and so has --param",
                     "give one of them");
  }
  std::vector<section::TestParameter> parameters;
  for (const std::string& text : options.parameters) {
    auto each = section::parse_test_parameter(text);
    if (!each) return Unexpected(each.error());
    parameters.push_back(std::move(*each));
  }
  const std::string file = is_test(options) ? options.calls[0] : "";
  std::optional<checkouts::Checkout> checkout;
  if (!file.empty() || !options.tree.empty()) {
    auto found = section::test_checkout(options.tree, file, options.arch);
    if (!found) return Unexpected(found.error());
    checkout = std::move(*found);
  }
  return section::TestSource{.arch = options.arch,
                             .file = file,
                             .checkout = std::move(checkout),
                             .build_header = options.build_header,
                             .parameters = std::move(parameters),
                             .includes = options.includes,
                             .defines = options.defines,
                             .limits = {.time = std::chrono::milliseconds(
                                            static_cast<std::int64_t>(options.seconds * 1000)),
                                        .memory = kKernelLimits.memory}};
}

/// What was not as it should be; true if all was.
bool tell_faults(const section::SectionsOutcome& outcome) {
  for (const Fault& fault : outcome.faults) tell("{}\n", to_string(fault));
  if (outcome.failure) tell("{}\n", to_string(*outcome.failure));
  if (outcome.ran_out) tell("the calls did not come to an end\n");
  if (!outcome.blocked.empty()) tell("a deadlock: nobody can go on\n");
  for (const std::string& blocked : outcome.blocked) tell("  {}\n", blocked);
  return outcome.is_done() && std::ranges::all_of(outcome.faults, [](const Fault& fault) {
           return leaves_results_valid(fault.kind);
         });
}

/// Runs ways, and shows the report.
class States {
 public:
  States(const LlkStateOptions& options, section::TestSource test,
         std::vector<ConfigSetting> config)
      : options_(options) {
    setup_.test = std::move(test);
    setup_.headers = options.headers;
    setup_.config = std::move(config);
    report_.arch = options.arch;
  }

  /// Kinds of fields by their names.
  Expected<void> show_only(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      const auto kind = tile::parse_state_kind(name);
      if (!kind)
        return bad_input(fmt::format("there is no kind of fields {}", in_quotes(name)),
                         "use " + tile::state_kind_names());
      report_.only.push_back(*kind);
    }
    return {};
  }

  Expected<ExitStatus> show_test() {
    auto inputs = read_l1_inputs(options_.l1, options_.arch);
    if (!inputs) return Unexpected(inputs.error());
    const auto run = section::run_test_states(setup_.test, std::move(*inputs), setup_.config);
    if (!run) return Unexpected(run.error());
    report_.file = setup_.test.file;
    add_way("the test", *run, 0);
    return show();
  }

  Expected<ExitStatus> show_calls() {
    std::optional<unsigned> thread;
    if (!options_.thread.empty()) {
      const auto named = section::parse_thread(options_.thread);
      if (!named) return Unexpected(named.error());
      thread = *named;
    }
    std::vector<StateCall> calls;
    for (const std::string& text : options_.calls) {
      if (auto added = add_calls(text, thread, calls); !added) return Unexpected(added.error());
    }
    if (calls.empty()) return bad_input("no call is given", "give calls of LLK, or a test");
    if (auto added = add_calls(options_.before, thread, before_); !added)
      return Unexpected(added.error());
    std::vector<StateCall> against;
    if (auto added = add_calls(options_.against, thread, against); !added)
      return Unexpected(added.error());
    all_ = before_;
    for (const auto* list : {&calls, &against}) all_.insert(all_.end(), list->begin(), list->end());
    return compare(calls, std::move(against));
  }

 private:
  static Expected<void> add_calls(const std::string& text, std::optional<unsigned> thread,
                                  std::vector<StateCall>& calls) {
    auto more = section::parse_state_calls(text, thread);
    if (!more) return Unexpected(more.error());
    calls.insert(calls.end(), more->begin(), more->end());
    return {};
  }

  Expected<ExitStatus> compare(const std::vector<StateCall>& calls,
                               std::vector<StateCall> against) {
    if (options_.late) return compare_late(calls);
    const bool compares = options_.has_against || options_.twice || options_.swap;
    if (auto ran = run("once", calls); !ran) return Unexpected(ran.error());
    std::string name = "against";
    if (options_.twice) {
      against = calls;
      against.insert(against.end(), calls.begin(), calls.end());
      name = "twice";
    } else if (options_.swap) {
      against.assign(calls.rbegin(), calls.rend());
      name = "swapped";
    }
    if (!compares) return show();
    if (auto ran = run(name, against); !ran) return Unexpected(ran.error());
    return show();
  }

  /// In order, and with pushed words as late as they may be, in several orders; the first that
  /// ends differently is shown.
  Expected<ExitStatus> compare_late(const std::vector<StateCall>& calls) {
    if (auto ran = run("in order", calls); !ran) return Unexpected(ran.error());
    for (std::uint64_t seed = 0; seed < kLateOrders; ++seed) {
      setup_.late = true;
      setup_.schedule = {.order = tile::Order::Adversarial, .seed = seed};
      report_.ways.resize(1);
      if (auto ran = run("late", calls); !ran) return Unexpected(ran.error());
      if (!report::state_differences(report_).empty()) break;
    }
    return show();
  }

  Expected<void> run(const std::string& name, const std::vector<StateCall>& calls) {
    std::vector<StateCall> sequence = before_;
    sequence.insert(sequence.end(), calls.begin(), calls.end());
    if (sequence.empty()) {
      const auto fields = tile::state_fields(tile::TileState(options_.arch));
      report_.ways.push_back(
          {.name = name, .steps = {}, .start = start_.empty() ? fields : start_});
      return {};
    }
    const auto done = section::run_state_calls(setup_, sequence, all_);
    if (!done) return Unexpected(done.error());
    add_way(name, *done, before_.size());
    return {};
  }

  /// Of the steps, those from `first` on; the others are the common way to the start.
  void add_way(const std::string& name, const section::StateRun& run, std::size_t first) {
    holds_ = tell_faults(run.outcome) && holds_;
    is_complete_ = is_complete_ && run.outcome.is_done();
    report::StateWay way{.name = name, .steps = {}, .start = {}};
    if (!run.steps.empty()) start_ = run.steps.front().before;
    way.start = start_;
    for (std::size_t i = 0; i < run.steps.size(); ++i) {
      if (setup_.late || i >= first) {
        way.steps.push_back(run.steps[i]);
      } else {
        way.start = run.steps[i].after;
      }
    }
    report_.ways.push_back(std::move(way));
  }

  ExitStatus show() {
    if (!is_complete_) return ExitStatus::FoundProblem; // a state in the middle says nothing
    const bool differs = report_.ways.size() == 2 && !report::state_differences(report_).empty();
    if (options_.json) {
      fmt::print("{}\n", report::state_json(report_).dump(2));
    } else {
      fmt::print("{}",
                 options_.markdown ? report::state_markdown(report_) : report::state_text(report_));
    }
    return exit_status(holds_ && !differs);
  }

  const LlkStateOptions& options_;
  section::StateSetup setup_;
  std::vector<StateCall> before_, all_;
  std::vector<tile::StateField> start_; ///< of the tile
  report::StateReport report_;
  bool holds_ = true, is_complete_ = true;
};

Expected<void> check_ways(const LlkStateOptions& options) {
  const int ways = (options.has_against ? 1 : 0) + (options.twice ? 1 : 0) +
                   (options.swap ? 1 : 0) + (options.late ? 1 : 0);
  if (ways > 1)
    return bad_input("two ways at once: --against, --twice, --swap and --late exclude each other",
                     "give one of them");
  if (is_test(options) && (ways != 0 || !options.before.empty()))
    return bad_input(
        "a test has one way; --against, --before, --twice, --swap and --late are for "
        "calls",
        "give the calls themselves");
  if (options.json && options.markdown)
    return bad_input("--json and --markdown exclude each other", "give one of them");
  return {};
}

ExitStatus llk_state(const LlkStateOptions& options) {
  if (auto fits = check_ways(options); !fits) return fail(fits.error());
  auto source = source_of(options);
  if (!source) return fail(source.error());
  auto config = parse_config(options.l1);
  if (!config) return fail(config.error());
  States states(options, std::move(*source), std::move(*config));
  if (auto kinds = states.show_only(options.only); !kinds) return fail(kinds.error());
  const auto status = is_test(options) ? states.show_test() : states.show_calls();
  return status ? *status : fail(status.error());
}

} // namespace

void add_llk_state(CommandLine& line) {
  const Command command = line.add_command(
      "llk-state", "The state that calls of LLK leave behind: what each sets, two ways compared");
  auto options = std::make_shared<LlkStateOptions>();
  command
      .option("calls", options->calls,
              "Calls of LLK with semicolons between them, or the file of a test")
      .required();
  add_arch_option(command, options->arch);
  command
      .option("--llk", options->tree,
              "Checkout of tt-metal or tt-llk (default: the one in which the test lies, if any)")
      .value("DIR");
  command
      .option("--thread", options->thread,
              "Thread of calls whose names do not say it: unpack, math or pack")
      .value("unpack|math|pack");
  command.option("--before", options->before,
                 "Calls that both ways begin with, and that are not shown");
  command
      .option(
          "--against",
          [options](const std::string& text) {
            options->against = text;
            options->has_against = true;
          },
          "Compare with these calls instead; '' is the state without any")
      .value("CALLS");
  command.flag("--twice", options->twice, "Compare with the calls made twice");
  command.flag("--swap", options->swap, "Compare with the calls in the opposite order");
  command.flag("--late", options->late,
               "Compare with pushed words as late as they may be, while cores store at once");
  command.option("--only", options->only, "Fields of this kind only: " + tile::state_kind_names())
      .one_at_a_time();
  command.option("--include", options->headers, "A further header, for all threads")
      .value("FILE")
      .one_at_a_time();
  command
      .option("--param", options->parameters,
              "A parameter of the test: NAME=VALUE, where the value is an expression of C++")
      .value("NAME=VALUE")
      .one_at_a_time();
  command.option("--build-header", options->build_header,
                 "The build.h that tt-llk's build system writes, in place of --param");
  command.option("--in", options->l1.in, "ADDRESS=FILE: what L1 holds, for a test")
      .value("INPUT")
      .one_at_a_time();
  command
      .option("--config", options->l1.config,
              "NAME=VALUE: a field of the configuration before the start")
      .one_at_a_time();
  command.option("-I", options->includes, "A further folder for #include")
      .value("DIR")
      .one_at_a_time();
  command.option("--define", options->defines, "A macro: NAME or NAME=VALUE")
      .value("NAME[=VALUE]")
      .one_at_a_time();
  command
      .option(kTimeOption, options->seconds,
              "Seconds of processor time that g++ may take, and the calls")
      .value("SECONDS")
      .range(0.1, 86400.0);
  command.flag("--json", options->json, "Print JSON");
  command.flag("--markdown", options->markdown, "Print Markdown");
  command.footer("Exit status 1: two ways differ, there were faults, or nobody could go on.");
  command.action([options] { return llk_state(*options); });
}

} // namespace lanewise::cli
