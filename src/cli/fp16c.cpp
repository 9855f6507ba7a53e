// lanewise fp16c VALUE: a number in every format of the chip, and back.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "base/in_quotes.h"
#include "cli/command.h"
#include "cli/unknown_word.h"
#include "number/formats/format.h"
#include "number/formats/number_argument.h"
#include "number/formats/number_forms.h"
#include "report/number/facts.h"
#include "report/number/report.h"

namespace lanewise::cli {

namespace {

using formats::NumberArgument;
using report::NumberReport;

struct NumberOptions {
  std::string value, from, dst;
  bool json = false;
};

/// A number whose FP32 is that of a pattern, to the last bit of a NaN.
NumberArgument number_of_fp32(std::uint32_t fp32, double number) {
  return {.kind = NumberArgument::Kind::Number, .number = number, .bits = fp32};
}

Expected<NumberReport> read_as_form(const NumberOptions& options) {
  const auto form = formats::parse_form(options.from);
  if (!form) return Unexpected(form.error());
  const auto pattern = formats::parse_pattern(options.value, formats::form_width(*form));
  if (!pattern) return Unexpected(pattern.error());
  return NumberReport{
      options.value, fmt::format("as {}", options.from),
      number_of_fp32(formats::form_to_fp32(*form, *pattern), formats::form_value(*form, *pattern))};
}

Expected<NumberReport> read_from_dst(const NumberOptions& options) {
  const auto format = formats::parse_format(options.dst);
  if (!format) return Unexpected(format.error());
  const auto stored = formats::parse_pattern(options.value, formats::is_32bit(*format) ? 32 : 16);
  if (!stored) return Unexpected(stored.error());
  const double number = formats::decode(*format, *stored);
  return NumberReport{
      options.value,
      fmt::format("in Dst as {} ({})", options.dst, report::cell_text(*format, *stored)),
      number_of_fp32(formats::round_to_bits(formats::Format::FP32, number), number)};
}

/// What CLI11 takes for options, such as -inf and -.5, may be the number.
Expected<void> find_value(NumberOptions& options, const Command& command) {
  std::vector<std::string> unknown = command.extras();
  std::erase(unknown, "--"); // ends the options, and is none itself
  if (const std::string mistake = command.unknown_option(); !mistake.empty())
    return bad_input(mistake);
  if (!options.value.empty()) unknown.insert(unknown.begin(), options.value);
  if (unknown.size() == 1) {
    options.value = unknown.front();
    return {};
  }
  const std::string remedy = "write 'lanewise fp16c VALUE'; '--help' lists what there is";
  if (unknown.empty()) return bad_input("no number is given", remedy);
  std::string words;
  for (const std::string& word : unknown) words += (words.empty() ? "" : " and ") + in_quotes(word);
  return bad_input("one number is wanted, not " + words, remedy);
}

Expected<NumberReport> read_argument(const NumberOptions& options) {
  if (!options.from.empty()) return read_as_form(options);
  if (!options.dst.empty()) return read_from_dst(options);
  const auto argument = formats::parse_number_argument(options.value);
  if (!argument) return Unexpected(argument.error());
  const bool is_fp32 = argument->kind == NumberArgument::Kind::Fp32Pattern;
  return NumberReport{options.value, is_fp32 ? "as fp32" : "", *argument};
}

ExitStatus fp16c(NumberOptions options, const Command& command) {
  if (const auto found = find_value(options, command); !found) return fail(found.error());
  const auto report = read_argument(options);
  if (!report) return fail(report.error());
  fmt::print("{}", options.json ? report::number_json(*report).dump(2) + "\n"
                                : report::number_text(*report));
  return ExitStatus::Success;
}

} // namespace

void add_fp16c(CommandLine& line) {
  const Command command =
      line.add_command("fp16c", "Convert a number into every format of the chip, and back");
  auto options = std::make_shared<NumberOptions>();
  command.allow_extras();
  command.option("value", options->value,
                 "A number with a point or an exponent (1.5, -2e-3, 0x1.8p3), inf or nan; the "
                 "pattern of an fp32 (0x and more than four digits); or another integer, the "
                 "pattern of a smaller format");
  const Option from = command.option("--from", options->from,
                                     "VALUE is a pattern of this format: fp32, tf32, bf16 (or "
                                     "fp16b), fp16, fp16a, lut16, fp8");
  std::string names;
  for (const formats::Format format : formats::kFormats)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", formats::format_name(format));
  command.option("--dst", options->dst, fmt::format("VALUE is a datum as Dst stores it: {}", names))
      .value("FORMAT")
      .excludes(from);
  command.flag("--json", options->json, "Print everything as JSON");
  command.footer(
      "Takes what SFPI's tool fp16c takes, and prints what that prints; and then what "
      "the chip does (docs/numbers.md).");
  command.action([command, options] { return fp16c(*options, command); });
}

} // namespace lanewise::cli
