// Sums, averages and extremes of the columns and of the rows of a tile or of a block of tiles.
#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "study/corpus/llk/corpus.h"
#include "study/corpus/llk/specification.h"

namespace lanewise::corpus {

namespace {

using formats::Format;

// -------------------------------------------------------------------- of a row or column

using Numbers = std::vector<double>;
using Fold = double (*)(const Numbers&);

double sum_of(const Numbers& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}
double average_of(const Numbers& numbers) {
  return sum_of(numbers) / static_cast<double>(numbers.size());
}
/// Two's complement in 32 bits, read as unsigned.
std::uint32_t wrapped_sum(const Numbers& numbers) {
  std::uint32_t sum = 0;
  for (const double number : numbers) sum += static_cast<std::uint32_t>(number);
  return sum;
}
double sum_32(const Numbers& numbers) {
  return static_cast<double>(wrapped_sum(numbers));
}
double sum_16(const Numbers& numbers) {
  return static_cast<double>(wrapped_sum(numbers) & 0xFFFFU);
}
/// Towards zero.
double signed_average(const Numbers& numbers) {
  const auto sum = static_cast<std::int32_t>(wrapped_sum(numbers));
  constexpr std::int32_t kRows = tensors::kTileEdge;
  const auto average = static_cast<std::uint32_t>(sum / kRows);
  return static_cast<double>(average);
}
double unsigned_average(const Numbers& numbers) {
  const std::uint32_t average = wrapped_sum(numbers) / tensors::kTileEdge;
  return static_cast<double>(average);
}
double largest(const Numbers& numbers) {
  return *std::ranges::max_element(numbers);
}
double smallest(const Numbers& numbers) {
  return *std::ranges::min_element(numbers);
}
/// The same of two's complement that was read as unsigned.
bool is_less_signed(double x, double y) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(x)) <
         static_cast<std::int32_t>(static_cast<std::uint32_t>(y));
}
double largest_signed(const Numbers& numbers) {
  return *std::ranges::max_element(numbers, is_less_signed);
}
double smallest_signed(const Numbers& numbers) {
  return *std::ranges::min_element(numbers, is_less_signed);
}

// -------------------------------------------------------------------- of tiles

/// Row 0 of the outputs from columns that go on downwards: `kAcross` tiles side by side, of which
/// the n-th has its rows in the inputs n, n + kAcross...
template <Fold kFold, unsigned kAcross = 1>
void of_columns(std::span<const NumberTile> in, std::span<Answers> out) {
  for (unsigned tile = 0; tile < out.size(); ++tile) {
    for (unsigned column = 0; column < tensors::kTileEdge; ++column) {
      Numbers numbers;
      for (std::size_t below = tile; below < in.size(); below += kAcross) {
        for (unsigned row = 0; row < tensors::kTileEdge; ++row)
          numbers.push_back(in[below][at(row, column)]);
      }
      out[tile][at(0, column)] = kFold(numbers);
    }
  }
}

/// Column 0 of the outputs from rows that go on through all tiles that belong to an output.
template <Fold kFold>
void of_rows(std::span<const NumberTile> in, std::span<Answers> out) {
  const std::size_t across = in.size() / out.size();
  for (std::size_t tile = 0; tile < out.size(); ++tile) {
    for (unsigned row = 0; row < tensors::kTileEdge; ++row) {
      Numbers numbers;
      for (std::size_t next = 0; next < across; ++next) {
        const NumberTile& part = in[tile * across + next];
        numbers.insert(numbers.end(), &part[at(row, 0)], &part[at(row, 0)] + tensors::kTileEdge);
      }
      out[tile][at(row, 0)] = kFold(numbers);
    }
  }
}

// -------------------------------------------------------------------- the kernels

/// Numbers of one kind, and how exact a reduction of them is.
struct Data {
  const char* format; ///< in DataFormat
  LlkDst dst;
  const char* pattern; ///< a digit follows it, and `range`
  const char* range;
  const char* text;
};

constexpr const char* kUnit = "0 <= x <= 1";
/// 31 additions in a tree of depth 5.
const Data kFloat32{
    "Float32", {.format = Format::FP32, .bound = {.ulp = 2}}, "random:", ":0:1", kUnit};
/// In fp32, and cut down.
const Data kBfloat16{
    "Float16_b", {.format = Format::BF16, .bound = {.ulp = 1}}, "random:", ":0:1", kUnit};
const Data kInt32{"Int32", {.format = Format::UINT32}, "bits:", "", "all, modulo 2^32"};
const Data kUInt32{"UInt32", {.format = Format::UINT32}, "bits:", "", "all, modulo 2^32"};
const Data kUInt16{"UInt16", {.format = Format::UINT16}, "bits:", "", "all, modulo 2^16"};

const Data kDistinct32{"Float32", {.format = Format::FP32}, "distinct:", "", "-8 < x < 8"};
const Data kDistinct16{"Float16_b", {.format = Format::BF16}, "distinct:", "", "-8 < x < 8"};
const Data kAny32{"Int32", {.format = Format::UINT32}, "bits:", "", "all, two's complement"};
const Data kSignedMagnitude32{
    "Int32", {.format = Format::INT32}, "bits:", "", "all, sign and magnitude"};
const Data kHalf32{"UInt32", {.format = Format::UINT32}, "random:", ":0:2147483647", "x < 2^31"};
const Data kAny16{"UInt16", {.format = Format::UINT16}, "bits:", "", "all"};

/// A block of tiles.
struct Block {
  const char* suffix = "";
  unsigned across = 1, down = 1;
  unsigned tiles() const { return across * down; }
};

LlkKernel reduce(const char* pool, const char* dim, const Data& data, const Block& block,
                 TileFunction reference) {
  const std::string type = std::string("PoolType::") + pool + ", ";
  const std::string format = std::string("DataFormat::") + data.format;
  const std::string across = std::to_string(block.across);
  const bool is_row = std::string_view(dim) == "ROW";
  LlkKernel kernel{.name = std::string("reduce_") + pool + (is_row ? "_rows_" : "_") + data.format +
                           block.suffix,
                   .header = "reduce",
                   .init = "_init_reduce_<" + type + format + ">(" + across + ")",
                   .call = "_calculate_reduce_<" + type + "ReduceDim::REDUCE_" + dim + ", " +
                           format + ">(" + across + ", " + std::to_string(block.down) + ")",
                   .faces = sfpi::Faces::Whole,
                   .dst = {data.dst},
                   .inputs = {},
                   .domain = {.text = data.text},
                   .reference = reference};
  for (unsigned i = 0; i < block.tiles(); ++i) {
    kernel.inputs.push_back({data.pattern + std::to_string(i + 1) + data.range});
  }
  if (is_row) {
    kernel.outputs.clear();
    for (unsigned row = 0; row < block.down; ++row) {
      kernel.outputs.push_back({.tile = row * block.across});
    }
  }
  return kernel;
}

std::vector<LlkKernel> pooled_sums() {
  const auto of_column = [](const char* pool, const Data& data, TileFunction reference) {
    return reduce(pool, "COL", data, {}, reference);
  };
  const Block block{.suffix = "_2x2", .across = 2, .down = 2};
  const auto of_row = [&](const Data& data, TileFunction reference) {
    return reduce("SUM", "ROW", data, {}, reference);
  };
  // What the tiles have summed is cut down to bf16 before it is added.
  Data twice_cut = kBfloat16;
  twice_cut.dst.bound.ulp = 2;
  return {
      of_column("SUM", kFloat32, of_columns<sum_of>),
      of_column("AVG", kFloat32, of_columns<average_of>),
      of_column("SUM", kBfloat16, of_columns<sum_of>),
      of_column("AVG", kBfloat16, of_columns<average_of>),
      of_column("SUM", kInt32, of_columns<sum_32>),
      of_column("AVG", kInt32, of_columns<signed_average>),
      of_column("SUM", kUInt32, of_columns<sum_32>),
      of_column("SUM", kUInt16, of_columns<sum_16>),
      of_column("AVG", kUInt16, of_columns<unsigned_average>),
      of_row(kFloat32, of_rows<sum_of>),
      of_row(kBfloat16, of_rows<sum_of>),
      of_row(kInt32, of_rows<sum_32>),
      of_row(kUInt32, of_rows<sum_32>),
      of_row(kUInt16, of_rows<sum_16>),
      reduce("SUM", "ROW", kFloat32, block, of_rows<sum_of>),
      reduce("SUM", "ROW", twice_cut, block, of_rows<sum_of>),
      reduce("SUM", "ROW", kInt32, block, of_rows<sum_32>),
  };
}

std::vector<LlkKernel> extremes() {
  const Block column{.suffix = "_1x3", .down = 3};
  const Block wide{.suffix = "_2x2", .across = 2, .down = 2};
  std::vector<LlkKernel> all;
  const auto both = [&](const Data& data, const Block& block, TileFunction most,
                        TileFunction least) {
    all.push_back(reduce("MAX", "COL", data, block, most));
    all.push_back(reduce("MIN", "COL", data, block, least));
  };
  for (const Data& data : {kDistinct32, kDistinct16, kHalf32, kAny16}) {
    both(data, {}, of_columns<largest>, of_columns<smallest>);
  }
  both(kAny32, {}, of_columns<largest_signed>, of_columns<smallest_signed>);
  LlkKernel large = reduce("MAX", "COL", kUInt32, {.suffix = "_large"}, of_columns<largest>);
  large.domain.text = "all";
  large.defect = "numbers from 2^31 on are compared as negative ones";
  all.push_back(large);
  for (const Data& data : {kDistinct32, kDistinct16}) {
    both(data, column, of_columns<largest>, of_columns<smallest>);
    // Of a wide block, a call does one column of tiles.
    both(data, wide, of_columns<largest, 2>, of_columns<smallest, 2>);
  }
  for (const Data& data : {kDistinct32, kDistinct16, kSignedMagnitude32}) {
    all.push_back(reduce("MAX", "ROW", data, {}, of_rows<largest>));
    all.push_back(reduce("MAX", "ROW", data, wide, of_rows<largest>));
  }
  return all;
}

/// Two columns of up to four tiles, one tile below the other, interleaved. A second call goes on
/// with the next tiles and leaves its results in the first of them.
LlkKernel subblock(unsigned height, unsigned calls) {
  const std::string call =
      "_calculate_reduce_max_col_subblock_4x2_<PoolType::MAX, "
      "ReduceDim::REDUCE_COL, DataFormat::Float16_b>(" +
      std::to_string(height) + "); ";
  const std::string next = "lanewise_llk::start(" + std::to_string(2 * height) + "); " + call;
  const unsigned first_output = (calls - 1) * 2 * height;
  LlkKernel kernel{.name = "reduce_max_subblock_" + std::to_string(height * calls) + "x2",
                   .header = "reduce_custom",
                   .init = "_init_reduce_max_col_subblock_4x2_<DataFormat::Float16_b>()",
                   .call = "_reduce_max_col_subblock_4x2_prologue_(); " + call +
                           (calls > 1 ? next : "") + "_reduce_max_col_subblock_4x2_epilogue_()",
                   .faces = sfpi::Faces::Whole,
                   .inputs = {},
                   .outputs = {{.tile = first_output}, {.tile = first_output + 1}},
                   .domain = {.text = "-8 < x < 8"},
                   .reference = of_columns<largest, 2>};
  for (unsigned tile = 0; tile < calls * 2 * height; ++tile) {
    kernel.inputs.push_back({std::string("distinct:") + static_cast<char>('0' + tile)});
  }
  return kernel;
}

std::vector<LlkKernel> subblocks() {
  return {subblock(1, 1), subblock(2, 1), subblock(4, 1), subblock(4, 2)};
}

} // namespace

std::vector<LlkKernel> llk_reductions() {
  return joined(pooled_sums(), extremes(), subblocks());
}

} // namespace lanewise::corpus
