// lanewise elf FILE: the code of a kernel's ELF, and what one of its functions pushes.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "binary/elf/call.h"
#include "binary/elf/code.h"
#include "binary/paths/file_paths.h"
#include "binary/paths/ordering.h"
#include "cli/chips.h"
#include "cli/command.h"
#include "cli/elf_tile.h"
#include "cli/output.h"
#include "report/elf/flow.h"
#include "report/elf/flow_json.h"
#include "report/elf/json.h"
#include "report/elf/listing.h"
#include "report/elf/ordering.h"
#include "report/elf/page.h"
#include "report/elf/ssa.h"
#include "report/elf/statistics.h"

namespace lanewise::cli {

namespace {

struct ElfOptions {
  std::string file;
  std::string function;
  std::string call;
  Arch arch = kDefaultArch;
  std::string cfg, html;
  bool run = false, statistics = false, json = false, paths = false, ordering = false;
  std::uint64_t most_instructions = elf::kMostInstructions;

  bool whole_tile = false;
  ElfTileOptions tile;

  bool wants_ssa() const { return cfg == "ssa"; }
};

ExitStatus print_call(const elf::Image& image, const ElfOptions& options) {
  const auto wanted = elf::parse_call(options.call);
  if (!wanted) return fail(wanted.error());
  const auto function = elf::find_function(image, wanted->function);
  if (!function) return fail(function.error());
  const auto result = elf::call(image, *function, wanted->arguments, options.arch,
                                {.most_instructions = options.most_instructions});
  if (!result) return fail(result.error());
  for (const std::string& note : result->notes) tell("note: {}\n", note);
  if (options.json) {
    fmt::print("{}\n", report::elf_call_json(image, *result, options.arch).dump(2));
  } else {
    fmt::print("{}", report::elf_call_text(image, *result, options.arch));
  }
  return ExitStatus::Success;
}

Expected<std::vector<elf::Function>> chosen_functions(const elf::Image& image,
                                                      const ElfOptions& options) {
  if (options.function.empty()) return elf::functions_of(image, options.arch);
  const auto symbol = elf::find_function(image, options.function);
  if (!symbol) return Unexpected(symbol.error());
  return std::vector{elf::code_of(image, *symbol, options.arch)};
}

/// The file, its functions that were chosen, and what holds along their paths, where that was asked
/// for.
struct ChosenCode {
  const elf::Image& image;
  std::vector<elf::Function> functions;
  std::optional<paths::FilePaths> paths = {};
};

/// Calls take(function) for those with words: of the others nothing is to be said.
template <class Take>
void for_each_with_words(const ChosenCode& chosen, const Take& take) {
  for (const elf::Function& each : chosen.functions) {
    if (!each.words.empty()) take(each);
  }
}

std::string cfg_text(const ChosenCode& chosen, const elf::Function& function,
                     const ElfOptions& options) {
  const paths::CodeGraph code = paths::graph_of(function);
  if (options.cfg == "dot") return report::flow_dot(chosen.image, function, code, options.arch);
  if (options.cfg == "text") return report::flow_text(function, code, options.arch) + "\n";
  const auto index = chosen.paths->index_of(function);
  return report::ssa_text(chosen.image, function, code, chosen.paths->ssa_of(*index),
                          options.arch) +
         "\n";
}

void tell_cut_short(const paths::FilePaths& paths) {
  if (paths.cut_short() == 0) return;
  tell(
      "note: from {} blocks there are more than {} ways; hazards of the clock were looked for on a "
      "part of them\n",
      paths.cut_short(), paths::kMostWays);
}

ExitStatus print_paths(const ChosenCode& chosen) {
  bool holds = true;
  for_each_with_words(chosen, [&](const elf::Function& function) {
    const std::uint32_t index = *chosen.paths->index_of(function);
    const paths::FunctionPaths found = chosen.paths->of(index);
    fmt::print("{}", report::paths_text(chosen.image, chosen.paths->graph(), index, found));
    holds = found.holds() && holds;
  });
  tell_cut_short(*chosen.paths);
  return exit_status(holds);
}

/// Which stores stay behind which loads, and what the chip's cores promise beyond that.
void print_ordering(const ChosenCode& chosen, Arch arch) {
  for_each_with_words(chosen, [&](const elf::Function& function) {
    const auto found = paths::find_ordering(function, paths::graph_of(function), arch);
    fmt::print("{}", report::ordering_text(chosen.image, function, found, arch));
  });
  fmt::print("{}: {}.\n", arch_params(arch).names.full, paths::core_order_text(arch));
}

/// What was asked for, one after the other.
ExitStatus print_findings(const ChosenCode& chosen, const ElfOptions& options) {
  if (!options.cfg.empty()) {
    for_each_with_words(chosen, [&](const elf::Function& function) {
      fmt::print("{}", cfg_text(chosen, function, options));
    });
  }
  const ExitStatus status = options.paths ? print_paths(chosen) : ExitStatus::Success;
  if (options.ordering) print_ordering(chosen, options.arch);
  return status;
}

/// Adds what was asked for to the entry of a function; false if something was found along its
/// paths.
bool add_findings(const ChosenCode& chosen, const elf::Function& function,
                  const ElfOptions& options, nlohmann::json& entry) {
  const paths::CodeGraph code = paths::graph_of(function);
  if (!options.cfg.empty()) entry["cfg"] = report::flow_json(function, code);
  if (options.ordering) {
    const auto found = paths::find_ordering(function, code, options.arch);
    entry["ordering"] = report::ordering_json(chosen.image, function, found);
  }
  if (!chosen.paths) return true;
  const std::uint32_t index = *chosen.paths->index_of(function);
  if (options.wants_ssa()) entry["ssa"] = report::ssa_json(chosen.paths->ssa_of(index));
  if (!options.paths) return true;
  const paths::FunctionPaths found = chosen.paths->of(index);
  entry["paths"] = report::paths_json(chosen.image, chosen.paths->graph(), index, found);
  return found.holds();
}

/// The functions with their words, and what else was asked for.
ExitStatus print_json(const ChosenCode& chosen, const ElfOptions& options) {
  nlohmann::json document = report::elf_json(chosen.image, chosen.functions, options.arch);
  bool holds = true;
  for (std::size_t i = 0; i < chosen.functions.size(); ++i) {
    if (chosen.functions[i].words.empty()) continue;
    holds = add_findings(chosen, chosen.functions[i], options, document["functions"][i]) && holds;
  }
  if (options.ordering) document["cores"] = paths::core_order_text(options.arch);
  fmt::print("{}\n", document.dump(2));
  return exit_status(holds);
}

ExitStatus print_listing(const ChosenCode& chosen, const ElfOptions& options) {
  if (!options.statistics) {
    for (const elf::Function& each : chosen.functions)
      fmt::print("{}\n", report::elf_listing(chosen.image, each, options.arch));
  }
  fmt::print("{}", report::statistics_text(chosen.functions, options.arch));
  return ExitStatus::Success;
}

ExitStatus print_code(const elf::Image& image, const ElfOptions& options) {
  auto functions = chosen_functions(image, options);
  if (!functions) return fail(functions.error());
  ChosenCode chosen{.image = image, .functions = std::move(*functions)};
  if (options.paths || options.wants_ssa() || !options.html.empty())
    chosen.paths.emplace(elf::functions_of(image, options.arch), options.arch);
  if (!options.html.empty()) {
    const auto page =
        report::elf_html(image, chosen.functions, *chosen.paths, options.arch, typed_command());
    if (auto done = write_text_file(options.html, page); !done) return fail(done.error());
  }
  if (options.json) return print_json(chosen, options);
  if (!options.cfg.empty() || options.paths || options.ordering)
    return print_findings(chosen, options);
  return print_listing(chosen, options);
}

ExitStatus show(const ElfOptions& options) {
  if (options.whole_tile) {
    ElfTileOptions tile = options.tile;
    tile.l1.json = options.json;
    tile.l1.time.html = options.html;
    return run_elf_tile(options.file, options.arch, tile);
  }
  if (options.tile.are_given()) {
    return fail(bad_input("--math, --pack, --entry, --in, --out, --config, --hazards, --races, "
                          "--time and what goes with it are for a whole tile",
                          "give --tile, too")
                    .value());
  }
  if (options.run != !options.call.empty()) {
    return fail(bad_input(options.run ? "--run does not say what to run"
                                      : "--call says what to run, and nothing that it is to run",
                          "give both: --run --call 'f(8)'")
                    .value());
  }
  if (options.run && !options.html.empty()) {
    return fail(
        bad_input("--html shows the code, and --run what it pushes", "give one of them").value());
  }
  const auto bytes = read_text(options.file);
  if (!bytes) return fail(bytes.error());
  const auto image = elf::read_image(*bytes, options.file);
  if (!image) return fail(image.error());
  return options.run ? print_call(*image, options) : print_code(*image, options);
}

} // namespace

void add_elf(CommandLine& line) {
  const Command command =
      line.add_command("elf", "Show the code of a kernel's ELF, RISC-V and Tensix side by side");
  auto options = std::make_shared<ElfOptions>();
  command.option("file", options->file, "Linked ELF file for the RISC-V cores").required();
  command.option("--function", options->function,
                 "Only this function: its symbol, or its name in C++");
  command.flag("--stats", options->statistics, "Print the counts of each function only");
  command
      .option(
          "--cfg", options->cfg,
          "Print the control flow instead: text (blocks, dominators, loops), dot (Graphviz), or "
          "ssa (registers and LRegs in SSA form)")
      .one_of({"text", "dot", "ssa"});
  command
      .option("--html", options->html,
              "Write a page with the control-flow graph of each function; with --tile --time, of "
              "the run")
      .value("FILE");
  command.flag(
      "--paths", options->paths,
      "Print what holds along every path: LRegs, predicate stack, what is programmed, hazards "
      "of the clock, and how fast the core pushes at best");
  command.flag("--ordering", options->ordering,
               "Print which stores stay behind which loads, and what selects would lose");
  command.flag("--run", options->run,
               "Execute a function on the RISC-V interpreter, and print what it pushes");
  command
      .option("--call", options->call, "With --run: the function and its integer arguments: 'f(8)'")
      .value("STATEMENT");
  command
      .option("--most", options->most_instructions,
              fmt::format("With --run: instructions that it may take (default {})",
                          elf::kMostInstructions))
      .range(std::uint64_t{1}, std::uint64_t{1} << 40);
  command.flag(
      "--json", options->json,
      "Print JSON, with what --cfg, --paths and --ordering find; with --tile, what --races finds");
  command.flag("--tile", options->whole_tile,
               "Execute the file as T0's program on a whole tile, with those of --math and --pack");
  add_elf_tile_options(command, options->tile);
  add_arch_option(command, options->arch);
  command.footer(
      "'run', 'time', 'check', 'sweep' and 'diff' take such a file with --call. docs/elf.md has "
      "more.");
  command.action([options] { return show(*options); });
}

} // namespace lanewise::cli
