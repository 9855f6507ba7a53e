#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/unknown_word.h"
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
  const std::vector<std::string> commands = command_names(app);
  if (argc > 1 && argv[1][0] != '-' && std::ranges::find(commands, argv[1]) == commands.end()) {
    tell("error: {}\n",
         unknown_word("command", argv[1], commands, "'lanewise --help' lists the commands"));
    return kBadInput;
  }
  if (const auto wrong = unknown_simd_level()) {
    tell("error: LANEWISE_SIMD is '{}'; it takes baseline, v3 or v4\n", *wrong);
    return kBadInput;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) { // --help, --version
      std::ostringstream text;
      const int status = app.exit(error, text, text);
      fmt::print("{}", text.str());
      return status;
    }
    const auto chosen = app.get_subcommands();
    tell("error: {}\n", option_mistake(chosen.empty() ? app : *chosen.front(), error.what()));
    return kBadInput;
  }
  return action();
}

} // namespace

int main(int argc, char** argv) {
  prepare_streams();
  int status = kBadInput;
  try {
    status = run(argc, argv);
  } catch (const std::exception& error) {
    status = fail(error);
  }
  return finish_output(status);
}
