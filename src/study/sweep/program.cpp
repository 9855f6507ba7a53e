#include "study/sweep/program.h"

#include <algorithm>
#include <span>
#include <utility>

#include "chip/machine/executor.h"
#include "number/tensors/source_tile.h"
#include "number/tensors/tile_cells.h"

namespace lanewise::sweep {

namespace {

/// Of the operands of a sweep, which are BF16 or FP16.
DataFormat source_format(formats::Format format) {
  return isa::number_format(format).operand->code;
}

/// A tile into bank 0 of a source, in the order of load_cells().
void load_source(SourceFile& file, DataFormat format, std::span<const std::uint32_t> cell_of,
                 std::span<const std::uint32_t, tensors::kTileElements> bits) {
  tensors::SourceTile cells{};
  for (unsigned i = 0; i < tensors::kTileElements; ++i) cells[i] = cell_of[bits[i]];
  tensors::load_source_rows(file, format, cells);
}

} // namespace

execution::TileRunOptions tile_options(const SweepProgram& program, const SweepOptions& options) {
  execution::TileRunOptions tile{.format = options.format,
                                 .output_format = options.output_format,
                                 .as_kernel = program.as_kernel};
  if (!options.sources.any()) return tile;
  tile.format = options.output_format.value_or(options.format);
  const tensors::SourceInput any{.values = {}, .format = source_format(options.format)};
  if (options.sources.srca) tile.srca = any;
  if (options.sources.srcb) tile.srcb = any;
  return tile;
}

Expected<ChunkRunner> ChunkRunner::prepare(const SweepProgram& program, const SweepOptions& options,
                                           bool generates, bool probes) {
  auto machine = execution::TileMachine::prepare(program.arch, program.program,
                                                 tile_options(program, options));
  if (!machine) return Unexpected(machine.error());
  ChunkRunner runner;
  runner.name_ = program.program.name;
  runner.arch_ = program.arch;
  runner.format_ = options.format;
  runner.output_format_ = options.output_format.value_or(options.format);
  runner.output_tile_ = options.output_tile;
  runner.sources_ = options.sources;
  if (runner.sources_.any()) runner.make_source_cells();
  runner.machine_ = std::move(*machine);
  runner.view_ = runner.machine_->state().config.dst16_view();
  if (auto fits =
          execution::check_output_tile(runner.output_format_, runner.output_tile_, runner.view_);
      !fits)
    return Unexpected(fits.error());
  if (probes && execution::StoreProbe::suits(runner.output_format_) &&
      !has_narrow_lanes(program.arch))
    runner.probe_.emplace(runner.output_format_, runner.output_tile_, runner.view_);
  if (generates) {
    if (auto done = runner.generate(options.generation); !done) return Unexpected(done.error());
  }
  return runner;
}

void ChunkRunner::make_source_cells() {
  constexpr std::uint32_t kPatterns = 1U << 16;
  source_cells_.resize(kPatterns);
  for (std::uint32_t first = 0; first < kPatterns; first += tensors::kTileElements) {
    tensors::Tile patterns{};
    for (unsigned i = 0; i < tensors::kTileElements; ++i) patterns[i] = first + i;
    // Formats in which each number has its own exponent take any pattern.
    const auto cells = tensors::source_cells(source_format(format_), format_, patterns);
    if (cells) std::ranges::copy(*cells, source_cells_.begin() + first);
  }
}

void ChunkRunner::load(MachineState& state, Inputs x, const Inputs* y) const {
  if (!sources_.has(0)) tensors::load_cells(state.dst, format_, 0, x, view_);
  if (y != nullptr && !sources_.has(1)) tensors::load_cells(state.dst, format_, 1, *y, view_);
  for (const auto& [operand, file] :
       {std::pair{sources_.srca, &state.srca}, std::pair{sources_.srcb, &state.srcb}}) {
    if (operand) load_source(*file, source_format(format_), source_cells_, *operand == 0 ? x : *y);
  }
}

Expected<void> ChunkRunner::generate(Generation generation) {
  const bool must = generation == Generation::Always;
  auto program = machine_->row_program();
  if (!program) {
    if (!must) return {};
    Unexpected fault(program.error());
    fault.value().file = name_;
    return fault;
  }
  auto loop = execution::GeneratedLoop::compile(arch_, std::move(*program));
  if (loop) loop_.emplace(std::move(*loop));
  if (!loop && must) return Unexpected(loop.error());
  return {};
}

void ChunkRunner::run(const ChunkInputs& inputs, FoundBits& results) {
  constexpr std::size_t kTile = tensors::kTileElements;
  const std::size_t count = inputs.x.size();
  results.found.resize(count);
  results.before_store.resize(probe_ ? count : 0);
  std::size_t first = 0;
  for (; first + kTile <= count; first += kTile) {
    const auto tile_of = [&](auto& all) {
      return std::span(all).subspan(first).template first<kTile>();
    };
    std::optional<Inputs> y;
    if (!inputs.y.empty()) y = tile_of(inputs.y);
    run_tile(tile_of(inputs.x), y ? &*y : nullptr, tile_of(results.found),
             probe_ ? tile_of(results.before_store) : Results(before_store_));
  }
  if (first < count) run_part_of_tile(inputs, first, results);
}

void ChunkRunner::run_part_of_tile(const ChunkInputs& inputs, std::size_t first,
                                   FoundBits& results) {
  const auto fill = [first](const std::vector<std::uint32_t>& bits, Cells& cells) {
    const auto end =
        std::copy(bits.begin() + static_cast<std::ptrdiff_t>(first), bits.end(), cells.begin());
    std::fill(end, cells.end(), cells.front());
  };
  fill(inputs.x, x_);
  if (!inputs.y.empty()) fill(inputs.y, y_);
  const Inputs y(y_);
  run_tile(x_, inputs.y.empty() ? nullptr : &y, found_, before_store_);
  const auto take = [&](const Cells& cells, std::vector<std::uint32_t>& all) {
    std::copy_n(cells.begin(), all.size() - first,
                all.begin() + static_cast<std::ptrdiff_t>(first));
  };
  take(found_, results.found);
  if (probe_) take(before_store_, results.before_store);
}

void ChunkRunner::execute_tile(MachineState& state, std::span<const MicroOp> ops) {
  if (probe_ && loop_) return probe_->execute(state, ops, *loop_);
  if (probe_) return probe_->execute(state, ops);
  if (loop_) return loop_->execute(state, ops);
  execute(state, ops);
}

void ChunkRunner::run_tile(Inputs x, const Inputs* y, Results found, Results before_store) {
  machine_->run(
      [&](MachineState& state) { load(state, x, y); },
      [&](MachineState& state, std::span<const MicroOp> ops) { execute_tile(state, ops); });
  tensors::read_cells(machine_->state().dst, output_format_, output_tile_, found, view_);
  if (probe_) probe_->round_before_store(found, before_store);
}

std::vector<Fault> ChunkRunner::take_faults() {
  FaultLog& log = machine_->state().faults;
  if (log.records().empty()) return {};
  FaultLog once;
  for (const RuntimeFaultRecord& record : log.records())
    once.add(record.what, record.word, record.line, record.lanes);
  log.clear();
  std::vector<Fault> faults = once.to_faults(arch_);
  for (Fault& fault : faults) fault.file = name_;
  return faults;
}

} // namespace lanewise::sweep
