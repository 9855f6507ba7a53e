// lanewise time PROGRAM [OTHER]: in which cycle what happens, and what a row and a tile cost; or
// what a change from one program to the other gives.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>

#include "base/in_quotes.h"
#include "cli/command.h"
#include "cli/formats.h"
#include "cli/output.h"
#include "cli/program.h"
#include "report/time/change.h"
#include "report/time/html.h"
#include "report/time/json.h"
#include "report/time/measure.h"
#include "report/time/perfetto.h"
#include "report/time/text.h"

namespace lanewise::cli {

namespace {

/// Cycles that are shown unless --cycles says otherwise.
constexpr report::CycleRange kShownCycles{0, 64};
constexpr std::uint64_t kAllCycles = ~std::uint64_t{0};

struct TimeOptions {
  std::string program, other;
  std::vector<std::string> archs = default_arch_names();
  std::string format = "bf16";
  bool hex = false, json = false;
  std::uint64_t repeat = 1;
  std::uint64_t rolled = 0;
  std::vector<std::string> harnesses;
  std::string view = "timeline";
  std::string cycles;
  std::string perfetto, html;
  KernelOptions kernel;
};

std::optional<std::uint64_t> parse_count(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

/// --cycles N, A:B (both shown) or all; nothing if the option is not there.
Expected<std::optional<report::CycleRange>> chosen_cycles(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (text == "all") return report::CycleRange{0, kAllCycles};
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) {
    const auto count = parse_count(text);
    if (count && *count > 0) return report::CycleRange{0, *count};
  } else {
    const auto first = parse_count(std::string_view(text).substr(0, colon));
    const auto last = parse_count(std::string_view(text).substr(colon + 1));
    if (first && last && *first <= *last && *last < kAllCycles)
      return report::CycleRange{*first, *last + 1};
  }
  return bad_input(
      fmt::format("--cycles takes a number, FIRST:LAST or 'all', not {}", in_quotes(text)),
      "try --cycles 128, or --cycles 100:163");
}

Expected<std::vector<const timing::Harness*>> chosen_harnesses(
    const std::vector<std::string>& names, std::span<const Arch> chips) {
  std::vector<const timing::Harness*> chosen;
  for (const std::string& name : names) {
    if (name == timing::kChosenHarness) continue;
    const auto harness = timing::parse_harness(name);
    if (!harness) return Unexpected(harness.error());
    const Arch arch = (*harness)->arch;
    if (std::find(chips.begin(), chips.end(), arch) == chips.end()) {
      return bad_input(fmt::format("harness {} was measured on {}, which --arch leaves out", name,
                                   arch_params(arch).names.full),
                       fmt::format("add --arch {}", arch_params(arch).names.id));
    }
    chosen.push_back(*harness);
  }
  return chosen;
}

void print_faults(const report::TimeReport& timed) {
  for (const Fault& fault : timed.faults)
    tell("{}: {}\n", arch_params(timed.arch).names.id, to_string(fault));
}

report::TimeView chosen_view(const std::string& name) {
  if (name == "units") return report::TimeView::Units;
  return name == "none" ? report::TimeView::None : report::TimeView::Timeline;
}

/// A picture of a program that cannot be timed would look like any other.
Expected<void> write_files(const std::vector<report::TimeReport>& reports,
                           const TimeOptions& options,
                           const std::optional<report::CycleRange>& cycles, bool all_timed) {
  if (!all_timed) return {};
  if (!options.perfetto.empty()) {
    if (auto done = write_text_file(options.perfetto, report::time_perfetto(reports).dump() + "\n");
        !done)
      return done;
  }
  if (options.html.empty()) return {};
  return write_text_file(options.html, report::time_html(reports, cycles, typed_command()));
}

/// What all programs are timed with.
struct TimeSettings {
  std::vector<Arch> chips;
  formats::Format format;
  std::optional<report::CycleRange> cycles;
  std::vector<const timing::Harness*> harnesses;
  compiler::Options compiler;
};

Expected<TimeSettings> time_settings(TimeOptions& options) {
  auto chips = chosen_chips(options.archs, "time", ChipNeed::Clock);
  if (!chips) return Unexpected(chips.error());
  if (auto settled =
          settle_op(options.program, options.kernel.checkout, {&options.format, nullptr});
      !settled)
    return Unexpected(settled.error());
  const auto format = formats::parse_format(options.format);
  if (!format) return Unexpected(format.error());
  const auto cycles = chosen_cycles(options.cycles);
  if (!cycles) return Unexpected(cycles.error());
  auto harnesses = chosen_harnesses(options.harnesses, *chips);
  if (!harnesses) return Unexpected(harnesses.error());
  const auto compiler = compiler_options(options.kernel);
  if (!compiler) return Unexpected(compiler.error());
  return TimeSettings{.chips = std::move(*chips),
                      .format = *format,
                      .cycles = *cycles,
                      .harnesses = std::move(*harnesses),
                      .compiler = *compiler};
}

/// A program on the clock of each chip.
Expected<std::vector<report::TimeReport>> measured(const std::string& program,
                                                   const TimeOptions& options,
                                                   const TimeSettings& settings) {
  auto programs = load_programs(program, options.hex, settings.chips, options.kernel);
  if (!programs) return Unexpected(programs.error());
  const bool chooses =
      std::ranges::find(options.harnesses, timing::kChosenHarness) != options.harnesses.end();
  std::vector<report::TimeReport> reports;
  for (const LoadedProgram& each : *programs) {
    auto timed = report::measure_time(each, {.format = settings.format,
                                             .passes = static_cast<std::size_t>(options.repeat),
                                             .rolled = static_cast<std::size_t>(options.rolled),
                                             .harnesses = settings.harnesses,
                                             .choose_harness = chooses,
                                             .compiler = settings.compiler});
    if (!timed) return Unexpected(timed.error());
    print_faults(*timed);
    reports.push_back(std::move(*timed));
  }
  return reports;
}

bool all_timed(const std::vector<report::TimeReport>& reports) {
  return std::ranges::all_of(reports,
                             [](const report::TimeReport& timed) { return timed.untimed.empty(); });
}

/// The first of them that has no times.
ExitStatus tell_untimed(const std::vector<report::TimeReport>& reports) {
  const auto untimed = std::ranges::find_if(
      reports, [](const report::TimeReport& timed) { return !timed.untimed.empty(); });
  tell("{}: {}: {}\n", arch_params(untimed->arch).names.id, untimed->program.name,
       untimed->untimed);
  return exit_status(false);
}

/// What a change from the one to the other gives, on each chip.
ExitStatus show_change(const std::vector<report::TimeReport>& before,
                       const std::vector<report::TimeReport>& after, bool json) {
  if (!all_timed(before)) return tell_untimed(before);
  if (!all_timed(after)) return tell_untimed(after);
  nlohmann::ordered_json document{
      {"format", "lanewise-time-change"}, {"version", 1}, {"chips", nlohmann::json::array()}};
  for (std::size_t i = 0; i < before.size(); ++i) {
    const report::Change change = report::time_change(before[i], after[i]);
    const std::string_view chip = arch_params(before[i].arch).names.id;
    if (json) {
      nlohmann::ordered_json entry{{"arch", chip}};
      entry.update(report::change_json(change));
      document["chips"].push_back(std::move(entry));
    } else {
      fmt::print("{}{}: what the change gives\n{}", i == 0 ? "" : "\n", chip,
                 report::change_text(change));
    }
  }
  if (json) fmt::print("{}\n", document.dump(2));
  return ExitStatus::Success;
}

Expected<void> check_change(const TimeOptions& options) {
  if (!options.perfetto.empty() || !options.html.empty())
    return bad_input("--perfetto and --html show one program", "leave them out, or name one only");
  if (options.program == "-" && options.other == "-")
    return bad_input("standard input is one program", "name a file for the other");
  return {};
}

ExitStatus time_programs(TimeOptions options) {
  if (!options.other.empty()) {
    if (auto checked = check_change(options); !checked) return fail(checked.error());
  }
  const auto settings = time_settings(options);
  if (!settings) return fail(settings.error());
  const auto reports = measured(options.program, options, *settings);
  if (!reports) return fail(reports.error());
  if (!options.other.empty()) {
    const auto others = measured(options.other, options, *settings);
    if (!others) return fail(others.error());
    return show_change(*reports, *others, options.json);
  }
  const bool has_times = all_timed(*reports);
  if (auto done = write_files(*reports, options, settings->cycles, has_times); !done)
    return fail(done.error());
  if (options.json) {
    fmt::print("{}\n", report::time_json(*reports).dump(2));
    return exit_status(has_times);
  }
  for (std::size_t i = 0; i < reports->size(); ++i) {
    fmt::print("{}{}", i == 0 ? "" : "\n",
               report::time_text((*reports)[i], chosen_view(options.view),
                                 settings->cycles.value_or(kShownCycles)));
  }
  return exit_status(has_times);
}

} // namespace

void add_time(CommandLine& line) {
  const Command command =
      line.add_command("time", "Show what happens in which cycle, and what a row and a tile cost");
  auto options = std::make_shared<TimeOptions>();
  command.option("program", options->program,
                 "A kernel (C++ with SFPI), assembly, or words in hexadecimal; - for assembly "
                 "from standard input");
  command.option("other", options->other,
                 "Another program: what the change from the one to the other gives");
  add_archs_option(command, options->archs);
  add_format_option(command, options->format, "Format of the tiles in Dst, as in 'run'");
  command.flag("--hex", options->hex, "The program is words in hexadecimal (default for *.hex)");
  command.option("--repeat", options->repeat,
                 "Passes to show in the timeline and in the totals (default 1); what runs once "
                 "comes once");
  command
      .option("--harness", options->harnesses,
              "Add what a harness costs to the tile: " + timing::harness_names() +
                  ", or auto: by what the program does")
      .value("HARNESS")
      .delimiter(',');
  command.option("--rolled", options->rolled,
                 "Words that a loop of the core pushes in each pass: estimates what it costs on "
                 "Blackhole, and says how many passes wh-rolled has (default one per row)");
  command
      .option("--view", options->view,
              "timeline (default: a row per operation), units (a row per cycle, a column per "
              "sub-unit) or none")
      .one_of({"timeline", "units", "none"});
  command.option("--cycles", options->cycles,
                 "Cycles to show: a number (default 64), FIRST:LAST or all");
  command.flag("--json", options->json, "Print everything as JSON");
  command
      .option("--perfetto", options->perfetto,
              "Write a trace for ui.perfetto.dev; 1 us in it is 1 cycle")
      .value("FILE");
  command.option("--html", options->html, "Write a page with picture, listing and table")
      .value("FILE");
  add_kernel_options(command, options->kernel);
  command.footer("docs/timing.md explains the rules and the output.");
  command.action([options] { return time_programs(*options); });
}

} // namespace lanewise::cli
