#include "study/changes/elements.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

namespace lanewise::changes {
namespace {

/// A format by LLK's name. Of block formats the mantissa is that behind the sign, and the exponent
/// that of the block (core.md 11).
struct Form {
  std::string_view name;
  char kind; ///< f: float, s: signed, u: unsigned, b: block
  unsigned bits, exponent_bits, mantissa_bits;
};

constexpr std::array kForms{Form{"Float32", 'f', 32, 8, 23},  Form{"Tf32", 'f', 32, 8, 23},
                            Form{"Float16_b", 'f', 16, 8, 7}, Form{"Float16", 'f', 16, 5, 10},
                            Form{"Fp8_e4m3", 'f', 8, 4, 3},   Form{"Lf8", 'f', 8, 5, 2},
                            Form{"Int32", 's', 32, 0, 0},     Form{"UInt32", 'u', 32, 0, 0},
                            Form{"Int16", 's', 16, 0, 0},     Form{"UInt16", 'u', 16, 0, 0},
                            Form{"Int8", 's', 8, 0, 0},       Form{"UInt8", 'u', 8, 0, 0},
                            Form{"Bfp8_b", 'b', 8, 8, 7},     Form{"Bfp4_b", 'b', 4, 8, 3},
                            Form{"Bfp2_b", 'b', 2, 8, 1},     Form{"Bfp8", 'b', 8, 5, 7},
                            Form{"Bfp4", 'b', 4, 5, 3},       Form{"Bfp2", 'b', 2, 5, 1}};

/// Behind the exponents of a tile, numbers begin at a multiple of so many bytes.
constexpr std::size_t kExponentAlignment = 16;

} // namespace

ElementReader::ElementReader(const ResultPlace& place) : place_(place) {
  place_.face_columns = std::max(1U, place_.face_columns);
  place_.face_rows = std::max(1U, place_.face_rows);
  elements_ = place_.faces * place_.face_rows * kFaceColumns;
  const auto form = std::ranges::find(kForms, std::string_view(place_.format), &Form::name);
  if (form == kForms.end()) {
    elements_ = std::min(elements_, place_.tile_bytes);
  } else {
    bits_ = form->bits;
    exponent_bits_ = form->exponent_bits;
    mantissa_bits_ = form->mantissa_bits;
    bias_ = (1 << (exponent_bits_ == 0 ? 0 : exponent_bits_ - 1)) - 1;
    is_signed_ = form->kind == 's';
    layout_ = form->kind == 'f'   ? Layout::Float
              : form->kind == 'b' ? Layout::Block
                                  : Layout::Integer;
  }
  if (layout_ == Layout::Block) {
    const std::size_t blocks = elements_ / kFaceColumns;
    exponent_bytes_ = (blocks + kExponentAlignment - 1) / kExponentAlignment * kExponentAlignment;
  }
  bytes_ = exponent_bytes_ + std::size_t{elements_} * bits_ / 8;
  // A tile of which less is kept than its shape says.
  if (bytes_ > place_.tile_bytes && place_.tile_bytes != 0) {
    bytes_ = place_.tile_bytes;
    elements_ = bytes_ <= exponent_bytes_
                    ? 0
                    : static_cast<unsigned>((bytes_ - exponent_bytes_) * 8 / bits_);
  }
}

ElementPlace ElementReader::place(unsigned index) const {
  const unsigned in_face = place_.face_rows * kFaceColumns;
  const unsigned face = index / in_face, within = index % in_face;
  return {.face = face,
          .row = face / place_.face_columns * place_.face_rows + within / kFaceColumns,
          .column = face % place_.face_columns * kFaceColumns + within % kFaceColumns};
}

Element ElementReader::block_element(std::span<const std::uint8_t> tile, unsigned index) const {
  const unsigned exponent = tile[index / kFaceColumns];
  const std::size_t bit = std::size_t{index} * bits_;
  const unsigned all = tile[exponent_bytes_ + bit / 8] >> (bit % 8);
  const unsigned number = all & ((1U << bits_) - 1U);
  const unsigned magnitude = number & ((1U << mantissa_bits_) - 1U);
  const bool is_negative = (number >> mantissa_bits_ & 1U) != 0;
  // The highest bit of the mantissa has the weight of the exponent.
  const double value =
      std::ldexp(static_cast<double>(magnitude),
                 static_cast<int>(exponent) - bias_ - static_cast<int>(mantissa_bits_) + 1);
  // A zero is one whatever the exponent of its block.
  return {.bits = magnitude == 0 ? number : std::uint64_t{exponent} << 8 | number,
          .value = is_negative ? -value : value,
          .order = std::nullopt};
}

Element ElementReader::element(std::span<const std::uint8_t> tile, unsigned index) const {
  if (layout_ == Layout::Block) return block_element(tile, index);
  std::uint64_t bits = 0;
  for (unsigned k = 0; k < bits_ / 8; ++k)
    bits |= std::uint64_t{tile[std::size_t{index} * bits_ / 8 + k]} << (8 * k);
  Element element{.bits = bits, .value = std::nullopt, .order = std::nullopt};
  if (layout_ == Layout::Bytes) return element;
  if (layout_ == Layout::Integer) {
    const auto shift = 64 - bits_;
    const auto value = is_signed_ ? static_cast<std::int64_t>(bits << shift) >> shift
                                  : static_cast<std::int64_t>(bits);
    element.order = value;
    element.value = static_cast<double>(value);
    return element;
  }
  const std::uint64_t magnitude = bits & ((std::uint64_t{1} << (bits_ - 1)) - 1);
  const bool is_negative = (bits >> (bits_ - 1) & 1U) != 0;
  const auto line = static_cast<std::int64_t>(magnitude);
  element.order = is_negative ? -line : line;
  const auto exponent = static_cast<int>(magnitude >> mantissa_bits_);
  const auto mantissa = static_cast<double>(magnitude & ((std::uint64_t{1} << mantissa_bits_) - 1));
  const double one = std::ldexp(1.0, static_cast<int>(mantissa_bits_));
  double value = exponent == 0 ? std::ldexp(mantissa / one, 1 - bias_)
                               : std::ldexp(1 + mantissa / one, exponent - bias_);
  // Formats of less than 16 bits have numbers there.
  if (bits_ >= 16 && exponent == (1 << exponent_bits_) - 1) {
    value = mantissa == 0 ? std::numeric_limits<double>::infinity()
                          : std::numeric_limits<double>::quiet_NaN();
  }
  element.value = is_negative ? -value : value;
  return element;
}

} // namespace lanewise::changes
