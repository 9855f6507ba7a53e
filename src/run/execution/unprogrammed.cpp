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

/// On a tile that may differ from the one that the program was scheduled on.
std::vector<timing::Hazard> find_from(const MachineState& start, const TimedProgram& timed,
                                      const Program& program, const FilledTiles& filled) {
  return timing::find_unprogrammed(timed.schedule, timed.program, start,
                                   programmed_before(timed, program, filled));
}

std::vector<Fault> faults_of(const std::vector<timing::Hazard>& hazards, const Program& program) {
  std::vector<Fault> faults;
  faults.reserve(hazards.size());
  for (const timing::Hazard& hazard : hazards)
    faults.push_back(unprogrammed_fault(hazard, program));
  return faults;
}

} // namespace

timing::Programmed programmed_before(const TimedProgram& timed, const Program& program,
                                     const FilledTiles& filled) {
  timing::Programmed programmed = timing::programmed_by(program.config);
  programmed.knows_dst = filled.has_value();
  for (unsigned tile = 0; filled && tile < filled->size(); ++tile)
    mark_tile(programmed, (*filled)[tile], tile, timed.start.config.dst16_view());
  return programmed;
}

std::vector<timing::Hazard> find_unprogrammed(const TimedProgram& timed, const Program& program,
                                              const FilledTiles& filled) {
  return find_from(timed.start, timed, program, filled);
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
  MachineState start = timed.start;
  std::vector<formats::Format> filled;
  for (const tensors::Tensor& input : inputs) {
    const auto tile = static_cast<unsigned>(filled.size());
    load_tile(start.dst, input.format, tile, tensors::split_into_tiles(input).front(),
              start.config.dst16_view());
    filled.push_back(input.format);
  }
  return faults_of(find_from(start, timed, program, filled), program);
}

} // namespace lanewise::execution
