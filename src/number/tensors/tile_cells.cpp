#include "number/tensors/tile_cells.h"

#include <algorithm>

#include "chip/semantics/dst_format.h"

namespace lanewise::tensors {

namespace {

/// Whether value bits become stored ones by the shuffle of an FP32 or of its upper half.
bool is_shuffled_only(formats::Format format) {
  const isa::NumberFormat& row = isa::number_format(format);
  return row.dst->cell.exponent == 8 && !(row.integer && row.integer->is_signed);
}

/// Calls `function` with how a format is stored, as a function that the compiler sees through; for
/// the formats of which nobody sweeps billions, as one that it does not.
template <class Function>
void with_storing(const Dst& dst, formats::Format format, Function&& function) {
  if (dst.holds_patterns) return function([](std::uint32_t v) { return v; });
  if (!is_shuffled_only(format))
    return function([format](std::uint32_t v) { return formats::from_value_bits(format, v); });
  if (formats::is_32bit(format))
    return function([](std::uint32_t v) { return semantics::shuffle_32(v); });
  function([](std::uint32_t v) { return semantics::shuffle_16(v); });
}

template <class Function>
void with_reading(const Dst& dst, formats::Format format, Function&& function) {
  if (dst.holds_patterns) return function([](std::uint32_t v) { return v; });
  if (!is_shuffled_only(format))
    return function([format](std::uint32_t v) { return formats::value_bits(format, v); });
  if (formats::is_32bit(format))
    return function([](std::uint32_t v) { return semantics::unshuffle_32(v); });
  function([](std::uint32_t v) { return semantics::unshuffle_16(v); });
}

/// Elements of a 32-bit tile whose high halves lie in rows one after the other: 8 rows, before the
/// 8 rows of their low halves (adjust_row_32()).
constexpr unsigned kRun = kDstLowHalf * kDstColumns;

/// The only or the high cell of element `first` of a tile, a multiple of kRun. Those of the rest of
/// the run follow.
template <class AnyDst>
auto* cells_of_run(AnyDst& dst, unsigned tile, unsigned first, bool wide, Dst16View view) {
  return dst.cell[physical_dst_row(tile * kTileDstRows + first / kDstColumns, wide, view)];
}

} // namespace

void load_cells(Dst& dst, formats::Format format, unsigned tile,
                std::span<const std::uint32_t, kTileElements> bits, Dst16View view) {
  const bool wide = formats::is_32bit(format);
  with_storing(dst, format, [&](auto stored) {
    for (unsigned first = 0; first < kTileElements; first += kRun) {
      std::uint16_t* cells = cells_of_run(dst, tile, first, wide, view);
      for (unsigned i = 0; i < kRun; ++i) {
        const std::uint32_t datum = stored(bits[first + i]);
        cells[i] = static_cast<std::uint16_t>(wide ? datum >> 16 : datum);
        if (wide) cells[kRun + i] = static_cast<std::uint16_t>(datum);
      }
    }
  });
}

void read_cells(const Dst& dst, formats::Format format, unsigned tile,
                std::span<std::uint32_t, kTileElements> bits, Dst16View view) {
  const bool wide = formats::is_32bit(format);
  with_reading(dst, format, [&](auto read) {
    for (unsigned first = 0; first < kTileElements; first += kRun) {
      const std::uint16_t* cells = cells_of_run(dst, tile, first, wide, view);
      for (unsigned i = 0; i < kRun; ++i) {
        const std::uint32_t datum = cells[i];
        bits[first + i] = read(wide ? datum << 16 | cells[kRun + i] : datum);
      }
    }
  });
  for (unsigned row = 0; row < kTileDstRows; ++row) {
    if (dst.valid(physical_dst_row(tile * kTileDstRows + row, wide, view))) continue;
    std::ranges::fill(bits.subspan(std::size_t{row} * kDstColumns, kDstColumns), 0U);
  }
}

} // namespace lanewise::tensors
