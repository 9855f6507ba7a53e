#include "run/launch/buffer_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <numeric>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "base/in_quotes.h"
#include "number/tensors/l1_format.h"
#include "number/tensors/npy.h"
#include "number/tensors/pattern.h"

namespace lanewise::launch {

namespace {

using programs::Buffer;
using programs::BufferFiles;

bool is_npy(const std::string& path) {
  return path.ends_with(".npy");
}

Expected<tensors::L1Format> format_of(const Buffer& buffer, const BufferFiles& files) {
  const std::string_view name = programs::file_format(files.format);
  if (name.empty())
    return programs::at_origin(
        buffer.origin,
        fmt::format("buffer {} has no format that .npy files can have", in_quotes(buffer.name)),
        "give it a format, such as Float16_b, or a file of bytes");
  return tensors::parse_l1_format(name);
}

/// The format in which a host has the numbers, which lie in memory as `format`: those of Int32 have
/// a sign, and are the same bits there.
formats::Format values_of(const BufferFiles& files, const tensors::L1Format& format) {
  return files.format == programs::DataFormat::Int32 ? formats::Format::INT32 : format.values();
}

// Arrays of int32 keep their bits: INT32 has no -2^31.
constexpr tensors::NpyDtype kInt32{.kind = tensors::NpyKind::Signed, .bytes = 4};

Expected<tensors::Tensor> numbers_of(const tensors::NpyArray& array, formats::Format format) {
  if (format == formats::Format::INT32 && array.dtype == kInt32 && !array.raw.empty())
    return tensors::Tensor{.shape = array.shape, .bits = array.raw, .format = format};
  return tensors::tensor_from_npy(array, format);
}

Expected<std::vector<std::byte>> array_of(const tensors::Tensor& numbers) {
  if (numbers.format == formats::Format::INT32)
    return tensors::npy_bytes(numbers.shape, kInt32, numbers.bits);
  return tensors::npy_bytes(numbers);
}

tensors::L1Order order_of(const BufferFiles& files) {
  return files.in_rows ? tensors::L1Order::Rows : tensors::L1Order::Tiles;
}

/// The contents of a buffer from the bytes of a .npy file, and the shape of its array.
Expected<std::vector<std::uint8_t>> array_contents(const Buffer& buffer, BufferFiles& files,
                                                   std::span<const std::byte> npy,
                                                   std::string_view name) {
  const auto format = format_of(buffer, files);
  if (!format) return Unexpected(format.error());
  const auto array = tensors::parse_npy(npy, name);
  if (!array) return Unexpected(array.error());
  auto tensor = numbers_of(*array, values_of(files, *format));
  if (!tensor) return Unexpected(tensor.error());
  if (files.shape.empty()) files.shape = array->shape;
  tensor->format = format->values();
  return tensors::to_l1(*format, order_of(files), *tensor);
}

/// Whether an input is a pattern: no file has its name, and it begins as one does.
bool is_pattern(const std::string& input) {
  constexpr std::array<std::string_view, 6> kPatterns{"ramp",  "random", "bits",
                                                      "value", "zero",   "special"};
  const std::string_view word = std::string_view(input).substr(0, input.find(':'));
  std::error_code ignored;
  return std::ranges::find(kPatterns, word) != kPatterns.end() &&
         !std::filesystem::exists(input, ignored);
}

/// The tile of a pattern, as often as it fits.
Expected<std::vector<std::uint8_t>> pattern_contents(const Buffer& buffer,
                                                     const BufferFiles& files) {
  const auto format = format_of(buffer, files);
  if (!format) return Unexpected(format.error());
  auto tile = tensors::make_input(files.input, values_of(files, *format));
  if (!tile) return Unexpected(tile.error());
  tile->format = format->values();
  auto bytes = tensors::to_l1(*format, order_of(files), *tile);
  if (!bytes || bytes->empty() || buffer.bytes == 0) return bytes;
  std::vector<std::uint8_t> contents(buffer.bytes);
  for (std::size_t i = 0; i < contents.size(); ++i) contents[i] = (*bytes)[i % bytes->size()];
  return contents;
}

/// The bytes of an input.
Expected<std::vector<std::uint8_t>> input_bytes(const Buffer& buffer, BufferFiles& files) {
  if (is_pattern(files.input)) return pattern_contents(buffer, files);
  const auto bytes = read_file(files.input);
  if (!bytes) return Unexpected(bytes.error());
  if (is_npy(files.input)) return array_contents(buffer, files, *bytes, files.input);
  const auto* const first = reinterpret_cast<const std::uint8_t*>(bytes->data());
  return std::vector<std::uint8_t>(first, first + bytes->size());
}

/// What a buffer is given; a buffer without a size has that of it.
void put(Buffer& buffer, std::vector<std::uint8_t> contents) {
  if (buffer.bytes == 0) buffer.bytes = contents.size();
  if (buffer.page_bytes == 0) buffer.page_bytes = buffer.bytes;
  buffer.contents = std::move(contents);
}

Expected<tensors::Tensor> numbers_in(const Buffer& buffer, const BufferFiles& files,
                                     std::span<const std::uint8_t> bytes) {
  const auto format = format_of(buffer, files);
  if (!format) return Unexpected(format.error());
  std::vector<std::size_t> shape = files.shape;
  if (shape.empty()) {
    constexpr std::size_t kTile = 1024;
    const std::size_t tile_bytes = tensors::l1_bytes(*format, order_of(files), kTile);
    shape = {bytes.size() / tile_bytes * kTile};
  }
  const std::size_t elements =
      std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
  if (tensors::l1_bytes(*format, order_of(files), elements) != bytes.size())
    return programs::at_origin(buffer.origin,
                               fmt::format("buffer {} has {} bytes, which are not {} numbers",
                                           in_quotes(buffer.name), bytes.size(), elements),
                               "give the shape of the array that it holds");
  auto tensor = tensors::from_l1(*format, order_of(files), bytes, std::move(shape));
  if (tensor) tensor->format = values_of(files, *format);
  return tensor;
}

Expected<void> write_output(const Buffer& buffer, const BufferFiles& files,
                            std::span<const std::uint8_t> bytes) {
  if (!is_npy(files.output)) return write_file_atomically(files.output, std::as_bytes(bytes));
  const auto tensor = numbers_in(buffer, files, bytes);
  if (!tensor) return Unexpected(tensor.error());
  const auto array = array_of(*tensor);
  if (!array) return Unexpected(array.error());
  return write_file_atomically(files.output, *array);
}

} // namespace

Expected<void> read_buffers(programs::Description& description,
                            std::span<const std::uint8_t> stream) {
  for (std::size_t i = 0; i < description.files.size(); ++i) {
    Buffer& buffer = description.program.buffers[i];
    BufferFiles& files = description.files[i];
    if (files.from_stream) {
      if (buffer.bytes > stream.size())
        return programs::at_origin(
            buffer.origin,
            fmt::format("the contents of buffer {} are not there", in_quotes(buffer.name)),
            "let them follow the description, one buffer after the other");
      buffer.contents.assign(stream.begin(),
                             stream.begin() + static_cast<std::ptrdiff_t>(buffer.bytes));
      stream = stream.subspan(buffer.bytes);
    }
    if (files.input.empty()) continue;
    auto bytes = input_bytes(buffer, files);
    if (!bytes) return Unexpected(bytes.error());
    put(buffer, std::move(*bytes));
  }
  return {};
}

Expected<void> fill_buffer(programs::Description& description, std::size_t index,
                           std::span<const std::byte> npy) {
  Buffer& buffer = description.program.buffers[index];
  BufferFiles& files = description.files[index];
  files.input.clear();
  auto contents =
      array_contents(buffer, files, npy, fmt::format("the array of buffer {}", buffer.name));
  if (!contents) return Unexpected(contents.error());
  put(buffer, std::move(*contents));
  return {};
}

Expected<std::vector<std::byte>> buffer_array(const programs::Description& description,
                                              std::size_t index,
                                              std::span<const std::uint8_t> contents) {
  const Buffer& buffer = description.program.buffers[index];
  const BufferFiles& files = description.files[index];
  if (programs::file_format(files.format).empty()) {
    const auto bytes = std::as_bytes(contents);
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  }
  const auto tensor = numbers_in(buffer, files, contents);
  if (!tensor) return Unexpected(tensor.error());
  return array_of(*tensor);
}

Expected<void> write_buffers(const programs::Description& description,
                             const std::vector<std::vector<std::uint8_t>>& contents) {
  for (std::size_t i = 0; i < description.files.size(); ++i) {
    if (description.files[i].output.empty()) continue;
    if (auto written =
            write_output(description.program.buffers[i], description.files[i], contents[i]);
        !written)
      return written;
  }
  return {};
}

} // namespace lanewise::launch
