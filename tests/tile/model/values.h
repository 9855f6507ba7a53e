// Conversions of single numbers, as core.md 11, 12.5, 14.5 to 14.10 and core-formulas.py say them.
// Formats are their codes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace lanewise::test::model {

inline constexpr unsigned kFp32 = 0, kFp16 = 1, kBfp8a = 2, kBfp4a = 3, kTf32 = 4, kBf16 = 5,
                          kBfp8 = 6, kBfp4 = 7, kInt32 = 8, kInt16 = 9, kFp8 = 10, kBfp2a = 11,
                          kInt8 = 14, kBfp2 = 15;

unsigned bits_of(unsigned format);
bool shares_exponents(unsigned format);

struct UnpackMode {
  bool is_blackhole = false;
  unsigned in = 0, out = 0;
  bool to_dst = false, is_unsigned = false, e4m3 = false;
};

/// What arrives in Dst, 16 or 32 bits as stored, or in SrcA and SrcB, 19 bits as the documents
/// order them. Nothing: undefined.
std::optional<std::uint32_t> unpacked(const UnpackMode& mode, std::uint32_t datum,
                                      std::uint32_t exponent);

/// The order of the documents (sign, mantissa, exponent) from the order of arithmetic, and back.
std::uint32_t source_order(std::uint32_t tf32);
std::uint32_t arithmetic_order(std::uint32_t cell);

struct PackMode {
  bool is_blackhole = false;
  unsigned intermediate = 0, out = 0;
  bool reads_32 = false, is_unsigned = false, round_10 = false, e4m3 = false;
  unsigned relu = 0, threshold = 0;
  bool raw = false;                ///< nothing is rounded
  unsigned shift = 0;              ///< of INT8
  unsigned exponent_threshold = 0; ///< 0: none
};

std::uint32_t early(const PackMode& mode, std::uint32_t stored);
std::uint32_t relu(const PackMode& mode, std::uint32_t value);
/// Small values become 0, by their exponents as they are.
std::uint32_t above_threshold(const PackMode& mode, std::uint32_t value);
std::uint32_t late(const PackMode& mode, std::uint32_t value);

struct BlockModel {
  std::uint32_t exponent = 0;
  std::array<std::uint32_t, 16> code{};
};
BlockModel block_of(const std::array<std::uint32_t, 16>& values, unsigned bits);

std::uint32_t accumulated(unsigned format, std::uint32_t old, std::uint32_t packed);

} // namespace lanewise::test::model
