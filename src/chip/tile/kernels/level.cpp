// Rows of unpackers and packers for one x86-64 level. This file is compiled once per level, with
// LANEWISE_LEVEL as its namespace.
#include "chip/machine/kernels/lane_access.h"
#include "chip/tile/row_kernels.h"

namespace lanewise::LANEWISE_LEVEL {

namespace {

using semantics::BlockForm;
using semantics::PackSteps;
using semantics::UnpackSteps;
using tile::kRowData;

constexpr unsigned kChunksOfRow = kRowData / kWidth;

/// As many integers as a vector has lanes.
typedef std::uint8_t Bytes __attribute__((vector_size(kWidth)));
typedef std::uint16_t Halves __attribute__((vector_size(2 * kWidth)));

// ---------------------------------------------------------------- L1

/// The lanes of one chunk, of integers side by side.
template <class Narrow>
LANEWISE_INLINE U widened(const std::uint8_t* data, unsigned chunk) {
  Narrow narrow;
  __builtin_memcpy(&narrow, data + chunk * sizeof narrow, sizeof narrow);
  return __builtin_convertvector(narrow, U);
}

template <class Narrow>
LANEWISE_INLINE void store_narrow(std::uint8_t* data, unsigned chunk, U value) {
  const Narrow narrow = __builtin_convertvector(value, Narrow);
  __builtin_memcpy(data + chunk * sizeof narrow, &narrow, sizeof narrow);
}

/// 16 data of 4 or 2 bits, the first one in the lowest bits, as a byte each.
LANEWISE_INLINE void spread(const std::uint8_t* data, unsigned bits, std::uint8_t* bytes) {
  const unsigned each = 8 / bits, mask = (1U << bits) - 1;
  for (unsigned k = 0; k < kRowData; ++k)
    bytes[k] = static_cast<std::uint8_t>(data[k / each] >> (k % each * bits) & mask);
}

/// Undoes it.
LANEWISE_INLINE void gather(const std::uint8_t* bytes, unsigned bits, std::uint8_t* data) {
  const unsigned each = 8 / bits;
  for (unsigned k = 0; k < kRowData; k += each) {
    unsigned byte = 0;
    for (unsigned i = 0; i < each; ++i) byte |= static_cast<unsigned>(bytes[k + i]) << (i * bits);
    data[k / each] = static_cast<std::uint8_t>(byte);
  }
}

// ---------------------------------------------------------------- Unpackers

/// One row; `load` gives the lanes of a chunk.
template <class Load>
LANEWISE_INLINE void unpack_row(const UnpackSteps& steps, std::uint32_t exponent, std::uint32_t* to,
                                Load load_chunk) {
  for (unsigned c = 0; c < kChunksOfRow; ++c)
    store(to, c, semantics::unpack_lanes<U>(steps, load_chunk(c), splat(exponent)));
}

void unpack(const UnpackSteps& steps, const tile::RowsOfL1& from, unsigned rows,
            std::uint32_t (*to)[kRowData]) {
  for (unsigned row = 0; row < rows; ++row) {
    const std::uint8_t* data = from.data + row * kRowData * from.datum_bits / 8;
    const std::uint32_t exponent =
        from.exponents == nullptr ? 0 : from.exponents[row * from.exponent_step];
    const auto convert = [&](auto load_chunk) { unpack_row(steps, exponent, to[row], load_chunk); };
    if (from.datum_bits == 32) {
      convert([&](unsigned c) { return widened<U>(data, c); });
    } else if (from.datum_bits == 16) {
      convert([&](unsigned c) { return widened<Halves>(data, c); });
    } else if (from.datum_bits == 8) {
      convert([&](unsigned c) { return widened<Bytes>(data, c); });
    } else {
      std::uint8_t bytes[kRowData];
      spread(data, from.datum_bits, bytes);
      convert([&](unsigned c) { return widened<Bytes>(bytes, c); });
    }
  }
}

// ---------------------------------------------------------------- Packers

/// A row on its way.
struct Row {
  U chunk[kChunksOfRow];
};

/// What Dst stores, as the early conversion takes it.
LANEWISE_INLINE U stored(const tile::RowOfDst& from, unsigned chunk) {
  const auto half = [&](const std::uint16_t* cells) {
    Halves narrow;
    __builtin_memcpy(&narrow, cells + chunk * kWidth, sizeof narrow);
    return __builtin_convertvector(narrow, U);
  };
  const U upper = half(from.upper);
  return from.lower == nullptr ? upper : upper << 16 | half(from.lower);
}

LANEWISE_INLINE U converted(const PackSteps& steps, const tile::RowOfDst& from, unsigned chunk) {
  U value = semantics::pack_early_lanes<U>(steps, stored(from, chunk));
  if (from.kept != 0xFFFF)
    value = semantics::select<U>(expand_mask(from.kept, chunk), value, splat(from.masked));
  return semantics::pack_late_lanes<U>(steps, semantics::threshold_lanes<U>(steps, value));
}

/// The largest lane of a row.
LANEWISE_INLINE std::uint32_t largest(const Row& row) {
  std::uint32_t lanes[kRowData];
  for (unsigned c = 0; c < kChunksOfRow; ++c) store(lanes, c, row.chunk[c]);
  std::uint32_t top = 0;
  for (const std::uint32_t lane : lanes) top = lane > top ? lane : top;
  return top;
}

/// Gives 16 values a common exponent.
LANEWISE_INLINE std::uint8_t make_block(const BlockForm& form, Row& row) {
  Row exponents;
  for (unsigned c = 0; c < kChunksOfRow; ++c)
    exponents.chunk[c] = semantics::exponent_in_block<U>(form, row.chunk[c]);
  const std::uint32_t top = largest(exponents);
  for (U& chunk : row.chunk) chunk = semantics::datum_of_block<U>(form, chunk, splat(top));
  return static_cast<std::uint8_t>(top);
}

LANEWISE_INLINE void store_data(const Row& row, unsigned datum_bits, std::uint8_t* bytes) {
  for (unsigned c = 0; c < kChunksOfRow; ++c) {
    if (datum_bits == 32) {
      store_narrow<U>(bytes, c, row.chunk[c]);
    } else if (datum_bits == 16) {
      store_narrow<Halves>(bytes, c, row.chunk[c]);
    } else {
      store_narrow<Bytes>(bytes, c, row.chunk[c]);
    }
  }
  if (datum_bits < 8) gather(bytes, datum_bits, bytes);
}

void pack(const PackSteps& steps, const tile::RowOfDst& from, unsigned datum_bits,
          tile::PackedRow& to) {
  Row row;
  for (unsigned c = 0; c < kChunksOfRow; ++c) row.chunk[c] = converted(steps, from, c);
  if (steps.is_block) to.exponent = make_block(steps.block, row);
  store_data(row, datum_bits, to.bytes);
}

} // namespace

const tile::RowKernels* row_kernels() {
  static constexpr tile::RowKernels kKernels{.unpack = unpack, .pack = pack};
  return &kKernels;
}

} // namespace lanewise::LANEWISE_LEVEL
