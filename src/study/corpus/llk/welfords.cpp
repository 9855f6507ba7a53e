// Mean and variance of columns by Welford's algorithm.
#include <cmath>

#include "study/corpus/llk/corpus.h"
#include "study/corpus/llk/specification.h"

namespace lanewise::corpus {

namespace {

/// Of `rows` rows of a column from `first` on, which go on in the tiles that follow: the mean, and
/// the sum of the squared distances from it.
struct Moments {
  double mean = 0, squares = 0;
};

Moments moments(std::span<const NumberTile> in, unsigned column, unsigned first, unsigned rows) {
  const auto value = [&](unsigned row) {
    return in[row / tensors::kTileEdge][at(row % tensors::kTileEdge, column)];
  };
  Moments sum;
  for (unsigned row = first; row < first + rows; ++row) sum.mean += value(row) / rows;
  for (unsigned row = first; row < first + rows; ++row) {
    sum.squares += std::pow(value(row) - sum.mean, 2);
  }
  return sum;
}

/// Row 0 of the first output gets the means, that of the second the variances; the kernel clears
/// the three rows below.
template <unsigned kFirst, unsigned kRows>
void in_a_row(std::span<const NumberTile> in, std::span<Answers> out) {
  for (unsigned column = 0; column < tensors::kTileEdge; ++column) {
    const Moments sum = moments(in, column, kFirst, kRows);
    out[0][at(0, column)] = sum.mean;
    out[1][at(0, column)] = sum.squares / kRows;
    for (unsigned row = 1; row < 4; ++row) out[0][at(row, column)] = out[1][at(row, column)] = 0;
  }
}

/// Where the kernel's own layout has a column: four rows for the even and odd columns of the faces
/// 0 and 1, in the even columns of face 0. Each group has four rows.
constexpr unsigned raw_place(unsigned column, unsigned group) {
  const unsigned row = column / tensors::kFaceEdge * 2 + column % 2;
  return at(4 * group + row, column % tensors::kFaceEdge / 2 * 2);
}

template <unsigned kGroup>
void raw_variance(std::span<const NumberTile> in, std::span<Answers> out) {
  for (unsigned column = 0; column < tensors::kTileEdge; ++column) {
    const Moments sum = moments(in, column, 0, tensors::kTileEdge);
    out[0][raw_place(column, kGroup)] = sum.mean;
    out[1][raw_place(column, kGroup)] = sum.squares / tensors::kTileEdge;
  }
}
template <unsigned kGroup>
void raw_squares(std::span<const NumberTile> in, std::span<Answers> out) {
  for (unsigned column = 0; column < tensors::kTileEdge; ++column) {
    const Moments sum = moments(in, column, 0, tensors::kTileEdge);
    out[0][raw_place(column, kGroup)] = sum.mean;
    out[1][raw_place(column, kGroup)] = sum.squares;
  }
}

/// Each of 32 steps rounds the mean twice and the squares three times; 1/n is rounded as well.
const LlkBound kAfter32Steps{.ulp = 3.3}, kAfter64Steps{.ulp = 4.3};

struct Welfords {
  const char* name;
  std::string call;
  TileFunction reference;
  std::vector<LlkDst> dst = both_widths({.ulp = 1.1}, kAfter32Steps);
  std::size_t inputs = 1;
  unsigned first_output = 0;
};

LlkKernel kernel(const Welfords& what) {
  LlkKernel kernel{.name = std::string("welfords_") + what.name,
                   .header = "welfords",
                   .init = "_program_welfords_replay_buffer_(); _clear_previous_mean_and_m2_()",
                   .call = "const std::array<std::uint32_t, 0> none{}; " + what.call,
                   .faces = sfpi::Faces::Whole,
                   .dst = what.dst,
                   .inputs = {},
                   .outputs = {{.tile = what.first_output}, {.tile = what.first_output + 1}},
                   .domain = {.text = "0 <= x <= 1"},
                   .reference = what.reference};
  for (std::size_t i = 0; i < what.inputs; ++i) {
    kernel.inputs.push_back({"random:" + std::to_string(i + 1) + ":0:1"});
  }
  return kernel;
}

/// Statements that call the function, with the rest of its arguments, for tables of any length.
std::string with_no_table(const std::string& function, const std::string& arguments) {
  return function + "<0>(" + arguments + ", none); ";
}

} // namespace

std::vector<LlkKernel> llk_welfords() {
  const std::string tile = with_no_table("_calculate_welfords_tile_", "0");
  const std::string to_row = with_no_table("_store_mean_var_to_dst_row_", "31");
  const std::string next_tile = "for (int i = 0; i < 8; i++) ckernel::math::inc_dst_addr<8>(); ";
  const std::string table_of_64 =
      "std::array<std::uint32_t, 64> table{}; "
      "for (int i = 0; i < 64; i++) table[i] = FloatBits(1.0f / (i + 1)).high16 << 16 | "
      "FloatBits(1.0f / (i + 1)).low16; ";
  const std::vector<LlkDst> fp32{{.format = formats::Format::FP32, .bound = kAfter32Steps}};
  return {
      kernel({"tile", tile + to_row, in_a_row<0, 32>}),
      kernel({"two_tiles",
              table_of_64 + "_calculate_welfords_tile_<64>(0, table); " + next_tile +
                  "_calculate_welfords_tile_<64>(32, table); " +
                  "_store_mean_var_to_dst_row_<64>(63, table)",
              in_a_row<0, 64>, both_widths({.ulp = 1.1}, kAfter64Steps), 2, 1}),
      kernel({"partial_tile",
              with_no_table("_calculate_welfords_partial_tile_", "0, 5, 18") +
                  with_no_table("_store_mean_var_to_dst_row_", "17"),
              in_a_row<5, 18>}),
      kernel({"two_parts",
              with_no_table("_calculate_welfords_partial_tile_", "0, 2, 9") +
                  with_no_table("_calculate_welfords_partial_tile_", "9, 11, 20") +
                  with_no_table("_store_mean_var_to_dst_row_", "28"),
              in_a_row<2, 29>}),
      kernel({"raw", tile + with_no_table("_store_mean_var_to_dst_raw_", "31"), raw_variance<0>}),
      kernel({"raw_group", tile + with_no_table("_store_mean_var_to_dst_raw_group_", "3, 31"),
              raw_variance<3>}),
      kernel({"squares", tile + "_store_mean_m2_to_dst_()", raw_squares<0>}),
      kernel({"squares_group", tile + "_store_mean_m2_to_dst_group_(2)", raw_squares<2>}),
      // What a kernel has stored, another takes up.
      kernel({"reloaded",
              tile + "_store_mean_m2_to_dst_(); _clear_previous_mean_and_m2_(); " +
                  "_load_mean_m2_from_dst_(); " + to_row,
              in_a_row<0, 32>, fp32}),
      kernel({"reloaded_group",
              tile + "_store_mean_m2_to_dst_group_(1); _clear_previous_mean_and_m2_(); " +
                  "_load_mean_m2_from_dst_group_(1); " + to_row,
              in_a_row<0, 32>, fp32}),
  };
}

} // namespace lanewise::corpus
