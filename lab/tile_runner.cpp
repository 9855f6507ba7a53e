#include "lab/tile_runner.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanewise::lab {

namespace {

using isa::ConfigField;

Expected<std::size_t> common_tile_count(const std::vector<std::vector<Tile>>& inputs) {
  std::size_t count = 1;
  for (const auto& tiles : inputs) count = std::max(count, tiles.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].size() != 1 && inputs[i].size() != count) {
      return bad_input(
          fmt::format("input {} has {} tiles where another has {}", i + 1, inputs[i].size(), count),
          "give all inputs the same size, or a single tile");
    }
  }
  return count;
}

Expected<void> configure(Machine& machine, const Program& program, Format format) {
  ConfigState& config = machine.state().config;
  config.set(ConfigField::ALU_ACC_CTRL_SFPU_Fp32_enabled, sfpu_fp32_enabled(format) ? 1 : 0);
  config.set(ConfigField::ALU_FORMAT_SPEC_REG1_SrcB, srcb_code(format));
  for (const ConfigSetting& setting : program.config) {
    if (auto done = machine.set_config(setting.name, setting.value); !done) {
      Fault fault = done.error();
      fault.file = program.name;
      fault.line = setting.line;
      return Unexpected(std::move(fault));
    }
  }
  return {};
}

Expected<void> check_tile_numbers(std::size_t inputs, const TileRunOptions& options) {
  const unsigned room = dst_tiles(options.format);
  if (inputs > room) {
    return bad_input(fmt::format("{} inputs, but Dst holds {} {} tiles", inputs, room,
                                 format_name(options.format)),
                     "use fewer inputs");
  }
  if (options.output_tile >= room) {
    return bad_input(fmt::format("output tile {}, but Dst holds {} {} tiles", options.output_tile,
                                 room, format_name(options.format)),
                     fmt::format("name one of 0..{}", room - 1));
  }
  return {};
}

} // namespace

unsigned dst_tiles(Format format) {
  return kDstRows / kTileDstRows / (is_32bit(format) ? 2 : 1);
}

void load_tile(Dst& dst, Format format, unsigned tile, const Tile& values) {
  for (unsigned i = 0; i < kTileElements; ++i) {
    const DstPosition p = dst_position(tile, i / kTileEdge, i % kTileEdge);
    const std::uint32_t stored = from_value_bits(format, values[i]);
    if (is_32bit(format)) {
      dst.store_32(p.row, p.column, stored);
    } else {
      dst.cell[p.row][p.column] = static_cast<std::uint16_t>(stored);
    }
  }
}

Tile read_tile(const Dst& dst, Format format, unsigned tile) {
  Tile values{};
  for (unsigned i = 0; i < kTileElements; ++i) {
    const DstPosition p = dst_position(tile, i / kTileEdge, i % kTileEdge);
    const bool wide = is_32bit(format);
    if (!dst.valid(wide ? adjust_row_32(p.row) : p.row)) continue;
    values[i] = value_bits(format, wide ? dst.load_32(p.row, p.column) : dst.cell[p.row][p.column]);
  }
  return values;
}

Expected<TileRun> run_on_tiles(Arch arch, const Program& program, std::span<const Tensor> inputs,
                               const TileRunOptions& options, const TileObserver& observe) {
  if (auto fits = check_tile_numbers(inputs.size(), options); !fits)
    return Unexpected(fits.error());
  std::vector<std::vector<Tile>> tiles;
  for (const Tensor& input : inputs) tiles.push_back(split_into_tiles(input));
  const auto count = common_tile_count(tiles);
  if (!count) return Unexpected(count.error());

  Machine machine(arch);
  if (auto done = configure(machine, program, options.format); !done)
    return Unexpected(done.error());
  const MicroProgram prepared = machine.prepare(program);
  const MachineState start = machine.state();

  std::vector<Tile> results;
  FaultLog faults = start.faults; // what the configuration has already brought up
  for (std::size_t t = 0; t < *count; ++t) {
    MachineState& state = machine.state();
    if (t != 0) state = start;
    state.faults = std::move(faults); // one log over all tiles
    for (unsigned i = 0; i < tiles.size(); ++i) {
      load_tile(state.dst, options.format, i, tiles[i].size() == 1 ? tiles[i][0] : tiles[i][t]);
    }
    if (observe && t == 0) {
      observe(state, prepared);
    } else {
      machine.execute(prepared);
    }
    results.push_back(read_tile(state.dst, options.format, options.output_tile));
    faults = std::move(state.faults);
  }

  TileRun run{.arch = arch,
              .output = {},
              .faults = prepared.faults,
              .instructions = prepared.ops.size(),
              .tiles = *count};
  for (Fault& fault : faults.to_faults(arch)) {
    fault.file = program.name;
    run.faults.push_back(std::move(fault));
  }
  std::vector<std::size_t> shape{kTileEdge, kTileEdge};
  if (!inputs.empty() && tiles.front().size() == *count) {
    shape = inputs.front().shape;
  } else if (*count != 1) {
    shape.insert(shape.begin(), *count);
  }
  auto output = join_tiles(results, shape, options.format);
  if (!output) return Unexpected(output.error());
  run.output = std::move(*output);
  return run;
}

} // namespace lanewise::lab
