// lanewise elf FILE: the code of a kernel's ELF, and what one of its functions pushes.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "cli/command.h"
#include "cli/output.h"
#include "elf/call.h"
#include "elf/code.h"
#include "paths/clock_paths.h"
#include "paths/push_interval.h"
#include "paths/ssa_names.h"
#include "paths/tensix_paths.h"
#include "report/elf/flow.h"
#include "report/elf/json.h"
#include "report/elf/listing.h"
#include "report/elf/page.h"
#include "report/elf/ssa.h"
#include "report/elf/statistics.h"

namespace lanewise::cli {

namespace {

struct ElfOptions {
  std::string file;
  std::string function;
  std::string call;
  Arch arch = Arch::Blackhole;
  std::string cfg, html;
  bool run = false, statistics = false, json = false, paths = false;
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

/// All functions of the file that have code.
std::vector<elf::Function> functions_with_code(const elf::Image& image, Arch arch) {
  std::vector<elf::Function> functions = elf::functions_of(image, arch);
  std::erase_if(functions, [](const elf::Function& each) { return each.words.empty(); });
  return functions;
}

void print_ssa(const elf::Image& image, const elf::Function& function, Arch arch,
               const paths::Summaries& summaries) {
  const paths::CodeGraph code = paths::graph_of(function);
  const auto found = paths::follow_paths(function, code, arch, summaries);
  const auto ssa = paths::make_function_ssa(function, code, arch, found, summaries);
  fmt::print("{}\n", report::ssa_text(image, function, code, ssa, arch));
}

ExitStatus print_ssas(const elf::Image& image, const std::vector<elf::Function>& functions,
                      const ElfOptions& options) {
  const paths::Summaries summaries =
      paths::summarise(functions_with_code(image, options.arch), options.arch);
  for (const elf::Function& each : functions) {
    if (!each.words.empty()) print_ssa(image, each, options.arch, summaries);
  }
  return ExitStatus::Success;
}

/// Of functions without words nothing is to be said.
ExitStatus print_flows(const elf::Image& image, const std::vector<elf::Function>& functions,
                       const ElfOptions& options) {
  if (options.cfg == "ssa") return print_ssas(image, functions, options);
  for (const elf::Function& each : functions) {
    if (!each.words.empty()) print_flow(image, each, options);
  }
  return ExitStatus::Success;
}

/// What holds along every path.
class PathsPrinter {
 public:
  PathsPrinter(const elf::Image& image, const ElfOptions& options)
      : image_(image),
        arch_(options.arch),
        all_(functions_with_code(image, options.arch)),
        graph_(all_),
        code_(graph_, arch_),
        clock_(paths::find_clock_hazards(graph_, arch_)),
        summaries_(paths::summarise(all_, arch_)),
        called_(paths::called_addresses(all_)) {}

  /// Whether nothing was found.
  bool print(std::uint32_t address) const {
    const auto at = std::ranges::find(
        all_, address, [](const elf::Function& each) { return each.symbol.address; });
    return at == all_.end() || print_function(static_cast<std::uint32_t>(at - all_.begin()));
  }

  void tell_rest() const {
    if (clock_.cut_short != 0)
      tell(
          "note: from {} blocks there are more than {} ways; hazards of the clock were looked for "
          "on a part of them\n",
          clock_.cut_short, paths::kMostWays);
  }

 private:
  bool print_function(std::uint32_t index) const {
    const elf::Function& function = all_[index];
    paths::TensixPaths found = paths::follow_paths(function, graph_.code(index), arch_, summaries_);
    if (called_.contains(function.symbol.address))
      std::erase_if(found.findings, [](const paths::Finding& finding) {
        return paths::is_for_callers(finding.kind);
      });
    const std::vector<paths::ClockFinding>& hazards = clock_.findings[index];
    fmt::print("{}{}{}", report::paths_text(image_, function, found),
               report::clock_text(image_, graph_, index, hazards),
               report::push_interval_text(paths::find_push_intervals(graph_, code_, index, arch_)));
    return found.findings.empty() &&
           std::ranges::all_of(
               hazards, [](const paths::ClockFinding& each) { return each.rule->warns_only; });
  }

  const elf::Image& image_;
  Arch arch_;
  std::vector<elf::Function> all_;
  paths::ProgramGraph graph_;
  paths::StraightCode code_;
  paths::ClockPaths clock_;
  paths::Summaries summaries_;
  std::set<std::uint32_t> called_;
};

ExitStatus print_paths(const elf::Image& image, const std::vector<elf::Function>& functions,
                       const ElfOptions& options) {
  const PathsPrinter printer(image, options);
  bool holds = true;
  for (const elf::Function& each : functions) {
    if (!each.words.empty()) holds = printer.print(each.symbol.address) && holds;
  }
  printer.tell_rest();
  return exit_status(holds);
}

/// --html: graphs of the functions.
Expected<void> write_page(const elf::Image& image, const std::vector<elf::Function>& functions,
                          const ElfOptions& options) {
  if (options.html.empty()) return {};
  const auto all = elf::functions_of(image, options.arch);
  return write_text_file(options.html, report::elf_html(image, functions, all, options.arch));
}

ExitStatus print_code(const elf::Image& image, const ElfOptions& options) {
  const auto functions = chosen_functions(image, options);
  if (!functions) return fail(functions.error());
  if (auto done = write_page(image, *functions, options); !done) return fail(done.error());
  if (!options.cfg.empty()) return print_flows(image, *functions, options);
  if (options.paths) return print_paths(image, *functions, options);
  if (options.json) {
    fmt::print("{}\n", report::elf_json(image, *functions, options.arch).dump(2));
    return ExitStatus::Success;
  }
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
  command.option("--html", options->html,
                 "Write a page with the control-flow graph of each function");
  command.flag(
      "--paths", options->paths,
      "Print what holds along every path: LRegs, predicate stack, what is programmed, hazards "
      "of the clock, and how fast the core pushes at best");
  command.flag("--run", options->run,
               "Execute a function on the RISC-V interpreter, and print what it pushes");
  command.option("--call", options->call,
                 "With --run: the function and its integer arguments: 'f(8)'");
  command
      .option("--most", options->most_instructions,
              fmt::format("With --run: instructions that it may take (default {})",
                          elf::kMostInstructions))
      .range(std::uint64_t{1}, std::uint64_t{1} << 40);
  command.flag("--json", options->json, "Print JSON");
  add_arch_option(command, options->arch);
  command.footer(
      "'run', 'time', 'check', 'sweep' and 'diff' take such a file with --call. docs/elf.md has "
      "more.");
  command.action([options] { return show(*options); });
}

} // namespace lanewise::cli
