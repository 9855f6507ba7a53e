// Kernels that combine elements of different places in sums and extremes of columns; and random
// numbers.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "lab/llk_corpus.h"
#include "lab/llk_specification.h"

namespace lanewise::lab {

namespace {

constexpr unsigned at(unsigned row, unsigned column) {
  return row * kTileEdge + column;
}

/// Two's complement in 32 bits, as an unsigned number.
double as_unsigned(std::int32_t number) {
  return static_cast<double>(static_cast<std::uint32_t>(number));
}

// -------------------------------------------------------------------- sums

/// The kernel adds what one SFPLOAD reaches: the first four rows.
constexpr unsigned kTopRows = 4;

void add_top_rows(std::span<const NumberTile> in, std::span<Answers> out) {
  for (unsigned i = 0; i < kTopRows * kTileEdge; ++i) out[0][i] = in[0][i] + in[1][i];
}
void add_top_rows_uint32(std::span<const NumberTile> in, std::span<Answers> out) {
  for (unsigned i = 0; i < kTopRows * kTileEdge; ++i) {
    out[0][i] = std::fmod(in[0][i] + in[1][i], 0x1p32);
  }
}

LlkKernel add_top_row(const char* name, const char* data_format, Format format, LlkBound bound,
                      std::vector<LlkInput> inputs, TileFunction reference) {
  const std::string domain = format == Format::UINT32 ? "all, modulo 2^32" : "0 <= x <= 1000000";
  const std::string call = std::string("_calculate_add_top_row_<DataFormat::") + data_format;
  return {.name = name,
          .header = "add_top_row",
          .init = "_init_add_top_row_()",
          .call = call + ">(0, 1, 2)",
          .faces = sfpi::Faces::Whole,
          .dst = {{.format = format, .bound = bound}},
          .inputs = std::move(inputs),
          .outputs = {{.tile = 2}},
          .domain = {.text = domain},
          .reference = reference};
}

/// Running sums down the columns, on through the tiles.
void running_sums(std::span<const NumberTile> in, std::span<Answers> out) {
  for (unsigned column = 0; column < kTileEdge; ++column) {
    double sum = 0;
    for (std::size_t tile = 0; tile < out.size(); ++tile) {
      for (unsigned row = 0; row < kTileEdge; ++row) {
        sum += in[tile][at(row, column)];
        out[tile][at(row, column)] = sum;
      }
    }
  }
}

constexpr double kAlpha = 0.75, kBeta = 0.25;

void moving_average(std::span<const NumberTile> in, std::span<Answers> out) {
  for (unsigned column = 0; column < kTileEdge; ++column) {
    double average = 0;
    for (unsigned row = 0; row < kTileEdge; ++row) {
      average = kAlpha * average + kBeta * in[0][at(row, column)];
      out[0][at(row, column)] = average;
    }
  }
}

std::vector<LlkKernel> sums() {
  const LlkDomain unit{.text = "0 <= x <= 1"};
  const std::vector<LlkInput> million{{"random:1:0:1000000"}, {"random:2:0:1000000"}};
  return {
      add_top_row("add_top_row_fp32", "Float32", Format::FP32, {.ulp = 0.51}, million,
                  add_top_rows),
      // Blackhole adds them as they are, so that sign and magnitude must be two's complement, too.
      add_top_row("add_top_row_int32", "Int32", Format::INT32, {}, million, add_top_rows),
      add_top_row("add_top_row_uint32", "UInt32", Format::UINT32, {}, {{"bits:1"}, {"bits:2"}},
                  add_top_rows_uint32),
      {.name = "cumsum",
       .header = "cumsum",
       .init = "_cumsum_init_<true>()",
       .call = "_calculate_cumsum_<true, 8>(true)",
       .faces = sfpi::Faces::Whole,
       // Up to 31 roundings to fp32; only what is stored is cut down to bf16.
       .dst = both_widths({.ulp = 1}, {.ulp = 3.1}),
       .inputs = {{"random:1:0:1"}},
       .domain = unit,
       .reference = running_sums},
      {.name = "cumsum_two_tiles",
       .header = "cumsum",
       .init = "_cumsum_init_<true>()",
       .call = "_calculate_cumsum_<true, 8>(true); "
               "for (int i = 0; i < 8; i++) ckernel::math::inc_dst_addr<8>(); "
               "_calculate_cumsum_<true, 8>(false)",
       .faces = sfpi::Faces::Whole,
       .dst = both_widths({.ulp = 1}, {.ulp = 3.5}),
       .inputs = {{"random:1:0:1"}, {"random:2:0:1"}},
       .outputs = {{.tile = 0}, {.tile = 1}},
       .domain = unit,
       .reference = running_sums},
      {.name = "ema",
       .header = "ema",
       .init = "_load_alpha_beta_(0x3F400000u, 0x3E800000u); _clear_previous_output_()",
       .call = "_calculate_ema_tile_()",
       .faces = sfpi::Faces::Whole,
       .dst = both_widths({.ulp = 1}, {.ulp = 2}),
       .inputs = {{"random:1:0:1"}},
       .outputs = {{.tile = 1}},
       .domain = unit,
       .reference = moving_average},
  };
}

// -------------------------------------------------------------------- reductions of columns

/// Fills row 0 with a function of each column.
template <class Function>
void reduce_columns(const NumberTile& in, Answers& out, Function function) {
  for (unsigned column = 0; column < kTileEdge; ++column) {
    std::array<double, kTileEdge> values{};
    for (unsigned row = 0; row < kTileEdge; ++row) values[row] = in[at(row, column)];
    out[at(0, column)] = function(values);
  }
}

using Column = std::array<double, kTileEdge>;

double sum_of(const Column& column) {
  return std::accumulate(column.begin(), column.end(), 0.0);
}
/// Modulo 2^32, in two's complement.
std::int32_t wrapped_sum_of(const Column& column) {
  std::uint32_t sum = 0;
  for (const double value : column) sum += static_cast<std::uint32_t>(value);
  return static_cast<std::int32_t>(sum);
}

void column_sums(std::span<const NumberTile> in, std::span<Answers> out) {
  reduce_columns(in[0], out[0], sum_of);
}
void column_averages(std::span<const NumberTile> in, std::span<Answers> out) {
  reduce_columns(in[0], out[0], [](const Column& c) { return sum_of(c) / kTileEdge; });
}
void column_sums_int32(std::span<const NumberTile> in, std::span<Answers> out) {
  reduce_columns(in[0], out[0], [](const Column& c) { return as_unsigned(wrapped_sum_of(c)); });
}
/// Towards zero.
void column_averages_int32(std::span<const NumberTile> in, std::span<Answers> out) {
  constexpr std::int32_t kRows = kTileEdge;
  reduce_columns(in[0], out[0],
                 [](const Column& c) { return as_unsigned(wrapped_sum_of(c) / kRows); });
}
void column_maxima(std::span<const NumberTile> in, std::span<Answers> out) {
  reduce_columns(in[0], out[0],
                 [](const Column& c) { return *std::max_element(c.begin(), c.end()); });
}
void column_minima(std::span<const NumberTile> in, std::span<Answers> out) {
  reduce_columns(in[0], out[0],
                 [](const Column& c) { return *std::min_element(c.begin(), c.end()); });
}

LlkKernel reduce(const char* pool, const char* data_format, LlkDst dst, const char* pattern,
                 const char* domain, TileFunction reference) {
  const std::string format = std::string("DataFormat::") + data_format + ">()";
  const std::string type = std::string("PoolType::") + pool + ", ";
  return {.name = std::string("reduce_") + pool + "_" + data_format,
          .header = "reduce",
          .init = "_init_reduce_<" + type + format,
          .call = "_calculate_reduce_<" + type + "ReduceDim::REDUCE_COL, " + format,
          .faces = sfpi::Faces::Whole,
          .dst = {dst},
          .inputs = {{pattern}},
          .domain = {.text = domain},
          .reference = reference};
}

std::vector<LlkKernel> reductions() {
  // 31 additions in a tree of depth 5.
  const LlkDst fp32{.format = Format::FP32, .bound = {.ulp = 2}};
  const LlkDst bf16{.format = Format::BF16, .bound = {.ulp = 1}};
  const LlkDst int32{.format = Format::UINT32};
  const char *const kUnit = "random:1:0:1", *const kUnitText = "0 <= x <= 1";
  return {
      reduce("SUM", "Float32", fp32, kUnit, kUnitText, column_sums),
      reduce("AVG", "Float32", fp32, kUnit, kUnitText, column_averages),
      reduce("SUM", "Float16_b", bf16, kUnit, kUnitText, column_sums),
      reduce("AVG", "Float16_b", bf16, kUnit, kUnitText, column_averages),
      reduce("SUM", "Int32", int32, "every", "all, modulo 2^32", column_sums_int32),
      reduce("AVG", "Int32", int32, "every", "all, modulo 2^32", column_averages_int32),
      reduce("MAX", "Float32", {.format = Format::FP32}, "distinct", "distinct values",
             column_maxima),
      reduce("MIN", "Float32", {.format = Format::FP32}, "distinct", "distinct values",
             column_minima),
      reduce("MAX", "Float16_b", {.format = Format::BF16}, "distinct", "distinct values",
             column_maxima),
      reduce("MIN", "Float16_b", {.format = Format::BF16}, "distinct", "distinct values",
             column_minima),
  };
}

// -------------------------------------------------------------------- dropout

constexpr double kDropProbability = 0.25, kScale = 2;

/// Each element is dropped or scaled exactly, and their share is that of independent events, within
/// four standard deviations.
std::optional<std::string> wrong_with_dropout(std::span<const NumberTile> in,
                                              std::span<const NumberTile> out) {
  double dropped = 0;
  for (std::size_t tile = 0; tile < out.size(); ++tile) {
    for (unsigned i = 0; i < kTileElements; ++i) {
      const double got = out[tile][i], scaled = in[tile][i] * kScale;
      if (got != 0 && got != scaled) {
        return "an element is neither dropped nor scaled";
      }
      dropped += got == 0 ? 1 : 0;
    }
  }
  const double count = static_cast<double>(out.size()) * kTileElements;
  const double deviation = std::sqrt(count * kDropProbability * (1 - kDropProbability));
  if (std::abs(dropped - count * kDropProbability) <= 4 * deviation) return std::nullopt;
  return std::to_string(dropped / count) + " of the elements are dropped instead of 0.25";
}

std::vector<LlkKernel> dropout() {
  LlkKernel kernel{.name = "dropout",
                   .header = "dropout",
                   .init = "_init_dropout_(1234)",
                   .call = "_calculate_dropout_<true, 8>(256, 0x20000000u, 0x40000000u)",
                   .faces = sfpi::Faces::Whole,
                   .dst = both_widths({}, {}),
                   .inputs = std::vector<LlkInput>(8, {"random:1:1:8"}),
                   .outputs = {},
                   .domain = {.text = "1 <= x <= 8; a quarter is dropped"},
                   .reference = wrong_with_dropout};
  for (unsigned tile = 0; tile < 8; ++tile) kernel.outputs.push_back({.tile = tile});
  return {kernel};
}

} // namespace

std::vector<LlkKernel> llk_tile_kernels() {
  return joined(sums(), reductions(), dropout());
}

} // namespace lanewise::lab
