// Dst: 1024 physical rows of 16 cells of 16 bits, with one valid flag per row (MU 1.1, VU 3.4).
#pragma once

#include <array>
#include <cstdint>

namespace lanewise {

inline constexpr unsigned kDstRows = 1024;
inline constexpr unsigned kDstColumns = 16;
/// Physical rows between the high and the low half of a 32-bit datum.
inline constexpr unsigned kDstLowHalf = 8;

/// Physical row of the high half of 32-bit row `row`.
constexpr unsigned adjust_row_32(unsigned row) {
  return ((row & 0x1F8) << 1) | (row & 0x207);
}

/// The 32-bit row, below 512, whose high half lies in a physical row: the inverse of
/// adjust_row_32().
constexpr unsigned row_of_high_half(unsigned physical_row) {
  return (physical_row >> 1 & 0x1F8) | (physical_row & 7);
}

/// Blackhole, DEST_ACCESS_CFG_remap_addrs.
constexpr unsigned remap_row(unsigned row) {
  return (row & 0x3C7) ^ ((row & 0x030) >> 1) ^ ((row & 0x008) << 2);
}
/// Blackhole, DEST_ACCESS_CFG_swizzle_32b, before adjust_row_32().
constexpr unsigned swizzle_row_32(unsigned row) {
  return (row & 0x3F3) ^ ((row & 0x018) >> 1) ^ ((row & 0x004) << 1);
}

/// What 16-bit accesses name by a row.
enum class Dst16View : std::uint8_t {
  Rows,      ///< the row itself
  HighHalves ///< the high half of that row of the 32-bit view, with bit 11 of DBG_FEATURE_DISABLE
             ///< (ISA Dst). No source gives what a write leaves in the low half; here it stays, on
             ///< which kernels of LLK rely.
};

/// Physical row of the only or the high half of a datum, without remapping.
constexpr unsigned physical_dst_row(unsigned row, bool wide, Dst16View view) {
  return wide || view == Dst16View::HighHalves ? adjust_row_32(row) : row;
}

struct Dst {
  /// Stored bits, sign-mantissa-exponent order unless `holds_patterns`; index with physical rows.
  alignas(64) std::uint16_t cell[kDstRows][kDstColumns];
  std::array<std::uint64_t, kDstRows / 64> valid_bits;
  bool holds_patterns = false; ///< 16 bits as they are (ArchParams::vector.dst_holds_patterns)

  void reset();

  bool valid(unsigned row) const { return (valid_bits[row / 64] >> (row % 64) & 1U) != 0; }
  void set_valid(unsigned row, bool value) {
    const std::uint64_t bit = std::uint64_t{1} << (row % 64);
    valid_bits[row / 64] = value ? valid_bits[row / 64] | bit : valid_bits[row / 64] & ~bit;
  }
  /// Flags of the four rows from `first`, a multiple of 4; bit i = row first + i.
  unsigned valid_group(unsigned first) const {
    return static_cast<unsigned>(valid_bits[first / 64] >> (first % 64)) & 15U;
  }
  void set_valid_group(unsigned first, unsigned rows) {
    valid_bits[first / 64] |= static_cast<std::uint64_t>(rows) << (first % 64);
  }

  /// A 32-bit datum of 32-bit row `row`, in storage order.
  std::uint32_t load_32(unsigned row, unsigned column) const {
    const unsigned high = adjust_row_32(row);
    return static_cast<std::uint32_t>(cell[high][column]) << 16 | cell[high + kDstLowHalf][column];
  }
  void store_32(unsigned row, unsigned column, std::uint32_t datum) {
    const unsigned high = adjust_row_32(row);
    cell[high][column] = static_cast<std::uint16_t>(datum >> 16);
    cell[high + kDstLowHalf][column] = static_cast<std::uint16_t>(datum);
  }
};

} // namespace lanewise
