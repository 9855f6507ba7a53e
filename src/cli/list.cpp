// lanewise list DIR: the operations of a checkout of tt-metal.
#include <fmt/format.h>

#include <cstdio>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/program.h"
#include "report/metal/ops.h"
#include "source/checkouts/op_table.h"

namespace lanewise::cli {

namespace {

struct ListOptions {
  std::string folder;
  std::vector<std::string> archs = whole_arch_names();
  bool json = false;
};

ExitStatus list(const ListOptions& options) {
  const auto chips = chosen_chips(options.archs, "list", ChipNeed::Kernels);
  if (!chips) return fail(chips.error());
  const auto checkout = checkouts::Checkout::open(options.folder, *chips);
  if (!checkout) return fail(checkout.error());
  report::OpList ops;
  for (const Arch arch : *chips) ops.add(arch, checkouts::OpTable(*checkout, arch));
  if (options.json) {
    fmt::print("{}\n", ops.json().dump(2));
  } else {
    fmt::print("{}", ops.text());
  }
  return ExitStatus::Success;
}

} // namespace

void add_list(CommandLine& line) {
  const Command command = line.add_command(
      "list", "List the operations of a checkout of tt-metal, with their parameters");
  auto options = std::make_shared<ListOptions>();
  command
      .option("dir", options->folder, "Checkout of github.com/tenstorrent/tt-metal, or of tt-llk")
      .required();
  add_archs_option(command, options->archs);
  command.flag("--json", options->json, "Print the list as JSON, with the calls");
  command.footer("'lanewise run --metal DIR --op NAME' runs one; docs/metal.md has more.");
  command.action([options] { return list(*options); });
}

} // namespace lanewise::cli
