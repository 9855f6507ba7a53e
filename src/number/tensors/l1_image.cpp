#include "number/tensors/l1_image.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/file.h"
#include "base/in_quotes.h"
#include "base/whole_number.h"
#include "number/tensors/npy.h"
#include "number/tensors/pattern.h"

namespace lanewise::tensors {

namespace {

constexpr std::string_view kInputUsage = "ADDRESS=INPUT:FORMAT, for instance 0x20000=ramp:bf16";
constexpr std::string_view kOutputUsage =
    "ADDRESS:SHAPE:FORMAT=FILE, for instance 0x30000:32x32:bf16=out.npy";

Unexpected bad_image(std::string message, std::string_view usage) {
  return bad_input(std::move(message), fmt::format("write {}", usage));
}

Expected<std::uint32_t> parse_address(std::string_view text, std::string_view usage) {
  const auto address = parse_whole_number(text);
  if (!address || *address > UINT32_MAX)
    return bad_image(fmt::format("{} is not an address of L1", in_quotes(text)), usage);
  return static_cast<std::uint32_t>(*address);
}

Expected<std::vector<std::size_t>> parse_shape(std::string_view text) {
  std::vector<std::size_t> shape;
  while (true) {
    const std::size_t cut = text.find('x');
    const auto extent = parse_whole_number(text.substr(0, cut));
    if (!extent || *extent == 0)
      return bad_image(
          fmt::format("{} is not an extent of a shape", in_quotes(text.substr(0, cut))),
          kOutputUsage);
    shape.push_back(*extent);
    if (cut == std::string_view::npos) break;
    text.remove_prefix(cut + 1);
  }
  constexpr std::size_t kMostElements = std::size_t{1} << 24; // more than bits of any L1
  const auto count = element_count(shape);
  if (!count || *count > kMostElements)
    return bad_image("no L1 holds an array of that shape", kOutputUsage);
  return shape;
}

/// Takes "*64" off the end. Nothing: what stands there is no count.
std::optional<std::size_t> take_count(std::string_view& text) {
  constexpr std::size_t kMostCopies = 1 << 16; // of 16 bytes, all of an L1
  const std::size_t star = text.rfind('*');
  if (star == std::string_view::npos) return 1;
  const auto count = parse_whole_number(text.substr(star + 1));
  if (!count || *count == 0 || *count > kMostCopies) return std::nullopt;
  text = text.substr(0, star);
  return *count;
}

/// Takes ":tiled" or ":rows" off the end.
L1Order take_order(std::string_view& text) {
  for (const auto& [name, order] :
       {std::pair<std::string_view, L1Order>{":tiled", L1Order::Tiles}, {":rows", L1Order::Rows}}) {
    if (!text.ends_with(name)) continue;
    text.remove_suffix(name.size());
    return order;
  }
  return L1Order::Tiles;
}

bool is_bytes(std::string_view file) {
  return file.ends_with(".bin");
}

Tensor bytes_as_numbers(std::span<const std::uint8_t> bytes, std::vector<std::size_t> shape) {
  return {std::move(shape), std::vector<std::uint32_t>(bytes.begin(), bytes.end()),
          formats::Format::INT32};
}

} // namespace

std::size_t L1Output::bytes() const {
  const std::size_t count = element_count(shape).value_or(0);
  return format ? l1_bytes(*format, order, count) : count;
}

std::string L1Output::text() const {
  return fmt::format("0x{:x}, {} {}", address, fmt::join(shape, "x"),
                     format ? format->name() : "bytes");
}

Expected<L1Input> parse_l1_input(std::string_view text) {
  const std::size_t cut = text.find('=');
  if (cut == std::string_view::npos)
    return bad_image(fmt::format("{} does not say what lies at an address", in_quotes(text)),
                     kInputUsage);
  const auto address = parse_address(text.substr(0, cut), kInputUsage);
  if (!address) return Unexpected(address.error());
  L1Input input;
  input.address = *address;
  text.remove_prefix(cut + 1);
  const auto count = take_count(text);
  if (!count)
    return bad_image(fmt::format("{} ends in no count", in_quotes(text)),
                     "*COUNT, for instance *64");
  input.count = *count;
  input.order = take_order(text);
  const std::size_t colon = text.rfind(':');
  if (colon != std::string_view::npos) {
    if (const auto format = parse_l1_format(text.substr(colon + 1))) {
      input.format = *format;
      text = text.substr(0, colon);
    }
  }
  if (text.empty()) return bad_image("the input has no name", kInputUsage);
  input.input = text;
  return input;
}

Expected<L1Output> parse_l1_output(std::string_view text) {
  L1Output output;
  const std::size_t cut = text.find('=');
  if (cut != std::string_view::npos) {
    output.file = text.substr(cut + 1);
    if (!is_bytes(output.file) && !output.file.ends_with(".npy"))
      return bad_image(fmt::format("{} is named neither .npy nor .bin", in_quotes(output.file)),
                       kOutputUsage);
    text = text.substr(0, cut);
  }
  output.order = take_order(text);
  const std::size_t first = text.find(':');
  const auto address = parse_address(text.substr(0, first), kOutputUsage);
  if (!address) return Unexpected(address.error());
  output.address = *address;
  if (first == std::string_view::npos) return output;
  text.remove_prefix(first + 1);
  const std::size_t second = text.find(':');
  auto shape = parse_shape(text.substr(0, second));
  if (!shape) return Unexpected(shape.error());
  output.shape = std::move(*shape);
  if (second == std::string_view::npos) return output;
  const auto format = parse_l1_format(text.substr(second + 1));
  if (!format) return Unexpected(format.error());
  output.format = *format;
  return output;
}

namespace {

Expected<std::vector<std::uint8_t>> one_copy(const L1Input& input) {
  if (is_bytes(input.input)) {
    const auto bytes = read_file(input.input);
    if (!bytes) return Unexpected(bytes.error());
    const auto* const first = reinterpret_cast<const std::uint8_t*>(bytes->data());
    return std::vector<std::uint8_t>(first, first + bytes->size());
  }
  if (!input.format)
    return bad_image(fmt::format("the input {} has no format", in_quotes(input.input)),
                     kInputUsage);
  const auto values = make_input(input.input, input.format->values());
  if (!values) return Unexpected(values.error());
  return to_l1(*input.format, input.order, *values);
}

} // namespace

Expected<std::vector<std::uint8_t>> l1_input_bytes(const L1Input& input) {
  auto one = one_copy(input);
  if (!one || input.count == 1) return one;
  constexpr std::size_t kMostBytes = std::size_t{1} << 22; // more than any L1
  if (one->size() > kMostBytes / input.count)
    return bad_input(fmt::format("no L1 holds {} copies of {} bytes", input.count, one->size()),
                     "write a smaller count");
  std::vector<std::uint8_t> all;
  for (std::size_t i = 0; i < input.count; ++i) all.insert(all.end(), one->begin(), one->end());
  return all;
}

Expected<Tensor> l1_output_values(const L1Output& output, std::span<const std::uint8_t> bytes) {
  if (!output.format) return bytes_as_numbers(bytes, output.shape);
  return from_l1(*output.format, output.order, bytes, output.shape);
}

Expected<void> write_l1_output(const L1Output& output, std::span<const std::uint8_t> bytes) {
  if (is_bytes(output.file)) return write_file_atomically(output.file, std::as_bytes(bytes));
  const auto values = l1_output_values(output, bytes);
  if (!values) return Unexpected(values.error());
  return write_npy(output.file, *values);
}

} // namespace lanewise::tensors
