// Cells of Dst of one x86-64 level: plain loops, of which the compiler makes vectors. Compiled once
// per level, with LANEWISE_LEVEL as its namespace.
#include "chip/machine/cells.h"
#include "chip/semantics/dst_format.h"

namespace lanewise::LANEWISE_LEVEL {

namespace {

using Bits = std::uint32_t;
using Cell = std::uint16_t;

void load_16(const Bits* __restrict bits, Cell* __restrict cells, unsigned count) {
  for (unsigned i = 0; i < count; ++i) cells[i] = static_cast<Cell>(semantics::shuffle_16(bits[i]));
}

void put_32(Bits datum, Cell& high, Cell& low) {
  datum = semantics::shuffle_32(datum);
  high = static_cast<Cell>(datum >> 16);
  low = static_cast<Cell>(datum);
}

Bits datum_of(Cell high, Cell low) {
  return semantics::unshuffle_32(Bits{high} << 16 | low);
}

void load_32(const Bits* __restrict bits, Cell* __restrict high, Cell* __restrict low,
             unsigned count) {
  for (unsigned i = 0; i < count; ++i) put_32(bits[i], high[i], low[i]);
}

void load_int32(const Bits* __restrict bits, Cell* __restrict high, Cell* __restrict low,
                unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    put_32(semantics::swap_integer_form(bits[i]), high[i], low[i]);
}

void read_16(const Cell* __restrict cells, Bits* __restrict bits, unsigned count) {
  for (unsigned i = 0; i < count; ++i) bits[i] = semantics::unshuffle_16(Bits{cells[i]});
}

void read_32(const Cell* __restrict high, const Cell* __restrict low, Bits* __restrict bits,
             unsigned count) {
  for (unsigned i = 0; i < count; ++i) bits[i] = datum_of(high[i], low[i]);
}

void read_int32(const Cell* __restrict high, const Cell* __restrict low, Bits* __restrict bits,
                unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    bits[i] = semantics::swap_integer_form(datum_of(high[i], low[i]));
}

} // namespace

const CellKernels* cell_kernels() {
  static constexpr CellKernels kKernels{.load_16 = load_16,
                                        .load_32 = load_32,
                                        .load_int32 = load_int32,
                                        .read_16 = read_16,
                                        .read_32 = read_32,
                                        .read_int32 = read_int32};
  return &kKernels;
}

} // namespace lanewise::LANEWISE_LEVEL
