// lanewise elf FILE: the code of a kernel's ELF, and what one of its functions pushes.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <set>

#include "cli/command.h"
#include "cli/output.h"
#include "elf/call.h"
#include "elf/code.h"
#include "paths/ordering.h"
#include "paths/tensix_paths.h"
#include "report/elf/flow.h"
#include "report/elf/flow_json.h"
#include "report/elf/json.h"
#include "report/elf/listing.h"
#include "report/elf/ordering.h"
#include "report/elf/statistics.h"

namespace lanewise::cli {

namespace {

struct ElfOptions {
  std::string file;
  std::string function;
  std::string call;
  Arch arch = Arch::Blackhole;
  std::string cfg;
  bool run = false, statistics = false, json = false, paths = false, ordering = false;
  std::uint64_t most_instructions = elf::kMostInstructions;
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

void print_flow(const elf::Image& image, const elf::Function& function, const ElfOptions& options) {
  const paths::CodeGraph code = paths::graph_of(function);
  fmt::print("{}", options.cfg == "dot" ? report::flow_dot(image, function, code, options.arch)
                                        : report::flow_text(function, code, options.arch) + "\n");
}

/// Of functions without words nothing is to be said.
void print_flows(const elf::Image& image, const std::vector<elf::Function>& functions,
                 const ElfOptions& options) {
  for (const elf::Function& each : functions) {
    if (!each.words.empty()) print_flow(image, each, options);
  }
}

/// What holds along every path of a file's functions.
class FilePaths {
 public:
  FilePaths(const elf::Image& image, Arch arch) : arch_(arch) {
    const auto all = elf::functions_of(image, arch);
    summaries_ = paths::summarise(all, arch);
    called_ = paths::called_addresses(all);
  }

  paths::TensixPaths of(const elf::Function& function) const {
    auto found = paths::follow_paths(function, paths::graph_of(function), arch_, summaries_);
    if (called_.contains(function.symbol.address))
      std::erase_if(found.findings, [](const paths::Finding& finding) {
        return paths::is_for_callers(finding.kind);
      });
    return found;
  }

 private:
  Arch arch_;
  paths::Summaries summaries_;
  std::set<std::uint32_t> called_;
};

ExitStatus print_paths(const elf::Image& image, const std::vector<elf::Function>& functions,
                       const ElfOptions& options) {
  const FilePaths paths(image, options.arch);
  bool holds = true;
  for (const elf::Function& each : functions) {
    if (each.words.empty()) continue;
    const paths::TensixPaths found = paths.of(each);
    fmt::print("{}", report::paths_text(image, each, found));
    holds = holds && found.findings.empty();
  }
  return exit_status(holds);
}

/// Which stores stay behind which loads, and what the chip's cores promise beyond that.
void print_ordering(const elf::Image& image, const std::vector<elf::Function>& functions,
                    const ElfOptions& options) {
  for (const elf::Function& each : functions) {
    if (each.words.empty()) continue;
    const paths::Ordering found = paths::find_ordering(each, paths::graph_of(each), options.arch);
    fmt::print("{}", report::ordering_text(image, each, found, options.arch));
  }
  fmt::print("{}: {}.\n", arch_params(options.arch).long_name,
             paths::core_order_text(options.arch));
}

/// The functions with their words, and what else was asked for.
ExitStatus print_json(const elf::Image& image, const std::vector<elf::Function>& functions,
                      const ElfOptions& options) {
  nlohmann::json document = report::elf_json(image, functions, options.arch);
  std::optional<FilePaths> paths;
  if (options.paths) paths.emplace(image, options.arch);
  bool holds = true;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const elf::Function& function = functions[i];
    if (function.words.empty()) continue;
    nlohmann::json& entry = document["functions"][i];
    const paths::CodeGraph code = paths::graph_of(function);
    if (!options.cfg.empty()) entry["cfg"] = report::flow_json(function, code);
    if (options.ordering) {
      entry["ordering"] = report::ordering_json(image, function,
                                                paths::find_ordering(function, code, options.arch));
    }
    if (!paths) continue;
    const paths::TensixPaths found = paths->of(function);
    entry["paths"] = report::paths_json(image, function, found);
    holds = holds && found.findings.empty();
  }
  if (options.ordering) document["cores"] = paths::core_order_text(options.arch);
  fmt::print("{}\n", document.dump(2));
  return exit_status(holds);
}

/// What was asked for, one after the other.
ExitStatus print_findings(const elf::Image& image, const std::vector<elf::Function>& functions,
                          const ElfOptions& options) {
  ExitStatus status = ExitStatus::Success;
  if (!options.cfg.empty()) print_flows(image, functions, options);
  if (options.paths) status = print_paths(image, functions, options);
  if (options.ordering) print_ordering(image, functions, options);
  return status;
}

ExitStatus print_code(const elf::Image& image, const ElfOptions& options) {
  const auto functions = chosen_functions(image, options);
  if (!functions) return fail(functions.error());
  if (options.json) return print_json(image, *functions, options);
  if (!options.cfg.empty() || options.paths || options.ordering)
    return print_findings(image, *functions, options);
  if (!options.statistics) {
    for (const elf::Function& each : *functions)
      fmt::print("{}\n", report::elf_listing(image, each, options.arch));
  }
  fmt::print("{}", report::statistics_text(*functions, options.arch));
  return ExitStatus::Success;
}

ExitStatus show(const ElfOptions& options) {
  if (options.run != !options.call.empty()) {
    return fail(bad_input(options.run ? "--run does not say what to run"
                                      : "--call says what to run, and nothing that it is to run",
                          "give both: --run --call 'f(8)'")
                    .value());
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
      .option("--cfg", options->cfg,
              "Print the control flow instead: text (blocks, dominators, loops) or dot (Graphviz)")
      .one_of({"text", "dot"});
  command.flag("--paths", options->paths,
               "Print what holds along every path: LRegs, predicate stack, what is programmed");
  command.flag("--ordering", options->ordering,
               "Print which stores stay behind which loads, and what selects would lose");
  command.flag("--run", options->run,
               "Execute a function on the RISC-V interpreter, and print what it pushes");
  command.option("--call", options->call,
                 "With --run: the function and its integer arguments: 'f(8)'");
  command
      .option("--most", options->most_instructions,
              fmt::format("With --run: instructions that it may take (default {})",
                          elf::kMostInstructions))
      .range(std::uint64_t{1}, std::uint64_t{1} << 40);
  command.flag("--json", options->json, "Print JSON, with what --cfg, --paths and --ordering find");
  add_arch_option(command, options->arch);
  command.footer(
      "'run', 'time', 'check', 'sweep' and 'diff' take such a file with --call. docs/elf.md has "
      "more.");
  command.action([options] { return show(*options); });
}

} // namespace lanewise::cli
