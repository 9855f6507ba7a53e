#include "cli/diff_sides.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/command.h"

namespace lanewise::cli {

namespace {

bool is_empty(const SecondOptions& options) {
  return options.calls.empty() && options.init.empty() && options.entry.empty() &&
         options.include_dirs.empty() && options.defines.empty() && options.switches.empty() &&
         options.releases.empty() && options.checkout.folder.empty() &&
         options.checkout.op.empty() && options.checkout.parameters.empty();
}

void change(CheckoutOptions& checkout, const CheckoutOptions& other) {
  if (!other.folder.empty()) checkout.folder = other.folder;
  if (!other.op.empty()) checkout.op = other.op;
  // Parameters belong to an operation: another one has none of the first's.
  if (!other.op.empty() || !other.parameters.empty()) checkout.parameters = other.parameters;
}

void change(KernelOptions& kernel, const SecondOptions& other) {
  if (!other.calls.empty()) kernel.calls = other.calls;
  if (!other.init.empty()) kernel.init = other.init;
  if (!other.entry.empty()) kernel.entry = other.entry;
  if (!other.include_dirs.empty()) kernel.include_dirs = other.include_dirs;
  if (!other.defines.empty()) kernel.defines = other.defines;
  if (!other.switches.empty()) kernel.switches = other.switches;
  if (!other.releases.empty()) kernel.releases = other.releases;
  change(kernel.checkout, other.checkout);
}

} // namespace

void add_second_options(const Command& command, SecondOptions& options) {
  constexpr const char* kGroup = "The second kernel (default: as for the first)";
  command.option("--call-b", options.calls, "Its --call")
      .value("STATEMENT")
      .one_at_a_time()
      .more(kGroup);
  command.option("--init-b", options.init, "Its --init").value("STATEMENT").more(kGroup);
  command.option("--entry-b", options.entry, "Its --entry").value("NAME").more(kGroup);
  command.option("--include-b", options.include_dirs, "Its --include")
      .value("DIR")
      .one_at_a_time()
      .more(kGroup);
  command.option("--define-b", options.defines, "Its --define")
      .value("NAME[=VALUE]")
      .one_at_a_time()
      .more(kGroup);
  command.option("--switch-b", options.switches, "Its -f, for instance no-combine")
      .value("SWITCH")
      .one_at_a_time()
      .more(kGroup);
  command.option("--sfpi-b", options.releases, "Its --sfpi")
      .value("RELEASE")
      .one_at_a_time()
      .more(kGroup);
  CheckoutOptions& checkout = options.checkout;
  command.option("--metal-b", checkout.folder, "Its --metal").value("DIR").more(kGroup);
  command.option("--op-b", checkout.op, "Its --op").value("OPERATION").more(kGroup);
  command
      .option("--param-b", checkout.parameters, "Its --param; of another --op-b, all that it has")
      .value("NAME=VALUE")
      .one_at_a_time()
      .more(kGroup);
}

Expected<DiffSides> diff_sides(DiffSide first, std::string second_file,
                               const SecondOptions& options) {
  if (second_file.empty() && is_empty(options))
    return bad_input("there is nothing to compare with",
                     "name a second program, or what is different with an option that ends in -b, "
                     "such as --sfpi-b 7.38");
  DiffSide second = first;
  // A file takes the place of the first's operation, and an operation that of its file.
  if (!second_file.empty()) {
    second.kernel.checkout.op.clear();
    second.kernel.checkout.parameters.clear();
    second.file = std::move(second_file);
  } else if (!options.checkout.op.empty()) {
    second.file.clear();
  }
  change(second.kernel, options);
  return std::array{std::move(first), std::move(second)};
}

Expected<void> settle_sides(DiffSides& sides, TileFormats formats) {
  const std::array chosen{*formats.format, *formats.output_format};
  if (auto settled = settle_op(sides[0].file, sides[0].kernel.checkout, formats); !settled)
    return settled;
  auto [format, output_format] = chosen;
  if (auto settled = settle_op(sides[1].file, sides[1].kernel.checkout, {&format, &output_format});
      !settled)
    return settled;
  if (format == *formats.format && output_format == *formats.output_format) return {};
  return bad_input(
      fmt::format("the tiles of the two have different formats, {}{} and {}{}", *formats.format,
                  formats.output_format->empty() ? "" : " to " + *formats.output_format, format,
                  output_format.empty() ? "" : " to " + output_format),
      "choose those of both with --format and --out-format");
}

namespace {

/// Whether --call, --init and --entry are for a file; one that cannot be read has its error later.
bool takes_calls(const std::string& file) {
  const bool is_elsewhere = execution::is_kernel_file(file) || file.empty() || file == "-";
  const Expected<std::string> text = is_elsewhere ? std::string() : read_text(file);
  return execution::takes_calls(file, text.value_or(""));
}

/// What kernels and ELF files are told does not concern a side of assembly, or of words.
void leave_to_kernels(DiffSides& sides) {
  const bool are_told = std::ranges::any_of(sides, [](const DiffSide& side) {
    return !side.kernel.calls.empty() || !side.kernel.init.empty();
  });
  if (!are_told) return; // files are not looked at for nothing
  const std::array takes{takes_calls(sides[0].file), takes_calls(sides[1].file)};
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (takes[i] || !takes[1 - i]) continue;
    sides[i].kernel.calls.clear();
    sides[i].kernel.init.clear();
  }
}

} // namespace

Expected<void> load_sides(DiffSides& sides, bool hex, std::span<const Arch> chips) {
  leave_to_kernels(sides);
  for (DiffSide& side : sides) {
    auto programs = load_programs(side.file, hex, chips, side.kernel);
    if (!programs) return Unexpected(programs.error());
    side.programs = std::move(*programs);
  }
  return {};
}

std::string side_name(const DiffSide& side, const DiffSide& other) {
  const CheckoutOptions& checkout = side.kernel.checkout;
  std::string name = checkout.op.empty() ? side.file : checkout.op;
  if (!checkout.folder.empty() && checkout.folder != other.kernel.checkout.folder)
    name += ", " + checkout.folder;
  if (checkout.parameters != other.kernel.checkout.parameters)
    for (const std::string& parameter : checkout.parameters) name += ", " + parameter;
  const auto& kernel = side.programs.front().kernel;
  const auto& others = other.programs.front().kernel;
  if (kernel && others && kernel->recording.epoch != others->recording.epoch)
    name += ", SFPI " + compiler::epoch_text(kernel->recording.epoch);
  return name;
}

} // namespace lanewise::cli
