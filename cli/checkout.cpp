#include "cli/checkout.h"

#include <fmt/format.h>

#include <array>

#include "cli/command.h"
#include "numbers/format.h"
#include "trees/op_table.h"

namespace lanewise::cli {

namespace {

Expected<trees::OpChoice> op_choice(const CheckoutOptions& options) {
  trees::OpChoice choice{.dst_width = options.fp32_dst ? "true" : "false"};
  for (const std::string& text : options.parameters) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      return bad_input(fmt::format("--param takes NAME=VALUE, not '{}'", text),
                       "'lanewise list DIR' lists the names");
    }
    choice.parameters.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return choice;
}

/// tt-metal keeps integers in Dst as two's complement, whose bits uint32 shows; int32 is sign and
/// magnitude.
std::string format_of(trees::OpElement element) {
  switch (element) {
    case trees::OpElement::Float: return "bf16";
    case trees::OpElement::Int32:
    case trees::OpElement::UInt32: return "uint32";
    case trees::OpElement::UInt16: return "uint16";
  }
  return "bf16";
}

/// The formats of an operation's tiles, where the user has not chosen others.
void settle_formats(const trees::SfpuOp& op, TileFormats formats) {
  if (formats.format == nullptr) return;
  const bool is_default = *formats.format == "bf16";
  if (is_default) *formats.format = trees::needs_wide_dst(op) ? "fp32" : format_of(op.element);
  if (formats.output_format == nullptr || !formats.output_format->empty()) return;
  if (op.result != op.element) *formats.output_format = format_of(op.result);
}

} // namespace

void add_checkout_options(const Command& command, CheckoutOptions& options) {
  constexpr const char* kGroup = "Kernels of tt-metal (docs/metal.md)";
  command
      .option("--metal", options.folder,
              "Checkout of tt-metal or tt-llk: its headers are found, and kernels are compiled as "
              "its build does")
      .group(kGroup);
  command
      .option(
          "--op", options.op,
          "Operation of the checkout instead of a program: gelu; 'lanewise list DIR' lists them")
      .group(kGroup);
  command
      .option("--param", options.parameters,
              "A parameter of the operation, NAME=VALUE: alpha=0.5, APPROXIMATION_MODE=true")
      .one_at_a_time()
      .group(kGroup);
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
    const trees::SfpuOp* op = trees::find_op(options.op);
    if (op != nullptr) settle_formats(*op, formats);
    program = fmt::format("ckernel_sfpu_{}.h", op == nullptr ? options.op : op->header);
  }
  if (formats.format == nullptr) return {};
  const auto format = lab::parse_format(*formats.format);
  options.fp32_dst = format && lab::is_32bit(*format);
  return {};
}

Expected<void> add_checkout(lab::ProgramFile& file, const CheckoutOptions& options, Arch arch) {
  if (options.folder.empty()) return {};
  const auto checkout = trees::Checkout::open(options.folder, std::array{arch});
  if (!checkout) return Unexpected(checkout.error());
  if (options.op.empty()) {
    checkout->set_up(file.kernel, arch, options.fp32_dst);
    return {};
  }
  const trees::OpTable table(*checkout, arch);
  const auto op = trees::chosen_op(table, options.op);
  if (!op) return Unexpected(op.error());
  const auto choice = op_choice(options);
  if (!choice) return Unexpected(choice.error());
  auto source = table.source(**op, *choice);
  if (!source) return Unexpected(source.error());
  file.name = source->file;
  source->limits = file.kernel.limits;
  source->flags = file.kernel.flags;
  for (const std::string& define : file.kernel.defines) source->defines.push_back(define);
  for (const std::string& folder : file.kernel.include_dirs) source->include_dirs.push_back(folder);
  file.kernel = std::move(*source);
  return {};
}

} // namespace lanewise::cli
