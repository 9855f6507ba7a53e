// lanewise atlas: every kernel of a checkout on pages of its own, with a table that can be
// searched.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "cli/chips.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/program.h"
#include "cli/progress.h"
#include "report/atlas/make.h"
#include "source/compiler/epoch.h"

namespace lanewise::cli {

namespace {

struct AtlasCommand {
  std::string folder, out, examples = "examples", tuned, against, release;
  std::vector<std::string> kernels, formats = {"bf16"}, archs = whole_arch_names();
  std::string part;
  unsigned jobs = 0;
  bool every = false, json = false;
};

Expected<report::AtlasOptions> atlas_options(const AtlasCommand& command) {
  report::AtlasOptions options{
      .request = {.folder = command.folder,
                  .examples = command.examples,
                  .kernels = command.kernels,
                  .formats = {}},
      .folder = command.out,
      .every_32bit = command.every,
      .jobs = command.jobs != 0 ? command.jobs : std::max(1U, std::thread::hardware_concurrency()),
      .tuned = command.tuned,
      .against = command.against};
  auto chips = chosen_chips(command.archs, "atlas", ChipNeed::Kernels);
  if (!chips) return Unexpected(chips.error());
  options.request.chips = std::move(*chips);
  if (!command.release.empty()) {
    if (command.folder.empty())
      return bad_input("--sfpi is for the kernels of a checkout", "name its folder");
    const auto epoch = compiler::parse_epoch(command.release);
    if (!epoch) return Unexpected(epoch.error());
    options.request.sfpi_release = *epoch;
  }
  if (!command.part.empty()) {
    const auto part = parts::parse_part(command.part);
    if (!part) return Unexpected(part.error());
    options.part = *part;
  }
  for (const std::string& name : command.formats) {
    const auto format = formats::parse_format(name);
    if (!format) return Unexpected(format.error());
    if (std::ranges::find(options.request.formats, *format) == options.request.formats.end())
      options.request.formats.push_back(*format);
  }
  return options;
}

ExitStatus atlas(const AtlasCommand& command) {
  const auto options = atlas_options(command);
  if (!options) return fail(options.error());
  watch_for_interrupt();
  Expected<report::MadeAtlas> made;
  {
    ProgressLine line;
    made = report::make_atlas(*options, [&](const std::string& text) {
      line.show(text);
      return !interrupted();
    });
  }
  if (!made) return fail(made.error());
  if (!made->is_complete) {
    tell("stopped before the end: {} of {} items are kept; the same command goes on behind them\n",
         made->kept + made->measured, made->items);
    return exit_status(false);
  }
  if (options->part != parts::Part()) {
    tell("{}: {} items measured, {} as they were, in {}/data; without --part the pages are made\n",
         parts::part_name(options->part), made->measured, made->kept, command.out);
    return ExitStatus::Success;
  }
  tell("{} kernels: {} items measured, {} as they were; {} do not compile for a chip\n",
       made->kernels, made->measured, made->kept, made->failed);
  if (command.json) fmt::print("{}\n", made->json.dump(2));
  return ExitStatus::Success;
}

} // namespace

void add_atlas(CommandLine& line) {
  const Command command = line.add_command(
      "atlas", "Write a folder of pages about every kernel of a checkout: errors, cycles, hazards");
  auto options = std::make_shared<AtlasCommand>();
  command
      .option("dir", options->folder,
              "Checkout of github.com/tenstorrent/tt-metal, whose operations and kernels of tt-llk "
              "are taken, or of tt-llk; without it, the examples")
      .value("DIR");
  command
      .option("-o,--out", options->out,
              "The folder, which is made. What an earlier run has measured there of the same words "
              "is not measured again")
      .value("FOLDER")
      .required();
  command
      .option("--formats", options->formats,
              "Formats of the tiles: bf16 (default), fp16, fp32, ..., separated by commas. Of "
              "fp32 and of two operands a sample of 2^20 inputs")
      .value("FORMATS")
      .delimiter(',');
  add_archs_option(command, options->archs);
  command.option("--kernel", options->kernels, "Only these, by their names; llk.NAME: of tt-llk")
      .value("NAME");
  command
      .option("--tuned", options->tuned,
              "What 'lanewise tune --corpus DIR --resume FILE' has kept: cycles as tuned, of the "
              "same words")
      .value("FILE");
  command
      .option("--against", options->against,
              "An earlier atlas, its folder or atlas.json: what has changed since")
      .value("EARLIER");
  command
      .option("--sfpi", options->release,
              "Release of SFPI that the checkout is built with, 5.0 or 7.38 to 7.80 (default: its "
              "own); with --against, what another release changes")
      .value("RELEASE");
  command.flag("--every", options->every,
               "Of fp32 all 2^32 inputs, a minute or two of processor time for each kernel");
  command.option("--examples", options->examples, "Folder with the examples (default examples)")
      .value("DIR");
  command
      .option("--jobs", options->jobs,
              "Kernels at a time (default: as many as there are processors)")
      .range(std::uint64_t{1}, std::uint64_t{256});
  command
      .option("--part", options->part,
              "Measure only the K-th of N parts. Folders of parts that are copied into one are an "
              "atlas of which nothing is left to be measured")
      .value("K/N");
  command.flag("--json", options->json, "Print atlas.json as well");
  command.footer(
      "Ctrl-C keeps what is measured, and the same command goes on (docs/atlas.md). The "
      "pages need no\nserver and no network.");
  command.action([options] { return atlas(*options); });
}

} // namespace lanewise::cli
