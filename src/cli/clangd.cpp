// lanewise clangd FOLDER: lets an editor understand kernels.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/program.h"
#include "report/page/page.h"
#include "source/checkouts/editor.h"
#include "source/compiler/epoch.h"

namespace lanewise::cli {

namespace {

struct ClangdOptions {
  std::string place;
  std::string arch = default_arch_names().front(), release, checkout;
  std::vector<std::string> include_dirs;
  bool force = false, json = false;
};

/// --metal, or the folder itself where it is a checkout.
Expected<std::optional<checkouts::Checkout>> checkout_of(const ClangdOptions& options, Arch arch) {
  if (!options.checkout.empty()) {
    auto checkout = checkouts::Checkout::open(options.checkout, std::array{arch});
    if (!checkout) return Unexpected(checkout.error());
    return std::optional(std::move(*checkout));
  }
  auto checkout = checkouts::Checkout::open(options.place, std::array{arch});
  if (!checkout) return std::nullopt;
  return std::optional(std::move(*checkout));
}

ExitStatus clangd(const ClangdOptions& options) {
  const auto chips = chosen_chips({options.arch}, "clangd", ChipNeed::Kernels);
  if (!chips) return fail(chips.error());
  checkouts::EditorSetup setup{
      .arch = chips->front(), .include_dirs = options.include_dirs, .overwrites = options.force};
  if (!options.release.empty()) {
    const auto epoch = compiler::parse_epoch(options.release);
    if (!epoch) return fail(epoch.error());
    setup.epoch = *epoch;
  }
  std::error_code ignored;
  std::filesystem::path folder = options.place;
  if (!std::filesystem::is_directory(folder, ignored)) {
    if (!std::filesystem::exists(folder, ignored)) {
      Unexpected fault = bad_input("there is no such file or folder",
                                   "name a kernel, the folder of kernels, or a checkout");
      fault.value().file = folder.string();
      return fail(fault.value());
    }
    folder = folder.has_parent_path() ? folder.parent_path() : ".";
  }
  auto checkout = checkout_of(options, setup.arch);
  if (!checkout) return fail(checkout.error());
  setup.checkout = std::move(*checkout);
  const auto files = checkouts::write_editor_files(folder, setup);
  if (!files) return fail(files.error());
  if (options.json) {
    nlohmann::ordered_json written{{"arch", arch_params(setup.arch).names.id},
                                   {"files", nlohmann::ordered_json::array()}};
    for (const std::filesystem::path& file : *files)
      written["files"].push_back(report::valid_utf8(file.string()));
    fmt::print("{}\n", written.dump());
    return ExitStatus::Success;
  }
  fmt::print("{}: clangd and clang read kernels here for {} now\n", files->back().string(),
             arch_params(setup.arch).names.family);
  return ExitStatus::Success;
}

} // namespace

void add_clangd(CommandLine& line) {
  const Command command = line.add_command(
      "clangd", "Write compile_flags.txt, by which an editor understands kernels without a card");
  auto options = std::make_shared<ClangdOptions>();
  command
      .option("place", options->place,
              "A kernel, the folder of kernels, or a checkout of tt-metal or tt-llk; the file goes "
              "there, and generated headers into the folder .lanewise beside it")
      .required();
  add_arch_name_option(command, options->arch);
  command
      .option("--sfpi", options->release,
              "Release of SFPI: 7.60; without it, the checkout's, or the newest")
      .value("RELEASE");
  command
      .option("--metal", options->checkout,
              "Checkout of tt-metal or tt-llk whose headers the kernels include")
      .value("DIR");
  command.option("--include,-I", options->include_dirs, "Folder with headers of the kernels")
      .value("DIR");
  command.flag("--force", options->force,
               "Replace a compile_flags.txt that something else has written");
  command.flag("--json", options->json, "Print the chip and the files that were written as JSON");
  command.footer("docs/metal.md has more.");
  command.action([options] { return clangd(*options); });
}

} // namespace lanewise::cli
