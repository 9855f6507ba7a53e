#include "run/execution/tile_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/fault_list.h"
#include "chip/isa/encoding.h"
#include "chip/machine/kernel_entry.h"
#include "run/execution/tile_machine.h"
#include "run/oracle/interpreter.h"

namespace lanewise::execution {

namespace {

/// The tiles of everything that a program reads.
struct RunInputs {
  std::vector<std::vector<tensors::Tile>> dst;
  std::vector<tensors::SourceTile> srca, srcb; ///< empty if there is no input for it
};

Expected<RunInputs> cut_inputs(std::span<const tensors::Tensor> inputs,
                               const TileRunOptions& options) {
  RunInputs cut;
  for (const tensors::Tensor& input : inputs) cut.dst.push_back(tensors::split_into_tiles(input));
  for (const auto& [input, tiles] :
       {std::pair{&options.srca, &cut.srca}, std::pair{&options.srcb, &cut.srcb}}) {
    if (!input->has_value()) continue;
    auto cells = tensors::source_tiles(**input);
    if (!cells) return Unexpected(cells.error());
    *tiles = std::move(*cells);
  }
  return cut;
}

Expected<std::size_t> common_tile_count(std::span<const tensors::Tensor> inputs,
                                        const TileRunOptions& options) {
  std::vector<std::pair<std::string, std::size_t>> counts;
  for (const tensors::Tensor& input : inputs)
    counts.emplace_back(fmt::format("input {}", counts.size() + 1), tensors::tile_count(input));
  if (options.srca)
    counts.emplace_back("the input of SrcA", tensors::tile_count(options.srca->values));
  if (options.srcb)
    counts.emplace_back("the input of SrcB", tensors::tile_count(options.srcb->values));
  for (const auto& [name, tiles] : counts) {
    if (tiles == 0)
      return bad_input(fmt::format("{} has no elements", name), "give it at least one");
  }
  std::size_t count = 1;
  for (const auto& [name, tiles] : counts) count = std::max(count, tiles);
  for (const auto& [name, tiles] : counts) {
    if (tiles == 1 || tiles == count) continue;
    return bad_input(fmt::format("{} has {} tiles where another has {}", name, tiles, count),
                     "give all inputs the same size, or a single tile");
  }
  return count;
}

/// What runs on every tile.
struct Body {
  const std::string& name;                 ///< for messages
  std::span<const ConfigSetting> settings; ///< applied once, before `start`
  /// Once; the state that it leaves is that before each tile. Returns what is wrong already.
  std::function<std::vector<Fault>(Machine&)> start;
  /// For each tile. Returns faults beside those of the machine's log.
  std::function<std::vector<Fault>(Machine&, std::size_t tile)> run;
};

} // namespace

Expected<void> check_output_tile(formats::Format format, unsigned tile, Dst16View view) {
  const unsigned room = dst_tiles(format, view);
  if (tile < room) return {};
  return bad_input(fmt::format("output tile {}, but Dst holds {} {} tiles", tile, room,
                               formats::format_name(format)),
                   fmt::format("name one of 0..{}", room - 1));
}

Expected<std::size_t> check_tiles(std::span<const tensors::Tensor> inputs,
                                  const TileRunOptions& options, Dst16View view) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const unsigned room = dst_tiles(inputs[i].format, view);
    if (i < room) continue;
    return bad_input(fmt::format("{} inputs, but Dst holds {} {} tiles", inputs.size(), room,
                                 formats::format_name(inputs[i].format)),
                     "use fewer inputs");
  }
  const formats::Format output_format = options.output_format.value_or(options.format);
  if (auto fits = check_output_tile(output_format, options.output_tile, view); !fits)
    return Unexpected(fits.error());
  return common_tile_count(inputs, options);
}

unsigned dst_tiles(formats::Format format, Dst16View view) {
  const bool wide = formats::is_32bit(format) || view == Dst16View::HighHalves;
  return kDstRows / tensors::kTileDstRows / (wide ? 2 : 1);
}

void load_tile(Dst& dst, formats::Format format, unsigned tile, const tensors::Tile& values,
               Dst16View view) {
  for (unsigned i = 0; i < tensors::kTileElements; ++i) {
    const tensors::DstPosition p =
        tensors::dst_position(tile, i / tensors::kTileEdge, i % tensors::kTileEdge);
    const std::uint32_t stored =
        dst.holds_patterns ? values[i] : formats::from_value_bits(format, values[i]);
    if (formats::is_32bit(format)) {
      dst.store_32(p.row, p.column, stored);
    } else {
      dst.cell[physical_dst_row(p.row, false, view)][p.column] = static_cast<std::uint16_t>(stored);
    }
  }
}

tensors::Tile read_tile(const Dst& dst, formats::Format format, unsigned tile, Dst16View view) {
  tensors::Tile values{};
  for (unsigned i = 0; i < tensors::kTileElements; ++i) {
    const tensors::DstPosition p =
        tensors::dst_position(tile, i / tensors::kTileEdge, i % tensors::kTileEdge);
    const bool wide = formats::is_32bit(format);
    const unsigned row = physical_dst_row(p.row, wide, view);
    if (!dst.valid(row)) continue;
    const std::uint32_t stored = wide ? dst.load_32(p.row, p.column) : dst.cell[row][p.column];
    values[i] = dst.holds_patterns ? stored : formats::value_bits(format, stored);
  }
  return values;
}

namespace {

/// Adds the faults that are not there yet, with the name of the file.
void add_faults(FaultList& all, std::vector<Fault> more, const std::string& name) {
  for (Fault& fault : more) {
    if (fault.file.empty()) fault.file = name;
    all.add(std::move(fault));
  }
}

/// The shape of the first input, if it has as many tiles as the result; else that of a source.
std::vector<std::size_t> output_shape(std::span<const tensors::Tensor> inputs,
                                      const TileRunOptions& options, const RunInputs& tiles,
                                      std::size_t count) {
  if (!inputs.empty() && tiles.dst.front().size() == count) return inputs.front().shape;
  if (inputs.empty() && options.srcb && tiles.srcb.size() == count)
    return options.srcb->values.shape;
  if (inputs.empty() && options.srca && tiles.srca.size() == count)
    return options.srca->values.shape;
  std::vector<std::size_t> shape{tensors::kTileEdge, tensors::kTileEdge};
  if (count != 1) shape.insert(shape.begin(), count);
  return shape;
}

/// Puts the inputs of tile `t` where the program finds them; a single tile serves for all.
void load_inputs(MachineState& state, std::span<const tensors::Tensor> inputs,
                 const TileRunOptions& options, const RunInputs& tiles, std::size_t t) {
  const auto of_tile = [t](const auto& all) -> const auto& {
    return all.size() == 1 ? all[0] : all[t];
  };
  for (unsigned i = 0; i < tiles.dst.size(); ++i)
    load_tile(state.dst, inputs[i].format, i, of_tile(tiles.dst[i]), state.config.dst16_view());
  if (options.srca)
    tensors::load_source_tile(state.srca, options.srca->format, of_tile(tiles.srca));
  if (options.srcb)
    tensors::load_source_tile(state.srcb, options.srcb->format, of_tile(tiles.srcb));
}

Expected<TileRun> run_body(Arch arch, const Body& body, std::span<const tensors::Tensor> inputs,
                           const TileRunOptions& options) {
  Machine machine(arch);
  if (options.as_kernel) enter_kernel(machine.state());
  if (auto done = check_formats(arch, options, inputs); !done) return Unexpected(done.error());
  if (auto done = configure(machine, body.name, body.settings, options); !done)
    return Unexpected(done.error());
  const Dst16View view = machine.state().config.dst16_view();
  const auto count = check_tiles(inputs, options, view);
  if (!count) return Unexpected(count.error());
  const auto tiles = cut_inputs(inputs, options);
  if (!tiles) return Unexpected(tiles.error());
  const formats::Format output_format = options.output_format.value_or(options.format);
  TileRun run{.arch = arch, .output = {}, .faults = {}, .tiles = *count};
  FaultList found;
  add_faults(found, body.start(machine), body.name);
  const MachineState start = machine.state();

  std::vector<tensors::Tile> results;
  FaultLog faults = start.faults; // what the configuration has already brought up
  for (std::size_t t = 0; t < *count; ++t) {
    MachineState& state = machine.state();
    if (t != 0) state = start;
    state.faults = std::move(faults); // one log over all tiles
    load_inputs(state, inputs, options, *tiles, t);
    add_faults(found, body.run(machine, t), body.name);
    results.push_back(read_tile(state.dst, output_format, options.output_tile, view));
    faults = std::move(state.faults);
  }
  add_faults(found, faults.to_faults(arch), body.name);
  run.faults = found.take();
  auto output =
      tensors::join_tiles(results, output_shape(inputs, options, *tiles, *count), output_format);
  if (!output) return Unexpected(output.error());
  run.output = std::move(*output);
  return run;
}

} // namespace

namespace {

/// Executes; where a tile leads to another macro configuration than the one before, the schedule is
/// made anew from that tile.
void execute_tile(MachineState& state, PreparedProgram& program) {
  if (!program.is_clocked()) return execute(state, program.ops());
  const MachineState before = state;
  execute(state, program.ops());
  if (!state.clock.schedule_is_stale) return;
  state = before;
  program.schedule(state);
  execute(state, program.ops());
}

/// Runs what `prepare` makes of the program on a machine that is configured.
Expected<TileRun> run_prepared(Arch arch, const Program& program,
                               const std::function<PreparedProgram&(Machine&)>& prepare,
                               std::span<const tensors::Tensor> inputs,
                               const TileRunOptions& options, const TileObserver& observe) {
  PreparedProgram* prepared = nullptr;
  const auto start = [&](Machine& machine) {
    prepared = &prepare(machine);
    return prepared->program().faults;
  };
  const auto execute = [&](Machine& machine, std::size_t tile) {
    if (observe && tile == 0) {
      observe(machine.state(), prepared->ops());
    } else {
      execute_tile(machine.state(), *prepared);
    }
    return std::vector<Fault>{};
  };
  auto run = run_body(arch, {program.name, program.config, start, execute}, inputs, options);
  if (run) run->instructions = prepared->program().ops.size();
  return run;
}

} // namespace

Expected<TileProgram> expand_on_tile(Arch arch, const Program& program,
                                     const TileRunOptions& options) {
  Machine machine(arch);
  if (options.as_kernel) enter_kernel(machine.state());
  if (auto done = configure(machine, program.name, program.config, options); !done)
    return Unexpected(done.error());
  MicroProgram expanded = machine.prepare(program);
  return TileProgram{machine.state(), std::move(expanded)};
}

TimedProgram schedule_on_tile(TileProgram on_tile,
                              const timing::ScheduleOptions& schedule_options) {
  timing::Schedule schedule = timing::schedule(on_tile.start, on_tile.program, schedule_options);
  return {std::move(on_tile), std::move(schedule)};
}

Expected<TimedProgram> schedule_on_tile(Arch arch, const Program& program,
                                        const TileRunOptions& options,
                                        const timing::ScheduleOptions& schedule_options) {
  if (const ArchParams& chip = arch_params(arch); !chip.has_clock)
    return bad_input(fmt::format("{} has no clock here: no public source gives the latencies and "
                                 "hazards of its instructions",
                                 chip.names.family),
                     "run the program, or time it on Blackhole or Wormhole");
  auto on_tile = expand_on_tile(arch, program, options);
  if (!on_tile) return Unexpected(on_tile.error());
  return schedule_on_tile(std::move(*on_tile), schedule_options);
}

Expected<TileRun> run_on_tiles(Arch arch, const Program& program,
                               std::span<const tensors::Tensor> inputs,
                               const TileRunOptions& options, const TileObserver& observe) {
  std::optional<PreparedProgram> prepared;
  const auto prepare = [&](Machine& machine) -> PreparedProgram& {
    return prepared.emplace(machine.prepare(program), options, machine.state());
  };
  return run_prepared(arch, program, prepare, inputs, options, observe);
}

Expected<TileRun> run_on_tiles(Arch arch, const Program& program, PreparedProgram& prepared,
                               std::span<const tensors::Tensor> inputs,
                               const TileRunOptions& options, const TileObserver& observe) {
  const auto prepare = [&](Machine&) -> PreparedProgram& { return prepared; };
  return run_prepared(arch, program, prepare, inputs, options, observe);
}

namespace {

/// The first SFPLOADMACRO of a kernel.
const compiler::Node* find_macro(const compiler::Recording& recording) {
  const auto found =
      std::find_if(recording.nodes.begin(), recording.nodes.end(), [&](const compiler::Node& node) {
        if (node.kind != compiler::Kind::Raw) return false;
        const isa::Row* row = isa::decode(recording.arch, static_cast<std::uint32_t>(node.imm)).row;
        return row != nullptr && row->op == isa::Op::SFPLOADMACRO;
      });
  return found == recording.nodes.end() ? nullptr : &*found;
}

Unexpected no_clock(const compiler::Recording& recording, const compiler::Node& macro) {
  Fault fault = bad_input(
                    "what SFPLOADMACRO schedules depends on the cycle, and the interpreter "
                    "has no clock",
                    "run the kernel's words, without --interpret")
                    .value();
  fault.file = recording.name;
  fault.line = recording.sites[macro.site].line;
  fault.instruction = "SFPLOADMACRO";
  return Unexpected(std::move(fault));
}

} // namespace

Expected<TileRun> interpret_on_tiles(const compiler::Recording& recording,
                                     std::span<const tensors::Tensor> inputs,
                                     const TileRunOptions& options,
                                     const oracle::PrintSink& print) {
  if (const compiler::Node* macro = find_macro(recording)) return no_clock(recording, *macro);
  const auto start = [](Machine&) { return std::vector<Fault>{}; };
  const auto execute = [&](Machine& machine, std::size_t tile) {
    FrontEnd front_end(recording.arch);
    return oracle::interpret(recording, machine.state(), front_end,
                             {.print = tile == 0 ? print : oracle::PrintSink{}});
  };
  return run_body(recording.arch, {recording.name, {}, start, execute}, inputs, options);
}

} // namespace lanewise::execution
