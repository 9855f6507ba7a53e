#include "number/tensors/tile_cells.h"

#include <algorithm>

#include "chip/machine/cells.h"

namespace lanewise::tensors {

namespace {

/// The way of numbers into cells and back.
enum class CellPass : std::uint8_t { Bits16, Bits32, Int32, OneByOne };

/// Value bits become stored ones by the shuffle of an FP32 or of its upper half, or, of INT32, by
/// that of their sign and magnitude.
CellPass pass_of(const Dst& dst, formats::Format format) {
  const isa::NumberFormat& row = isa::number_format(format);
  if (dst.holds_patterns || row.dst->cell.exponent != 8) return CellPass::OneByOne;
  const bool wide = formats::is_32bit(format);
  if (row.integer && row.integer->is_signed) return wide ? CellPass::Int32 : CellPass::OneByOne;
  return wide ? CellPass::Bits32 : CellPass::Bits16;
}

std::uint32_t stored_bits(const Dst& dst, formats::Format format, std::uint32_t bits) {
  return dst.holds_patterns ? bits : formats::from_value_bits(format, bits);
}

std::uint32_t bits_of_stored(const Dst& dst, formats::Format format, std::uint32_t stored) {
  return dst.holds_patterns ? stored : formats::value_bits(format, stored);
}

/// Elements of a 32-bit tile whose high halves lie in rows one after the other: 8 rows, before the
/// 8 rows of their low halves (adjust_row_32()).
constexpr unsigned kRun = kDstLowHalf * kDstColumns;

/// Rows that stay side by side in Dst, whatever the view, and their flags.
constexpr unsigned kGroupRows = 4, kAllRows = 15;

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
  const CellPass pass = pass_of(dst, format);
  const CellKernels& passes = cell_kernels();
  for (unsigned first = 0; first < kTileElements; first += kRun) {
    std::uint16_t* cells = cells_of_run(dst, tile, first, wide, view);
    switch (pass) {
      case CellPass::Bits16: passes.load_16(&bits[first], cells, kRun); break;
      case CellPass::Bits32: passes.load_32(&bits[first], cells, cells + kRun, kRun); break;
      case CellPass::Int32: passes.load_int32(&bits[first], cells, cells + kRun, kRun); break;
      case CellPass::OneByOne:
        for (unsigned i = 0; i < kRun; ++i) {
          const std::uint32_t datum = stored_bits(dst, format, bits[first + i]);
          cells[i] = static_cast<std::uint16_t>(wide ? datum >> 16 : datum);
          if (wide) cells[kRun + i] = static_cast<std::uint16_t>(datum);
        }
        break;
    }
  }
}

void read_cells(const Dst& dst, formats::Format format, unsigned tile,
                std::span<std::uint32_t, kTileElements> bits, Dst16View view) {
  const bool wide = formats::is_32bit(format);
  const CellPass pass = pass_of(dst, format);
  const CellKernels& passes = cell_kernels();
  for (unsigned first = 0; first < kTileElements; first += kRun) {
    const std::uint16_t* cells = cells_of_run(dst, tile, first, wide, view);
    switch (pass) {
      case CellPass::Bits16: passes.read_16(cells, &bits[first], kRun); break;
      case CellPass::Bits32: passes.read_32(cells, cells + kRun, &bits[first], kRun); break;
      case CellPass::Int32: passes.read_int32(cells, cells + kRun, &bits[first], kRun); break;
      case CellPass::OneByOne:
        for (unsigned i = 0; i < kRun; ++i) {
          const std::uint32_t datum = cells[i];
          bits[first + i] =
              bits_of_stored(dst, format, wide ? datum << 16 | cells[kRun + i] : datum);
        }
        break;
    }
  }
  for (unsigned row = 0; row < kTileDstRows; row += kGroupRows) { // which have four flags at once
    const unsigned valid = dst.valid_group(physical_dst_row(tile * kTileDstRows + row, wide, view));
    for (unsigned i = 0; valid != kAllRows && i < kGroupRows; ++i) {
      if ((valid >> i & 1U) != 0) continue;
      std::ranges::fill(bits.subspan(std::size_t{row + i} * kDstColumns, kDstColumns), 0U);
    }
  }
}

} // namespace lanewise::tensors
