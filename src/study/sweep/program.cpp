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
                                           bool generates) {
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
  if (execution::StoreProbe::suits(runner.output_format_) && !has_narrow_lanes(program.arch))
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

void ChunkRunner::load(MachineState& state, bool has_y) const {
  if (!sources_.has(0)) tensors::load_cells(state.dst, format_, 0, x_, view_);
  if (has_y && !sources_.has(1)) tensors::load_cells(state.dst, format_, 1, y_, view_);
  for (const auto& [operand, file] :
       {std::pair{sources_.srca, &state.srca}, std::pair{sources_.srcb, &state.srcb}}) {
    if (operand) load_source(*file, source_format(format_), source_cells_, *operand == 0 ? x_ : y_);
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
  const std::size_t count = inputs.x.size();
  const bool has_y = !inputs.y.empty();
  results.found.resize(count);
  results.before_store.resize(probe_ ? count : 0);
  const auto fill = [](const std::vector<std::uint32_t>& bits, std::size_t first, std::size_t size,
                       Cells& cells) {
    std::copy_n(bits.begin() + static_cast<std::ptrdiff_t>(first), size, cells.begin());
    std::fill(cells.begin() + static_cast<std::ptrdiff_t>(size), cells.end(), cells.front());
  };
  for (std::size_t first = 0; first < count; first += tensors::kTileElements) {
    const std::size_t size = std::min<std::size_t>(tensors::kTileElements, count - first);
    fill(inputs.x, first, size, x_);
    if (has_y) fill(inputs.y, first, size, y_);
    run_tile(size, has_y, &results.found[first], probe_ ? &results.before_store[first] : nullptr);
  }
}

void ChunkRunner::execute_tile(MachineState& state, std::span<const MicroOp> ops) {
  if (probe_ && loop_) return probe_->execute(state, ops, *loop_);
  if (probe_) return probe_->execute(state, ops);
  if (loop_) return loop_->execute(state, ops);
  execute(state, ops);
}

void ChunkRunner::run_tile(std::size_t count, bool has_y, std::uint32_t* found,
                           std::uint32_t* before_store) {
  machine_->run(
      [&](MachineState& state) { load(state, has_y); },
      [&](MachineState& state, std::span<const MicroOp> ops) { execute_tile(state, ops); });
  tensors::read_cells(machine_->state().dst, output_format_, output_tile_, found_, view_);
  std::copy_n(found_.begin(), count, found);
  if (!probe_) return;
  probe_->round_before_store(found_, before_store_);
  std::copy_n(before_store_.begin(), count, before_store);
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
