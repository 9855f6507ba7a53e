#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>

#include "cli/command.h"
#include "machine/simd_level.h"

namespace {

using namespace lanewise::cli;

/// The value of LANEWISE_SIMD if it names no level. A level that the processor lacks gives the next
/// lower one.
std::optional<std::string> unknown_simd_level() {
  const char* wanted = std::getenv("LANEWISE_SIMD");
  if (wanted == nullptr) return std::nullopt;
  for (lanewise::SimdLevel level :
       {lanewise::SimdLevel::Baseline, lanewise::SimdLevel::V3, lanewise::SimdLevel::V4}) {
    if (lanewise::simd_level_name(level) == wanted) return std::nullopt;
  }
  return wanted;
}

bool has_command(CLI::App& app, const std::string& name) {
  return !app.get_subcommands([&](const CLI::App* command) { return command->get_name() == name; })
              .empty();
}

int run(int argc, char** argv) {
  CLI::App app{"Lanewise: write, run, time and check Tensix compute kernels without a card",
               "lanewise"};
  app.require_subcommand(1);
  app.set_version_flag("--version", "lanewise " LANEWISE_VERSION);
  app.footer(
      "'lanewise COMMAND --help' tells more. Exit status: 0 done, 1 a check does not hold, 2 bad "
      "input.");
  Action action;
  add_run(app, action);
  add_time(app, action);
  add_check(app, action);
  add_asm(app, action);
  add_dis(app, action);
  add_explain(app, action);
  add_isa(app, action);
  add_conform(app, action);
  add_llk(app, action);
  add_fp16c(app, action);
  add_sweep(app, action);
  add_diff(app, action);
  add_accuracy(app, action);
  if (argc > 1 && argv[1][0] != '-' && !has_command(app, argv[1])) {
    fmt::print(stderr, "error: there is no command '{}'; 'lanewise --help' lists the commands\n",
               argv[1]);
    return kBadInput;
  }
  if (const auto wrong = unknown_simd_level()) {
    fmt::print(stderr, "error: LANEWISE_SIMD is '{}'; it takes baseline, v3 or v4\n", *wrong);
    return kBadInput;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error); // --help, --version
    const auto chosen = app.get_subcommands();
    const std::string command =
        chosen.empty() ? "lanewise" : "lanewise " + chosen.front()->get_name();
    fmt::print(stderr, "error: {}; '{} --help' lists what there is\n", error.what(), command);
    return kBadInput;
  }
  return action();
}

} // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return kBadInput;
  }
}
