#include "number/tensors/npy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/file.h"

namespace lanewise::tensors {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kVersionBytes = 2;
constexpr std::size_t kAlignment = 64; ///< of the data in the file; NumPy's ARRAY_ALIGN

constexpr std::string_view kSaveAgain = "save the array again with numpy.save()";

Unexpected npy_fault(std::string_view name, std::size_t offset, std::string_view what,
                     std::string_view remedy) {
  const std::size_t column =
      std::min<std::size_t>(offset, std::numeric_limits<std::uint32_t>::max() - 1) + 1;
  Unexpected fault = bad_input(fmt::format("byte {}: {}", offset, what), std::string(remedy), 1,
                               static_cast<std::uint32_t>(column));
  fault.value().file = name;
  return fault;
}

struct Header {
  NpyDtype dtype{};
  bool is_big_endian = false;
  bool is_fortran_order = false;
  std::vector<std::size_t> shape;
};

/// The header is a Python dict literal with three keys. A parsing function returns whether it went
/// well; if not, the fault is set.
class HeaderParser {
 public:
  /// `offset` is that of the text in the file.
  HeaderParser(std::string_view text, std::size_t offset, std::string_view name)
      : text_(text), offset_(offset), name_(name) {}

  Expected<Header> parse() {
    if (parse_dict()) return std::move(header_);
    return Unexpected(*fault_);
  }

 private:
  bool parse_dict() {
    if (!expect('{')) return false;
    while (!accept('}')) {
      if (!parse_item()) return false;
      if (accept(',')) continue;
      if (!expect('}')) return false;
      break;
    }
    skip_space();
    if (at_ < text_.size()) return fail("there is more after the header's '}'", kSaveAgain);
    if (has_descr_ && has_order_ && has_shape_) return true;
    return fail("the header lacks one of 'descr', 'fortran_order' and 'shape'", kSaveAgain);
  }

  bool parse_item() {
    skip_space();
    const std::size_t start = at_;
    const auto key = parse_string();
    if (!key || !expect(':')) return false;
    const auto is_first = [](bool& has_key) { return !std::exchange(has_key, true); };
    if (*key == "descr" && is_first(has_descr_)) return parse_descr();
    if (*key == "fortran_order" && is_first(has_order_)) return parse_order();
    if (*key == "shape" && is_first(has_shape_)) return parse_shape();
    at_ = start;
    return fail("the header has a key twice, or one that is not of a .npy file", kSaveAgain);
  }

  bool parse_descr() {
    skip_space();
    const std::size_t start = at_;
    if (peek() == '[') return fail("the array has a structured dtype", "save one field of it");
    const auto descr = parse_string();
    if (!descr) return false;
    if (const auto dtype = dtype_of(*descr)) {
      header_.dtype = *dtype;
      header_.is_big_endian = descr->front() == '>';
      return true;
    }
    at_ = start;
    return fail("the dtype is none of b1, i1, i2, i4, i8, u1, u2, u4, u8, f2, f4, f8",
                "convert the array first, for instance with a.astype('f4')");
  }

  /// The dtype of "<f4" and the like; '|' marks that there is no byte order, as with one byte.
  static std::optional<NpyDtype> dtype_of(std::string_view descr) {
    if (descr.size() != 3) return std::nullopt;
    const auto kind = static_cast<NpyKind>(descr[1]);
    const auto bytes = static_cast<unsigned>(descr[2] - '0');
    const bool is_size = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    const bool is_known = (kind == NpyKind::Bool && bytes == 1) ||
                          (kind == NpyKind::Float && is_size && bytes > 1) ||
                          ((kind == NpyKind::Signed || kind == NpyKind::Unsigned) && is_size);
    const bool has_order = descr[0] == '<' || descr[0] == '>' || (descr[0] == '|' && bytes == 1);
    if (!is_known || !has_order) return std::nullopt;
    return NpyDtype{kind, bytes};
  }

  bool parse_order() {
    skip_space();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      header_.is_fortran_order = value;
      return true;
    }
    return fail("'fortran_order' is neither True nor False", kSaveAgain);
  }

  bool parse_shape() {
    if (!expect('(')) return false;
    while (!accept(')')) {
      if (header_.shape.size() == kNpyLargestRank) {
        return fail(fmt::format("the array has more than {} dimensions", kNpyLargestRank),
                    "reshape it to fewer");
      }
      if (!parse_length()) return false;
      if (accept(',')) continue;
      if (!expect(')')) return false;
      break;
    }
    return true;
  }

  bool parse_length() {
    skip_space();
    std::size_t length = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), length);
    if (error != std::errc{}) {
      return fail("the shape has something else than a length that fits in 64 bits", kSaveAgain);
    }
    at_ += static_cast<std::size_t>(end - begin);
    if (peek() == 'L') ++at_; // Python 2 wrote its long integers so
    header_.shape.push_back(length);
    return true;
  }

  std::optional<std::string_view> parse_string() {
    skip_space();
    const char quote = peek();
    const std::size_t end =
        quote == '\'' || quote == '"' ? text_.find(quote, at_ + 1) : std::string_view::npos;
    if (end == std::string_view::npos) {
      fail("the header has no string in quotes here", kSaveAgain);
      return std::nullopt;
    }
    const std::string_view content = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return content;
  }

  /// The next character, or 0 at the end.
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_space() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

  bool accept(char expected) {
    skip_space();
    if (peek() != expected) return false;
    ++at_;
    return true;
  }

  bool expect(char expected) {
    return accept(expected) ||
           fail(fmt::format("the header lacks a '{}' here", expected), kSaveAgain);
  }

  bool fail(std::string_view what, std::string_view remedy) {
    fault_ = npy_fault(name_, offset_ + at_, what, remedy).value();
    return false;
  }

  std::string_view text_;
  std::size_t offset_;
  std::string_view name_;
  std::size_t at_ = 0;
  bool has_descr_ = false;
  bool has_order_ = false;
  bool has_shape_ = false;
  Header header_;
  std::optional<Fault> fault_;
};

/// An unsigned integer of at most 8 bytes.
std::uint64_t load(std::span<const std::byte> bytes, bool is_big_endian) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    value = value << 8 |
            std::to_integer<std::uint64_t>(is_big_endian ? bytes[i] : bytes[bytes.size() - 1 - i]);
  }
  return value;
}

/// IEEE binary16, which unlike Format::FP16 has Inf, NaN and denormals worth 2^-24 each.
double half_value(std::uint32_t bits) {
  const std::uint32_t mantissa = bits & 0x3FF;
  const auto exponent = static_cast<int>((bits >> 10) & 0x1F);
  double magnitude =
      exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(0x400 | mantissa, exponent - 15 - 10);
  if (exponent == 31) {
    magnitude = mantissa == 0 ? std::numeric_limits<double>::infinity()
                              : std::numeric_limits<double>::quiet_NaN();
  }
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

double element_value(NpyDtype dtype, std::uint64_t raw) {
  const unsigned unused_bits = 64 - 8 * dtype.bytes;
  switch (dtype.kind) {
    case NpyKind::Bool: return raw != 0 ? 1.0 : 0.0;
    case NpyKind::Unsigned: return static_cast<double>(raw);
    case NpyKind::Signed:
      return static_cast<double>(static_cast<std::int64_t>(raw << unused_bits) >> unused_bits);
    case NpyKind::Float: break;
  }
  if (dtype.bytes == 2) return half_value(static_cast<std::uint32_t>(raw));
  if (dtype.bytes == 4)
    return formats::value_of_bits(formats::Format::FP32, static_cast<std::uint32_t>(raw));
  return std::bit_cast<double>(raw);
}

/// Where the element of a row-major index stands in a file in column-major order.
std::size_t fortran_index(std::size_t element, std::span<const std::size_t> shape,
                          std::size_t count) {
  std::size_t index = 0;
  std::size_t stride = count;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    stride /= shape[axis];
    index += element % shape[axis] * stride;
    element /= shape[axis];
  }
  return index;
}

/// "(2, 7)" for a row-major index.
std::string index_text(std::size_t element, std::span<const std::size_t> shape) {
  std::vector<std::size_t> index(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    index[axis] = element % shape[axis];
    element /= shape[axis];
  }
  return fmt::format("({})", fmt::join(index, ", "));
}

/// The dtype that npy_bytes() writes: the smallest one that has all numbers of the format.
NpyDtype written_dtype(formats::Format format) {
  const isa::NumberFormat& row = isa::number_format(format);
  if (row.real) return {NpyKind::Float, 4};
  return {row.integer->is_signed ? NpyKind::Signed : NpyKind::Unsigned,
          static_cast<unsigned>(row.integer->width) / 8};
}

} // namespace

Expected<NpyArray> parse_npy(std::span<const std::byte> bytes, std::string_view name) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text.starts_with(kMagic)) {
    return npy_fault(name, 0, "this is not a .npy file, which starts with \\x93NUMPY", kSaveAgain);
  }
  const auto cut_short = [&] {
    return npy_fault(name, bytes.size(), "the file ends within its header", kSaveAgain);
  };
  const std::size_t length_at = kMagic.size() + kVersionBytes;
  if (bytes.size() < length_at) return cut_short();
  const auto major = std::to_integer<unsigned>(bytes[kMagic.size()]);
  const auto minor = std::to_integer<unsigned>(bytes[kMagic.size() + 1]);
  if (major < 1 || major > 3 || minor != 0) {
    return npy_fault(name, kMagic.size(),
                     fmt::format("the format version {}.{} is none of 1.0, 2.0, 3.0", major, minor),
                     kSaveAgain);
  }
  const std::size_t header_at = length_at + (major == 1 ? 2 : 4);
  if (bytes.size() < header_at) return cut_short();
  const std::size_t header_size = load(bytes.subspan(length_at, header_at - length_at), false);
  if (bytes.size() - header_at < header_size) return cut_short();
  auto header = HeaderParser(text.substr(header_at, header_size), header_at, name).parse();
  if (!header) return Unexpected(header.error());

  const std::span data = bytes.subspan(header_at + header_size);
  const std::size_t element_size = header->dtype.bytes;
  const auto count = element_count(header->shape);
  if (!count || *count > data.size() / element_size || *count * element_size != data.size()) {
    return npy_fault(name, header_at + header_size,
                     fmt::format("{} bytes of data follow, which is not what the shape ({}) takes "
                                 "with {} bytes an element",
                                 data.size(), fmt::join(header->shape, ", "), element_size),
                     kSaveAgain);
  }

  NpyArray array{.name = std::string(name),
                 .shape = std::move(header->shape),
                 .dtype = header->dtype,
                 .values = {},
                 .raw = {}};
  array.values.reserve(*count);
  if (element_size <= sizeof(std::uint32_t)) array.raw.reserve(*count);
  for (std::size_t element = 0; element < *count; ++element) {
    const std::size_t place =
        header->is_fortran_order ? fortran_index(element, array.shape, *count) : element;
    const std::uint64_t raw =
        load(data.subspan(place * element_size, element_size), header->is_big_endian);
    array.values.push_back(element_value(array.dtype, raw));
    if (element_size <= sizeof(std::uint32_t)) {
      array.raw.push_back(static_cast<std::uint32_t>(raw));
    }
  }
  return array;
}

Expected<Tensor> tensor_from_npy(const NpyArray& array, formats::Format format) {
  if (array.values.empty()) {
    Unexpected fault =
        bad_input(fmt::format("the array has no elements: its shape is ({}), which is no tile",
                              fmt::join(array.shape, ", ")),
                  "save an array with at least one element");
    fault.value().file = array.name;
    return fault;
  }
  Tensor tensor{.shape = array.shape, .bits = {}, .format = format};
  if (format == formats::Format::FP32 && array.dtype == NpyDtype{NpyKind::Float, 4}) {
    tensor.bits = array.raw; // the same patterns, signalling NaNs included
    return tensor;
  }
  tensor.bits.reserve(array.values.size());
  for (std::size_t element = 0; element < array.values.size(); ++element) {
    if (auto fits = formats::check_value(format, array.values[element]); !fits) {
      Fault fault = std::move(fits.error());
      fault.file = array.name;
      fault.message =
          fmt::format("element {}: {}", index_text(element, array.shape), fault.message);
      return Unexpected(std::move(fault));
    }
    tensor.bits.push_back(formats::round_to_bits(format, array.values[element]));
  }
  return tensor;
}

Expected<std::vector<std::byte>> npy_bytes(const Tensor& tensor) {
  const bool is_whole = formats::is_integer(tensor.format);
  std::vector<std::uint32_t> raw;
  raw.reserve(tensor.bits.size());
  for (const std::uint32_t bits : tensor.bits) {
    const double value = formats::value_of_bits(tensor.format, bits);
    raw.push_back(is_whole ? static_cast<std::uint32_t>(static_cast<std::int64_t>(value))
                           : formats::round_to_bits(formats::Format::FP32, value));
  }
  return npy_bytes(tensor.shape, written_dtype(tensor.format), raw);
}

Expected<std::vector<std::byte>> npy_bytes(const std::vector<std::size_t>& shape, NpyDtype dtype,
                                           std::span<const std::uint32_t> raw) {
  if (shape.size() > kNpyLargestRank) {
    return bad_input(fmt::format("the array has {} dimensions, but a .npy file at most {}",
                                 shape.size(), kNpyLargestRank),
                     "reshape it to fewer");
  }
  // A tuple of one element has a comma in Python.
  std::string header =
      fmt::format("{{'descr': '<{}{}', 'fortran_order': False, 'shape': ({}{}), }}",
                  static_cast<char>(dtype.kind), dtype.bytes, fmt::join(shape, ", "),
                  shape.size() == 1 ? "," : "");
  const std::size_t header_at = kMagic.size() + kVersionBytes + 2;
  const std::size_t unpadded = header_at + header.size() + 1; // and the newline
  header.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  header += '\n';

  std::vector<std::byte> bytes;
  const auto append = [&bytes](std::uint64_t value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i)
      bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
  };
  bytes.reserve(header_at + header.size() + raw.size() * dtype.bytes);
  for (const char character : kMagic) append(static_cast<unsigned char>(character), 1);
  append(1, 1); // version 1.0
  append(0, 1);
  append(header.size(), 2);
  for (const char character : header) append(static_cast<unsigned char>(character), 1);
  for (const std::uint32_t element : raw) append(element, dtype.bytes);
  return bytes;
}

Expected<void> write_npy(const std::filesystem::path& path, const Tensor& tensor) {
  const auto bytes = npy_bytes(tensor);
  if (!bytes) return Unexpected(bytes.error());
  return write_file_atomically(path, *bytes);
}

} // namespace lanewise::tensors
