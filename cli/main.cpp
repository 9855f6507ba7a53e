#include <cstdlib>
#include <exception>
#include <optional>
#include <string>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/output.h"
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

ExitStatus run(int argc, char** argv) {
  CommandLine line(
      "lanewise", "Lanewise: write, run, time and check Tensix compute kernels without a card",
      LANEWISE_VERSION,
      "'lanewise COMMAND --help' tells more. Exit status: 0 done, 1 a check does not hold, 2 bad "
      "input.");
  add_commands(line);
  if (const auto wrong = unknown_simd_level()) {
    tell("error: LANEWISE_SIMD is '{}'; it takes baseline, v3 or v4\n", *wrong);
    return ExitStatus::BadInput;
  }
  return line.run(argc, argv);
}

} // namespace

int main(int argc, char** argv) {
  prepare_streams();
  ExitStatus status = ExitStatus::BadInput;
  try {
    status = run(argc, argv);
  } catch (const std::exception& error) {
    status = fail(error);
  }
  return static_cast<int>(finish_output(status));
}
