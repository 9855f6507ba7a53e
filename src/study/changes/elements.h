// Single elements of tiles in L1, of every shape that LLK's tests have: 1 to 4 faces of 1 to 16
// rows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "study/changes/case.h"

namespace lanewise::changes {

inline constexpr unsigned kFaceColumns = 16;

struct Element {
  std::uint64_t bits = 0;      ///< of a block format with its exponent
  std::optional<double> value; ///< nothing for a format that is not known
  /// Its place on the format's line of numbers, of which two neighbours are one apart.
  std::optional<std::int64_t> order;
};

struct ElementPlace {
  unsigned face = 0, row = 0, column = 0; ///< row and column of the tile
};

class ElementReader {
 public:
  /// Of a format that is not known, elements are bytes.
  explicit ElementReader(const ResultPlace& place);

  /// Of a tile.
  unsigned elements() const { return elements_; }
  /// Bytes of a tile that hold elements; no more than it has.
  std::size_t bytes() const { return bytes_; }

  /// An element of a tile, in the order of L1. Precondition: `tile` has bytes().
  Element element(std::span<const std::uint8_t> tile, unsigned index) const;
  ElementPlace place(unsigned index) const;

 private:
  enum class Layout : std::uint8_t { Float, Integer, Block, Bytes };

  Element block_element(std::span<const std::uint8_t> tile, unsigned index) const;

  ResultPlace place_;
  Layout layout_ = Layout::Bytes;
  unsigned bits_ = 8, exponent_bits_ = 0, mantissa_bits_ = 0;
  int bias_ = 0;
  bool is_signed_ = false;
  unsigned elements_ = 0;
  std::size_t exponent_bytes_ = 0, bytes_ = 0;
};

} // namespace lanewise::changes
