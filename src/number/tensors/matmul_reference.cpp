#include "number/tensors/matmul_reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace lanewise::tensors {
namespace {

using Numbers = std::array<double, kTileElements>;

Numbers numbers_of(DataFormat format, const SourceTile& cells) {
  Numbers numbers{};
  std::ranges::transform(cells, numbers.begin(),
                         [format](std::uint32_t cell) { return source_value(format, cell); });
  return numbers;
}

Numbers product(const Numbers& left, const Numbers& right) {
  Numbers result{};
  for (unsigned i = 0; i < kTileEdge; ++i) {
    for (unsigned k = 0; k < kTileEdge; ++k) {
      for (unsigned j = 0; j < kTileEdge; ++j)
        result[i * kTileEdge + j] += left[i * kTileEdge + k] * right[k * kTileEdge + j];
    }
  }
  return result;
}

/// Sums of errors on the way to their means.
class ErrorSum {
 public:
  void add(double found, double exact) {
    const double error = std::abs(found - exact);
    errors_.largest = std::max(errors_.largest, error);
    errors_.mean += error;
    ++count_;
    if (exact == 0) return;
    const double relative = error / std::abs(exact);
    errors_.largest_relative = std::max(errors_.largest_relative, relative);
    errors_.mean_relative += relative;
    ++relative_count_;
  }

  MatmulError result() const {
    MatmulError errors = errors_;
    if (count_ != 0) errors.mean /= static_cast<double>(count_);
    if (relative_count_ != 0) errors.mean_relative /= static_cast<double>(relative_count_);
    return errors;
  }

 private:
  MatmulError errors_;
  std::size_t count_ = 0, relative_count_ = 0;
};

} // namespace

Expected<MatmulError> matmul_error(const SourceInput& srcb, const SourceInput& srca,
                                   const Tensor& output) {
  const auto left = source_tiles(srcb);
  if (!left) return Unexpected(left.error());
  const auto right = source_tiles(srca);
  if (!right) return Unexpected(right.error());
  const std::vector<Tile> found = split_into_tiles(output);
  const auto serves = [&](std::size_t count) { return count == 1 || count == found.size(); };
  if (!serves(left->size()) || !serves(right->size())) {
    return bad_input("the sources and the result differ in their number of tiles",
                     "give SrcA and SrcB the same size, or a single tile");
  }
  ErrorSum sum;
  for (std::size_t t = 0; t < found.size(); ++t) {
    const SourceTile& b = left->size() == 1 ? left->front() : (*left)[t];
    const SourceTile& a = right->size() == 1 ? right->front() : (*right)[t];
    const Numbers exact = product(numbers_of(srcb.format, b), numbers_of(srca.format, a));
    for (unsigned i = 0; i < kTileElements; ++i)
      sum.add(formats::value_of_bits(output.format, found[t][i]), exact[i]);
  }
  return sum.result();
}

} // namespace lanewise::tensors
