// lanewise tune KERNEL: the fastest equivalent program, found and proved.
#include "study/tune/tune.h"
#include "base/in_quotes.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "cli/formats.h"
#include "cli/output.h"
#include "cli/program.h"
#include "cli/progress.h"
#include "cli/remembering.h"
#include "cli/tune_chain.h"
#include "cli/tune_text.h"
#include "number/formats/format.h"
#include "number/references/reference.h"
#include "report/time/figures.h"
#include "report/time/measure.h"
#include "report/tune/json.h"
#include "report/tune/table.h"
#include "report/tune/text.h"
#include "source/checkouts/op.h"

namespace lanewise::cli {

namespace {

Expected<tune::TuneOptions> tune_options(const TuneCommand& command) {
  tune::TuneOptions options{.macros = !command.no_macros,
                            .conservative = command.conservative,
                            .seconds = command.seconds,
                            .name = command.name};
  if (command.steps != 0) options.steps_per_interval = command.steps;
  if (is_tti(command) && !command.table) options.form = tune::Form::Tti;
  if (command.emit == "words") options.form = tune::Form::Words;
  const auto formats = chosen_formats(command.format, command.out_format);
  if (!formats) return Unexpected(formats.error());
  options.proof.format = formats->format;
  options.proof.output_format = formats->output_format;
  options.proof.operands = std::max(1U, command.operands);
  options.proof.threads = command.threads;
  options.proof.solver_time =
      std::chrono::milliseconds(static_cast<std::int64_t>(command.solver_seconds * 1000));
  for (const std::string& each : command.allowed) {
    if (each == "nan") options.proof.allow_nan = true;
    if (each == "denormal") options.proof.allow_denormal = true;
    if (each != "nan" && each != "denormal")
      return bad_input(fmt::format("--allow has no {}", in_quotes(each)),
                       "it takes nan and denormal");
  }
  return options;
}

/// Of a kernel that LLK calls: what "before" would be in the other order.
Expected<std::string> orders_text(const LoadedProgram& loaded, const TuneCommand& command,
                                  const tune::TuneOptions& options) {
  const auto compiler = compiler_options(command.options);
  if (!compiler) return Unexpected(compiler.error());
  const auto timed =
      report::measure_time(loaded, {.format = options.proof.format, .compiler = *compiler});
  if (!timed) return Unexpected(timed.error());
  if (!timed->other_cycles) return std::string();
  return report::compiled_sentence(*timed) + "\n";
}

/// Why the kernel cannot be tuned, and the plain program.
ExitStatus offer_plain(const Fault& refusal, const LoadedProgram& loaded,
                       const TuneCommand& command) {
  if (command.json) return fail(refusal);
  if (auto done = deliver(plain_code(loaded, command), command.out); !done)
    return fail(done.error());
  return fail(refusal);
}

ExitStatus print_json(const tune::TuneResult& result, const LoadedProgram& loaded,
                      const TuneCommand& command, const tune::TuneOptions& options) {
  const auto errors =
      asked_errors(command, {loaded.arch, loaded.program, loaded.as_kernel()}, options);
  if (!errors) return fail(errors.error());
  auto json = report::tune_json(result, loaded.program.name);
  if (*errors) {
    json["reference"] = command.reference;
    json["largest_ulp"] = (*errors)->largest;
    json["mean_ulp"] = (*errors)->mean();
  }
  if (auto done = deliver(json.dump(2) + "\n", command.out); !done) return fail(done.error());
  return exit_status(result.tuned.has_value());
}

ExitStatus tune_one(const LoadedProgram& loaded, const TuneCommand& command,
                    tune::TuneOptions options) {
  const tune::Plain plain{loaded.arch, loaded.program, loaded.as_kernel()};
  auto line = std::make_unique<ProgressLine>();
  options.progress = watched(*line);
  const auto result = tune::tune(plain, options);
  line.reset();
  if (!result && result.error().kind == FaultKind::Unsupported)
    return offer_plain(result.error(), loaded, command);
  if (!result) return fail(result.error());
  if (command.json) return print_json(*result, loaded, command, options);
  const auto accuracy = accuracy_text(command, plain, options);
  if (!accuracy) return fail(accuracy.error());
  const auto orders = orders_text(loaded, command, options);
  if (!orders) return fail(orders.error());
  std::string text =
      as_comment(report::tune_text(*result, loaded.program.name) + *orders + *accuracy);
  text += result->tuned ? result->text : plain_code(loaded, command);
  if (auto done = deliver(text, command.out); !done) return fail(done.error());
  return exit_status(result->tuned.has_value());
}

/// The fastest program within an error, and the front that it is of.
ExitStatus tune_one_within(const LoadedProgram& loaded, const TuneCommand& command,
                           tune::TuneOptions options) {
  auto line = std::make_unique<ProgressLine>();
  options.progress = watched(*line);
  const auto output = tuned_front(loaded, command.front, options, command.reference);
  line.reset();
  if (!output && output.error().kind == FaultKind::Unsupported)
    return offer_plain(output.error(), loaded, command);
  if (!output) return fail(output.error());
  std::string text = output->report;
  if (!command.front.json)
    text = as_comment(text) + (output->code.empty() ? plain_code(loaded, command) : output->code);
  if (auto done = deliver(text, command.out); !done) return fail(done.error());
  return exit_status(!output->code.empty());
}

/// The function that a kernel of the examples computes is in the name of its file: tanh.cpp.
std::string error_by_name(const std::string& name, const tune::Plain& plain,
                          const tune::ProofOptions& options) {
  const auto reference = references::parse_reference(name + "(x)");
  if (!reference) return {};
  const auto error = errors_against(**reference, plain, options);
  if (!error) return {};
  return fmt::format("{:.0f} ULP against {}(x), mean {:.2f}", error->largest, name, error->mean());
}

Expected<std::optional<tune::TuneResult>> tune_form(const tune::Plain& plain,
                                                    tune::TuneOptions options, bool macros,
                                                    std::string& refusal) {
  ProgressLine line;
  options.macros = macros;
  options.progress = watched(line);
  auto result = tune::tune(plain, options);
  if (result) return std::optional(std::move(*result));
  if (result.error().kind != FaultKind::Unsupported) return Unexpected(result.error());
  refusal = result.error().message;
  return std::nullopt;
}

Expected<report::TunedKernel> table_entry(const LoadedProgram& loaded,
                                          const tune::TuneOptions& options) {
  const tune::Plain plain{loaded.arch, loaded.program, loaded.as_kernel()};
  const std::string name = std::filesystem::path(loaded.program.name).stem().string();
  report::TunedKernel entry{.name = name, .plain_form = {}, .macro_form = {}};
  for (const bool macros : {false, true}) {
    auto result = tune_form(plain, options, macros, entry.refusal);
    if (!result) return Unexpected(result.error());
    (macros ? entry.macro_form : entry.plain_form) = std::move(*result);
  }
  entry.largest_error = error_by_name(name, plain, options.proof);
  return entry;
}

Expected<std::vector<LoadedProgram>> load_all(const TuneCommand& command,
                                              const std::vector<Arch>& chips) {
  std::vector<LoadedProgram> all;
  const std::vector<std::string>& calls = command.options.calls;
  for (std::size_t i = 0; i < command.kernels.size(); ++i) {
    KernelOptions own = command.options;
    if (is_chain(command) && calls.size() > 1) own.calls = {calls[i]};
    auto programs = load_programs(command.kernels[i], command.hex, chips, own);
    if (!programs) return programs;
    for (LoadedProgram& each : *programs) all.push_back(std::move(each));
  }
  return all;
}

ExitStatus print_table(const std::vector<LoadedProgram>& programs, const TuneCommand& command,
                       const tune::TuneOptions& options) {
  std::vector<report::TunedKernel> kernels;
  for (const LoadedProgram& each : programs) {
    auto entry = table_entry(each, options);
    if (!entry) return fail(entry.error());
    kernels.push_back(std::move(*entry));
    if (interrupted()) break;
  }
  if (auto done = deliver(report::tune_table(kernels), command.out); !done)
    return fail(done.error());
  return ExitStatus::Success;
}

/// What --op leaves open: the program, formats and operands.
Expected<void> settle_program(TuneCommand& command) {
  CheckoutOptions& checkout = command.options.checkout;
  std::string program = command.kernels.empty() ? "" : command.kernels.front();
  if (auto settled = settle_op(program, checkout, {&command.format, &command.out_format}); !settled)
    return settled;
  if (command.kernels.empty()) command.kernels = {program};
  const checkouts::SfpuOp* op = checkouts::find_op(checkout.op);
  if (op == nullptr || command.operands != 0) return {};
  command.operands = op->operands;
  return {};
}

ExitStatus run_corpus(const TuneCommand& command, std::span<const Arch> chips) {
  const auto compiler = compiler_options(command.options);
  if (!compiler) return fail(compiler.error());
  auto options = tune_options(command);
  if (!options) return fail(options.error());
  options->form = tune::Form::Assembly; // the others are read through g++
  if (command.steps == 0) options->steps_per_interval = kCorpusSteps;
  watch_for_interrupt();
  corpus::CorpusTuning tuning{.chips = {chips.begin(), chips.end()},
                              .compiler = *compiler,
                              .limits = kernel_limits(command.options),
                              .tune = std::move(*options)};
  return (command.emit == "patch" ? patch_checkout : tune_checkout)(command.corpus,
                                                                    std::move(tuning), command.out);
}

/// What may differ is known of inputs that are gone through, and of pairs.
Expected<void> check_allowed(const TuneCommand& command) {
  constexpr unsigned kMost = 2;
  if (command.allowed.empty() || command.operands <= kMost) return {};
  return bad_input("--allow is for programs of one or two operands",
                   "without it, every result has to be the same");
}

/// Patches are of a checkout, and of a checkout there is no other code.
Expected<void> check_emit(const TuneCommand& command) {
  if ((command.emit == "patch") == !command.corpus.folder.empty() || command.emit.empty())
    return {};
  if (command.emit == "patch")
    return bad_input("--emit patch is for the headers of a checkout", "name one with --corpus DIR");
  return bad_input(fmt::format("--corpus prints no {}", in_quotes(command.emit)),
                   "it takes --emit patch, or gives a table without");
}

/// A table has none, and of one kernel or chain there is one object.
Expected<void> check_json(const TuneCommand& command, std::size_t chips) {
  if (!command.json) return {};
  if (command.table)
    return bad_input("--table is Markdown and has no JSON",
                     "tune each kernel with --json, or a checkout with --corpus");
  if (chips == 1) return {};
  return bad_input("--json shows what was found for one chip", "name it with --arch");
}

ExitStatus run_tune(TuneCommand command) {
  command.corpus.json = command.front.json = command.json;
  if (auto fits = check_tune_corpus_options(command.corpus); !fits) return fail(fits.error());
  if (auto fits = check_emit(command); !fits) return fail(fits.error());
  if (auto fits = tune::check_function_name("--name", command.name); !fits)
    return fail(fits.error());
  const auto chips = chosen_chips(command.archs, "tune", ChipNeed::Clock);
  if (!chips) return fail(chips.error());
  if (!command.corpus.folder.empty()) return run_corpus(command, *chips);
  if (auto settled = settle_program(command); !settled) return fail(settled.error());
  if (auto fits = check_allowed(command); !fits) return fail(fits.error());
  const auto options = tune_options(command);
  if (!options) return fail(options.error());
  if (auto done = check_can_write(command.out); !done) return fail(done.error());
  const std::size_t wanted = command.kernels.size() * chips->size();
  if (auto fits = check_chain(command); !fits) return fail(fits.error());
  if (auto fits = check_json(command, chips->size()); !fits) return fail(fits.error());
  if (!command.front.max_ulp) command.front.json = false; // these have JSON of their own
  if (auto fits = check_front(command.front, options->proof, command.table, wanted); !fits)
    return fail(fits.error());
  const auto programs = load_all(command, *chips);
  if (!programs) return fail(programs.error());
  watch_for_interrupt();
  if (command.table) return print_table(*programs, command, *options);
  if (is_chain(command)) return tune_chains(*programs, *chips, command, *options);
  ExitStatus status = ExitStatus::Success;
  for (const LoadedProgram& each : *programs) {
    const ExitStatus one = command.front.max_ulp ? tune_one_within(each, command, *options)
                                                 : tune_one(each, command, *options);
    if (one != ExitStatus::Success) status = one;
  }
  return status;
}

} // namespace

void add_tune(CommandLine& line) {
  const Command command = line.add_command(
      "tune",
      "Find the fastest equivalent program of a kernel's rows, with SFPLOADMACRO, and "
      "prove it over every input");
  auto options = std::make_shared<TuneCommand>();
  const Option kernels =
      command.option("kernels", options->kernels,
                     "Kernels, assembly or words, as for 'sweep'; several are tuned as a chain on "
                     "the same tile, in their order");
  add_archs_option(command, options->archs);
  add_format_option(command, options->format, "Format of the tiles in Dst");
  add_output_format_option(command, options->out_format, "Format of the results");
  const Option reference = command
                               .option("--ref", options->reference,
                                       "Also say how far the kernel is from this, as in 'sweep'")
                               .value("FUNCTION");
  command
      .option("--emit", options->emit,
              "Code: tti (default: C++), asm or words; with --corpus patch: a "
              "file per header, which git apply takes, in the folder of --out")
      .one_of({"tti", "asm", "words", "patch"});
  command.option("--name", options->name, "Of the functions in C++ (default tuned)").value("NAME");
  command.option("-o,--out", options->out, "Write to a file instead of standard output")
      .value("FILE");
  command
      .option("--time-limit", options->seconds,
              "Seconds of processor time for everything but the last proof (default 60)")
      .value("SECONDS")
      .range(0.1, 86400.0);
  command
      .option(
          "--steps", options->steps,
          fmt::format("Steps of the search at an interval, the same on any machine (default {}, "
                      "with --corpus {})",
                      tune::TuneOptions{}.steps_per_interval, kCorpusSteps))
      .range(std::uint64_t{1}, std::uint64_t{1} << 40);
  command
      .option("--solver-time", options->solver_seconds,
              "Seconds of processor time for each question to z3, which proves pairs of 32 bits "
              "(default 60)")
      .value("SECONDS")
      .range(0.1, 86400.0);
  command.flag("--conservative", options->conservative,
               "Only what shipped kernels do: macros that count instructions");
  command.flag("--no-macros", options->no_macros, "Interleaved rows alone, without SFPLOADMACRO");
  command
      .option("--allow", options->allowed,
              "Inputs for which results may differ: nan, denormal; they are listed")
      .value("INPUTS")
      .delimiter(',');
  const Option operands =
      command
          .option("--operands", options->operands,
                  "Tiles that are read: 1 to 8 (default: of an operation its own, else 1)")
          .range(std::uint64_t{1}, std::uint64_t{8});
  command.option("--threads", options->threads, "Threads for the proof (default: all)");
  const Option table = command.flag(
      "--table", options->table, "All kernels in one table in Markdown, without and with macros");
  const Option max_ulp = add_front_options(command, options->front);
  command.flag(
      "--json", options->json,
      "JSON: what was found; with --corpus the table, with --max-ulp the front, of several "
      "kernels the chain");
  command.flag("--hex", options->hex, "The program is words in hexadecimal");
  add_no_cache_option(command);
  add_tune_corpus_options(command, options->corpus, {kernels, reference, operands, table, max_ulp});
  add_kernel_options(command, options->options);
  command.footer(
      "Exit status 0 if a faster program was proved, 1 if not, 2 if the kernel cannot be tuned. "
      "docs/tuning.md has more.");
  command.action([options] { return run_tune(*options); });
}

} // namespace lanewise::cli
