#include "study/tune/row_terms.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "chip/machine/dst.h"
#include "chip/semantics/half_floats.h"
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

/// Value bits as Dst stores them. Nothing for formats without bit-vectors.
std::optional<Term> stored_bits(formats::Format format, Term value) {
  using formats::Format;
  if (formats::is_32bit(format))
    return semantics::shuffle_32(is_signed_integer(format) ? semantics::swap_integer_form(value)
                                                           : value);
  // A variable has 32 bits, and the proof goes through all of them.
  const Term bits = value & 0xFFFF;
  if (format == Format::BF16) return semantics::shuffle_16(bits);
  if (format == Format::FP16) return semantics::shuffle_fp16(bits);
  if (format == Format::UINT16) return bits;
  return std::nullopt;
}

Expected<LaneCells> operand_cells(TermGraph& graph, const ProofOptions& options, Dst16View view) {
  LaneCells cells;
  const bool wide = formats::is_32bit(options.format);
  for (unsigned tile = 0; tile < options.operands; ++tile) {
    for (unsigned index = 0; index < kPlacesOfTile; ++index) {
      const LanePlace place(tile, index);
      const auto bits = stored_bits(options.format, graph.variable(place.variable()));
      if (!bits)
        return refuse(fmt::format("no bit-vectors say how Dst holds {}",
                                  formats::format_name(options.format)),
                      "the comparison of a sample stays", 0);
      const CellPlace cell = cell_place(place, wide, view);
      cells[cell] = wide ? *bits >> 16 : *bits;
      if (wide) cells[low_half(cell)] = *bits & 0xFFFF;
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
  auto operands = operand_cells(graph, options, view);
  if (!operands) return Unexpected(operands.error());
  const auto cells = follow_lane(graph, timed->start, timed->ops(), std::move(*operands));
  if (!cells) return Unexpected(cells.error());
  const bool wide = formats::is_32bit(options.output_format.value_or(options.format));
  std::vector<Term> results;
  for (unsigned index = 0; index < kPlacesOfTile; ++index) {
    const CellPlace cell = cell_place({options.output_tile, index}, wide, view);
    const auto high = cells->find(cell), low = cells->find(low_half(cell));
    if (high == cells->end() || (wide && low == cells->end()))
      return refuse("the program does not store every result", "the comparison of a sample stays",
                    0);
    results.push_back(wide ? high->second << 16 | low->second : high->second);
  }
  return results;
}

} // namespace lanewise::tune
