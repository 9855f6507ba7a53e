// lanewise run PROGRAM: executes a program over tiles, on one chip or on both.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>

#include "base/in_quotes.h"
#include "chip/timing/tile_cost.h"
#include "cli/command.h"
#include "cli/formats.h"
#include "cli/kernel.h"
#include "cli/output.h"
#include "cli/program.h"
#include "cli/run_hazards.h"
#include "cli/run_sources.h"
#include "number/tensors/npy.h"
#include "number/tensors/pattern.h"
#include "number/tensors/tile_input.h"
#include "report/run/kernel_listing.h"
#include "report/run/releases.h"
#include "report/run/report.h"
#include "report/run/trace.h"
#include "run/execution/run_program.h"
#include "run/execution/tile_runner.h"
#include "source/sfpi/recording_file.h"

namespace lanewise::cli {

namespace {

struct RunOptions {
  std::string program;
  std::vector<std::string> inputs;
  std::vector<std::string> archs = default_arch_names();
  std::string format = "bf16", output_format;
  std::string out;
  unsigned out_tile = 0;
  std::string show = "32";
  bool hex = false, json = false, trace = false, interpret = false;
  bool listing = false, quiet = false;
  std::string emit;
  std::string hazards_text = "warn";
  HazardPolicy hazards = HazardPolicy::Warn;
  SourceOptions sources;
  KernelOptions kernel;
};

/// Lines of a kernel's listing, of both chips together, unless --listing asks for all.
constexpr std::size_t kListedLines = 20;

/// Options that say what happens to one result, and not to those of several releases.
Expected<void> check_for_releases(const RunOptions& options) {
  const char* option = !options.out.empty() ? "--out" : options.trace ? "--trace" : nullptr;
  if (option == nullptr && !options.sources.reference.empty()) option = "--reference";
  if (option != nullptr)
    return bad_input(fmt::format("{} is for the result of one release of SFPI", option),
                     "name one with --sfpi");
  return {};
}

/// --show N or --show all.
Expected<std::size_t> shown_elements(const std::string& text) {
  if (text == "all") return 0;
  const bool digits = !text.empty() && text.size() < 10 &&
                      text.find_first_not_of("0123456789") == std::string::npos;
  if (!digits || text.find_first_not_of('0') == std::string::npos) {
    return bad_input(
        fmt::format("--show takes a positive number or 'all', not {}", in_quotes(text)),
        "try --show 64");
  }
  return std::stoul(text);
}

/// Prints the trace of the first tile, and executes it on the way.
void print_trace(Arch arch, MachineState& state, std::span<const MicroOp> ops) {
  fmt::print("{}: trace of the first tile: source line, word, instruction, and what it changed\n",
             arch_params(arch).names.id);
  report::trace_steps(arch, state, ops, [](const report::TraceStep& step) {
    fmt::print("{}", report::trace_text(step));
  });
}

bool report_faults(const execution::TileRun& run, HazardPolicy hazards) {
  bool valid = true;
  for (const Fault& fault : run.faults) {
    tell("{}: {}\n", arch_params(run.arch).names.id, to_string(fault));
    // Hazards have their own option; by default they only warn.
    const bool warns = fault.kind == FaultKind::Hazard && hazards != HazardPolicy::Error;
    valid = valid && (leaves_results_valid(fault.kind) || warns);
  }
  return valid;
}

/// With two chips, the chip's name goes in front of the file's extension.
std::string output_path(const std::string& path, Arch arch, std::size_t chips) {
  if (chips == 1) return path;
  const std::size_t dot = path.rfind(".npy");
  return path.substr(0, dot) + "." + std::string(arch_params(arch).names.id) + ".npy";
}

Expected<std::vector<tensors::Tensor>> load_inputs(const RunOptions& options,
                                                   formats::Format format) {
  std::vector<tensors::Tensor> inputs;
  for (const std::string& specification : options.inputs) {
    auto input = tensors::make_tile_input(specification, format);
    if (!input) return Unexpected(input.error());
    inputs.push_back(std::move(*input));
  }
  if (auto apart = tensors::check_tiles_apart(inputs); !apart) return Unexpected(apart.error());
  return inputs;
}

/// The programs of all chips. Error: BadInput as load_programs() says, or an option that only
/// kernels have.
Expected<std::vector<LoadedProgram>> load_all(const RunOptions& options,
                                              const std::vector<Arch>& chips) {
  const bool is_recorded =
      execution::is_kernel_file(options.program) || execution::is_recording_file(options.program);
  if (!is_recorded && (!options.emit.empty() || options.interpret)) {
    return bad_input(
        fmt::format("{} is no kernel", options.program),
        "--emit and --interpret are for C++ files; 'lanewise asm' and 'dis' are for assembly");
  }
  const auto epochs = releases_of(options.kernel);
  if (!epochs) return Unexpected(epochs.error());
  if (epochs->size() == 1)
    return load_programs(options.program, options.hex, chips, options.kernel);
  if (!execution::is_kernel_file(options.program))
    return bad_input(fmt::format("{} is no kernel", options.program),
                     "several releases of SFPI are for C++ files");
  if (options.emit == "recording")
    return bad_input("a recording is for one release of SFPI", "name one with --sfpi");
  if (auto checked = check_for_releases(options); !checked) return Unexpected(checked.error());
  return load_releases(options.program, chips, options.kernel);
}

/// What all programs run on.
struct Inputs {
  formats::Format format = formats::Format::BF16;
  std::optional<formats::Format> output_format;
  std::vector<tensors::Tensor> dst;
  Sources sources;
};

execution::TileRunOptions tile_options(const RunOptions& options, const LoadedProgram& program,
                                       const Inputs& inputs) {
  execution::TileRunOptions tile;
  tile.format = inputs.format;
  tile.srca = inputs.sources.srca;
  tile.srcb = inputs.sources.srcb;
  tile.output_tile = options.out_tile;
  tile.output_format = inputs.output_format;
  tile.as_kernel = program.as_kernel();
  if (options.hazards == HazardPolicy::Model) tile.hazards = timing::HazardModel::Hardware;
  return tile;
}

/// The recordings of all chips, of a kernel whose text a program has.
std::string emitted_recording(const std::vector<LoadedProgram>& programs) {
  const execution::CompiledKernel& first = *programs.front().kernel;
  sfpi::RecordedKernel kernel{.file = first.recording.name, .source = {}, .recordings = {}};
  for (const std::string& line : first.source) kernel.source += line + "\n";
  for (const LoadedProgram& each : programs) kernel.recordings.push_back(each.kernel->recording);
  return sfpi::recording_text(kernel);
}

void print_emitted(const RunOptions& options, const std::vector<LoadedProgram>& programs) {
  if (options.emit == "recording") {
    fmt::print("{}", emitted_recording(programs));
    return;
  }
  for (const LoadedProgram& each : programs) {
    if (programs.size() > 1)
      fmt::print("; {}, SFPI {}\n", arch_params(each.arch).names.full,
                 compiler::epoch_text(each.kernel->recording.epoch));
    if (options.emit == "asm") fmt::print("{}", report::kernel_assembly(*each.kernel));
    if (options.emit == "words") fmt::print("{}", report::kernel_words(*each.kernel));
    if (options.emit == "tti") fmt::print("{}", report::kernel_tti(*each.kernel));
    if (options.emit == "ir") fmt::print("{}", compiler::to_text(each.kernel->recording));
  }
}

/// What is known of the programs before they run.
struct Outlook {
  bool may_run = true; ///< as --hazards says
  std::vector<execution::ProgramOutlook> programs;
};

/// Schedules what will run, and looks for hazards and for what nobody has programmed.
Expected<Outlook> look_ahead(const RunOptions& options, const std::vector<LoadedProgram>& programs,
                             const Inputs& inputs) {
  Outlook outlook;
  outlook.programs.reserve(programs.size());
  for (const LoadedProgram& each : programs) {
    auto known = execution::look_ahead(each, inputs.dst, tile_options(options, each, inputs),
                                       options.hazards != HazardPolicy::Off);
    if (!known) return Unexpected(known.error());
    if (known->checked) {
      const bool may_run = report_hazards(*known->checked, options.hazards);
      outlook.may_run = outlook.may_run && may_run;
    }
    outlook.programs.push_back(std::move(*known));
  }
  return outlook;
}

/// What the first tile shows beside its results, as the options ask.
execution::ProgramRunOptions run_options(const RunOptions& options, const LoadedProgram& program,
                                         const Inputs& inputs, const compiler::Options& compiler) {
  execution::ProgramRunOptions result{.tile = tile_options(options, program, inputs),
                                      .compiler = compiler,
                                      .interpret = options.interpret};
  result.print = [](const std::string& line) { fmt::print("{}", line); };
  if (options.trace) {
    result.observe = [arch = program.arch](MachineState& state, std::span<const MicroOp> prepared) {
      print_trace(arch, state, prepared);
    };
  }
  return result;
}

Expected<std::vector<execution::TileRun>> run_all(const RunOptions& options,
                                                  const std::vector<LoadedProgram>& programs,
                                                  const Inputs& inputs, const Outlook& outlook) {
  const auto compiler = compiler_options(options.kernel);
  if (!compiler) return Unexpected(compiler.error());
  std::vector<execution::TileRun> runs;
  runs.reserve(programs.size());
  for (const LoadedProgram& each : programs) {
    auto run =
        execution::run_program(each, inputs.dst, run_options(options, each, inputs, *compiler),
                               outlook.programs[runs.size()]);
    if (!run) return Unexpected(run.error());
    for (const std::string& note : run->notes)
      tell("{}: {}\n", arch_params(each.arch).names.id, note);
    runs.push_back(std::move(run->run));
  }
  return runs;
}

/// What several releases made of the kernel.
Expected<void> print_releases(const RunOptions& options, const std::vector<LoadedProgram>& programs,
                              const Inputs& inputs, const std::vector<execution::TileRun>& runs,
                              std::size_t elements) {
  std::vector<report::ReleaseRun> releases;
  releases.reserve(programs.size());
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const LoadedProgram& each = programs[i];
    const auto timed =
        execution::schedule_on_tile(each.arch, each.program, tile_options(options, each, inputs));
    if (!timed) return Unexpected(timed.error());
    const auto cost = timing::tile_cost(timed->start, each.program, true);
    releases.push_back({.epoch = each.kernel->recording.epoch,
                        .words = each.program.words.size(),
                        .lregs = each.kernel->compiled.lregs,
                        .cycles = cost.pass.cycles * cost.passes(),
                        .run = runs[i]});
  }
  if (options.json) {
    fmt::print("{}\n", report::releases_json(inputs.dst, releases).dump(2));
  } else {
    fmt::print("{}", report::releases_text(inputs.dst, releases, elements));
  }
  return {};
}

Expected<void> print_results(const RunOptions& options, const std::vector<LoadedProgram>& programs,
                             const Inputs& inputs, const std::vector<execution::TileRun>& runs,
                             std::size_t elements) {
  if (options.kernel.releases.size() > 1)
    return print_releases(options, programs, inputs, runs, elements);
  if (options.json) {
    nlohmann::json result = report::run_json(inputs.dst, runs);
    const auto reference = reference_json(options.sources, inputs.sources, runs);
    if (!reference) return Unexpected(reference.error());
    if (!reference->is_null()) result["reference_error"] = *reference;
    for (const LoadedProgram& each : programs) {
      if (each.kernel) result["kernels"].push_back(report::kernel_json(*each.kernel));
    }
    fmt::print("{}\n", result.dump(2));
    return {};
  }
  fmt::print(
      "{}", report::run_table(inputs.dst, runs, {.elements = elements, .summary = !options.quiet}));
  if (auto printed = print_reference(options.sources, inputs.sources, runs); !printed)
    return printed;
  if (options.quiet) return {};
  const std::size_t most_lines = options.listing ? SIZE_MAX : kListedLines / programs.size();
  for (const LoadedProgram& each : programs) {
    if (each.kernel) fmt::print("\n{}", report::kernel_listing(*each.kernel, most_lines));
  }
  return {};
}

/// What --hazards asks for needs a clock.
Expected<void> check_hazards_option(const RunOptions& options, const std::vector<Arch>& chips) {
  if (options.hazards == HazardPolicy::Warn || options.hazards == HazardPolicy::Off) return {};
  for (const Arch arch : chips) {
    const ArchParams& chip = arch_params(arch);
    if (chip.has_clock) continue;
    return bad_input(fmt::format("no public source tells the hazards of {}", chip.names.family),
                     fmt::format("leave out --hazards={}", options.hazards_text));
  }
  return {};
}

/// --hazards. Error: BadInput for what is no policy.
Expected<HazardPolicy> chosen_policy(const RunOptions& options) {
  auto policy = execution::parse_hazard_policy(options.hazards_text);
  if (!policy) policy.error().file = "--hazards";
  return policy;
}

Expected<void> check_output_name(const std::string& name) {
  if (name.empty() || name.ends_with(".npy")) return {};
  return bad_input(fmt::format("--out writes NumPy files, and {} is not named so", in_quotes(name)),
                   "end the name in .npy");
}

/// Formats, tiles and sources, as the options name them.
Expected<Inputs> load_all_inputs(const RunOptions& options) {
  const auto formats = chosen_formats(options.format, options.output_format);
  if (!formats) return Unexpected(formats.error());
  if (auto usable = check_output_name(options.out); !usable) return Unexpected(usable.error());
  auto dst = load_inputs(options, formats->format);
  if (!dst) return Unexpected(dst.error());
  auto sources = load_sources(options.sources, !dst->empty());
  if (!sources) return Unexpected(sources.error());
  return Inputs{formats->format, formats->output_format, std::move(*dst), std::move(*sources)};
}

/// What the options ask for, beside the programs.
struct Request {
  std::vector<Arch> chips;
  std::size_t elements = 0; ///< to show
  Inputs inputs;
};

/// Puts the policy into the options, and the operation of a checkout.
Expected<Request> settle(RunOptions& options) {
  const auto policy = chosen_policy(options);
  if (!policy) return Unexpected(policy.error());
  options.hazards = *policy;
  const auto elements = shown_elements(options.show);
  if (!elements) return Unexpected(elements.error());
  auto chips = chosen_chips(options.archs);
  if (!chips) return Unexpected(chips.error());
  if (auto usable = check_hazards_option(options, *chips); !usable)
    return Unexpected(usable.error());
  if (auto settled = settle_op(options.program, options.kernel.checkout,
                               {&options.format, &options.output_format});
      !settled)
    return Unexpected(settled.error());
  auto inputs = load_all_inputs(options);
  if (!inputs) return Unexpected(inputs.error());
  return Request{std::move(*chips), *elements, std::move(*inputs)};
}

/// Tells the faults of each run, and writes its result where --out asks for a file. Whether the
/// results are valid.
Expected<bool> deliver(const RunOptions& options, const std::vector<execution::TileRun>& runs) {
  bool valid = true;
  for (const execution::TileRun& each : runs) {
    valid = report_faults(each, options.hazards) && valid;
    if (options.out.empty()) continue;
    const std::string path = output_path(options.out, each.arch, runs.size());
    if (auto written = tensors::write_npy(path, each.output); !written)
      return Unexpected(written.error());
  }
  return valid;
}

Expected<ExitStatus> run_loaded(const RunOptions& options, const Request& request,
                                const std::vector<LoadedProgram>& programs) {
  const auto outlook = look_ahead(options, programs, request.inputs);
  if (!outlook) return Unexpected(outlook.error());
  if (!outlook->may_run) {
    tell("nothing was run, as --hazards=error asks\n");
    return exit_status(false);
  }
  const auto runs = run_all(options, programs, request.inputs, *outlook);
  if (!runs) return Unexpected(runs.error());
  const auto valid = deliver(options, *runs);
  if (!valid) return Unexpected(valid.error());
  if (auto printed = print_results(options, programs, request.inputs, *runs, request.elements);
      !printed)
    return Unexpected(printed.error());
  return exit_status(*valid);
}

ExitStatus run(RunOptions options) {
  const auto request = settle(options);
  if (!request) return fail(request.error());
  const auto programs = load_all(options, request->chips);
  if (!programs) return fail(programs.error());
  if (!options.emit.empty()) {
    print_emitted(options, *programs);
    return ExitStatus::Success;
  }
  const auto status = run_loaded(options, *request, *programs);
  return status ? *status : fail(status.error());
}

} // namespace

void add_run(CommandLine& line) {
  const Command command =
      line.add_command("run", "Execute a program over 32x32 tiles, bit for bit");
  auto options = std::make_shared<RunOptions>();
  command.option("program", options->program,
                 "A kernel (C++ with SFPI: docs/kernels.md), its ELF with --call (docs/elf.md), "
                 "assembly (docs/assembly.md), or words in "
                 "hexadecimal; - for assembly from standard input");
  command
      .option("--in", options->inputs,
              "Input tile, the n-th into tile n-1 of Dst; INPUT@FORMAT if it has another "
              "format than --format:\n" +
                  tensors::pattern_help())
      .value("INPUT");
  std::string formats;
  for (const formats::Format format : formats::kFormats)
    formats += fmt::format(" {}", formats::format_name(format));
  add_format_option(command, options->format, "Format of the tiles in Dst:" + formats);
  add_source_options(command, options->sources);
  add_every_archs_option(command, options->archs, "several side by side");
  command.flag("--hex", options->hex, "The program is words in hexadecimal (default for *.hex)");
  command.option("--out", options->out, "Write the result as a NumPy file").value("FILE");
  add_output_format_option(command, options->output_format, "Format of the result",
                           " than --format");
  command.option("--out-tile", options->out_tile, "The tile of Dst that is the result (default 0)");
  command.option("--show", options->show,
                 "Elements in the table: a number (default 32, spread evenly) or all");
  const Option quiet =
      command.flag("--quiet", options->quiet, "Print the table of results only, and no listing");
  command
      .flag("--listing", options->listing,
            "List all words of a kernel instead of the first, with the lines they come from")
      .excludes(quiet);
  command.flag("--json", options->json, "Print the result as JSON");
  command.flag("--trace", options->trace,
               "Print every instruction of the first tile and what it changed");
  command
      .option("--emit", options->emit,
              "Print the kernel instead of running it: asm, words, tti, ir, or its recording "
              "(docs/recordings.md)")
      .one_of({"asm", "words", "tti", "ir", "recording"});
  command.flag("--interpret", options->interpret,
               "Interpret the kernel with unlimited registers instead of running its words");
  command
      .option("--hazards", options->hazards_text,
              "What to do about instructions that come too close together "
              "(docs/hazards.md): warn (default), "
              "model (execute what the hardware would read), error (do not run), off")
      .value("warn|model|error|off");
  add_kernel_options(command, options->kernel);
  command.footer("Exit status 1 if the program did something whose result cannot be relied on.");
  command.action([options] { return run(*options); });
}

} // namespace lanewise::cli
