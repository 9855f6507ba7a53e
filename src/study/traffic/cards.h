// The cards that the public series were measured on, and the loops of their programs.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "chip/isa/arch.h"

namespace lanewise::traffic {

/// Cycles of a program's own loop, measured where data take no time (64 bytes).
struct Gaps {
  double each;  ///< between two calls: 256 of them
  double other; ///< more, where the next core's turn comes: each core once
  double first; ///< from the start of the measurement to the first call: one call
};

/// The compiler unrolls loops up to about this length.
inline constexpr std::uint32_t kUnrolled = 16;

struct Card {
  Arch arch;
  std::uint32_t number;  ///< of the chip in noc_latencies.yaml
  std::string_view name; ///< in tables
  /// Cores that programs see. Switched off are the columns and rows that make the multicasts as
  /// long as they were measured: an unlinked one takes 16 cycles more for each hop.
  unsigned columns, rows;
  std::array<std::uint8_t, 16> column, row;
  Gaps dram_read, dram_write, read, stateful_read, write, stateful_write;
  /// Of reads in loops below that length; `other` only below kUnrolled.
  Gaps unrolled_read;
  std::uint32_t unrolled_below;
  double multicast; ///< between two
};

/// A p150 and an n300.
inline constexpr std::array<Card, 2> kCards{{
    {.arch = Arch::Wormhole,
     .number = 2,
     .name = "Wormhole",
     .columns = 8,
     .rows = 7,
     .column = {1, 2, 3, 4, 6, 7, 8, 9},
     .row = {1, 2, 3, 5, 7, 8, 9},
     .dram_read = {28, 0, 28},
     .dram_write = {36, 0, 36},
     .read = {25, 0, 25},
     .stateful_read = {18, 22, 34},
     .write = {22.2, 12.5, 22},
     .stateful_write = {20.2, 23, 35},
     .unrolled_read = {20, 7, 25},
     .unrolled_below = kUnrolled + 1,
     .multicast = 22},
    {.arch = Arch::Blackhole,
     .number = 3,
     .name = "Blackhole",
     .columns = 11,
     .rows = 10,
     .column = {1, 2, 3, 4, 5, 6, 10, 12, 13, 14, 15},
     .row = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
     .dram_read = {26, 0, 26},
     .dram_write = {28, 0, 28},
     .read = {35, 0, 35},
     .stateful_read = {34, 6, 40},
     .write = {23.3, 12.5, 23},
     .stateful_write = {20.5, 23, 33},
     .unrolled_read = {33, 0, 35},
     .unrolled_below = kUnrolled,
     .multicast = 23.5},
}};

/// Precondition: the chip was measured.
constexpr const Card& card_of(Arch arch) {
  return *std::ranges::find(kCards, arch, &Card::arch);
}

} // namespace lanewise::traffic
