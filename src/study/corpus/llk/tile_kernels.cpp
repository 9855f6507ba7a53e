// Kernels that combine rows of a tile: running row_sums and averages, scattered row_sums.
#include <array>
#include <cmath>
#include <string>

#include "study/corpus/llk/corpus.h"
#include "study/corpus/llk/specification.h"

namespace lanewise::corpus {

namespace {

using tensors::kTileEdge;

// -------------------------------------------------------------------- row_sums

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

LlkKernel add_top_row(const char* name, const char* data_format, formats::Format format,
                      LlkBound bound, std::vector<LlkInput> inputs, TileFunction reference) {
  const std::string domain =
      format == formats::Format::UINT32 ? "all, modulo 2^32" : "0 <= x <= 1000000";
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

/// Running row_sums down the columns, on through the tiles.
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

/// Tile 2 goes on where tile 0 has ended; the averages follow their inputs.
void moving_average_of_two(std::span<const NumberTile> in, std::span<Answers> out) {
  for (unsigned column = 0; column < kTileEdge; ++column) {
    double average = 0;
    for (unsigned row = 0; row < 2 * kTileEdge; ++row) {
      const std::size_t tile = row / kTileEdge, place = at(row % kTileEdge, column);
      average = kAlpha * average + kBeta * in[2 * tile][place];
      out[tile][place] = average;
    }
  }
}

std::vector<LlkKernel> row_sums() {
  const LlkDomain unit{.text = "0 <= x <= 1"};
  const std::vector<LlkInput> million{{"random:1:0:1000000"}, {"random:2:0:1000000"}};
  return {
      add_top_row("add_top_row_fp32", "Float32", formats::Format::FP32, {.ulp = 0.51}, million,
                  add_top_rows),
      // Blackhole adds them as they are, so that sign and magnitude must be two's complement, too.
      add_top_row("add_top_row_int32", "Int32", formats::Format::INT32, {}, million, add_top_rows),
      add_top_row("add_top_row_uint32", "UInt32", formats::Format::UINT32, {},
                  {{"bits:1"}, {"bits:2"}}, add_top_rows_uint32),
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
      {.name = "ema_two_tiles",
       .header = "ema",
       .init = "_load_alpha_beta_(0x3F400000u, 0x3E800000u); _clear_previous_output_()",
       .call = "_calculate_ema_tile_(); "
               "for (int i = 0; i < 16; i++) ckernel::math::inc_dst_addr<8>(); "
               "_calculate_ema_tile_()",
       .faces = sfpi::Faces::Whole,
       .dst = both_widths({.ulp = 1}, {.ulp = 3}),
       .inputs = {{"random:1:0:1"}, {"zero"}, {"random:2:0:1"}},
       .outputs = {{.tile = 1}, {.tile = 3}},
       .domain = unit,
       .reference = moving_average_of_two},
  };
}

// -------------------------------------------------------------------- scattered row_sums

/// To which row of tile 1 each row of tile 0 is added; 255 drops it.
constexpr std::array<unsigned, kTileEdge> kTargets{7,  7, 0,  31, 255, 16, 15,  1,  2,  3, 4,
                                                   5,  6, 7,  8,  9,   9,  9,   30, 29, 0, 17,
                                                   18, 3, 31, 5,  4,   40, 255, 1,  2,  12};

void scattered_rows(std::span<const NumberTile> in, std::span<Answers> out) {
  for (unsigned i = 0; i < tensors::kTileElements; ++i) out[0][i] = in[1][i];
  for (unsigned row = 0; row < kTileEdge; ++row) {
    if (kTargets[row] >= kTileEdge) continue;
    for (unsigned column = 0; column < kTileEdge; ++column) {
      *out[0][at(kTargets[row], column)] += in[0][at(row, column)];
    }
  }
}

/// The kernel reads its targets from L1, behind a header of 16 bytes.
LlkKernel reshuffle_rows() {
  constexpr unsigned kHeaderBytes = 16;
  std::string bytes;
  for (unsigned i = 0; i < kHeaderBytes; ++i) bytes += "0, ";
  for (const unsigned target : kTargets) bytes += std::to_string(target) + ", ";
  return {.name = "reshuffle_rows",
          .header = "reshuffle_rows",
          .call = "_calculate_reshuffle_rows_(lanewise_llk::l1_write(0x20000, {" + bytes + "}))",
          .faces = sfpi::Faces::Whole,
          // Up to four row_sums that are each rounded, and in bf16 cut down.
          .dst = both_widths({.ulp = 4}, {.ulp = 2}),
          .inputs = {{"random:1:0:1"}, {"random:2:0:1"}},
          .outputs = {{.tile = 1}},
          .domain = {.text = "0 <= x <= 1"},
          .reference = scattered_rows};
}

} // namespace

std::vector<LlkKernel> llk_tile_kernels() {
  return joined(row_sums(), std::vector{reshuffle_rows()});
}

} // namespace lanewise::corpus
