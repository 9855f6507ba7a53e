// lanewise time PROGRAM: in which cycle what happens, and what a row and a tile cost.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/program.h"
#include "isa/limits.h"
#include "lab/tile_runner.h"
#include "report/time_html.h"
#include "report/time_json.h"
#include "report/time_perfetto.h"
#include "report/time_text.h"
#include "timing/hazards.h"

namespace lanewise::cli {

namespace {

/// Cycles that are shown unless --cycles says otherwise.
constexpr report::CycleRange kShownCycles{0, 64};
constexpr std::uint64_t kAllCycles = ~std::uint64_t{0};

struct TimeOptions {
  std::string program;
  std::vector<std::string> archs{"bh"};
  std::string format = "bf16";
  bool hex = false, json = false;
  std::size_t repeat = 1;
  std::size_t rolled = 0;
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
  return bad_input(fmt::format("--cycles takes a number, FIRST:LAST or 'all', not '{}'", text),
                   "try --cycles 128, or --cycles 100:163");
}

Expected<std::vector<const timing::Harness*>> chosen_harnesses(
    const std::vector<std::string>& names, std::span<const Arch> chips) {
  std::vector<const timing::Harness*> chosen;
  for (const std::string& name : names) {
    const timing::Harness* harness = timing::find_harness(name);
    if (harness == nullptr) {
      std::string known;
      for (const timing::Harness& each : timing::harnesses())
        known += fmt::format("{}{}", known.empty() ? "" : ", ", each.name);
      return bad_input(fmt::format("there is no harness '{}'", name), "use one of " + known);
    }
    if (std::find(chips.begin(), chips.end(), harness->arch) == chips.end()) {
      return bad_input(fmt::format("harness {} was measured on {}, which --arch leaves out", name,
                                   arch_params(harness->arch).long_name),
                       fmt::format("add --arch {}", arch_params(harness->arch).name));
    }
    chosen.push_back(harness);
  }
  return chosen;
}

Expected<Program> repeated(const Program& program, std::size_t passes) {
  if (passes == 0) return bad_input("--repeat 0 leaves nothing to time", "repeat at least once");
  if (program.words.size() > isa::kMostWords / passes) {
    return bad_input(fmt::format("{} words {} times are too many", program.words.size(), passes),
                     fmt::format("repeat at most {} times",
                                 isa::kMostWords / std::max<std::size_t>(1, program.words.size())));
  }
  Program result{program.name, {}, program.config};
  result.words.reserve(program.words.size() * passes);
  for (std::size_t pass = 0; pass < passes; ++pass) {
    for (MopSetting setting : program.mop) {
      setting.before += result.words.size();
      result.mop.push_back(setting);
    }
    result.words.insert(result.words.end(), program.words.begin(), program.words.end());
  }
  return result;
}

/// Whether a program's times say nothing: words that mean nothing on the chip, or that nobody
/// knows, take a time that nobody knows, and a program that is too long was cut. Instructions that
/// are only not executed have their slot.
bool cannot_be_timed(const MicroProgram& program) {
  return program.ops.size() >= isa::kMostWords ||
         std::any_of(program.faults.begin(), program.faults.end(), [](const Fault& fault) {
           return fault.kind == FaultKind::UndefinedBehavior ||
                  fault.kind == FaultKind::UnpredictableValue;
         });
}

Expected<report::TimeReport> time_one(LoadedProgram loaded, const TimeOptions& options,
                                      lab::Format format,
                                      std::span<const timing::Harness* const> harnesses) {
  auto program = repeated(loaded.program, options.repeat);
  if (!program) return Unexpected(program.error());
  lab::TileRunOptions tile;
  tile.format = format;
  tile.as_kernel = loaded.kernel.has_value();
  auto timed = lab::schedule_on_tile(loaded.arch, *program, tile);
  if (!timed) return Unexpected(timed.error());
  for (const Fault& fault : timed->program.faults)
    tell("{}: {}\n", arch_params(loaded.arch).name, to_string(fault));

  report::TimeReport result;
  result.arch = loaded.arch;
  result.hazards = timing::find_hazards(timed->schedule, timed->program, timed->start).size();
  if (options.rolled != 0 && loaded.arch == Arch::Blackhole)
    result.rolled_loop =
        timing::rolled_loop_cycles(timed->schedule, timed->program, options.rolled);
  result.timing = timing::time_program(timed->start, timed->program, std::move(timed->schedule),
                                       options.repeat);
  result.program = std::move(*program);
  result.prepared = std::move(timed->program);
  result.source = std::move(loaded.source);
  result.passes = options.repeat;
  for (const timing::Harness* each : harnesses) {
    if (each->arch == loaded.arch) result.harness = each;
  }
  return result;
}

report::TimeView chosen_view(const std::string& name) {
  if (name == "units") return report::TimeView::Units;
  return name == "none" ? report::TimeView::None : report::TimeView::Timeline;
}

int time_programs(const TimeOptions& options) {
  const auto chips = chosen_chips(options.archs);
  if (!chips) return fail(chips.error());
  const auto format = lab::parse_format(options.format);
  if (!format) return fail(format.error());
  const auto cycles = chosen_cycles(options.cycles);
  if (!cycles) return fail(cycles.error());
  const auto harnesses = chosen_harnesses(options.harnesses, *chips);
  if (!harnesses) return fail(harnesses.error());
  if (options.rolled != 0 &&
      std::find(chips->begin(), chips->end(), Arch::Blackhole) == chips->end()) {
    return fail(bad_input("--rolled is known for Blackhole only, which --arch leaves out",
                          "add --arch bh, or leave --rolled out")
                    .value());
  }
  auto programs = load_programs(options.program, options.hex, *chips, options.kernel);
  if (!programs) return fail(programs.error());

  std::vector<report::TimeReport> reports;
  for (LoadedProgram& each : *programs) {
    auto timed = time_one(std::move(each), options, *format, *harnesses);
    if (!timed) return fail(timed.error());
    if (cannot_be_timed(timed->prepared)) {
      tell("{}: {}: not timed: nothing says how long what the faults name takes\n",
           arch_params(timed->arch).name, timed->program.name);
      return kFoundProblem;
    }
    reports.push_back(std::move(*timed));
  }
  if (!options.perfetto.empty()) {
    if (auto done = write_text_file(options.perfetto, report::time_perfetto(reports).dump() + "\n");
        !done)
      return fail(done.error());
  }
  if (!options.html.empty()) {
    if (auto done = write_text_file(options.html, report::time_html(reports, *cycles)); !done)
      return fail(done.error());
  }
  if (options.json) {
    fmt::print("{}\n", report::time_json(reports).dump(2));
    return kSuccess;
  }
  for (std::size_t i = 0; i < reports.size(); ++i) {
    fmt::print(
        "{}{}", i == 0 ? "" : "\n",
        report::time_text(reports[i], chosen_view(options.view), cycles->value_or(kShownCycles)));
  }
  return kSuccess;
}

} // namespace

void add_time(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "time", "Show what happens in which cycle, and what a row and a tile cost");
  auto options = std::make_shared<TimeOptions>();
  command
      ->add_option("program", options->program,
                   "A kernel (C++ with SFPI), assembly, or words in hexadecimal; - for assembly "
                   "from standard input")
      ->required();
  command->add_option("--arch", options->archs, "Chip: bh (default), wh, or bh,wh")->delimiter(',');
  command->add_option("--format", options->format,
                      "Format of the tiles in Dst, as in 'run' (default bf16)");
  command->add_flag("--hex", options->hex,
                    "The program is words in hexadecimal (default for *.hex)");
  command->add_option("--repeat", options->repeat,
                      "Run the program so many times, and report what a pass adds in the steady "
                      "state (default 1)");
  command
      ->add_option("--harness", options->harnesses,
                   "Add what a harness costs to the tile: bh-copy, bh-32bit, bh-binary, "
                   "llk-bench, llk-bench-pushed, wh-replay, wh-rolled")
      ->delimiter(',');
  command->add_option("--rolled", options->rolled,
                      "Blackhole: estimate what a loop in the core costs that pushes so many words "
                      "in each pass");
  command
      ->add_option("--view", options->view,
                   "timeline (default: a row per operation), units (a row per cycle, a column per "
                   "sub-unit) or none")
      ->check(CLI::IsMember({"timeline", "units", "none"}));
  command->add_option("--cycles", options->cycles,
                      "Cycles to show: a number (default 64), FIRST:LAST or all");
  command->add_flag("--json", options->json, "Print everything as JSON");
  command->add_option("--perfetto", options->perfetto,
                      "Write a trace for ui.perfetto.dev; 1 us in it is 1 cycle");
  command->add_option("--html", options->html, "Write a page with picture, listing and table");
  add_kernel_options(*command, options->kernel);
  command->footer("docs/timing.md explains the rules and the output.");
  command->callback([&action, options] { action = [options] { return time_programs(*options); }; });
}

} // namespace lanewise::cli
