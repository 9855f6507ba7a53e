#include "cli/tune_chain.h"

#include <fmt/format.h>

#include <memory>

#include "cli/output.h"
#include "cli/tune_text.h"
#include "report/tune/chain.h"
#include "study/tune/chain.h"

namespace lanewise::cli {

namespace {

/// Kernels of one chip, in their order.
ExitStatus tune_one_chain(std::span<const LoadedProgram> programs, const TuneCommand& command,
                          tune::TuneOptions options) {
  std::vector<tune::ChainKernel> kernels;
  for (const LoadedProgram& each : programs)
    kernels.push_back({each.program.name, {each.arch, each.program, each.as_kernel()}});
  auto line = std::make_unique<ProgressLine>();
  options.progress = watched(*line);
  const auto result = tune::tune_chain(kernels, options);
  line.reset();
  if (!result) return fail(result.error());
  const auto accuracy = accuracy_text(command, result->plain, options);
  if (!accuracy) return fail(accuracy.error());
  std::string text = command.json ? report::chain_json(*result).dump(2) + "\n"
                                  : as_comment(report::chain_text(*result) + *accuracy);
  const tune::ChainForm* best = result->best();
  const LoadedProgram plain{
      .arch = result->arch, .program = result->plain.program, .vendors = result->plain.as_kernel};
  if (!command.json) text += best != nullptr ? best->text : plain_code(plain, command);
  if (auto done = deliver(text, command.out); !done) return fail(done.error());
  return exit_status(best != nullptr);
}

} // namespace

bool is_chain(const TuneCommand& command) {
  return command.kernels.size() > 1 && !command.table && !command.front.max_ulp;
}

Expected<void> check_chain(const TuneCommand& command) {
  if (!is_chain(command)) return {};
  if (!command.options.checkout.op.empty())
    return bad_input("--op names one operation, and a chain has several kernels",
                     "give the kernels of a chain by their files");
  const std::size_t kernels = command.kernels.size(), calls = command.options.calls.size();
  if (calls > 1 && calls != kernels)
    return bad_input(fmt::format("a chain of {} kernels has {} --call", kernels, calls),
                     "give one for each kernel, in their order, or one for all");
  return {};
}

ExitStatus tune_chains(std::span<const LoadedProgram> programs, std::span<const Arch> chips,
                       const TuneCommand& command, const tune::TuneOptions& options) {
  ExitStatus status = ExitStatus::Success;
  for (const Arch chip : chips) {
    std::vector<LoadedProgram> own;
    for (const LoadedProgram& each : programs) {
      if (each.arch == chip) own.push_back(each);
    }
    const ExitStatus one = tune_one_chain(own, command, options);
    if (one != ExitStatus::Success) status = one;
  }
  return status;
}

} // namespace lanewise::cli
