// lanewise tune KERNEL: the fastest equivalent program, found and proved.
#include "study/tune/tune.h"
#include "base/characters.h"
#include "base/in_quotes.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "chip/isa/disassembler.h"
#include "cli/command.h"
#include "cli/formats.h"
#include "cli/output.h"
#include "cli/program.h"
#include "cli/progress.h"
#include "cli/remembering.h"
#include "cli/tune_corpus.h"
#include "cli/tune_front.h"
#include "number/formats/format.h"
#include "number/references/reference.h"
#include "report/time/figures.h"
#include "report/time/measure.h"
#include "report/tune/chain.h"
#include "report/tune/table.h"
#include "report/tune/text.h"
#include "source/checkouts/op.h"
#include "study/sweep/sweep.h"
#include "study/tune/chain.h"
#include "study/tune/words.h"

namespace lanewise::cli {

namespace {

struct TuneCommand {
  std::vector<std::string> kernels;
  std::vector<std::string> archs = default_arch_names();
  std::string format = "bf16", out_format, reference, emit, name = "tuned", out;
  std::vector<std::string> allowed;
  double seconds = 60, solver_seconds = 60;
  std::uint64_t steps = 0; ///< 0: as many as usual
  unsigned operands = 0;   ///< 0: of an operation as many as it has, else 1
  unsigned threads = 0;
  bool conservative = false, no_macros = false, hex = false, table = false;
  bool json = false;
  FrontCommand front;
  KernelOptions options;
  TuneCorpusOptions corpus;
};

bool is_tti(const TuneCommand& command) {
  return command.emit.empty() || command.emit == "tti";
}

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

/// Every line as a comment, so that the output is a source as it stands.
std::string as_comment(const std::string& text) {
  std::string result;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    result += line.empty() ? "//\n" : "// " + line + "\n";
    begin = end + 1;
  }
  return result;
}

/// The largest error of the plain kernel, which is that of the tuned one, too.
Expected<sweep::UlpStatistics> errors_against(const references::Reference& reference,
                                              const tune::Plain& plain,
                                              const tune::ProofOptions& options) {
  const sweep::SweepProgram program{plain.arch, plain.program, plain.as_kernel};
  const auto swept = sweep::sweep(std::span(&program, 1), reference,
                                  {.format = options.format,
                                   .output_format = options.output_format,
                                   .threads = options.threads});
  if (!swept) return Unexpected(swept.error());
  return swept->chips.front().error;
}

Expected<std::string> accuracy_text(const TuneCommand& command, const tune::Plain& plain,
                                    const tune::TuneOptions& options) {
  if (command.reference.empty()) return std::string();
  const auto reference = references::parse_reference(command.reference);
  if (!reference) return Unexpected(reference.error());
  const auto error = errors_against(**reference, plain, options.proof);
  if (!error) return Unexpected(error.error());
  return fmt::format("Against {}: largest error {:.0f} ULP at x = 0x{:x}, mean {:.3f}.\n",
                     command.reference, error->largest, error->worst.x, error->mean());
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

std::string plain_word(const LoadedProgram& loaded, std::uint32_t word, const std::string& emit) {
  if (emit == "words") return fmt::format("0x{:08x}\n", word);
  if (emit == "asm") return isa::disassemble(loaded.arch, word) + "\n";
  return fmt::format("  {};\n", tune::tti_text(loaded.arch, word));
}

/// What the plain program expects when it starts, where its form does not bring it.
std::string plain_start(const LoadedProgram& loaded, const std::string& emit) {
  std::string text;
  for (const ConfigSetting& each : loaded.program.config)
    text +=
        fmt::format("{}.cfg {} {}\n", emit == "asm" ? "" : "// It needs ", each.name, each.value);
  for (const MopSetting& each : loaded.program.mop)
    text += fmt::format("// It needs .mop {} 0x{:x} in front of word {}\n", each.index, each.value,
                        each.before);
  if (emit.empty() || emit == "tti" || !loaded.as_kernel()) return text;
  for (const tune::TunedWord& each : tune::entry_words(loaded.arch, true, true))
    text += plain_word(loaded, each.word, emit);
  return text;
}

/// The plain program, in the form that the tuned one would have.
std::string plain_code(const LoadedProgram& loaded, const TuneCommand& command) {
  std::string text = "// Not tuned; this is the plain program.\n";
  const bool is_function = is_tti(command);
  if (is_function) text += fmt::format("inline void {}_tile() {{\n", command.name);
  text += plain_start(loaded, command.emit);
  for (const ProgramWord& each : loaded.program.words)
    text += plain_word(loaded, each.word, command.emit);
  return is_function ? text + "}\n" : text;
}

/// Why the kernel cannot be tuned, and the plain program.
ExitStatus offer_plain(const Fault& refusal, const LoadedProgram& loaded,
                       const TuneCommand& command) {
  if (auto done = deliver(plain_code(loaded, command), command.out); !done)
    return fail(done.error());
  return fail(refusal);
}

/// Shows progress, and ends the search after Ctrl-C. The last proof may take minutes: that it has
/// begun is said where no terminal shows it, too.
std::function<bool(const tune::TuneProgress&)> watched(ProgressLine& line) {
  bool ended = false; // by Ctrl-C during the search: then the proof goes on until the next one
  bool told = false;
  return [&line, ended, told](const tune::TuneProgress& progress) mutable {
    if (progress.is_proof && !told) {
      told = true;
      tell(
          "a program of {} cycles for a tile was found; now it is proved, which may take "
          "minutes (Ctrl-C: the plain program)\n",
          progress.best_cycles.value_or(0));
    }
    line.show(progress.best_cycles
                  ? fmt::format("{}; best: {} cycles", progress.text, *progress.best_cycles)
                  : progress.text);
    if (progress.is_proof) return ended || !interrupted();
    ended = interrupted();
    return !ended;
  };
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

/// Several kernels are a chain, where neither a table nor a front of each is asked for.
bool is_chain(const TuneCommand& command) {
  return command.kernels.size() > 1 && !command.table && !command.front.max_ulp;
}

Expected<void> check_chain(const TuneCommand& command, std::size_t chips) {
  if (!is_chain(command)) return {};
  if (!command.options.checkout.op.empty())
    return bad_input("--op names one operation, and a chain has several kernels",
                     "give the kernels of a chain by their files");
  const std::size_t kernels = command.kernels.size(), calls = command.options.calls.size();
  if (calls > 1 && calls != kernels)
    return bad_input(fmt::format("a chain of {} kernels has {} --call", kernels, calls),
                     "give one for each kernel, in their order, or one for all");
  if (!command.json || chips == 1) return {};
  return bad_input("--json shows the chain of one chip", "name it with --arch");
}

/// Kernels of one chip, in their order.
ExitStatus tune_one_chain(std::span<const LoadedProgram> programs, const TuneCommand& command,
                          tune::TuneOptions options) {
  std::vector<tune::ChainKernel> kernels;
  for (const LoadedProgram& each : programs)
    kernels.push_back({each.program.name, {each.arch, each.program, each.as_kernel()}});
  auto line = std::make_unique<ProgressLine>();
  options.progress = watched(*line);
  const auto result = tune::tune_chain(kernels, options);
  line.reset();
  if (!result) return fail(result.error());
  const auto accuracy = accuracy_text(command, result->plain, options);
  if (!accuracy) return fail(accuracy.error());
  std::string text = command.json ? report::chain_json(*result).dump(2) + "\n"
                                  : as_comment(report::chain_text(*result) + *accuracy);
  const tune::ChainForm* best = result->best();
  const LoadedProgram plain{
      .arch = result->arch, .program = result->plain.program, .vendors = result->plain.as_kernel};
  if (!command.json) text += best != nullptr ? best->text : plain_code(plain, command);
  if (auto done = deliver(text, command.out); !done) return fail(done.error());
  return exit_status(best != nullptr);
}

/// One chain for each chip.
ExitStatus tune_chains(std::span<const LoadedProgram> programs, std::span<const Arch> chips,
                       const TuneCommand& command, const tune::TuneOptions& options) {
  ExitStatus status = ExitStatus::Success;
  for (const Arch chip : chips) {
    std::vector<LoadedProgram> own;
    for (const LoadedProgram& each : programs) {
      if (each.arch == chip) own.push_back(each);
    }
    const ExitStatus one = tune_one_chain(own, command, options);
    if (one != ExitStatus::Success) status = one;
  }
  return status;
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

/// Functions in C++ are called by it, with endings.
Expected<void> check_name(const std::string& name) {
  if (!name.empty() && is_name_start(name[0]) && std::ranges::all_of(name, is_name_part)) return {};
  return bad_input(fmt::format("--name: {} is no name of a function in C++", in_quotes(name)),
                   "take letters, digits and _, and no digit first");
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

ExitStatus run_tune(TuneCommand command) {
  command.corpus.json = command.front.json = command.json;
  if (auto fits = check_tune_corpus_options(command.corpus); !fits) return fail(fits.error());
  if (auto fits = check_emit(command); !fits) return fail(fits.error());
  if (auto fits = check_name(command.name); !fits) return fail(fits.error());
  const auto chips = chosen_chips(command.archs, "tune", ChipNeed::Clock);
  if (!chips) return fail(chips.error());
  if (!command.corpus.folder.empty()) return run_corpus(command, *chips);
  if (auto settled = settle_program(command); !settled) return fail(settled.error());
  if (auto fits = check_allowed(command); !fits) return fail(fits.error());
  const auto options = tune_options(command);
  if (!options) return fail(options.error());
  if (auto done = check_can_write(command.out); !done) return fail(done.error());
  const std::size_t wanted = command.kernels.size() * chips->size();
  if (auto fits = check_chain(command, chips->size()); !fits) return fail(fits.error());
  if (is_chain(command)) command.front.json = false; // it has JSON of its own
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
      "JSON: with --corpus the table, with --max-ulp the front, of several kernels the chain");
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
