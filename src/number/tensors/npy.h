// NumPy's .npy files (NEP 1): arrays of numbers in and out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "number/tensors/tile.h"

namespace lanewise::tensors {

/// The letter of a NumPy dtype.
enum class NpyKind : char { Bool = 'b', Signed = 'i', Unsigned = 'u', Float = 'f' };

struct NpyDtype {
  NpyKind kind;
  unsigned bytes; ///< of one element: 1 for Bool; 1, 2, 4 or 8 for integers; 2, 4 or 8 for Float

  friend bool operator==(const NpyDtype&, const NpyDtype&) = default;
};

/// An array in row-major order, whatever the order and the byte order of its file.
struct NpyArray {
  std::string name; ///< of the file, for messages
  std::vector<std::size_t> shape;
  NpyDtype dtype;
  /// The numbers; exact but for 8-byte integers beyond 2^53, which are rounded to the nearest
  /// double.
  std::vector<double> values;
  /// The patterns of the elements in the low bits; empty if they have 8 bytes.
  std::vector<std::uint32_t> raw;
};

/// Arrays of more dimensions are refused both ways: NumPy 2 does not load them.
inline constexpr std::size_t kNpyLargestRank = 64;

/// The array in the bytes of a .npy file of format version 1.0, 2.0 or 3.0. `name` stands in
/// messages. Memory stays within a fixed multiple of the size of the bytes, whatever the header
/// claims. Error: BadInput; its message gives the byte offset, and its column is that offset + 1.
Expected<NpyArray> parse_npy(std::span<const std::byte> bytes, std::string_view name);

/// The numbers of an array in the format of a tile, each rounded as round_to_bits() does it.
/// Error: BadInput that names the index of the first number that an integer format does not have.
Expected<Tensor> tensor_from_npy(const NpyArray& array, formats::Format format);

/// The .npy file, version 1.0, of a tensor. The dtype is one that has all numbers of the format:
///   fp32, bf16, fp16 -> f4 (exponent 31 of fp16 is a number, so f2 has not all of them)
///   int32 -> i4, int16 and int8 -> i2 (magnitudes of int8 reach 1023), uint16 -> u2, uint32 -> u4
/// An integer -0 becomes 0. Error: BadInput above kNpyLargestRank dimensions.
Expected<std::vector<std::byte>> npy_bytes(const Tensor& tensor);

/// The same of an array by the patterns of its elements, which have 4 bytes at most.
Expected<std::vector<std::byte>> npy_bytes(const std::vector<std::size_t>& shape, NpyDtype dtype,
                                           std::span<const std::uint32_t> raw);

/// npy_bytes() in a file, which is replaced as a whole (base/file.h). Error: BadInput with the
/// path.
Expected<void> write_npy(const std::filesystem::path& path, const Tensor& tensor);

} // namespace lanewise::tensors
