#include "cli/check_program.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/llk_kernels.h"
#include "corpus/llk/checkout.h"
#include "corpus/llk/corpus.h"
#include "corpus/llk/source.h"
#include "execution/compiled_kernel.h"
#include "machine/executor.h"
#include "timing/hazards/hazards.h"
#include "timing/tile_cost.h"

namespace lanewise::cli {

namespace {

using report::CheckedProgram;

/// Misc that counts instructions is one finding, whether or not plain code of the program met it.
void drop_doubled_findings(std::vector<timing::Hazard>& hazards) {
  const auto has = [&](std::string_view id) {
    return std::ranges::any_of(hazards, [id](const auto& hazard) { return hazard.rule->id == id; });
  };
  if (has("macro-misc-armed"))
    std::erase_if(hazards,
                  [](const auto& hazard) { return hazard.rule->id == "macro-left-armed"; });
  // A sequence that nobody has programmed is empty, and its templates suit nothing.
  std::vector<std::uint32_t> unprogrammed;
  for (const timing::Hazard& hazard : hazards) {
    if (hazard.rule->id == "unprogrammed-macro") unprogrammed.push_back(hazard.line);
  }
  std::erase_if(hazards, [&](const auto& hazard) {
    const std::string_view id = hazard.rule->id;
    return (id == "macro-unprogrammed" || id == "macro-template" || id == "macro-store-template") &&
           std::ranges::find(unprogrammed, hazard.line) != unprogrammed.end();
  });
}

/// A kernel of LLK in one configuration on one chip.
struct LlkCase {
  const lab::LlkKernel& kernel;
  lab::Format format;
  bool twin;
  Arch arch;
};

Expected<CheckedProgram> compile_and_check(const LlkCase& which, const lab::LlkCheckout& checkout,
                                           const LlkCheckoutCheck& check) {
  sfpi::KernelSource source =
      lab::llk_source(which.kernel, which.format, which.twin, which.arch, checkout);
  source.limits = check.limits;
  const auto compiled = lab::compile_kernel(which.arch, source, check.compiler);
  if (!compiled) return Unexpected(compiled.error());
  lab::TileRunOptions tile;
  tile.format = which.format;
  tile.as_kernel = true;
  std::vector<lab::Format> filled;
  for (const lab::LlkInput& input : which.kernel.inputs)
    filled.push_back(input.format.value_or(which.format));
  return check_and_cost(which.arch, compiled->compiled.program, tile, filled);
}

CheckedProgram check_case(const LlkCase& which, const lab::LlkCheckout& checkout,
                          const LlkCheckoutCheck& check) {
  auto checked = compile_and_check(which, checkout, check);
  CheckedProgram result = checked ? std::move(*checked) : CheckedProgram{};
  if (!checked) result.failure = to_string(checked.error());
  result.name = which.kernel.name;
  result.header = which.kernel.header;
  result.arch = which.arch;
  result.variant = fmt::format("{}{}", lab::format_name(which.format), which.twin ? ", twin" : "");
  return result;
}

std::vector<LlkCase> cases_of(const lab::LlkKernel& kernel, std::span<const Arch> chips) {
  std::vector<LlkCase> cases;
  for (const lab::LlkDst& dst : kernel.dst) {
    for (const bool twin : {false, true}) {
      if (twin && !kernel.has_twin) continue;
      for (const Arch arch : chips) {
        if (std::ranges::find(kernel.chips, arch) != kernel.chips.end())
          cases.push_back({kernel, dst.format, twin, arch});
      }
    }
  }
  return cases;
}

} // namespace

CheckedProgram check_program(const lab::TimedProgram& timed, const Program& program,
                             const lab::FilledTiles& filled) {
  MachineState after = timed.start;
  execute(after, timed.schedule.ops);

  CheckedProgram checked{.name = program.name, .arch = timed.schedule.arch};
  checked.instructions = timed.program.ops.size();
  checked.cycles = timed.schedule.cycles;
  checked.hazards =
      timing::find_hazards(timed.schedule, timed.program, timed.start, {.source = &program});
  for (timing::Hazard& each : timing::find_contract_breaks(timed.start, after, timed.schedule))
    checked.hazards.push_back(std::move(each));
  for (timing::Hazard& each : lab::find_unprogrammed(timed, program, filled))
    checked.hazards.push_back(std::move(each));
  drop_doubled_findings(checked.hazards);
  checked.faults = timed.program.faults;
  for (Fault& fault : after.faults.to_faults(checked.arch)) {
    if (fault.file.empty()) fault.file = program.name;
    checked.faults.push_back(std::move(fault));
  }
  return checked;
}

Expected<CheckedProgram> check_and_cost(Arch arch, const Program& program,
                                        const lab::TileRunOptions& options,
                                        const lab::FilledTiles& filled) {
  const auto timed = lab::schedule_on_tile(arch, program, options);
  if (!timed) return Unexpected(timed.error());
  CheckedProgram checked = check_program(*timed, program, filled);
  checked.cost = timing::tile_cost(timed->start, program, options.as_kernel);
  return checked;
}

Expected<CheckedCheckout> check_llk_checkout(
    const LlkCheckoutCheck& check,
    const std::function<bool(std::size_t, std::size_t, const std::string&)>& progress) {
  const auto checkout = lab::LlkCheckout::open(check.folder, check.chips);
  if (!checkout) return Unexpected(checkout.error());
  CheckedCheckout results{.headers = lab::llk_headers(*checkout, check.chips, lab::llk_corpus())};
  const auto kernels = chosen_llk_kernels(check.kernels, results.headers);
  if (!kernels) return Unexpected(kernels.error());
  for (std::size_t i = 0; i < kernels->size(); ++i) {
    const lab::LlkKernel& kernel = *(*kernels)[i];
    for (const LlkCase& each : cases_of(kernel, check.chips)) {
      if (!progress(i, kernels->size(), kernel.name)) return results;
      CheckedProgram result = check_case(each, *checkout, check);
      // Ctrl-C ends the host's compiler as well: that says nothing about the kernel.
      if (!result.failure.empty() && !progress(i, kernels->size(), kernel.name)) return results;
      results.programs.push_back(std::move(result));
    }
  }
  return results;
}

} // namespace lanewise::cli
