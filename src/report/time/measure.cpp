#include "report/time/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/source_line.h"
#include "base/text_file.h"
#include "chip/isa/encoding.h"
#include "chip/isa/limits.h"
#include "chip/isa/replay.h"
#include "chip/machine/frontend/front_end.h"
#include "run/execution/check_program.h"
#include "run/execution/tile_cost.h"
#include "run/execution/tile_runner.h"
#include "source/compiler/arrangements.h"
#include "source/compiler/compiler.h"

namespace lanewise::report {

namespace {

Expected<void> check_repeat(const Program& program, std::size_t passes) {
  if (passes == 0) return bad_input("--repeat 0 leaves nothing to time", "repeat at least once");
  if (program.words.size() <= isa::kMostWords / passes) return {};
  return bad_input(fmt::format("{} words {} times are too many", program.words.size(), passes),
                   fmt::format("repeat at most {} times",
                               isa::kMostWords / std::max<std::size_t>(1, program.words.size())));
}

/// Why no time can be told for a program: words that mean nothing, or that nobody knows, take a
/// time that nobody knows, too. Instructions that are only not executed have their slot.
std::string untimed_reason(const MicroProgram& prepared) {
  const bool unknown = std::ranges::any_of(prepared.faults, [](const Fault& fault) {
    return fault.kind == FaultKind::UndefinedBehavior ||
           fault.kind == FaultKind::UnpredictableValue;
  });
  if (prepared.ops.size() >= isa::kMostWords) return "not timed: the program is too long";
  return unknown
             ? "not timed: nothing says how long what the faults name takes, or whether it is there"
             : "";
}

/// Passes per tile of the loop that stays one in the core: --rolled says how many words a pass has;
/// without it, it has a row.
double loop_passes(const Program& program, const timing::TileCost& tile, std::size_t words) {
  if (words == 0) return timing::kRowsPerTile;
  const auto of_kernel = std::ranges::count(timing::parts_of(program), ProgramPart::Tile);
  return std::ceil(static_cast<double>(of_kernel) * tile.passes() / static_cast<double>(words));
}

/// Cycles that the loop adds to a tile, on Blackhole.
Expected<double> rolled_loop(const execution::LoadedProgram& loaded, const timing::TileCost& tile,
                             const execution::TileRunOptions& options, std::size_t words) {
  const auto passes = static_cast<std::size_t>(std::ceil(tile.passes()));
  const Program program = timing::on_tiles(loaded.program, passes);
  const auto timed = execution::schedule_on_tile(loaded.arch, program, options);
  if (!timed) return Unexpected(timed.error());
  return static_cast<double>(
      timing::rolled_loop_cycles(timed->schedule, timed->program, program, words));
}

/// Everything that takes the clock.
Expected<void> take_times(const execution::LoadedProgram& loaded, const TimeOptions& options,
                          const execution::TileRunOptions& tile, TimeReport& result) {
  auto timed = execution::schedule_on_tile(loaded.arch, result.program, tile);
  if (!timed) return Unexpected(timed.error());
  result.timing = timing::time_program(timed->start, loaded.program, loaded.kernel.has_value(),
                                       timed->program, std::move(timed->schedule));
  result.prepared = std::move(timed->program);
  result.loop_passes = loop_passes(loaded.program, result.timing.tile, options.rolled);
  if (options.rolled != 0 && arch_params(loaded.arch).cores.loop_return_cycles != 0) {
    const auto loop = rolled_loop(loaded, result.timing.tile, tile, options.rolled);
    if (!loop) return Unexpected(loop.error());
    result.rolled_loop = *loop;
  }
  const auto once = execution::schedule_on_tile(loaded.arch, loaded.program, tile);
  if (!once) return Unexpected(once.error());
  result.checked = execution::check_program(*once, loaded.program);
  return {};
}

/// Whether LLK calls the kernel once for the whole tile: between its faces stands nothing.
bool is_called_once(const execution::LoadedProgram& loaded) {
  return loaded.kernel && loaded.kernel->recording.is_shipped &&
         std::ranges::none_of(loaded.program.words, [&](const ProgramWord& word) {
           const isa::Decoded d = isa::decode(loaded.arch, word.word);
           return part_of_line(word.line) == ProgramPart::Around && d.row != nullptr &&
                  d.row->op == isa::Op::SETRWC;
         });
}

timing::HarnessTraits traits_of(const execution::LoadedProgram& loaded, formats::Format format) {
  constexpr std::uint32_t kSecondTile = 64; // rows of Dst (VU C17)
  timing::HarnessTraits traits{.is_32bit = formats::is_32bit(format)};
  for (const ProgramWord& word : loaded.program.words) {
    if (part_of_line(word.line) != ProgramPart::Tile) continue;
    const auto replay = isa::replay_command(word.word);
    traits.replays |= replay && !replay->load;
    const isa::Decoded d = isa::decode(loaded.arch, word.word);
    if (d.row == nullptr || d.row->op != isa::Op::SFPLOAD) continue;
    traits.two_operands |= d["Imm10"] >= kSecondTile && d["Imm10"] < 2 * kSecondTile;
  }
  return traits;
}

/// What a tile takes where the order of its instructions is the other one; nothing but for kernels
/// that LLK calls.
Expected<void> compare_orders(const execution::LoadedProgram& loaded, const TimeOptions& options,
                              const execution::TileRunOptions& tile, TimeReport& result) {
  if (!loaded.kernel || !loaded.kernel->recording.is_shipped) return {};
  const compiler::Recording& recording = loaded.kernel->recording;
  result.compiled = compiler::compiled_as(recording, options.compiler);
  compiler::Options other = options.compiler;
  other.dump.clear();
  other.compiled = *result.compiled == compiler::CompiledAs::Shipped
                       ? compiler::CompiledAs::Lanewise
                       : compiler::CompiledAs::Shipped;
  const compiler::Compiled compiled = compiler::compile(recording, other);
  if (!compiled.ok) return {};
  const auto cost = execution::tile_cost_of(loaded.arch, compiled.program, tile);
  if (!cost) return Unexpected(cost.error());
  result.other_cycles = cost->cycles();
  return {};
}

} // namespace

Expected<TimeReport> measure_time(const execution::LoadedProgram& loaded,
                                  const TimeOptions& options) {
  if (auto fits = check_repeat(loaded.program, options.passes); !fits)
    return Unexpected(fits.error());
  TimeReport result;
  result.arch = loaded.arch;
  result.passes = options.passes;
  result.program = timing::on_tiles(loaded.program, options.passes);
  MicroProgram prepared = FrontEnd(loaded.arch).expand(result.program);
  result.untimed = untimed_reason(prepared);
  result.faults = std::move(prepared.faults);
  if (!result.untimed.empty()) return result;

  execution::TileRunOptions tile;
  tile.format = options.format;
  tile.as_kernel = loaded.as_kernel();
  if (auto taken = take_times(loaded, options, tile, result); !taken)
    return Unexpected(taken.error());
  if (auto compared = compare_orders(loaded, options, tile, result); !compared)
    return Unexpected(compared.error());
  if (is_called_once(loaded)) result.saved_steps = timing::kFaceSteps;
  if (options.choose_harness) {
    result.harness = timing::choose_harness(loaded.arch, traits_of(loaded, options.format));
    result.harness_chosen = result.harness != nullptr;
  }
  result.source = lines_of(loaded.text);
  for (const timing::Harness* each : options.harnesses) {
    if (each->arch != loaded.arch) continue;
    result.harness = each;
    result.harness_chosen = false;
  }
  return result;
}

} // namespace lanewise::report
