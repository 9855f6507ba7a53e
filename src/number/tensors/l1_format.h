// Numbers as they lie in L1, in every format that unpackers and packers know (core.md 11).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "chip/isa/number_format.h"
#include "number/tensors/tile.h"

namespace lanewise::tensors {

/// A format in L1 by its name on the command line: the rows of chip/isa/number_formats.def that
/// have a form there, and uint8, which shares a row with int8.
struct L1Format {
  const isa::NumberFormat* row = nullptr;
  bool is_unsigned_byte = false;

  std::string_view name() const { return is_unsigned_byte ? "uint8" : row->name; }
  unsigned bits() const { return row->l1->bits; }
  bool is_block() const { return row->l1->is_block(); }
  /// The format in which a host has the numbers: the same one where Dst has it, else FP32 or INT32.
  formats::Format values() const;

  friend bool operator==(const L1Format&, const L1Format&) = default;
};

/// All names, with blanks between them.
std::string l1_format_names();

/// Error: BadInput that lists the names.
Expected<L1Format> parse_l1_format(std::string_view name);

/// Datum `index` of data of 1 to 32 bits, the first in the lowest bits.
std::uint32_t datum_at(std::span<const std::uint8_t> bytes, unsigned bits, std::size_t index);

/// The order of data.
enum class L1Order : std::uint8_t {
  Tiles, ///< tile after tile, each by its faces (number/tensors/tile.h); a block format's exponents
         ///< first
  Rows   ///< row-major, as a program that tilizes them expects them; not of block formats
};

/// Bytes that a tensor of so many elements takes.
std::size_t l1_bytes(const L1Format& format, L1Order order, std::size_t elements);

/// A tensor in L1. Numbers are rounded to nearest even; a block has the exponent of its largest
/// number. Precondition: values.format == format.values(). Error: BadInput for a number that an
/// integer format does not have, and for blocks in rows.
Expected<std::vector<std::uint8_t>> to_l1(const L1Format& format, L1Order order,
                                          const Tensor& values);

/// The inverse. Precondition: bytes.size() is l1_bytes() of the shape. Error: BadInput for blocks
/// in rows.
Expected<Tensor> from_l1(const L1Format& format, L1Order order, std::span<const std::uint8_t> bytes,
                         std::vector<std::size_t> shape);

} // namespace lanewise::tensors
