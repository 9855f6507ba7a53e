// Pieces of L1 by name: what --in, --out, .in and .out say of a whole tile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "number/tensors/l1_format.h"

namespace lanewise::tensors {

/// ADDRESS=INPUT[:FORMAT][:tiled|:rows][*COUNT]: an input of number/tensors/pattern.h in a format,
/// or a file .bin of bytes; so many times behind each other.
struct L1Input {
  std::uint32_t address = 0;
  std::string input;
  std::optional<L1Format> format;
  L1Order order = L1Order::Tiles;
  std::size_t count = 1;
};

/// ADDRESS[:SHAPE[:FORMAT[:tiled|:rows]]][=FILE]: numbers of a shape such as 32x64, or without a
/// format so many bytes; into a file .npy, a file .bin of bytes, or without one to be printed.
struct L1Output {
  std::uint32_t address = 0;
  std::vector<std::size_t> shape; ///< empty: not said
  std::optional<L1Format> format;
  L1Order order = L1Order::Tiles;
  std::string file;

  /// Bytes in L1. Precondition: there is a shape.
  std::size_t bytes() const;
  /// "0x30000, 32x32 bf16".
  std::string text() const;
};

/// Error: BadInput that says what is wrong and how to write it.
Expected<L1Input> parse_l1_input(std::string_view text);
Expected<L1Output> parse_l1_output(std::string_view text);

/// The bytes of an input. Error: BadInput if it needs a format, as make_input() and to_l1() say,
/// and for a file that cannot be read.
Expected<std::vector<std::uint8_t>> l1_input_bytes(const L1Input& input);

/// Writes an output that has a file. `bytes`: those of L1 from its address on. Error: BadInput.
Expected<void> write_l1_output(const L1Output& output, std::span<const std::uint8_t> bytes);

/// Its numbers; without a format bytes as uint8.
Expected<Tensor> l1_output_values(const L1Output& output, std::span<const std::uint8_t> bytes);

} // namespace lanewise::tensors
