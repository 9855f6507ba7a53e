// lanewise program HOST.cpp: an unmodified host program of tt-metal, and its kernels.
// lanewise device: the device alone, for a host program that was started by itself.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "chip/tile/run.h"
#include "cli/chips.h"
#include "cli/command.h"
#include "cli/kernel.h"
#include "cli/launch_report.h"
#include "cli/output.h"
#include "cli/program_time.h"
#include "cli/work_line.h"
#include "report/l1_map/report.h"
#include "run/host/channel.h"
#include "run/host/device_choice.h"
#include "run/host/host_process.h"
#include "run/host/host_source.h"
#include "run/host/session.h"
#include "run/launch/orders.h"

namespace lanewise::cli {

namespace {

/// What a device is like.
struct DeviceOptions {
  std::string metal, order = "round-robin";
  std::uint64_t seed = 0, seeds = kSeeds;
  std::uint64_t jobs = 0; ///< of many cores; 0: as many as the machine has
  double seconds = kKernelSeconds;
  std::uint64_t mebibytes = kKernelLimits.memory >> 20;
  bool shows_map = false, as_json = false;
  TileTimeOptions time;

  bool compares_orders() const { return order == "all"; }
  tile::ScheduleChoice schedule() const {
    if (compares_orders()) return {};
    return {.order = tile::order_named(order), .seed = seed};
  }

  ProcessLimits limits() const {
    return {.time = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000)),
            .memory = mebibytes << 20};
  }
};

struct ProgramOptions {
  DeviceOptions device;
  host::DeviceChoice choice;
  std::string file;
  std::vector<std::string> includes, defines, arguments;
};

/// As host programs look for it.
std::string checkout_of_environment() {
  for (const char* name : {"LANEWISE_METAL", "TT_METAL_HOME"}) {
    const char* const value = std::getenv(name);
    if (value != nullptr && *value != '\0') return value;
  }
  return {};
}

host::Session session_of(const DeviceOptions& options, const std::string& name,
                         const std::string& grid = {}) {
  host::SessionSettings settings{
      .metal = options.metal.empty() ? checkout_of_environment() : options.metal,
      .grid = grid,
      .how = {.schedule = options.schedule(),
              .limits = options.limits(),
              .keeps_stretches = options.time.time,
              .jobs = static_cast<unsigned>(options.jobs),
              .stop = interrupted}};
  if (options.compares_orders()) {
    settings.orders = launch::orders_to_compare(static_cast<unsigned>(options.seeds));
    settings.on_orders = [is_json = options.as_json](const launch::ComparedOrders& compared) {
      if (!compared.differs && !compared.outcome.was_stopped && !is_json)
        fmt::print("{}\n", launch::compared_text(compared));
      std::fflush(stdout);
    };
  }
  if (options.time.time) {
    settings.time = [time = options.time, how = settings.how](std::size_t cores) {
      return timed_settings(time, how, cores);
    };
    settings.on_time = [time = options.time, name, has_own = settings.metal.empty(),
                        is_json = options.as_json, number = 0U](const programs::Program& program,
                                                                const launch::LaunchOutcome& host,
                                                                grid::TimedLaunch timed) mutable {
      auto told = tell_program_time(time, program, host, std::move(timed),
                                    {.name = name,
                                     .has_own_headers = has_own,
                                     .is_json = is_json,
                                     .is_line = true,
                                     .number = ++number});
      std::fflush(stdout);
      return told;
    };
  }
  if (options.shows_map)
    settings.on_program = [as_json = options.as_json](const programs::Program& program,
                                                      const programs::Layout& layout) {
      fmt::print("{}", as_json ? report::l1_map_json(program, layout)
                               : report::l1_map_text(program, layout));
      std::fflush(stdout);
    };
  // The host program waits meanwhile.
  settings.on_step = [work = std::make_shared<WorkLine>()](std::string_view what) {
    if (what.empty()) {
      work->end();
    } else {
      work->begin(std::string(what));
    }
  };
  // The host program writes to the same streams.
  settings.on_outcome = [name, is_json = options.as_json](const launch::LaunchOutcome& outcome) {
    tell_outcome(outcome, name, is_json);
    std::fflush(stdout);
  };
  return host::Session(std::move(settings));
}

/// Error: BadInput where options do not go together.
Expected<void> check_options(const DeviceOptions& options) {
  if (options.compares_orders() && options.time.time)
    return bad_input("--time says itself whose turn it is", "leave --order out");
  return check_tile_time(options.time, options.schedule(), false);
}

ExitStatus program(const ProgramOptions& options) {
  if (auto possible = check_options(options.device); !possible) return fail(possible.error());
  if (auto possible = host::check_choice(options.choice); !possible) return fail(possible.error());
  const ProcessLimits limits = options.device.limits();
  WorkLine work("compiling the host program");
  const auto object = host::compile_host({.file = options.file,
                                          .includes = options.includes,
                                          .defines = options.defines,
                                          .limits = limits});
  work.end();
  if (!object) return fail(object.error());
  watch_for_ctrl_c();
  host::Session session = session_of(options.device, options.file);
  const auto end = host::run_host({.object = *object,
                                   .source = options.file,
                                   .arguments = options.arguments,
                                   .device = options.choice,
                                   .limits = limits},
                                  session);
  if (!end) return fail(end.error());
  if (interrupted()) {
    tell("stopped before the end\n");
    return ExitStatus::FoundProblem;
  }
  // What the device has refused comes first: exceptions and statuses follow from it.
  if (session.refusal()) return fail(*session.refusal());
  if (end->fault) fail(*end->fault);
  if (end->fault && !end->has_thrown) return ExitStatus::BadInput;
  if (!end->fault && end->status != 0) tell("{}: main() gave {}\n", options.file, end->status);
  return exit_status(!end->fault && end->status == 0 && !session.has_findings());
}

/// For a host program that has started this one, and says itself what was refused.
ExitStatus device(const DeviceOptions& options, const std::string& grid, int channel) {
  if (auto possible = check_options(options); !possible) return fail(possible.error());
  if (auto possible = host::check_choice({.arch = {}, .grid = grid}); !possible)
    return fail(possible.error());
  watch_for_ctrl_c();
  host::Session session = session_of(options, "the host program", grid);
  host::serve(channel, options.limits().memory, [&session](const host::Request& request) {
    const bool had_refused = session.refusal().has_value();
    host::Reply reply = session.answer(request.ask, request.payload);
    if (session.refusal() && !had_refused) fail(*session.refusal());
    return reply;
  });
  if (session.refusal()) return ExitStatus::BadInput;
  return exit_status(!session.has_findings());
}

void add_grid_option(const Command& command, std::string& grid) {
  command.option("--grid", grid,
                 "Cores that the device has, as COLUMNSxROWS (default: LANEWISE_GRID, or 11x10 on "
                 "bh and 8x8 on wh, which are the most)");
}

void add_device_options(const Command& command, DeviceOptions& options) {
  command
      .option("--metal", options.metal,
              "Checkout of tt-metal, whose headers kernels include (default: LANEWISE_METAL, "
              "TT_METAL_HOME)")
      .value("DIR");
  command
      .option("--order", options.order,
              "Who takes turns, of cores, threads and the NoC: all in a circle, at random, or one "
              "as long as it can go on, with transactions as late as can be; all: one after the "
              "other, and the results are compared")
      .one_of({"round-robin", "random", "adversarial", "all"});
  command.option("--seed", options.seed, "Of the order");
  add_grid_jobs_option(command, options.jobs);
  command.option("--seeds", options.seeds, "With --order all: so many random orders")
      .range(std::uint64_t{1}, std::uint64_t{1000});
  add_tile_time_options(command, options.time);
  add_time_page_option(command, options.time);
  add_gather_option(command, options.time);
  command
      .option(kTimeOption, options.seconds,
              "Seconds of processor time that g++ may take for each core, the kernels of each "
              "program, and the host program")
      .value("SECONDS")
      .range(0.1, 86400.0);
  command
      .option(kMemoryOption, options.mebibytes, "MiB that each of them may use, and DRAM may have")
      .value("MIB")
      .range(std::uint64_t{64}, std::uint64_t{1} << 20);
  command.flag("--map", options.shows_map, "Print before each program what lies where in L1");
  command.flag("--json", options.as_json,
               "The map and the time as JSON, a line for each program; what kernels print goes to "
               "standard error");
}

} // namespace

void add_program(CommandLine& line) {
  const Command command =
      line.add_command("program", "Run a host program of tt-metal and its kernels");
  auto options = std::make_shared<ProgramOptions>();
  command.option("file", options->file, "The host program, in C++, as it is").required();
  command.option("arguments", options->arguments, "Of its main(), behind --");
  add_device_options(command, options->device);
  command.option("--arch", options->choice.arch, "The chip (default: LANEWISE_ARCH, or bh)")
      .one_of(whole_arch_names());
  add_grid_option(command, options->choice.grid);
  command.option("-I,--include", options->includes, "Folder for #include of the host program")
      .value("DIR")
      .one_at_a_time();
  command.option("-D,--define", options->defines, "Macro of the host program, NAME or NAME=VALUE")
      .value("NAME[=VALUE]")
      .one_at_a_time();
  command.footer(
      "docs/programs.md says what host programs can use.\n"
      "Exit status 1: main() did not give 0, or kernels did what they must not.");
  command.action([options] { return program(*options); });
}

void add_device(CommandLine& line) {
  const Command command = line.add_command(
      "device", "Play the device of a host program that was compiled by itself, which starts this");
  struct Options {
    DeviceOptions device;
    std::string grid;
    std::uint64_t channel = 0;
  };
  auto options = std::make_shared<Options>();
  command.option("--channel", options->channel, "The socket to the host program, a descriptor")
      .required()
      .range(std::uint64_t{3}, std::uint64_t{1024});
  add_grid_option(command, options->grid);
  add_device_options(command, options->device);
  command.footer("docs/programs.md, \"A host program\", says how host programs start it.");
  command.action([options] {
    return device(options->device, options->grid, static_cast<int>(options->channel));
  });
}

} // namespace lanewise::cli
