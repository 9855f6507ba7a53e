// lanewise kernels FILE: a program of tt-metal by its description.
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/text_file.h"
#include "chip/tile/run.h"
#include "cli/command.h"
#include "cli/kernel.h"
#include "cli/launch_report.h"
#include "cli/output.h"
#include "cli/program_time.h"
#include "cli/work_line.h"
#include "report/l1_map/report.h"
#include "run/grid/grid.h"
#include "run/grid/timed_grid.h"
#include "run/launch/buffer_files.h"
#include "run/launch/launch.h"
#include "run/launch/orders.h"
#include "source/programs/compile.h"
#include "source/programs/description.h"

namespace lanewise::cli {

namespace {

/// A description and the contents of its buffers.
constexpr std::size_t kLargestInput = std::size_t{1} << 30;

struct KernelsOptions {
  std::string file, metal, arch;
  std::string order = "round-robin";
  std::uint64_t seed = 0;
  std::uint64_t seeds = kSeeds; ///< of all orders
  std::uint64_t jobs = 0;       ///< of many cores; 0: as many as the machine has
  double seconds = kKernelSeconds;
  bool compile_only = false;
  bool without_checks = false;
  bool shows_map = false, as_json = false;
  TileTimeOptions time;

  tile::ScheduleChoice schedule() const {
    return {.order = tile::order_named(order), .seed = seed};
  }
};

ProcessLimits limits_of(const KernelsOptions& options) {
  return {.time = std::chrono::milliseconds(static_cast<std::int64_t>(options.seconds * 1000)),
          .memory = kKernelLimits.memory};
}

launch::LaunchSettings settings_of(const KernelsOptions& options) {
  launch::LaunchSettings how;
  how.limits = limits_of(options);
  how.keeps_stretches = options.time.time;
  how.jobs = static_cast<unsigned>(options.jobs);
  how.stop = interrupted;
  if (options.order != "all") how.schedule = options.schedule();
  return how;
}

/// The description, and what follows it: bytes of buffers behind a zero.
struct Input {
  programs::Description description;
  std::string stream;
};

Expected<Input> read_input(const KernelsOptions& options) {
  auto text = read_text_file(options.file, kLargestInput);
  if (!text) return Unexpected(text.error());
  Input input;
  const std::size_t end = text->find('\0');
  if (end != std::string::npos) {
    input.stream = text->substr(end + 1);
    text->resize(end);
  }
  auto description = programs::parse_description(*text);
  if (!description) {
    Fault fault = description.error();
    fault.file = options.file;
    return Unexpected(std::move(fault));
  }
  input.description = std::move(*description);
  if (!options.arch.empty()) input.description.program.arch = *parse_whole_arch(options.arch);
  const auto* const first = reinterpret_cast<const std::uint8_t*>(input.stream.data());
  if (auto read = launch::read_buffers(input.description, {first, input.stream.size()}); !read)
    return Unexpected(read.error());
  return input;
}

ExitStatus hand_out(const KernelsOptions& options, const programs::Description& description,
                    const launch::LaunchOutcome& outcome) {
  const bool is_right = tell_outcome(outcome, options.file, options.as_json);
  if (auto written = launch::write_buffers(description, outcome.buffers); !written)
    return fail(written.error());
  if (!options.as_json) {
    for (unsigned thread = 0; thread < kThreads; ++thread)
      if (outcome.executed[thread] != 0)
        fmt::print("{}: {} instructions\n", programs::core_name(thread), outcome.executed[thread]);
    fmt::print("NoC: {} transactions\n", outcome.transactions);
  }
  return exit_status(is_right);
}

/// Of the first core of each group. Also of circular buffers and buffers that clash.
ExitStatus show_map(const KernelsOptions& options, const programs::Program& program) {
  const auto cores = programs::place_on_cores(program);
  if (!cores) return fail(cores.error());
  std::size_t groups = 0;
  for (const programs::CoreProgram& core : *cores) {
    if (core.group != groups) continue;
    ++groups;
    fmt::print("{}", options.as_json ? report::l1_map_json(core.program, core.layout)
                                     : report::l1_map_text(core.program, core.layout));
  }
  for (const programs::CoreProgram& core : *cores)
    if (auto apart = programs::check_l1(core.program, core.layout); !apart)
      return fail(apart.error());
  return ExitStatus::Success;
}

/// The same program in time, once it has run without a finding.
Expected<void> run_in_time(const KernelsOptions& options, const grid::Prepared& prepared,
                           const programs::CompileSettings& settings,
                           const launch::LaunchOutcome& outcome) {
  WorkLine work("compiling kernels for the cores");
  const auto objects = programs::compile_groups_for_cores(prepared.cores, settings);
  if (!objects) return Unexpected(objects.error());
  work.begin("running kernels in time");
  auto timed = grid::launch_in_time(
      prepared, *objects, outcome,
      timed_settings(options.time, settings_of(options), prepared.cores.size()));
  work.end();
  if (!timed) return Unexpected(timed.error());
  return tell_program_time(
      options.time, *prepared.program, outcome, std::move(*timed),
      {.name = options.file, .has_own_headers = !settings.checkout, .is_json = options.as_json});
}

ExitStatus compare_orders(const KernelsOptions& options, const programs::Description& description,
                          const grid::Prepared& prepared) {
  const auto orders = launch::orders_to_compare(static_cast<unsigned>(options.seeds));
  WorkLine work(fmt::format("running kernels in {} orders", orders.size()));
  const auto compared = grid::run_in_orders(prepared, orders, settings_of(options),
                                            launch::element_bytes(description.files));
  work.end();
  if (!compared) return fail(compared.error());
  if (!compared->differs && !compared->outcome.was_stopped)
    fmt::print("{}\n", launch::compared_text(*compared));
  return hand_out(options, description, compared->outcome);
}

ExitStatus kernels(const KernelsOptions& options) {
  if (auto possible = check_tile_time(options.time, options.schedule(), false); !possible)
    return fail(possible.error());
  if (options.as_json && !options.time.time && !options.shows_map)
    return fail(bad_input("--json is a form of what --map and --time tell", "give one of them, too")
                    .value());
  const auto input = read_input(options);
  if (!input) return fail(input.error());
  const programs::Program& program = input->description.program;
  if (options.shows_map) return show_map(options, program);
  programs::CompileSettings settings{
      .checkout = {}, .limits = limits_of(options), .tells_accesses = !options.without_checks};
  if (!options.metal.empty()) {
    auto checkout = checkouts::Checkout::open(options.metal, std::array{program.arch});
    if (!checkout) return fail(checkout.error());
    settings.checkout = std::move(*checkout);
  }
  WorkLine work("compiling kernels");
  const auto prepared = grid::prepare(program, settings);
  work.end();
  if (!prepared) return fail(prepared.error());
  if (options.compile_only) {
    for (const auto& objects : prepared->groups)
      for (const auto& object : objects.object)
        if (!object.empty()) fmt::print("{}\n", object.string());
    return ExitStatus::Success;
  }
  watch_for_ctrl_c();
  if (options.order == "all") return compare_orders(options, input->description, *prepared);
  work.begin("running kernels");
  const auto outcome = grid::run(*prepared, settings_of(options));
  work.end();
  if (!outcome) return fail(outcome.error());
  const ExitStatus status = hand_out(options, input->description, *outcome);
  if (!options.time.time || !outcome->is_done()) return status;
  if (auto done = run_in_time(options, *prepared, settings, *outcome); !done)
    return fail(done.error());
  return status;
}

} // namespace

namespace {

std::vector<std::string> chip_names() {
  std::vector<std::string> names;
  names.reserve(kArchs.size());
  for (const Arch arch : kArchs) names.emplace_back(arch_params(arch).names.id);
  return names;
}

} // namespace

void add_kernels(CommandLine& line) {
  const Command command = line.add_command(
      "kernels",
      "Run the kernels of a tt-metal program: reader, compute, writer, on one core or many");
  auto options = std::make_shared<KernelsOptions>();
  command
      .option("file", options->file,
              "The program's description, in JSON; - is standard input, where contents of buffers "
              "may follow behind a zero byte")
      .required();
  command
      .option("--metal", options->metal,
              "Checkout of tt-metal, whose headers kernels include (default: none; then they "
              "have Lanewise's own, a part of these)")
      .value("DIR");
  command.option("--arch", options->arch, "The chip, in place of the description's")
      .one_of(chip_names());
  command
      .option("--order", options->order,
              "Who takes turns, of cores, threads and the NoC: all in a circle, at random, or one "
              "as long as it can go on, with transactions as late as can be; all: one after the "
              "other, and the results are compared")
      .one_of({"round-robin", "random", "adversarial", "all"});
  command.option("--seed", options->seed, "Of the order");
  add_grid_jobs_option(command, options->jobs);
  command.option("--seeds", options->seeds, "With --order all: so many random orders")
      .range(std::uint64_t{1}, std::uint64_t{1000});
  command
      .option(kTimeOption, options->seconds,
              "Seconds of processor time that g++ may take for each core, and the kernels")
      .value("SECONDS")
      .range(0.1, 86400.0);
  add_tile_time_options(command, options->time);
  add_time_page_option(command, options->time);
  add_gather_option(command, options->time);
  command.flag("--no-check", options->without_checks,
               "Do not look at what kernels do to memory: a little faster, and less is found");
  command.flag("--compile", options->compile_only, "Compile only, and print what that gives");
  command.flag("--map", options->shows_map, "Print what lies where in L1, and run nothing");
  command.flag("--json", options->as_json, "The map as JSON, or with --time its report");
  command.footer(
      "docs/programs.md lists what a description has.\n"
      "Exit status 1: there were faults, or nobody could go on.");
  command.action([options] { return kernels(*options); });
}

} // namespace lanewise::cli
