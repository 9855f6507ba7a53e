#include "study/tune/row_terms.h"

#include "chip/machine/dst.h"
#include "number/formats/format.h"
#include "run/execution/tile_runner.h"
#include "study/tune/follow.h"
#include "study/tune/follow_lane.h"
#include "study/tune/term_lanes.h"

namespace lanewise::tune {

namespace {

/// The first row of a place in Dst; the low halves follow kDstLowHalf rows behind.
CellPlace cell_place(LanePlace place, bool wide, Dst16View view) {
  return {physical_dst_row(place.row(), wide, view), place.is_odd()};
}

CellPlace low_half(CellPlace place) {
  return {place.row + kDstLowHalf, place.is_odd};
}

LaneCells operand_cells(TermGraph& graph, const ProofOptions& options, Dst16View view) {
  LaneCells cells;
  for (unsigned tile = 0; tile < options.operands; ++tile) {
    for (unsigned index = 0; index < kPlacesOfTile; ++index) {
      const LanePlace place(tile, index);
      const Term value = graph.variable(place.variable());
      const Term bits = semantics::shuffle_32(
          is_signed_integer(options.format) ? semantics::swap_integer_form(value) : value);
      const CellPlace cell = cell_place(place, true, view);
      cells[cell] = bits >> 16;
      cells[low_half(cell)] = bits & 0xFFFF;
    }
  }
  return cells;
}

} // namespace

bool is_signed_integer(formats::Format format) {
  return formats::is_integer(format) && formats::value_range(format).lowest < 0;
}

Expected<std::vector<Term>> row_terms(TermGraph& graph, const Plain& program,
                                      const ProofOptions& options) {
  const auto timed = execution::schedule_on_tile(program.arch, program.program,
                                                 {.format = options.format,
                                                  .output_format = options.output_format,
                                                  .as_kernel = program.as_kernel});
  if (!timed) return Unexpected(timed.error());
  const Dst16View view = timed->start.config.dst16_view();
  const auto cells =
      follow_lane(graph, timed->start, timed->schedule.ops, operand_cells(graph, options, view));
  if (!cells) return Unexpected(cells.error());
  const bool wide = formats::is_32bit(options.output_format.value_or(options.format));
  std::vector<Term> results;
  for (unsigned index = 0; index < kPlacesOfTile; ++index) {
    const CellPlace cell = cell_place({0, index}, wide, view);
    const auto high = cells->find(cell), low = cells->find(low_half(cell));
    if (high == cells->end() || (wide && low == cells->end()))
      return refuse("the program does not store every result", "the comparison of a sample stays",
                    0);
    results.push_back(wide ? high->second << 16 | low->second : high->second);
  }
  return results;
}

} // namespace lanewise::tune
