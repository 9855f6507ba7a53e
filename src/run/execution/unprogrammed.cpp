#include "run/execution/unprogrammed.h"

#include "number/formats/format.h"

namespace lanewise::execution {

namespace {

/// The cells that load_tile() writes.
void mark_tile(timing::Programmed& programmed, formats::Format format, unsigned tile,
               Dst16View view) {
  for (unsigned i = 0; i < tensors::kTileElements; ++i) {
    const tensors::DstPosition p =
        tensors::dst_position(tile, i / tensors::kTileEdge, i % tensors::kTileEdge);
    const auto column = static_cast<std::uint16_t>(1U << p.column);
    const unsigned row = physical_dst_row(p.row, formats::is_32bit(format), view);
    programmed.dst[row] |= column;
    if (formats::is_32bit(format)) programmed.dst[row + kDstLowHalf] |= column;
  }
}

/// Where the program starts with the first tile of each input, and which formats these have.
struct FirstTiles {
  MachineState start;
  std::vector<formats::Format> filled;
};

FirstTiles first_tiles(const TileProgram& on_tile, std::span<const tensors::Tensor> inputs) {
  FirstTiles first{on_tile.start, {}};
  for (const tensors::Tensor& input : inputs) {
    const auto tile = static_cast<unsigned>(first.filled.size());
    load_tile(first.start.dst, input.format, tile, tensors::split_into_tiles(input).front(),
              first.start.config.dst16_view());
    first.filled.push_back(input.format);
  }
  return first;
}

std::vector<Fault> faults_of(const std::vector<timing::Hazard>& hazards, const Program& program) {
  std::vector<Fault> faults;
  faults.reserve(hazards.size());
  for (const timing::Hazard& hazard : hazards)
    faults.push_back(unprogrammed_fault(hazard, program));
  return faults;
}

} // namespace

timing::Programmed programmed_before(const TileProgram& on_tile, const Program& program,
                                     const FilledTiles& filled) {
  timing::Programmed programmed = timing::programmed_by(program.config);
  programmed.knows_dst = filled.has_value();
  for (unsigned tile = 0; filled && tile < filled->size(); ++tile)
    mark_tile(programmed, (*filled)[tile], tile, on_tile.start.config.dst16_view());
  return programmed;
}

std::vector<timing::Hazard> find_unprogrammed(const TimedProgram& timed, const Program& program,
                                              const FilledTiles& filled) {
  return timing::find_unprogrammed(timed.schedule, timed.program, timed.start,
                                   programmed_before(timed, program, filled));
}

Fault unprogrammed_fault(const timing::Hazard& hazard, const Program& program) {
  Fault fault = hazard.to_fault();
  if (fault.file.empty()) fault.file = program.name;
  return fault;
}

std::vector<Fault> unprogrammed_faults(const TimedProgram& timed, const Program& program,
                                       const FilledTiles& filled) {
  return faults_of(find_unprogrammed(timed, program, filled), program);
}

std::vector<Fault> unprogrammed_faults(const TimedProgram& timed, const Program& program,
                                       std::span<const tensors::Tensor> inputs) {
  const FirstTiles first = first_tiles(timed, inputs);
  return faults_of(timing::find_unprogrammed(timed.schedule, timed.program, first.start,
                                             programmed_before(timed, program, first.filled)),
                   program);
}

std::vector<Fault> unprogrammed_faults(const TileProgram& on_tile, const Program& program,
                                       std::span<const tensors::Tensor> inputs) {
  const FirstTiles first = first_tiles(on_tile, inputs);
  return faults_of(timing::find_unprogrammed(on_tile.program, first.start,
                                             programmed_before(on_tile, program, first.filled)),
                   program);
}

} // namespace lanewise::execution
