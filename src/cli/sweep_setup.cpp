#include "cli/sweep_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/text_file.h"
#include "cli/chips.h"
#include "cli/command.h"
#include "cli/formats.h"
#include "cli/progress.h"

namespace lanewise::cli {

namespace {

using Clock = std::chrono::steady_clock;

/// The line on the terminal is not rewritten more often.
constexpr std::chrono::milliseconds kBetweenShows{100};

Expected<std::unique_ptr<references::Reference>> parsed_option(const std::string& option,
                                                               const std::string& expression) {
  auto parsed = references::parse_reference(expression);
  if (parsed) return parsed;
  Fault fault = parsed.error();
  fault.file = option;
  fault.column = 0; // the message has it
  return Unexpected(std::move(fault));
}

/// --ref or --ref-file; nullptr if there is neither.
Expected<std::unique_ptr<references::Reference>> chosen_reference(
    const SweepSetupOptions& options) {
  if (!options.reference.empty() && !options.reference_file.empty()) {
    return bad_input("--ref and --ref-file are both given", "give one reference");
  }
  if (!options.reference_file.empty()) return references::compile_reference(options.reference_file);
  if (options.reference.empty()) return nullptr;
  return parsed_option("--ref", options.reference);
}

Expected<std::unique_ptr<references::Reference>> chosen_domain(const SweepSetupOptions& options) {
  if (options.domain.empty()) return nullptr;
  return parsed_option("--domain", options.domain);
}

/// 0 for x, 1 for y.
std::optional<unsigned> operand_of(const std::string& name) {
  if (name.empty()) return std::nullopt;
  return name == "x" ? 0 : 1;
}

/// Inputs below a thousand, million, ... are shown as they are.
std::string short_count(std::uint64_t count) {
  constexpr std::uint64_t kThousand = 1000, kMillion = 1000 * kThousand;
  if (count < 10 * kThousand) return fmt::format("{}", count);
  if (count < kMillion) return fmt::format("{} k", count / kThousand);
  return fmt::format("{:.1f} M", static_cast<double>(count) / static_cast<double>(kMillion));
}

} // namespace

void add_reference_options(const Command& command, SweepSetupOptions& options) {
  command
      .option("--ref", options.reference,
              "What it should compute: an expression in x, and y for a second operand")
      .value("FUNCTION");
  command
      .option("--ref-file", options.reference_file,
              "A C++ file with 'double reference(double x)' or '(double x, double y)'")
      .value("FILE");
}

void add_sweep_setup(const Command& command, SweepSetupOptions& options) {
  add_every_archs_option(command, options.archs, "several");
  add_format_option(command, options.format, "Format of the inputs, and of the tiles in Dst");
  add_output_format_option(command, options.output_format, "Format of the result");
  command.option("--out-tile", options.output_tile, "Tile of Dst that is the result (default 0)");
  command
      .option("--srca", options.srca,
              "The operand, x or y, that SrcA of the Matrix Unit holds instead of Dst")
      .value("INPUT")
      .one_of({"x", "y"});
  command.option("--srcb", options.srcb, "The same for SrcB").one_of({"x", "y"});
  command.option("--inputs", options.inputs,
                 "every (default), range:LO:HI, or sample:N[:SEED[:LO:HI]]; every pair if "
                 "there are two operands");
  command.option("--domain", options.domain,
                 "Only inputs for which this expression is true: 'x > -80 && x < 80'");
  command
      .option("--ulp", options.ulp,
              "How errors are counted (docs/ulp.md; default line):\n" + formats::ulp_measure_help())
      .value("MEASURE");
  command.option("--threads", options.threads, "Threads (default: as many as the machine has)");
  command.flag(
      "--generate", options.generates,
      "Let g++ make native code of the program's loop (default: from 100 million inputs on)");
  command.flag("--no-generate", options.interprets, "Never do so; results are the same");
  command.option("--worst", options.worst, "Worst inputs to show for each chip (default 5)");
  command.flag("--hex", options.hex, "The program is words in hexadecimal (default for *.hex)");
}

Expected<SweepSetup> sweep_setup(const SweepSetupOptions& options) {
  SweepSetup setup;
  auto chips = chosen_chips(options.archs);
  if (!chips) return Unexpected(chips.error());
  setup.chips = std::move(*chips);
  const auto formats = chosen_formats(options.format, options.output_format);
  if (!formats) return Unexpected(formats.error());
  setup.sweep.format = formats->format;
  setup.sweep.output_format = formats->output_format;
  if (options.generates && options.interprets)
    return bad_input("--generate and --no-generate contradict each other", "give one of them");
  const auto measure = formats::parse_ulp_measure(options.ulp);
  if (!measure) return Unexpected(measure.error());
  setup.sweep.measure = *measure;
  const auto space = sweep::parse_sweep_space(options.inputs);
  if (!space) return Unexpected(space.error());
  setup.sweep.space = *space;
  auto domain = chosen_domain(options);
  if (!domain) return Unexpected(domain.error());
  setup.domain = std::move(*domain);
  auto reference = chosen_reference(options);
  if (!reference) return Unexpected(reference.error());
  setup.reference = std::move(*reference);
  setup.sweep.domain = setup.domain.get();
  setup.sweep.output_tile = options.output_tile;
  setup.sweep.sources = {.srca = operand_of(options.srca), .srcb = operand_of(options.srcb)};
  setup.sweep.threads = options.threads;
  setup.sweep.generation = options.generates    ? sweep::Generation::Always
                           : options.interprets ? sweep::Generation::Never
                                                : sweep::Generation::IfLong;
  setup.sweep.worst_cases = static_cast<std::size_t>(options.worst);
  setup.sweep.progress = watched_progress();
  return setup;
}

std::vector<sweep::SweepProgram> sweep_programs(const std::vector<LoadedProgram>& programs) {
  std::vector<sweep::SweepProgram> result;
  result.reserve(programs.size());
  for (const LoadedProgram& each : programs) result.push_back(sweep::sweep_program(each));
  return result;
}

std::vector<report::SweptProgram> swept_programs(std::vector<LoadedProgram> programs) {
  std::vector<report::SweptProgram> result;
  result.reserve(programs.size());
  for (LoadedProgram& each : programs) {
    const bool as_kernel = each.as_kernel();
    result.push_back({each.arch, std::move(each.program), lines_of(each.text), as_kernel});
  }
  return result;
}

std::function<bool(const sweep::SweepProgress&)> watched_progress() {
  watch_for_interrupt();
  const auto line = std::make_shared<ProgressLine>();
  const Clock::time_point start = Clock::now();
  return [line, start, shown = Clock::time_point()](const sweep::SweepProgress& progress) mutable {
    const Clock::time_point now = Clock::now();
    if (now - shown < kBetweenShows) return !interrupted();
    shown = now;
    const double elapsed = std::chrono::duration<double>(now - start).count();
    const std::uint64_t here = progress.done - progress.resumed;
    const double left = here == 0 ? 0
                                  : elapsed * static_cast<double>(progress.total - progress.done) /
                                        static_cast<double>(here);
    line->show(fmt::format("{} of {} inputs, {:.0f} %, {} left", short_count(progress.done),
                           short_count(progress.total),
                           100 * static_cast<double>(progress.done) /
                               static_cast<double>(std::max<std::uint64_t>(1, progress.total)),
                           here == 0 ? "?" : duration_text(left)));
    return !interrupted();
  };
}

std::string duration_text(double seconds) {
  constexpr double kMinute = 60, kHour = 3600;
  if (seconds < kMinute) return fmt::format("{:.0f} s", std::ceil(seconds));
  const auto whole = static_cast<std::uint64_t>(std::min(seconds, 1e9));
  if (seconds < kHour) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

} // namespace lanewise::cli
