#include "number/tensors/l1_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "base/in_quotes.h"

namespace lanewise::tensors {

namespace {

constexpr unsigned kByteBits = 8;
constexpr std::size_t kL1Line = 16; ///< bytes; sections begin at multiples

std::optional<formats::Format> dst_format(const isa::NumberFormat& row) {
  for (const formats::Format format : formats::kFormats) {
    if (&isa::number_format(format) == &row) return format;
  }
  return std::nullopt;
}

bool is_byte_integer(const L1Format& format) {
  return format.row->operand->code == isa::DataFormat::Int8;
}

std::vector<L1Format> all_l1_formats() {
  std::vector<L1Format> formats;
  for (const isa::NumberFormat& row : isa::kNumberFormats) {
    if (!row.l1) continue;
    formats.push_back({.row = &row});
    if (is_byte_integer(formats.back())) formats.push_back({.row = &row, .is_unsigned_byte = true});
  }
  return formats;
}

// ---------------------------------------------------------------- Single data

/// Sign and magnitude of `bits` bits.
std::uint32_t sign_magnitude(std::uint32_t twos_complement, unsigned bits) {
  const std::uint32_t mask = isa::low_ones(bits), sign = mask & ~(mask >> 1);
  const std::uint32_t low = twos_complement & mask;
  return (low & sign) == 0 ? low : sign | ((~low + 1) & (sign - 1));
}

/// The inverse, as 32 bits.
std::uint32_t twos_complement(std::uint32_t sign_magnitude, unsigned bits) {
  const std::uint32_t sign = 1U << (bits - 1);
  const std::uint32_t magnitude = sign_magnitude & (sign - 1);
  return (sign_magnitude & sign) == 0 ? magnitude : ~magnitude + 1;
}

Expected<std::uint32_t> byte_datum(const L1Format& format, std::uint32_t bits) {
  constexpr double kMostSigned = 127, kMostUnsigned = 255;
  const double value = formats::value_of_bits(formats::Format::INT32, bits);
  const double least = format.is_unsigned_byte ? 0 : -kMostSigned;
  const double most = format.is_unsigned_byte ? kMostUnsigned : kMostSigned;
  if (value < least || value > most) {
    return bad_input(
        fmt::format("{} is outside the range of {}, {} to {}", value, format.name(), least, most),
        fmt::format("use numbers of that range, for instance ramp:{}:{}", least, most));
  }
  return format.is_unsigned_byte ? bits & isa::low_ones(kByteBits)
                                 : sign_magnitude(bits, kByteBits);
}

/// A datum that shares nothing with others.
Expected<std::uint32_t> single_datum(const L1Format& format, std::uint32_t bits) {
  if (is_byte_integer(format)) return byte_datum(format, bits);
  const isa::NumberFormat& row = *format.row;
  if (row.integer) return row.integer->is_signed ? sign_magnitude(bits, format.bits()) : bits;
  if (dst_format(row)) return bits;
  const std::uint32_t rounded =
      formats::round_to_bits(row, formats::value_of_bits(formats::Format::FP32, bits));
  return rounded << (format.bits() - static_cast<unsigned>(row.width()));
}

std::uint32_t value_of_datum(const L1Format& format, std::uint32_t datum) {
  if (is_byte_integer(format))
    return format.is_unsigned_byte ? datum : twos_complement(datum, kByteBits);
  const isa::NumberFormat& row = *format.row;
  if (row.integer) {
    return row.integer->is_signed
               ? twos_complement(datum, format.bits()) & isa::low_ones(format.bits())
               : datum;
  }
  if (dst_format(row)) return datum;
  const std::uint32_t pattern = datum >> (format.bits() - static_cast<unsigned>(row.width()));
  return formats::round_to_bits(formats::Format::FP32, formats::value_of_bits(row, pattern));
}

// ---------------------------------------------------------------- Blocks

int block_bias(const isa::NumberFormat& row) {
  return (1 << (row.l1->shared_exponent_bits - 1)) - 1;
}

/// The exponent field of the largest number.
int block_exponent(const isa::NumberFormat& row, std::span<const double> numbers) {
  double largest = 0;
  for (const double number : numbers)
    if (std::isfinite(number)) largest = std::max(largest, std::fabs(number));
  const bool has_special = !std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); });
  const int top = (1 << row.l1->shared_exponent_bits) - 1;
  if (has_special) return top;
  if (largest == 0) return 0;
  return std::clamp(std::ilogb(largest) + block_bias(row), 0, top);
}

/// The weight of a magnitude's lowest bit.
int block_power(const isa::NumberFormat& row, int exponent) {
  return exponent - block_bias(row) - static_cast<int>(row.l1->magnitude_bits()) + 1;
}

std::uint32_t block_datum(const isa::NumberFormat& row, int exponent, double number) {
  const std::uint32_t most = isa::low_ones(row.l1->magnitude_bits());
  const double scaled = std::ldexp(std::fabs(number), -block_power(row, exponent));
  const std::uint32_t magnitude =
      scaled < most ? static_cast<std::uint32_t>(std::nearbyint(scaled)) : most;
  const bool negative = std::signbit(number) && magnitude != 0;
  return (negative ? 1U << row.l1->magnitude_bits() : 0) | magnitude;
}

double block_number(const isa::NumberFormat& row, int exponent, std::uint32_t datum) {
  const std::uint32_t magnitude = datum & isa::low_ones(row.l1->magnitude_bits());
  const double number = std::ldexp(magnitude, block_power(row, exponent));
  return (datum >> row.l1->magnitude_bits() & 1U) != 0 ? -number : number;
}

// ---------------------------------------------------------------- Bytes

std::size_t whole_lines(std::size_t bytes) {
  return (bytes + kL1Line - 1) / kL1Line * kL1Line;
}

/// Bytes of the exponents of so many data.
std::size_t exponent_bytes(const L1Format& format, std::size_t elements) {
  return format.is_block() ? whole_lines(elements / format.row->l1->block) : 0;
}

/// Data of 1 to 32 bits, the first in the lowest bits.
class BitField {
 public:
  static void put(std::span<std::uint8_t> bytes, unsigned bits, std::size_t index,
                  std::uint32_t datum) {
    const std::size_t first = index * bits;
    if (bits < kByteBits) {
      bytes[first / kByteBits] |= static_cast<std::uint8_t>(datum << (first % kByteBits));
      return;
    }
    for (unsigned i = 0; i < bits / kByteBits; ++i)
      bytes[first / kByteBits + i] = static_cast<std::uint8_t>(datum >> (kByteBits * i));
  }
};

/// Data in their order in L1 to bytes: of a tile, or of all in rows.
Expected<std::vector<std::uint8_t>> encode_run(const L1Format& format,
                                               std::span<const std::uint32_t> values) {
  std::vector<std::uint8_t> bytes(l1_bytes(format, L1Order::Rows, values.size()));
  const std::size_t exponents = exponent_bytes(format, values.size());
  const std::span<std::uint8_t> data = std::span(bytes).subspan(exponents);
  const std::size_t block = format.row->l1->block;
  for (std::size_t first = 0; format.is_block() && first < values.size(); first += block) {
    std::vector<double> numbers(block);
    for (std::size_t i = 0; i < block; ++i)
      numbers[i] = formats::value_of_bits(formats::Format::FP32, values[first + i]);
    const int exponent = block_exponent(*format.row, numbers);
    bytes[first / block] = static_cast<std::uint8_t>(exponent);
    for (std::size_t i = 0; i < block; ++i)
      BitField::put(data, format.bits(), first + i, block_datum(*format.row, exponent, numbers[i]));
  }
  for (std::size_t i = 0; !format.is_block() && i < values.size(); ++i) {
    const auto datum = single_datum(format, values[i]);
    if (!datum) return Unexpected(datum.error());
    BitField::put(data, format.bits(), i, *datum);
  }
  return bytes;
}

std::vector<std::uint32_t> decode_run(const L1Format& format, std::span<const std::uint8_t> bytes,
                                      std::size_t count) {
  const auto data = bytes.subspan(exponent_bytes(format, count));
  std::vector<std::uint32_t> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t datum = datum_at(data, format.bits(), i);
    values[i] = format.is_block()
                    ? formats::round_to_bits(
                          formats::Format::FP32,
                          block_number(*format.row, bytes[i / format.row->l1->block], datum))
                    : value_of_datum(format, datum);
  }
  return values;
}

/// The place of an element of a tile among its data in L1.
std::size_t place_in_tile(unsigned row, unsigned column) {
  const DstPosition at = dst_position(0, row, column);
  return std::size_t{at.row} * kFaceEdge + at.column;
}

Tile by_faces(const Tile& tile) {
  Tile faces{};
  for (unsigned i = 0; i < kTileElements; ++i)
    faces[place_in_tile(i / kTileEdge, i % kTileEdge)] = tile[i];
  return faces;
}

Expected<void> check_order(const L1Format& format, L1Order order) {
  if (order == L1Order::Tiles || !format.is_block()) return {};
  return bad_input(fmt::format("{} has blocks, which lie in L1 as tiles only", format.name()),
                   "leave :rows out");
}

} // namespace

formats::Format L1Format::values() const {
  if (is_byte_integer(*this)) return formats::Format::INT32;
  return dst_format(*row).value_or(formats::Format::FP32);
}

std::uint32_t datum_at(std::span<const std::uint8_t> bytes, unsigned bits, std::size_t index) {
  const std::size_t first = index * bits;
  if (bits < kByteBits)
    return static_cast<std::uint32_t>(bytes[first / kByteBits] >> (first % kByteBits)) &
           isa::low_ones(bits);
  std::uint32_t datum = 0;
  for (unsigned i = 0; i < bits / kByteBits; ++i)
    datum |= static_cast<std::uint32_t>(bytes[first / kByteBits + i]) << (kByteBits * i);
  return datum;
}

std::string l1_format_names() {
  std::string names;
  for (const L1Format& format : all_l1_formats())
    names += fmt::format("{}{}", names.empty() ? "" : " ", format.name());
  return names;
}

Expected<L1Format> parse_l1_format(std::string_view name) {
  for (const L1Format& format : all_l1_formats())
    if (format.name() == name) return format;
  return bad_input(fmt::format("{} is not a format of L1", in_quotes(name)),
                   "use one of " + l1_format_names());
}

std::size_t l1_bytes(const L1Format& format, L1Order order, std::size_t elements) {
  const std::size_t data = order == L1Order::Tiles
                               ? (elements + kTileElements - 1) / kTileElements * kTileElements
                               : elements;
  const std::size_t tiles = order == L1Order::Tiles ? data / kTileElements : 1;
  const std::size_t in_one = order == L1Order::Tiles ? kTileElements : data;
  return tiles * (exponent_bytes(format, in_one) + (in_one * format.bits() + 7) / kByteBits);
}

Expected<std::vector<std::uint8_t>> to_l1(const L1Format& format, L1Order order,
                                          const Tensor& values) {
  if (auto possible = check_order(format, order); !possible) return Unexpected(possible.error());
  if (order == L1Order::Rows) return encode_run(format, values.bits);
  std::vector<std::uint8_t> all;
  for (const Tile& tile : split_into_tiles(values)) {
    const auto bytes = encode_run(format, by_faces(tile));
    if (!bytes) return Unexpected(bytes.error());
    all.insert(all.end(), bytes->begin(), bytes->end());
  }
  return all;
}

Expected<Tensor> from_l1(const L1Format& format, L1Order order, std::span<const std::uint8_t> bytes,
                         std::vector<std::size_t> shape) {
  if (auto possible = check_order(format, order); !possible) return Unexpected(possible.error());
  if (order == L1Order::Rows) {
    const std::size_t count = element_count(shape).value_or(0);
    return Tensor{std::move(shape), decode_run(format, bytes, count), format.values()};
  }
  const std::size_t tile_bytes = l1_bytes(format, order, kTileElements);
  std::vector<Tile> tiles;
  for (std::size_t first = 0; first + tile_bytes <= bytes.size(); first += tile_bytes) {
    const auto data = decode_run(format, bytes.subspan(first, tile_bytes), kTileElements);
    Tile& tile = tiles.emplace_back();
    for (unsigned i = 0; i < kTileElements; ++i)
      tile[i] = data[place_in_tile(i / kTileEdge, i % kTileEdge)];
  }
  return join_tiles(tiles, std::move(shape), format.values());
}

} // namespace lanewise::tensors
