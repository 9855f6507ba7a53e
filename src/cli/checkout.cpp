#include "cli/checkout.h"

#include <fmt/format.h>

#include <utility>

#include "base/in_quotes.h"
#include "cli/command.h"
#include "number/formats/format.h"
#include "run/execution/checkout_program.h"
#include "source/checkouts/op.h"

namespace lanewise::cli {

namespace {

/// --param, each NAME=VALUE, as pairs.
Expected<std::vector<std::pair<std::string, std::string>>> split_parameters(
    const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, std::string>> parameters;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      return bad_input(fmt::format("--param takes NAME=VALUE, not {}", in_quotes(text)),
                       "'lanewise list DIR' lists the names");
    }
    parameters.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return parameters;
}

} // namespace

void add_checkout_options(const Command& command, CheckoutOptions& options) {
  constexpr const char* kGroup = "Kernels of tt-metal (docs/metal.md)";
  command
      .option("--metal", options.folder,
              "Checkout of tt-metal or tt-llk: its headers are found, and kernels are compiled as "
              "its build does")
      .value("DIR")
      .more(kGroup);
  command
      .option(
          "--op", options.op,
          "Operation of the checkout instead of a program: gelu; 'lanewise list DIR' lists them")
      .value("OPERATION")
      .more(kGroup);
  command
      .option("--param", options.parameters,
              "A parameter of the operation, NAME=VALUE: alpha=0.5, APPROXIMATION_MODE=true")
      .value("NAME=VALUE")
      .one_at_a_time()
      .more(kGroup);
}

Expected<void> settle_op(std::string& program, CheckoutOptions& options, TileFormats formats) {
  if (options.op.empty()) {
    if (program.empty())
      return bad_input("no program is named",
                       "name a file, or an operation with --metal DIR --op NAME");
    if (!options.parameters.empty())
      return bad_input("--param is for operations", "name one with --op, or use --define");
  } else {
    if (!program.empty())
      return bad_input(fmt::format("there are two programs: {} and --op {}", program, options.op),
                       "leave one of them out");
    if (options.folder.empty())
      return bad_input(
          fmt::format("--op {} is an operation of a checkout, and none is named", options.op),
          "name one of tt-metal with --metal DIR");
    const checkouts::SfpuOp* op = checkouts::find_op(options.op);
    if (op != nullptr && formats.format != nullptr)
      execution::choose_formats(*op, *formats.format, formats.output_format);
    program = fmt::format("ckernel_sfpu_{}.h", op == nullptr ? options.op : op->header);
  }
  if (formats.format == nullptr) return {};
  const auto format = formats::parse_format(*formats.format);
  options.fp32_dst = format && formats::is_32bit(*format);
  return {};
}

Expected<void> add_checkout(execution::ProgramFile& file, const CheckoutOptions& options,
                            Arch arch) {
  auto parameters = split_parameters(options.parameters);
  if (!parameters) return Unexpected(parameters.error());
  return execution::add_checkout(
      file, {options.folder, options.op, std::move(*parameters), options.fp32_dst}, arch);
}

} // namespace lanewise::cli
