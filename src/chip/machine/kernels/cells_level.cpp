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

void load_32(const Bits* __restrict bits, Cell* __restrict high, Cell* __restrict low,
             unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    const Bits datum = semantics::shuffle_32(bits[i]);
    high[i] = static_cast<Cell>(datum >> 16);
    low[i] = static_cast<Cell>(datum);
  }
}

void read_16(const Cell* __restrict cells, Bits* __restrict bits, unsigned count) {
  for (unsigned i = 0; i < count; ++i) bits[i] = semantics::unshuffle_16(Bits{cells[i]});
}

void read_32(const Cell* __restrict high, const Cell* __restrict low, Bits* __restrict bits,
             unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    bits[i] = semantics::unshuffle_32(Bits{high[i]} << 16 | low[i]);
}

} // namespace

const CellKernels* cell_kernels() {
  static constexpr CellKernels kKernels{
      .load_16 = load_16, .load_32 = load_32, .read_16 = read_16, .read_32 = read_32};
  return &kKernels;
}

} // namespace lanewise::LANEWISE_LEVEL
