// lanewise fit 'f(x)': the best polynomial or table of lines over a range, as a kernel, swept.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/in_quotes.h"
#include "base/private_folder.h"
#include "cli/chips.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/remembering.h"
#include "cli/sweep_setup.h"
#include "number/fits/approximation.h"
#include "number/fits/kernel_text.h"
#include "report/fit/json.h"
#include "report/fit/text.h"

namespace lanewise::cli {

namespace {

struct FitOptions {
  std::string function, range, coefficients = "fp32", lut, powers = "all", format = "bf16", out;
  std::vector<std::string> archs = whole_arch_names();
  unsigned degree = 3;
  std::uint64_t samples = 1'000'000;
  bool relative = false, absolute = false, json = false;
};

Unexpected at_option(const char* option, Fault fault) {
  fault.file = option;
  fault.column = 0; // the message has it
  return Unexpected(std::move(fault));
}

Expected<sweep::SweepRange> chosen_range(const std::string& text) {
  const auto space = sweep::parse_sweep_space("range:" + text);
  if (!space || !space->range) {
    return bad_input(fmt::format("{} is not a range", in_quotes(text)),
                     "write --range LO:HI, as in --range -1:1");
  }
  const sweep::SweepRange range = *space->range;
  const bool fits =
      std::isfinite(range.lowest) && std::isfinite(range.highest) && range.lowest < range.highest;
  if (!fits) {
    return bad_input(fmt::format("--range {} is not one from a number to a larger one", text),
                     "write --range LO:HI, both finite");
  }
  return range;
}

Expected<fits::FitRequest> fit_request(const FitOptions& options) {
  auto function = references::parse_expression(options.function);
  if (!function) return at_option("the function", function.error());
  const auto range = chosen_range(options.range);
  if (!range) return Unexpected(range.error());
  if (options.relative && options.absolute)
    return bad_input("--relative and --absolute contradict each other", "give one of them");
  // What a table leaves is a part of the largest values, wherever they are; a polynomial should
  // have as many right digits everywhere.
  const bool is_absolute = options.absolute || (!options.lut.empty() && !options.relative);
  return fits::FitRequest{
      .text = options.function,
      .function = std::move(*function),
      .low = range->lowest,
      .high = range->highest,
      .error = is_absolute ? fits::ErrorKind::Absolute : fits::ErrorKind::Relative};
}

/// What the user typed.
std::string command_text(const FitOptions& options) {
  std::string text = fmt::format("./lanewise fit '{}' --range {}", options.function, options.range);
  if (options.lut.empty()) {
    text += fmt::format(" --degree {}", options.degree);
    if (options.coefficients != "fp32") text += " --coefficients " + options.coefficients;
    if (options.powers != "all") text += " --powers " + options.powers;
  } else {
    text += " --lut " + options.lut;
  }
  if (options.relative) text += " --relative";
  if (options.absolute) text += " --absolute";
  if (options.format != "bf16") text += " --format " + options.format;
  return text;
}

fits::Powers chosen_powers(const std::string& name) {
  if (name == "odd") return fits::Powers::Odd;
  return name == "even" ? fits::Powers::Even : fits::Powers::All;
}

/// Fits, and writes the kernel's text into the report.
Expected<report::FitReport> approximate(const FitOptions& options, formats::Format format) {
  const auto request = fit_request(options);
  if (!request) return Unexpected(request.error());
  report::FitReport report;
  report.function = options.function;
  report.low = request->low;
  report.high = request->high;
  const std::string command = command_text(options);
  if (!options.lut.empty()) {
    const auto kind = fits::parse_table_kind(options.lut);
    if (!kind) return Unexpected(kind.error());
    auto table = fits::fit_table(*request, *kind);
    if (!table) return Unexpected(table.error());
    report.kernel = fits::table_kernel(*request, *table, format, command);
    report.table = std::move(*table);
    return report;
  }
  const auto coefficients = fits::parse_coefficient_format(options.coefficients);
  if (!coefficients) return Unexpected(coefficients.error());
  auto polynomial =
      fits::fit_polynomial(*request, options.degree, chosen_powers(options.powers), *coefficients);
  if (!polynomial) return Unexpected(polynomial.error());
  report.coefficients = *coefficients;
  report.kernel = fits::polynomial_kernel(*request, *polynomial, format, command);
  report.polynomial = std::move(*polynomial);
  return report;
}

/// Every number of 16 bits in the range, or a sample of those of 32 bits.
sweep::SweepSpace sweep_space(const report::FitReport& report, formats::Format format,
                              std::uint64_t samples) {
  sweep::SweepSpace space{.range = sweep::SweepRange{report.low, report.high}};
  if (formats::is_32bit(format)) space.sample = sweep::SweepSample{.count = samples};
  return space;
}

/// Compiles the kernel from the file for each chip, and sweeps it over the range.
Expected<sweep::SweepResult> sweep_kernel(const FitOptions& options,
                                          const report::FitReport& report, formats::Format format,
                                          const std::string& file) {
  const auto chips = chosen_chips(options.archs, "fit", ChipNeed::Clock);
  if (!chips) return Unexpected(chips.error());
  const auto programs = load_programs(file, false, *chips, {});
  if (!programs) return Unexpected(programs.error());
  const auto reference = references::parse_reference(options.function);
  if (!reference) return Unexpected(reference.error());
  sweep::SweepOptions sweep{.format = format,
                            .space = sweep_space(report, format, options.samples),
                            .progress = watched_progress()};
  auto result = sweep::sweep(sweep_programs(*programs), **reference, sweep);
  sweep.progress = {}; // wipes the line
  return result;
}

/// The kernel in a file that is gone afterwards.
Expected<sweep::SweepResult> sweep_unnamed(const FitOptions& options,
                                           const report::FitReport& report,
                                           formats::Format format) {
  const PrivateFolder folder("fit");
  if (!folder.is_made())
    return bad_input("cannot make a folder for temporary files", "set TMPDIR to one of your own");
  const std::string file = (folder.path() / "fit.cpp").string();
  if (auto written = write_text_file(file, report.kernel); !written)
    return Unexpected(written.error());
  return sweep_kernel(options, report, format, file);
}

Expected<formats::Format> float_format(const std::string& name) {
  auto format = formats::parse_format(name);
  if (format && formats::is_integer(*format))
    return bad_input(fmt::format("--format {} has whole numbers only", name),
                     "use bf16, fp16 or fp32");
  return format;
}

ExitStatus run_fit(const FitOptions& options) {
  const auto chips = chosen_chips(options.archs, "fit", ChipNeed::Clock);
  if (!chips) return fail(chips.error());
  const auto format = float_format(options.format);
  if (!format) return fail(format.error());
  if (auto possible = check_can_write(options.out); !possible) return fail(possible.error());
  auto report = approximate(options, *format);
  if (!report) return fail(report.error());
  auto swept = sweep_unnamed(options, *report, *format);
  if (!swept) return fail(swept.error());
  report->sweep = std::move(*swept);
  if (!report->sweep.complete()) {
    tell("stopped after {} of {} inputs\n", report->sweep.done, report->sweep.total);
    return exit_status(false);
  }
  if (!options.out.empty()) {
    if (auto written = write_text_file(options.out, report->kernel); !written)
      return fail(written.error());
    report->file = options.out;
  }
  if (options.json) {
    fmt::print("{}\n", report::fit_json(*report).dump(2));
  } else {
    fmt::print("{}", report::fit_text(*report));
  }
  return ExitStatus::Success;
}

} // namespace

void add_fit(CommandLine& line) {
  const Command command = line.add_command(
      "fit", "Fit a polynomial or a table of lines to a function, as a kernel, and sweep it");
  auto options = std::make_shared<FitOptions>();
  command.option("function", options->function, "An expression in x: 'exp(x)'").required();
  command.option("--range", options->range, "The inputs: LO:HI").required();
  command.option("--degree", options->degree, "Of the polynomial (default 3)")
      .range(std::uint64_t{0}, std::uint64_t{fits::kLargestDegree});
  command.option("--powers", options->powers, "Powers of x: all (default), odd or even")
      .one_of({"all", "odd", "even"});
  command.option("--coefficients", options->coefficients,
                 "What a coefficient may be: fp32 (default), or bf16 or fp16, which one SFPLOADI "
                 "holds");
  command
      .option("--lut", options->lut,
              "A table for SFPLUTFP32 instead: fp32 (3 pieces), fp16 (6 pieces, the last from "
              "3 on), fp16-4 (from 4 on)")
      .value("fp32|fp16|fp16-4");
  command.flag("--relative", options->relative, "Smallest relative error (default of polynomials)");
  command.flag("--absolute", options->absolute, "Smallest absolute error (default of tables)");
  add_archs_option(command, options->archs);
  command
      .option("--format", options->format,
              "Format of the kernel's inputs and results: bf16 (default), fp16 or fp32")
      .value("FORMAT");
  command.option("--samples", options->samples, "Inputs of a sweep of fp32 (default 1000000)")
      .range(std::uint64_t{1}, std::uint64_t{1} << 40);
  command.option("--out", options->out, "Write the kernel to a file instead of printing it")
      .value("FILE");
  command.flag("--json", options->json, "Print everything as JSON");
  add_no_cache_option(command);
  command.footer("docs/fit.md explains what is fitted, and how to use it.");
  command.action([options] { return run_fit(*options); });
}

} // namespace lanewise::cli
