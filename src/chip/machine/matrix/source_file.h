// SrcA and SrcB: the operands of the Matrix Unit (MU 1.2).
#pragma once

#include <array>
#include <cstdint>

namespace lanewise {

inline constexpr unsigned kCellShift = 13; ///< a cell of 19 bits stands in the upper end of 32

inline constexpr unsigned kSourceBanks = 2;
inline constexpr unsigned kSourceRows = 64;
inline constexpr unsigned kSourceColumns = 16;

/// SrcA or SrcB. A cell has 19 bits, kept in arithmetic order and left-aligned, as the upper bits
/// of an fp32: bit 31 sign, 30..23 exponent, 22..13 mantissa. The low 13 bits are 0.
struct SourceFile {
  alignas(64) std::uint32_t cell[kSourceBanks][kSourceRows][kSourceColumns];
  std::array<std::uint8_t, kSourceBanks>
      format{};             ///< Blackhole: the implied format code of each bank
  std::uint8_t current = 0; ///< bank that the Matrix Unit uses
  std::uint8_t filling = 0; ///< bank that the unpacker fills next
  std::array<bool, kSourceBanks> owned_by_matrix_unit{true, true};

  std::uint32_t (*rows())[kSourceColumns] { return cell[current]; }
  const std::uint32_t (*rows() const)[kSourceColumns] { return cell[current]; }

  friend bool operator==(const SourceFile&, const SourceFile&) = default;
};

} // namespace lanewise
