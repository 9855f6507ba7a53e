// lanewise kernels FILE: a program of tt-metal by its description, on one core.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/memory_file.h"
#include "base/text_file.h"
#include "chip/tile/run.h"
#include "cli/command.h"
#include "cli/kernel.h"
#include "cli/output.h"
#include "run/launch/buffer_files.h"
#include "run/launch/launch.h"
#include "run/launch/orders.h"
#include "source/programs/description.h"

namespace lanewise::cli {

namespace {

/// A description and the contents of its buffers.
constexpr std::size_t kLargestInput = std::size_t{1} << 30;

/// Random orders that are compared.
constexpr std::uint64_t kSeeds = 4;

struct KernelsOptions {
  std::string file, metal, arch;
  std::string order = "round-robin";
  std::uint64_t seed = 0;
  std::uint64_t seeds = kSeeds; ///< of all orders
  double seconds = kKernelSeconds;
  bool compile_only = false;
  bool without_checks = false;
  std::uint64_t buffers_to = 0; ///< a descriptor, for a host program that has started this one
};

ProcessLimits limits_of(const KernelsOptions& options) {
  return {.time = std::chrono::milliseconds(static_cast<std::int64_t>(options.seconds * 1000)),
          .memory = kKernelLimits.memory};
}

/// What was not as it should be; true if all was.
bool report(const launch::LaunchOutcome& outcome, const std::string& name) {
  for (const Fault& fault : outcome.faults) tell("{}\n", to_string(fault));
  if (outcome.failure) tell("{}\n", to_string(*outcome.failure));
  if (outcome.was_stopped || (outcome.failure && interrupted()))
    tell("stopped before the end\n");
  else if (outcome.ran_out)
    tell("{}: the kernels did not come to an end\n", name);
  if (!outcome.blocked.empty()) tell("{}: a deadlock: nobody can go on\n", name);
  for (const std::string& blocked : outcome.blocked) tell("  {}\n", blocked);
  const bool is_valid = std::ranges::all_of(
      outcome.faults, [](const Fault& fault) { return leaves_results_valid(fault.kind); });
  return outcome.is_done() && is_valid;
}

/// The description, and what follows it: bytes of buffers behind a zero.
struct Input {
  programs::Description description;
  std::string stream;
};

Expected<Input> read_input(const KernelsOptions& options) {
  auto text = read_text_file(options.file, kLargestInput);
  if (!text) return Unexpected(text.error());
  Input input;
  const std::size_t end = text->find('\0');
  if (end != std::string::npos) {
    input.stream = text->substr(end + 1);
    text->resize(end);
  }
  auto description = programs::parse_description(*text);
  if (!description) {
    Fault fault = description.error();
    fault.file = options.file;
    return Unexpected(std::move(fault));
  }
  input.description = std::move(*description);
  if (!options.arch.empty()) input.description.program.arch = *parse_whole_arch(options.arch);
  const auto* const first = reinterpret_cast<const std::uint8_t*>(input.stream.data());
  if (auto read = launch::read_buffers(input.description, {first, input.stream.size()}); !read)
    return Unexpected(read.error());
  return input;
}

ExitStatus hand_out(const KernelsOptions& options, const programs::Description& description,
                    const launch::LaunchOutcome& outcome) {
  for (const std::string& line : outcome.prints) fmt::print("{}\n", line);
  if (auto written = launch::write_buffers(description, outcome.buffers); !written)
    return fail(written.error());
  if (options.buffers_to != 0) {
    for (const auto& bytes : outcome.buffers) {
      const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      if (!write_all(static_cast<int>(options.buffers_to), text))
        return fail(bad_input("the host program does not take its buffers").value());
    }
  } else {
    for (unsigned thread = 0; thread < kThreads; ++thread)
      if (outcome.executed[thread] != 0)
        fmt::print("{}: {} instructions\n", programs::core_name(thread), outcome.executed[thread]);
    fmt::print("NoC: {} transactions\n", outcome.transactions);
  }
  return exit_status(report(outcome, options.file));
}

/// Bytes of the numbers in a buffer's files; 0 where their format is not known, or has blocks.
unsigned element_bytes(const programs::BufferFiles& files) {
  constexpr std::uint32_t kData = 1024;
  const std::uint32_t bytes = programs::format_bytes(files.format, kData);
  return bytes % kData == 0 ? bytes / kData : 0;
}

ExitStatus compare_orders(const KernelsOptions& options, const programs::Description& description,
                          const programs::Layout& layout, const programs::ProgramObjects& objects) {
  std::vector<unsigned> elements;
  for (const programs::BufferFiles& files : description.files)
    elements.push_back(element_bytes(files));
  const auto orders = launch::orders_to_compare(static_cast<unsigned>(options.seeds));
  const auto compared = launch::launch_in_orders(description.program, layout, objects, orders,
                                                 limits_of(options), elements);
  if (!compared) return fail(compared.error());
  if (!compared->differs && !compared->outcome.was_stopped) {
    fmt::print("{} orders, the same buffers and findings:", compared->run.size());
    for (const auto& order : compared->run)
      fmt::print("{} {}", &order == compared->run.data() ? "" : ",", launch::order_text(order));
    fmt::print("\n");
  }
  return hand_out(options, description, compared->outcome);
}

ExitStatus kernels(const KernelsOptions& options) {
  const auto input = read_input(options);
  if (!input) return fail(input.error());
  const programs::Program& program = input->description.program;
  const auto layout = programs::lay_out(program);
  if (!layout) return fail(layout.error());
  auto checkout = checkouts::Checkout::open(options.metal, std::array{program.arch});
  if (!checkout) return fail(checkout.error());
  const auto objects = programs::compile_program(program, *layout,
                                                 {.checkout = std::move(*checkout),
                                                  .limits = limits_of(options),
                                                  .tells_accesses = !options.without_checks});
  if (!objects) return fail(objects.error());
  if (options.compile_only) {
    for (const auto& object : objects->object)
      if (!object.empty()) fmt::print("{}\n", object.string());
    return ExitStatus::Success;
  }
  watch_for_ctrl_c();
  if (options.order == "all") return compare_orders(options, input->description, *layout, *objects);
  const auto outcome = launch::launch_program(
      program, *layout, *objects,
      {.schedule = {.order = tile::order_named(options.order), .seed = options.seed},
       .limits = limits_of(options)});
  if (!outcome) return fail(outcome.error());
  return hand_out(options, input->description, *outcome);
}

} // namespace

namespace {

std::vector<std::string> chip_names() {
  std::vector<std::string> names;
  names.reserve(kArchs.size());
  for (const Arch arch : kArchs) names.emplace_back(arch_params(arch).names.id);
  return names;
}

} // namespace

void add_kernels(CommandLine& line) {
  const Command command = line.add_command(
      "kernels", "Run the kernels of a tt-metal program on one core: reader, compute, writer");
  auto options = std::make_shared<KernelsOptions>();
  command
      .option("file", options->file,
              "The program's description, in JSON; - is standard input, where contents of buffers "
              "may follow behind a zero byte")
      .required();
  command.option("--metal", options->metal, "Checkout of tt-metal, whose headers kernels include")
      .required();
  command.option("--arch", options->arch, "The chip, in place of the description's")
      .one_of(chip_names());
  command
      .option("--order", options->order,
              "Who takes turns, of cores, threads and the NoC: all in a circle, at random, or one "
              "as long as it can go on, with transactions as late as can be; all: one after the "
              "other, and the results are compared")
      .one_of({"round-robin", "random", "adversarial", "all"});
  command.option("--seed", options->seed, "Of the order");
  command.option("--seeds", options->seeds, "With --order all: so many random orders")
      .range(std::uint64_t{1}, std::uint64_t{1000});
  command
      .option(kTimeOption, options->seconds,
              "Seconds of processor time that g++ may take for each core, and the kernels")
      .range(0.1, 86400.0);
  command.flag("--no-check", options->without_checks,
               "Do not look at what kernels do to memory: a little faster, and less is found");
  command.flag("--compile", options->compile_only, "Compile only, and print what that gives");
  command
      .option("--buffers-to", options->buffers_to,
              "A descriptor to which the contents of all buffers are written, for host programs")
      .range(std::uint64_t{3}, std::uint64_t{1024});
  command.footer(
      "docs/programs.md lists what a description has.\n"
      "Exit status 1: there were faults, or nobody could go on.");
  command.action([options] { return kernels(*options); });
}

} // namespace lanewise::cli
