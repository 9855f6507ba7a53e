// lanewise llk-test FILE: a test of tt-llk with its three sections on a tile.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/chips.h"
#include "cli/command.h"
#include "cli/kernel.h"
#include "cli/l1_files.h"
#include "cli/llk_test_files.h"
#include "cli/llk_test_races.h"
#include "cli/output.h"
#include "cli/summary.h"
#include "cli/work_line.h"
#include "run/section/core_run.h"
#include "run/section/run_sections.h"
#include "run/section/test_source.h"

namespace lanewise::cli {

namespace {

/// --cores
constexpr const char* kProgramsOfCores = "rv32";

struct LlkTestOptions {
  std::string file, tree, build_header;
  std::vector<std::string> parameters, includes, defines;
  Arch arch = kDefaultArch;
  L1Options l1;
  double seconds = kKernelSeconds;
  std::string zones;   ///< a file for them
  std::string state;   ///< a file for what the sections leave behind
  std::string l1_file; ///< that is L1
  std::string summary; ///< a file for what was told
  bool compile_only = false;
  std::string cores; ///< "rv32", or "" for the host

  bool as_programs() const { return cores == kProgramsOfCores || l1.time.time; }
};

Expected<std::vector<section::TestParameter>> parse_parameters(
    const std::vector<std::string>& texts) {
  std::vector<section::TestParameter> all;
  for (const std::string& text : texts) {
    auto each = section::parse_test_parameter(text);
    if (!each) return Unexpected(each.error());
    all.push_back(std::move(*each));
  }
  return all;
}

Expected<section::TestSource> source_of(const LlkTestOptions& options) {
  if (!options.build_header.empty() && !options.parameters.empty()) {
    return bad_input("--build-header has the parameters of the test, and so has --param",
                     "give one of them");
  }
  auto parameters = parse_parameters(options.parameters);
  if (!parameters) return Unexpected(parameters.error());
  auto checkout = section::test_checkout(options.tree, options.file, options.arch);
  if (!checkout) return Unexpected(checkout.error());
  return section::TestSource{.arch = options.arch,
                             .file = options.file,
                             .checkout = std::move(*checkout),
                             .build_header = options.build_header,
                             .parameters = std::move(*parameters),
                             .includes = options.includes,
                             .defines = options.defines,
                             .limits = {.time = std::chrono::milliseconds(
                                            static_cast<std::int64_t>(options.seconds * 1000)),
                                        .memory = kKernelLimits.memory}};
}

/// What was not as it should be; true if all was.
bool report(const section::SectionsOutcome& outcome, const std::string& file) {
  for (Fault fault : outcome.faults) {
    if (fault.file.empty() && fault.line != 0) fault.file = file;
    tell("{}\n", to_string(fault));
  }
  if (outcome.failure) {
    Fault failure = *outcome.failure;
    if (failure.file.empty()) failure.file = file;
    tell("{}\n", to_string(failure));
  }
  if (outcome.was_stopped || (outcome.failure && interrupted()))
    tell("stopped before the end\n");
  else if (outcome.ran_out)
    tell("{}: the sections did not come to an end\n", file);
  if (!outcome.blocked.empty()) tell("{}: a deadlock: nobody can go on\n", file);
  for (const std::string& blocked : outcome.blocked) tell("  {}\n", blocked);
  const bool is_valid = std::ranges::all_of(
      outcome.faults, [](const Fault& fault) { return leaves_results_valid(fault.kind); });
  return outcome.is_done() && is_valid;
}

/// The files of --zones and --state.
Expected<void> write_reports(const LlkTestOptions& options, const section::SectionObjects& objects,
                             const section::SectionsOutcome& outcome) {
  if (!options.zones.empty()) {
    const auto text = zones_text(objects, outcome.zones);
    if (!text) return Unexpected(text.error());
    if (auto written = write_text_file(options.zones, *text); !written) return written;
  }
  if (options.state.empty()) return {};
  return write_text_file(options.state, state_text(options.arch, outcome.state));
}

/// A test that is compiled and has been run.
struct TestRun {
  const LlkTestOptions& options;
  const section::TestSource& source;
  const section::SectionObjects& objects; ///< of the host
  const section::SectionsRun& how;
  const std::vector<L1Output>& outputs;
};

/// What is assumed of the cores' programs.
std::vector<std::string> notes_of_cores(const section::HostAndCores& both) {
  std::vector<std::string> notes{std::string(section::kAssumedOfCores)};
  const auto has_some = [](const section::Stretches& each) { return !each.order.empty(); };
  if (both.host && std::ranges::any_of(both.host->stretches, has_some))
    notes.emplace_back(section::kAssumedOfVectorCode);
  return notes;
}

/// The report of --time.
Expected<void> print_time(const TestRun& run, const section::HostAndCores& both,
                          section::CoresOutcome& cores) {
  const LlkTestOptions& options = run.options;
  auto time = tile_time(options.l1.time, options.arch, options.file, std::move(*cores.time));
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    const auto markers = section::read_markers(run.objects[thread]);
    if (!markers) return Unexpected(markers.error());
    std::ranges::move(section::zones_of(thread, cores.sections.zones, *markers),
                      std::back_inserter(time.zones));
  }
  std::ranges::move(report::gather_notes(options.arch, options.l1.time.gathers()),
                    std::back_inserter(time.assumed));
  std::ranges::move(notes_of_cores(both), std::back_inserter(time.assumed));
  return print_tile_time(options.l1.time, time, options.l1.json);
}

/// What the sections, or the cores, have left; true if all was as it should be.
Expected<bool> hand_out(const TestRun& run, const section::SectionsOutcome& outcome) {
  if (auto written = write_l1_outputs(run.outputs, outcome.l1); !written)
    return Unexpected(written.error());
  if (auto written = write_reports(run.options, run.objects, outcome); !written)
    return Unexpected(written.error());
  const bool is_part = !run.options.l1.races.part.part.empty(); // the merge prints it
  if (!run.options.l1.json && !is_part) {
    for (unsigned thread = 0; thread < kThreads; ++thread)
      fmt::print("{}: {} instructions\n", section::kSectionNames[thread], outcome.executed[thread]);
  }
  return report(outcome, run.options.file);
}

std::optional<section::CoresInTime> cores_in_time(const TileTimeOptions& options) {
  if (!options.time) return std::nullopt;
  return section::CoresInTime{.gathers = options.gathers(),
                              .keeps_timeline = options.keeps_timeline()};
}

ExitStatus run_on_host(const TestRun& run) {
  WorkLine work("running the sections");
  const auto outcome = section::run_sections(run.source, run.objects, run.how);
  work.end();
  if (!outcome) return fail(outcome.error());
  const auto is_well = hand_out(run, *outcome);
  if (!is_well) return fail(is_well.error());
  if (!*is_well || !run.how.traces_cores) return exit_status(*is_well);
  const RacedTest raced{.file = run.options.file,
                        .arch = run.options.arch,
                        .l1 = run.options.l1,
                        .source = run.source,
                        .objects = run.objects,
                        .how = run.how,
                        .outcome = *outcome};
  if (!run.options.l1.races.races) {
    return exit_status(holds_in_other_orders(raced));
  }
  return look_for_races(raced);
}

/// What the cores' programs came to, alone or beside the host that came to its end.
ExitStatus report_cores(const TestRun& run, section::HostAndCores& both) {
  Expected<section::CoresOutcome>& cores = *both.cores;
  if (!cores && cores.error().kind == FaultKind::BadInput) return fail(cores.error());
  if (!cores) {
    tell("{}: {}\n", run.options.file, to_string(cores.error()));
    return exit_status(false);
  }
  const section::SectionsOutcome* const outcome = &cores->sections;
  const auto is_well = hand_out(run, *outcome);
  if (!is_well) return fail(is_well.error());
  if (cores->time) {
    if (auto printed = print_time(run, both, *cores); !printed) return fail(printed.error());
  } else {
    for (const std::string& note : notes_of_cores(both)) tell("note: {}\n", note);
  }
  if (!outcome->is_done()) return exit_status(false);
  if (!both.host) return exit_status(*is_well);
  if (auto same = section::agree(*both.host, *outcome, both.images); !same) {
    tell("{}: {}\n", run.options.file, to_string(same.error()));
    return exit_status(false);
  }
  return exit_status(*is_well);
}

/// --cores rv32: on the host, too, which tells what SFPI code becomes and what is to come of it.
ExitStatus run_on_cores(const TestRun& run, const section::HostAndCoreObjects& objects) {
  watch_for_interrupt();
  WorkLine work("running the sections and the cores' programs");
  auto both = section::run_host_and_cores({.source = run.source,
                                           .objects = objects,
                                           .how = run.how,
                                           .stop = interrupted,
                                           .time = cores_in_time(run.options.l1.time)});
  work.end();
  if (!both) return fail(both.error());
  if (both->cores) return report_cores(run, *both);
  const auto is_well = hand_out(run, *both->host);
  return is_well ? exit_status(*is_well) : fail(is_well.error());
}

ExitStatus print_paths(const section::SectionObjects& objects) {
  for (const auto& object : objects) fmt::print("{}\n", object.string());
  return ExitStatus::Success;
}

/// A host that takes part has a time of its own: nothing can be run again without it.
Expected<void> check_host(const LlkTestOptions& options) {
  if (options.l1_file.empty()) return {};
  if (options.l1.races.races)
    return bad_input("--races cannot do again what a host does in --l1", "leave one of them out");
  if (!options.l1.in.empty())
    return bad_input("--l1 names the file that is L1, and --in writes into it",
                     "write into the file before");
  if (options.as_programs())
    return bad_input("--l1 is for sections on the host", "leave --cores and --time out");
  return {};
}

/// What is given for the host alone, and what contradicts itself.
Expected<void> check_options(const LlkTestOptions& options) {
  if (auto checked = check_l1_options(options.l1); !checked) return checked;
  if (options.l1.races.races && schedule_choice(options.l1) != tile::ScheduleChoice())
    return bad_input("--races chooses the orders by itself", "leave --order out");
  if (options.l1.races.races && options.as_programs())
    return bad_input("--races follows the sections on the host", "leave --cores out");
  return check_host(options);
}

/// What the options ask for: the sections, the programs, or both.
Expected<section::HostAndCoreObjects> compile(const section::TestSource& source,
                                              const LlkTestOptions& options) {
  if (options.as_programs() && !options.compile_only) return section::compile_for_both(source);
  section::HostAndCoreObjects objects;
  auto compiled = options.as_programs() ? section::compile_for_cores(source)
                                        : section::compile_sections(source);
  if (!compiled) return Unexpected(compiled.error());
  (options.as_programs() ? objects.programs : objects.sections) = std::move(*compiled);
  return objects;
}

ExitStatus run_test(const LlkTestOptions& options) {
  const auto source = source_of(options);
  if (!source) return fail(source.error());
  if (auto checked = check_options(options); !checked) return fail(checked.error());
  auto inputs = read_l1_inputs(options.l1, options.arch);
  if (!inputs) return fail(inputs.error());
  auto config = parse_config(options.l1);
  if (!config) return fail(config.error());
  const auto outputs = parse_l1_outputs(options.l1, options.arch);
  if (!outputs) return fail(outputs.error());
  WorkLine work("compiling the sections");
  const auto objects = compile(*source, options);
  work.end();
  if (!objects) return fail(objects.error());
  if (options.compile_only)
    return print_paths(options.as_programs() ? objects->programs : objects->sections);
  const tile::ScheduleChoice schedule = schedule_choice(options.l1);
  const section::SectionsRun how{.inputs = std::move(*inputs),
                                 .config = std::move(*config),
                                 .schedule = schedule,
                                 .finds_hazards = options.l1.hazards,
                                 .traces_cores = schedule == tile::ScheduleChoice() &&
                                                 !options.as_programs() && options.l1_file.empty(),
                                 .keeps_stretches = options.as_programs(),
                                 .keeps_state = !options.state.empty(),
                                 .l1_file = options.l1_file};
  const TestRun run{options, *source, objects->sections, how, *outputs};
  watch_for_ctrl_c();
  return options.as_programs() ? run_on_cores(run, *objects) : run_on_host(run);
}

/// With --summary, what was told stands there, too.
ExitStatus llk_test(const LlkTestOptions& options) {
  if (options.summary.empty()) return run_test(options);
  if (auto possible = check_can_write(options.summary); !possible) return fail(possible.error());
  std::string messages;
  keep_messages(&messages);
  const ExitStatus status = run_test(options);
  keep_messages(nullptr);
  const std::string title =
      fmt::format("lanewise llk-test: {} ({})", options.file, arch_params(options.arch).names.id);
  const auto appended = append_summary(
      options.summary, summary_of_messages(title, status == ExitStatus::Success, messages));
  return appended ? status : fail(appended.error());
}

} // namespace

void add_llk_test(CommandLine& line) {
  const Command command = line.add_command(
      "llk-test", "Run a test of tt-llk, unmodified: unpack, math and pack on a tile");
  auto options = std::make_shared<LlkTestOptions>();
  command.option("file", options->file, "The test, such as tests/sources/matmul_test.cpp")
      .required();
  add_arch_option(command, options->arch);
  command
      .option("--llk", options->tree,
              "Checkout of tt-metal or tt-llk (default: the one in which the test lies, if any)")
      .value("DIR");
  command
      .option("--param", options->parameters,
              "A parameter of the test: NAME=VALUE, where the value is an expression of C++")
      .value("NAME=VALUE")
      .one_at_a_time();
  command.option("--build-header", options->build_header,
                 "The build.h that tt-llk's build system writes, in place of --param");
  add_l1_options(command, options->l1);
  add_time_page_option(command, options->l1.time);
  command.flag("--json", options->l1.json,
               "Print what --races finds, or the report of --time, as JSON");
  command.option("-I", options->includes, "A further folder for #include")
      .value("DIR")
      .one_at_a_time();
  command.option("--define", options->defines, "A macro: NAME or NAME=VALUE")
      .value("NAME[=VALUE]")
      .one_at_a_time();
  command.option("--zones", options->zones,
                 "Write the zones of LLK's profiler into a file, as JSON; cycles are null without "
                 "--time");
  command.option(
      "--state", options->state,
      "Write configuration, address modes, counters and semaphores as the sections leave "
      "them into a file, as JSON");
  command.option("--l1", options->l1_file,
                 "A file that is L1, which a host reads and writes while the sections run; where "
                 "they wait, they wait for it");
  command
      .option("--cores", options->cores,
              "rv32: compile the sections for the cores, too, and run those programs, instruction "
              "by instruction")
      .one_of({kProgramsOfCores});
  command
      .option(kTimeOption, options->seconds,
              "Seconds of processor time that g++ may take, and the sections")
      .value("SECONDS")
      .range(0.1, 86400.0);
  add_summary_option(command, options->summary);
  command.flag("--compile", options->compile_only, "Compile only, and print what that gives");
  command.footer(
      "With --param, each parameter is a constant and a member of the test's parameters; formats "
      "are\n  --param 'formats=lanewise_formats(DataFormat::Float16_b, DataFormat::Bfp8_b)'\n"
      "and a place in L1 is\n  --param 'buffer_A=Operand(0x21000, 2048)'.\n"
      "With --build-header, parameters that are known at run time only lie in L1 from 0x20000 "
      "on.\nExit status 1: there were faults, or nobody could go on.");
  command.action([options] { return llk_test(*options); });
}

} // namespace lanewise::cli
