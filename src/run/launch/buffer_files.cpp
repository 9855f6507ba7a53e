#include "run/launch/buffer_files.h"

#include <fmt/format.h>

#include <functional>
#include <numeric>
#include <utility>

#include "base/file.h"
#include "base/in_quotes.h"
#include "number/tensors/l1_format.h"
#include "number/tensors/npy.h"

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

tensors::L1Order order_of(const BufferFiles& files) {
  return files.in_rows ? tensors::L1Order::Rows : tensors::L1Order::Tiles;
}

/// The bytes of an input, and the shape of its array, if it is one.
Expected<std::vector<std::uint8_t>> input_bytes(const Buffer& buffer, BufferFiles& files) {
  const auto bytes = read_file(files.input);
  if (!bytes) return Unexpected(bytes.error());
  if (!is_npy(files.input)) {
    const auto* const first = reinterpret_cast<const std::uint8_t*>(bytes->data());
    return std::vector<std::uint8_t>(first, first + bytes->size());
  }
  const auto format = format_of(buffer, files);
  if (!format) return Unexpected(format.error());
  const auto array = tensors::parse_npy(*bytes, files.input);
  if (!array) return Unexpected(array.error());
  auto tensor = tensors::tensor_from_npy(*array, format->values());
  if (!tensor) return Unexpected(tensor.error());
  if (files.shape.empty()) files.shape = array->shape;
  return tensors::to_l1(*format, order_of(files), *tensor);
}

Expected<void> write_output(const Buffer& buffer, const BufferFiles& files,
                            std::span<const std::uint8_t> bytes) {
  if (!is_npy(files.output)) return write_file_atomically(files.output, std::as_bytes(bytes));
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
  if (!tensor) return Unexpected(tensor.error());
  return tensors::write_npy(files.output, *tensor);
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
    if (buffer.bytes == 0) buffer.bytes = bytes->size();
    if (buffer.page_bytes == 0) buffer.page_bytes = buffer.bytes;
    buffer.contents = std::move(*bytes);
  }
  return {};
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
