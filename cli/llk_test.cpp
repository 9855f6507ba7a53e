// lanewise llk-test FILE: a test of tt-llk with its three sections on a tile.
#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <optional>
#include <string_view>

#include "base/file.h"
#include "cli/command.h"
#include "cli/kernel.h"
#include "cli/output.h"
#include "tile/section/run_sections.h"
#include "tile/section/test_source.h"

namespace lanewise::cli {

namespace {

struct LlkTestOptions {
  std::string file, tree, build_header;
  std::vector<std::string> parameters, includes, defines, inputs, outputs;
  Arch arch = Arch::Blackhole;
  std::string order = "round-robin";
  std::uint64_t seed = 0;
  double seconds = kKernelSeconds;
  bool compile_only = false;
};

/// Bytes of L1 that go into a file.
struct L1Output {
  std::uint32_t address = 0, bytes = 0;
  std::string file;
};

std::optional<std::uint32_t> number_of(std::string_view text) {
  const bool is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (is_hexadecimal) text.remove_prefix(2);
  std::uint32_t number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, is_hexadecimal ? 16 : 10);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole ? std::optional(number) : std::nullopt;
}

Expected<tile::L1Input> parse_input(const std::string& text) {
  const std::size_t equals = text.find('=');
  const auto address = number_of(std::string_view(text).substr(0, equals));
  if (equals == std::string::npos || !address) {
    return bad_input(fmt::format("'--in {}' names no address and no file", text),
                     "write --in ADDRESS=FILE, such as --in 0x21000=tile.bin");
  }
  auto bytes = read_file(text.substr(equals + 1));
  if (!bytes) return Unexpected(bytes.error());
  return tile::L1Input{*address, std::move(*bytes)};
}

Expected<L1Output> parse_output(const std::string& text, Arch arch) {
  const std::size_t equals = text.find('='), colon = text.find(':');
  const std::string_view all = text;
  const auto address = number_of(all.substr(0, colon));
  const auto bytes = colon < equals && equals != std::string::npos
                         ? number_of(all.substr(colon + 1, equals - colon - 1))
                         : std::nullopt;
  if (!address || !bytes || equals + 1 == text.size()) {
    return bad_input(fmt::format("'--out {}' names no address, number of bytes and file", text),
                     "write --out ADDRESS:BYTES=FILE, such as --out 0x31000:2048=result.bin; "
                     "0 bytes are all up to the end of L1");
  }
  const std::uint32_t l1 = arch_params(arch).l1_bytes;
  if (*address > l1 || *bytes > l1 - *address) {
    return bad_input(fmt::format("'--out {}' goes beyond the end of L1, which has 0x{:X} bytes",
                                 text, l1),
                     "give a smaller address or fewer bytes");
  }
  return L1Output{*address, *bytes == 0 ? l1 - *address : *bytes, text.substr(equals + 1)};
}

template <class Parse>
auto parse_all(const std::vector<std::string>& texts, const Parse& parse)
    -> Expected<std::vector<typename decltype(parse(texts.front()))::value_type>> {
  std::vector<typename decltype(parse(texts.front()))::value_type> all;
  for (const std::string& text : texts) {
    auto each = parse(text);
    if (!each) return Unexpected(each.error());
    all.push_back(std::move(*each));
  }
  return all;
}

tile::ScheduleChoice schedule_of(const LlkTestOptions& options) {
  const tile::Order order = options.order == "random"        ? tile::Order::Random
                            : options.order == "adversarial" ? tile::Order::Adversarial
                                                             : tile::Order::RoundRobin;
  return {.order = order, .seed = options.seed};
}

Expected<tile::TestSource> source_of(const LlkTestOptions& options) {
  if (!options.build_header.empty() && !options.parameters.empty()) {
    return bad_input("--build-header has the parameters of the test, and so has --param",
                     "give one of them");
  }
  auto parameters = parse_all(options.parameters, tile::parse_test_parameter);
  if (!parameters) return Unexpected(parameters.error());
  return tile::TestSource{
      .arch = options.arch,
      .file = options.file,
      .tree = options.tree.empty() ? tile::find_llk_tree(options.file) : options.tree,
      .build_header = options.build_header,
      .parameters = std::move(*parameters),
      .includes = options.includes,
      .defines = options.defines,
      .limits = {.time = std::chrono::milliseconds(
                     static_cast<std::int64_t>(options.seconds * 1000)),
                 .memory = kKernelLimits.memory}};
}

Expected<void> write_outputs(const std::vector<L1Output>& outputs,
                             const std::vector<std::byte>& l1) {
  for (const L1Output& output : outputs) {
    const auto bytes = std::span(l1).subspan(output.address, output.bytes);
    if (auto written = write_file_atomically(output.file, bytes); !written) return written;
  }
  return {};
}

/// What was not as it should be; true if all was.
bool report(const tile::SectionsOutcome& outcome, const std::string& file) {
  for (Fault fault : outcome.faults) {
    if (fault.file.empty() && fault.line != 0) fault.file = file;
    tell("{}\n", to_string(fault));
  }
  if (outcome.failure) {
    Fault failure = *outcome.failure;
    if (failure.file.empty()) failure.file = file;
    tell("{}\n", to_string(failure));
  }
  if (outcome.ran_out) tell("{}: the sections did not come to an end\n", file);
  if (!outcome.blocked.empty()) tell("{}: a deadlock: nobody can go on\n", file);
  for (const std::string& blocked : outcome.blocked) tell("  {}\n", blocked);
  const bool is_valid = std::ranges::all_of(
      outcome.faults, [](const Fault& fault) { return leaves_results_valid(fault.kind); });
  return outcome.is_done() && is_valid;
}

ExitStatus llk_test(const LlkTestOptions& options) {
  const auto source = source_of(options);
  if (!source) return fail(source.error());
  const auto inputs = parse_all(options.inputs, parse_input);
  if (!inputs) return fail(inputs.error());
  const auto outputs = parse_all(options.outputs, [&](const std::string& text) {
    return parse_output(text, options.arch);
  });
  if (!outputs) return fail(outputs.error());
  const auto objects = tile::compile_sections(*source);
  if (!objects) return fail(objects.error());
  if (options.compile_only) {
    for (const auto& object : *objects) fmt::print("{}\n", object.string());
    return ExitStatus::Success;
  }
  const auto outcome = tile::run_sections(*source, *objects, *inputs, schedule_of(options));
  if (!outcome) return fail(outcome.error());
  if (auto written = write_outputs(*outputs, outcome->l1); !written) return fail(written.error());
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    fmt::print("{}: {} instructions\n", tile::kSectionNames[thread], outcome->executed[thread]);
  }
  return exit_status(report(*outcome, options.file));
}

} // namespace

void add_llk_test(CommandLine& line) {
  const Command command = line.add_command(
      "llk-test", "Run a test of tt-llk, unmodified: unpack, math and pack on a tile");
  auto options = std::make_shared<LlkTestOptions>();
  command.option("file", options->file, "The test, such as tests/sources/matmul_test.cpp")
      .required();
  add_arch_option(command, options->arch);
  command.option("--llk", options->tree,
                 "Checkout of tt-llk (default: the one in which the test lies, if any)");
  command
      .option("--param", options->parameters,
              "A parameter of the test: NAME=VALUE, where the value is an expression of C++")
      .one_at_a_time();
  command.option("--build-header", options->build_header,
                 "The build.h that tt-llk's build system writes, in place of --param");
  command.option("--in", options->inputs, "Put a file into L1 before: ADDRESS=FILE")
      .one_at_a_time();
  command
      .option("--out", options->outputs,
              "Write bytes of L1 into a file afterwards: ADDRESS:BYTES=FILE")
      .one_at_a_time();
  command.option("--order", options->order, "Who takes turns: round-robin, random or adversarial")
      .one_of({"round-robin", "random", "adversarial"});
  command.option("--seed", options->seed, "Of the order");
  command.option("-I", options->includes, "A further folder for #include").one_at_a_time();
  command.option("--define", options->defines, "A macro: NAME or NAME=VALUE").one_at_a_time();
  command.option(kTimeOption, options->seconds, "Seconds that g++ may take, and the sections")
      .range(0.1, 86400.0);
  command.flag("--compile", options->compile_only, "Compile only, and print what that gives");
  command.footer(
      "With --param, each parameter is a constant and a member of the test's parameters; formats "
      "are\n  --param 'formats=lanewise_formats(DataFormat::Float16_b, DataFormat::Bfp8_b)'\n"
      "and a place in L1 is\n  --param 'buffer_A=Operand(0x21000, 2048)'.\n"
      "With --build-header, parameters that are known at run time only lie in L1 from 0x20000 "
      "on.\nExit status 1: there were faults, or nobody could go on.");
  command.action([options] { return llk_test(*options); });
}

} // namespace lanewise::cli
