#include "lab/tile_cells.h"

#include <algorithm>

#include "semantics/dst_format.h"

namespace lanewise::lab {

namespace {

/// Calls `function` with how a format is stored, as a function that the compiler sees through; for
/// the formats of which nobody sweeps billions, as one that it does not.
template <class Function>
void with_storing(Format format, Function&& function) {
  switch (format) {
    case Format::FP32:
    case Format::UINT32: return function([](std::uint32_t v) { return semantics::shuffle_32(v); });
    case Format::BF16: return function([](std::uint32_t v) { return semantics::shuffle_16(v); });
    default: return function([format](std::uint32_t v) { return from_value_bits(format, v); });
  }
}

template <class Function>
void with_reading(Format format, Function&& function) {
  switch (format) {
    case Format::FP32:
    case Format::UINT32:
      return function([](std::uint32_t v) { return semantics::unshuffle_32(v); });
    case Format::BF16: return function([](std::uint32_t v) { return semantics::unshuffle_16(v); });
    default: return function([format](std::uint32_t v) { return value_bits(format, v); });
  }
}

/// Elements of a 32-bit tile whose high halves lie in rows one after the other: 8 rows, before the
/// 8 rows of their low halves (adjust_row_32()).
constexpr unsigned kRun = kDstLowHalf * kDstColumns;

/// The first row of a tile of 16 bits.
constexpr std::size_t first_row(std::size_t tile) {
  return tile * kTileDstRows;
}

/// The first cell of element `first` of a tile, a multiple of kRun.
template <class AnyDst>
auto* cells_of_run(AnyDst& dst, unsigned tile, unsigned first) {
  return dst.cell[adjust_row_32(tile * kTileDstRows + first / kDstColumns)];
}

} // namespace

void load_cells(Dst& dst, Format format, unsigned tile,
                std::span<const std::uint32_t, kTileElements> bits) {
  with_storing(format, [&](auto stored) {
    if (!is_32bit(format)) {
      std::uint16_t* cells = dst.cell[first_row(tile)];
      for (unsigned i = 0; i < kTileElements; ++i)
        cells[i] = static_cast<std::uint16_t>(stored(bits[i]));
      return;
    }
    for (unsigned first = 0; first < kTileElements; first += kRun) {
      std::uint16_t* high = cells_of_run(dst, tile, first);
      for (unsigned i = 0; i < kRun; ++i) {
        const std::uint32_t datum = stored(bits[first + i]);
        high[i] = static_cast<std::uint16_t>(datum >> 16);
        high[kRun + i] = static_cast<std::uint16_t>(datum);
      }
    }
  });
}

void read_cells(const Dst& dst, Format format, unsigned tile,
                std::span<std::uint32_t, kTileElements> bits) {
  const bool wide = is_32bit(format);
  with_reading(format, [&](auto read) {
    if (!wide) {
      const std::uint16_t* cells = dst.cell[first_row(tile)];
      for (unsigned i = 0; i < kTileElements; ++i) bits[i] = read(std::uint32_t{cells[i]});
      return;
    }
    for (unsigned first = 0; first < kTileElements; first += kRun) {
      const std::uint16_t* high = cells_of_run(dst, tile, first);
      for (unsigned i = 0; i < kRun; ++i)
        bits[first + i] = read(static_cast<std::uint32_t>(high[i]) << 16 | high[kRun + i]);
    }
  });
  for (unsigned row = 0; row < kTileDstRows; ++row) {
    const unsigned logical = tile * kTileDstRows + row;
    if (dst.valid(wide ? adjust_row_32(logical) : logical)) continue;
    std::ranges::fill(bits.subspan(std::size_t{row} * kDstColumns, kDstColumns), 0U);
  }
}

} // namespace lanewise::lab
