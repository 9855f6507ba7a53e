// bfloat16, and matrices as tiles.
#pragma once

#include <bit>
#include <compare>

#include "assert.hpp"

/// The upper half of a binary32. From numbers it is rounded to nearest even; NaN is 0x7FC0.
class bfloat16 {
 public:
  constexpr bfloat16() = default;
  template <class T>
    requires std::is_arithmetic_v<T>
  constexpr bfloat16(T value) noexcept : bits_(rounded(static_cast<float>(value))) {}

  static constexpr bfloat16 truncate(float value) {
    bfloat16 result;
    result.bits_ = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
    return result;
  }
  constexpr operator float() const { return std::bit_cast<float>(std::uint32_t{bits_} << 16); }
  constexpr float to_float() const { return *this; }
  constexpr std::uint16_t to_uint16() const { return bits_; }

  friend constexpr bool operator==(bfloat16 a, bfloat16 b) { return static_cast<float>(a) == static_cast<float>(b); }
  friend constexpr std::partial_ordering operator<=>(bfloat16 a, bfloat16 b) {
    return static_cast<float>(a) <=> static_cast<float>(b);
  }
  friend bfloat16 operator+(bfloat16 a, bfloat16 b) { return static_cast<float>(a) + static_cast<float>(b); }
  friend bfloat16 operator-(bfloat16 a, bfloat16 b) { return static_cast<float>(a) - static_cast<float>(b); }
  friend bfloat16 operator*(bfloat16 a, bfloat16 b) { return static_cast<float>(a) * static_cast<float>(b); }
  friend bfloat16 operator/(bfloat16 a, bfloat16 b) { return static_cast<float>(a) / static_cast<float>(b); }
  bfloat16& operator+=(bfloat16 b) { return *this = *this + b; }
  bfloat16& operator-=(bfloat16 b) { return *this = *this - b; }
  bfloat16& operator*=(bfloat16 b) { return *this = *this * b; }
  bfloat16& operator/=(bfloat16 b) { return *this = *this / b; }

 private:
  static constexpr std::uint16_t rounded(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if (value != value) return 0x7FC0;
    return static_cast<std::uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
  }
  std::uint16_t bits_ = 0;
};
inline std::ostream& operator<<(std::ostream& stream, bfloat16 value) { return stream << value.to_uint16(); }

/// The first in the low half.
inline std::uint32_t pack_two_bfloat16_into_uint32(std::pair<bfloat16, bfloat16> two) {
  return two.first.to_uint16() | std::uint32_t{two.second.to_uint16()} << 16;
}
inline std::vector<std::uint32_t> pack_bfloat16_vec_into_uint32_vec(const std::vector<bfloat16>& data) {
  std::vector<std::uint32_t> words;
  for (std::size_t i = 0; i + 1 < data.size(); i += 2) words.push_back(pack_two_bfloat16_into_uint32({data[i], data[i + 1]}));
  return words;
}
inline std::vector<bfloat16> unpack_uint32_vec_into_bfloat16_vec(
    const std::vector<std::uint32_t>& words,
    const std::function<bfloat16(const bfloat16&)>& transform = [](const bfloat16& value) { return value; }) {
  std::vector<bfloat16> data;
  for (const std::uint32_t word : words)
    for (const std::uint32_t half : {word & 0xFFFF, word >> 16})
      data.push_back(transform(bfloat16::truncate(std::bit_cast<float>(half << 16))));
  return data;
}
inline std::vector<bfloat16> create_random_vector_of_bfloat16_native(std::size_t bytes, float most, int seed,
                                                                     float offset = 0.0F) {
  auto next = std::bind(std::uniform_real_distribution<float>(0, most), std::mt19937(seed));
  std::vector<bfloat16> data(bytes / sizeof(bfloat16));
  for (bfloat16& each : data) each = bfloat16(next() + offset);
  return data;
}
inline std::vector<std::uint32_t> create_random_vector_of_bfloat16(std::size_t bytes, int most, int seed,
                                                                   float offset = 0.0F) {
  return pack_bfloat16_vec_into_uint32_vec(
      create_random_vector_of_bfloat16_native(bytes, static_cast<float>(most), seed, offset));
}
inline std::vector<std::uint32_t> create_constant_vector_of_bfloat16(std::size_t bytes, float value) {
  return pack_bfloat16_vec_into_uint32_vec(std::vector<bfloat16>(bytes / sizeof(bfloat16), bfloat16(value)));
}
/// A matrix with ones on its diagonal, as many as are asked for.
inline std::vector<bfloat16> create_identity_matrix(int rows, int columns, int ones) {
  std::vector<bfloat16> matrix(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  for (int i = 0; i < ones; ++i) matrix.at(static_cast<std::size_t>(i) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(i)) = 1.0F;
  return matrix;
}
inline bool is_close(float a, float b, float rtol = 0.01F, float atol = 0.001F) {
  return std::abs(a - b) <= atol + rtol * std::abs(b);
}

namespace lanewise_host {

/// Calls with the place of each element of matrices of rows x columns in row-major order, and its
/// place in tiles of four faces.
template <class Visit>
void visit_tiles(std::size_t size, std::size_t rows, std::size_t columns, const Visit& visit) {
  TT_FATAL(rows % 32 == 0 && columns % 32 == 0, "a matrix of {} x {} has no whole tiles", rows, columns);
  TT_FATAL(rows * columns != 0 && size % (rows * columns) == 0, "{} numbers are no matrices of {} x {}", size, rows,
           columns);
  std::size_t in_tiles = 0;
  for (std::size_t first = 0; first < size; first += rows * columns)
    for (std::size_t tile_row = 0; tile_row < rows; tile_row += 32)
      for (std::size_t tile_column = 0; tile_column < columns; tile_column += 32)
        for (std::size_t face = 0; face < 4; ++face)
          for (std::size_t row = 0; row < 16; ++row)
            for (std::size_t column = 0; column < 16; ++column)
              visit(first + (tile_row + face / 2 * 16 + row) * columns + tile_column + face % 2 * 16 + column,
                    in_tiles++);
}

} // namespace lanewise_host

template <class T>
std::vector<T> tilize_nfaces(const std::vector<T>& matrix, std::uint32_t rows, std::uint32_t columns) {
  std::vector<T> tiles(matrix.size());
  lanewise_host::visit_tiles(matrix.size(), rows, columns,
                             [&](std::size_t in_rows, std::size_t in_tiles) { tiles[in_tiles] = matrix[in_rows]; });
  return tiles;
}
template <class T>
std::vector<T> untilize_nfaces(const std::vector<T>& tiles, std::uint32_t rows, std::uint32_t columns) {
  std::vector<T> matrix(tiles.size());
  lanewise_host::visit_tiles(tiles.size(), rows, columns,
                             [&](std::size_t in_rows, std::size_t in_tiles) { matrix[in_rows] = tiles[in_tiles]; });
  return matrix;
}
