#include "run/execution/run_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/fault_list.h"
#include "base/in_quotes.h"
#include "chip/isa/effects.h"
#include "run/execution/kernel_faults.h"
#include "run/execution/kernel_hints.h"
#include "run/execution/unprogrammed.h"
#include "run/oracle/printed_lines.h"
#include "source/compiler/compiler.h"

namespace lanewise::execution {

namespace {

bool prints(const compiler::Recording& recording) {
  return std::ranges::any_of(recording.nodes, [](const compiler::Node& node) {
    return node.kind == compiler::Kind::Print;
  });
}

/// Whether words of an opcode can write Dst. A MOP or an SFPLOADMACRO brings others, which may.
bool may_store(Arch arch, std::uint8_t opcode) {
  const isa::Row* row = isa::find_row(arch, opcode);
  if (row == nullptr) return true; // reported as what it is
  return row->op == isa::Op::MOP || row->op == isa::Op::SFPLOADMACRO ||
         (isa::parts_written(row->op) & isa::part::kDst) != 0;
}

/// Whether no word of the program can write Dst.
bool stores_nothing(const LoadedProgram& loaded) {
  std::array<bool, 256> is_met{};
  for (const ProgramWord& each : loaded.program.words) {
    const std::uint8_t opcode = isa::opcode_of(each.word);
    if (is_met[opcode]) continue;
    if (may_store(loaded.arch, opcode)) return false;
    is_met[opcode] = true;
  }
  return true;
}

/// Adds the faults that are not there yet.
void add_faults(std::vector<Fault>& all, std::vector<Fault> more) {
  FaultList list;
  list.add(std::move(all));
  list.add(std::move(more));
  all = list.take();
}

/// Only in the interpreter a lane that was never computed shows.
void interpret_first_tile(const compiler::Recording& recording,
                          std::span<const tensors::Tensor> inputs, const ProgramRunOptions& options,
                          ProgramRun& result) {
  oracle::PrintedLines lines(options.print ? options.print : [](const std::string&) {});
  auto faults = kernel_faults(recording, options.compiler, inputs, options.tile,
                              [&lines](const oracle::Printed& printed) { lines.add(printed); });
  lines.finish();
  if (faults) {
    add_faults(result.run.faults, std::move(*faults));
  } else if (prints(recording)) {
    result.notes.push_back("what the kernel prints is not shown: " + faults.error().message);
  }
}

Expected<TileRun> run_words(const LoadedProgram& loaded, std::span<const tensors::Tensor> inputs,
                            const ProgramRunOptions& options, PreparedProgram* prepared) {
  if (prepared == nullptr)
    return run_on_tiles(loaded.arch, loaded.program, inputs, options.tile, options.observe);
  return run_on_tiles(loaded.arch, loaded.program, *prepared, inputs, options.tile,
                      options.observe);
}

bool is_unprogrammed(const timing::Hazard& hazard) {
  return hazard.rule->id.starts_with("unprogrammed-");
}

/// The tile of zeros that the checker takes is the one that the program runs on: followed once, it
/// shows both what a check tells and what the run uses. Only of the latter it is known that Dst is
/// empty.
void look_without_inputs(const TimedProgram& timed, const Program& program,
                         ProgramOutlook& outlook) {
  outlook.checked = check_program(timed, program, {.filled = FilledTiles::value_type{}});
  for (const timing::Hazard& hazard : outlook.checked->hazards) {
    if (is_unprogrammed(hazard))
      outlook.unprogrammed.push_back(unprogrammed_fault(hazard, program));
  }
  std::erase_if(outlook.checked->hazards,
                [](const timing::Hazard& hazard) { return hazard.rule->id == "unprogrammed-dst"; });
}

/// Nobody asks for cycles, and no value depends on them, but where the model of the hazards does.
ProgramOutlook look_without_clock(TileProgram on_tile, const Program& program,
                                  std::span<const tensors::Tensor> inputs,
                                  const TileRunOptions& tile) {
  ProgramOutlook outlook;
  outlook.unprogrammed = unprogrammed_faults(on_tile, program, inputs);
  outlook.prepared =
      std::make_shared<PreparedProgram>(std::move(on_tile.program), tile, on_tile.start);
  return outlook;
}

} // namespace

Expected<HazardPolicy> parse_hazard_policy(std::string_view text) {
  constexpr std::array kNames{
      std::pair{"warn", HazardPolicy::Warn}, std::pair{"model", HazardPolicy::Model},
      std::pair{"error", HazardPolicy::Error}, std::pair{"off", HazardPolicy::Off}};
  for (const auto& [name, policy] : kNames) {
    if (text == name) return policy;
  }
  return bad_input(
      fmt::format("nothing that can be done about hazards is called {}", in_quotes(text)),
      "use warn, model, error or off");
}

Expected<ProgramOutlook> look_ahead(const LoadedProgram& loaded,
                                    std::span<const tensors::Tensor> inputs,
                                    const TileRunOptions& tile, bool checks) {
  if (!arch_params(loaded.arch).has_clock) return ProgramOutlook{};
  auto on_tile = expand_on_tile(loaded.arch, loaded.program, tile);
  if (!on_tile) return Unexpected(on_tile.error());
  const Dst16View view = on_tile->start.config.dst16_view();
  if (auto fits = check_tiles(inputs, tile, view); !fits) return Unexpected(fits.error());
  if (!checks && !has_macros(on_tile->program))
    return look_without_clock(std::move(*on_tile), loaded.program, inputs, tile);
  TimedProgram timed = schedule_on_tile(std::move(*on_tile));
  ProgramOutlook outlook;
  if (checks && inputs.empty()) {
    look_without_inputs(timed, loaded.program, outlook);
  } else {
    if (checks) outlook.checked = check_program(timed, loaded.program);
    outlook.unprogrammed = unprogrammed_faults(timed, loaded.program, inputs);
  }
  outlook.prepared =
      tile.hazards == timing::HazardModel::Documented
          ? std::make_shared<PreparedProgram>(std::move(timed), tile)
          : std::make_shared<PreparedProgram>(std::move(timed.program), tile, timed.start);
  return outlook;
}

std::vector<timing::Hazard> told_hazards(const CheckedProgram& checked) {
  std::vector<timing::Hazard> told = checked.hazards;
  std::erase_if(told, [](const timing::Hazard& hazard) {
    return hazard.rule->warns_only || is_unprogrammed(hazard);
  });
  return told;
}

Expected<ProgramRun> run_program(const LoadedProgram& loaded,
                                 std::span<const tensors::Tensor> inputs,
                                 const ProgramRunOptions& options, const ProgramOutlook& outlook) {
  auto run =
      options.interpret && loaded.kernel
          ? interpret_on_tiles(compiler::combined(loaded.kernel->recording, options.compiler),
                               inputs, options.tile)
          : run_words(loaded, inputs, options, outlook.prepared.get());
  if (!run) return Unexpected(run.error());
  ProgramRun result{std::move(*run), {}};
  // What a trace shows and what a kernel prints are results, too.
  if (!options.observe && stores_nothing(loaded) &&
      !(loaded.kernel && prints(loaded.kernel->recording))) {
    result.run.faults.push_back(
        {.kind = FaultKind::UnpredictableValue,
         .message = "the program stores nothing: the result is what was in Dst before",
         .remedy = "store what it computes with SFPSTORE, in a kernel with dst_reg[0] = x"});
  }
  if (loaded.kernel) {
    interpret_first_tile(loaded.kernel->recording, inputs, options, result);
    std::string hint = loop_hint(loaded.kernel->recording);
    if (!hint.empty()) result.notes.push_back(std::move(hint));
  }
  add_faults(result.run.faults, outlook.unprogrammed);
  return result;
}

Expected<CheckedProgram> check_loaded(const LoadedProgram& loaded,
                                      const compiler::Options& compiler, const TileRunOptions& tile,
                                      const CheckSettings& settings) {
  auto checked = check_and_cost(loaded.arch, loaded.program, tile, settings);
  if (checked) add_kernel_faults(*checked, loaded, compiler, tile);
  return checked;
}

void add_kernel_faults(CheckedProgram& checked, const LoadedProgram& loaded,
                       const compiler::Options& compiler, const TileRunOptions& tile) {
  if (!loaded.kernel) return;
  auto faults = kernel_faults(loaded.kernel->recording, compiler, {}, tile);
  // What has no clock cannot follow macros.
  if (faults) add_faults(checked.faults, std::move(*faults));
}

} // namespace lanewise::execution
