// Kernels that move indices along with values: maxima and sorting.
#include <algorithm>
#include <limits>

#include "lab/llk_corpus.h"
#include "lab/llk_specification.h"

namespace lanewise::lab {

namespace {

constexpr unsigned at(unsigned row, unsigned column) {
  return row * kTileEdge + column;
}

/// Element of a tile by its row of Dst, 0..63, and column, 0..15 (lab/tile.h).
constexpr unsigned at_dst(unsigned dst_row, unsigned column) {
  const unsigned face = dst_row / kFaceEdge;
  return at(face / 2 * kFaceEdge + dst_row % kFaceEdge, face % 2 * kFaceEdge + column);
}

// -------------------------------------------------------------------- values with indices

struct Entry {
  double value = -std::numeric_limits<double>::infinity(), index = 0;
};
Entry larger(Entry a, Entry b) {
  return a.value < b.value ? b : a;
}

/// Rows 0..8 of each column, in the tile's own layout.
void max_pool_tile(std::span<const NumberTile> in, std::span<Answers> out) {
  constexpr unsigned kRows = 9;
  for (unsigned column = 0; column < kTileEdge; ++column) {
    Entry best;
    for (unsigned row = 0; row < kRows; ++row) {
      best = larger(best, {in[0][at(row, column)], in[1][at(row, column)]});
    }
    out[0][at(0, column)] = best.value;
    out[1][at(0, column)] = best.index;
  }
}

/// Row by row: row r of 32 columns lies in the rows 2 r and 2 r + 1 of Dst.
Entry row_major_maximum(std::span<const NumberTile> in, std::size_t values, std::size_t indices,
                        unsigned rows, unsigned half, unsigned column) {
  Entry best;
  for (unsigned row = 0; row < rows; ++row) {
    const unsigned place = at_dst(2 * row + half, column);
    best = larger(best, {in[values][place], in[indices][place]});
  }
  return best;
}

template <unsigned kRows>
void max_pool_rows(std::span<const NumberTile> in, std::span<Answers> out) {
  for (unsigned half = 0; half < 2; ++half) {
    for (unsigned column = 0; column < kFaceEdge; ++column) {
      const Entry best = row_major_maximum(in, 0, 1, kRows, half, column);
      out[0][at_dst(half, column)] = best.value;
      out[1][at_dst(half, column)] = best.index;
    }
  }
}

/// Tiles 0 and 2 with what the tiles 1 and 3 have kept; both get the result.
void max_pool_accumulated(std::span<const NumberTile> in, std::span<Answers> out) {
  for (unsigned half = 0; half < 2; ++half) {
    for (unsigned column = 0; column < kFaceEdge; ++column) {
      const unsigned place = at_dst(half, column);
      const Entry best = larger({in[1][place], in[3][place]},
                                row_major_maximum(in, 0, 2, kTileEdge, half, column));
      out[0][place] = out[1][place] = best.value;
      out[2][place] = out[3][place] = best.index;
    }
  }
}

/// The kernel for both widths of Dst, which hold indices of different formats.
template <class Kernel>
std::vector<LlkKernel> with_indices(Kernel kernel) {
  std::vector<LlkKernel> both;
  for (const auto& [format, index_format] :
       {std::pair{Format::BF16, Format::UINT16}, std::pair{Format::FP32, Format::UINT32}}) {
    both.push_back(kernel(index_format));
    both.back().dst = {{.format = format}};
  }
  return both;
}

LlkKernel max_pool(const char* name, const char* layout, const std::string& call,
                   Format index_format, TileFunction reference) {
  return {
      .name = name,
      .header = "max_pool_indices",
      .init = std::string("_init_max_pool_with_indices_<ckernel::DataLayout::") + layout + ">()",
      .call = call,
      .faces = sfpi::Faces::Whole,
      .inputs = {{"distinct"}, {"index", index_format}},
      .outputs = {{.tile = 0}, {.tile = 1, .format = index_format}},
      .domain = {.text = "distinct values"},
      .reference = reference};
}

LlkKernel accumulating_max_pool(Format index_format) {
  LlkKernel kernel =
      max_pool("max_pool_generic_accumulate", "ROW_MAJOR",
               "_calculate_max_pool_with_indices_generic_<true, {FP32}, 8, true>(0, 2, 1)",
               index_format, max_pool_accumulated);
  // Of the values that were kept, some are larger than all of the new ones.
  kernel.inputs = {{"distinct:1"},
                   {"random:1:6:9"},
                   {"index", index_format},
                   {"random:2:2000:3000", index_format}};
  kernel.outputs = {{.tile = 0},
                    {.tile = 1},
                    {.tile = 2, .format = index_format},
                    {.tile = 3, .format = index_format}};
  return kernel;
}

// -------------------------------------------------------------------- sorting

/// A column of 64 elements: 32 rows of the tiles 0 and 1, with the indices in 2 and 3. Stretches of
/// `length` are sorted, alternately falling and rising, or the other way round.
void sort_columns(std::span<const NumberTile> in, std::span<Answers> out, unsigned length,
                  bool falling) {
  constexpr unsigned kLength = 2 * kTileEdge;
  for (unsigned column = 0; column < kTileEdge; ++column) {
    std::array<Entry, kLength> sequence;
    for (unsigned i = 0; i < kLength; ++i) {
      const unsigned place = at(i % kTileEdge, column);
      sequence[i] = {in[i / kTileEdge][place], in[2 + i / kTileEdge][place]};
    }
    for (unsigned first = 0; first < kLength; first += length) {
      const bool falls = (first / length % 2 == 0) == falling;
      std::sort(sequence.begin() + first, sequence.begin() + first + length,
                [falls](const Entry& a, const Entry& b) {
                  return falls ? a.value > b.value : a.value < b.value;
                });
    }
    for (unsigned i = 0; i < kLength; ++i) {
      const unsigned place = at(i % kTileEdge, column);
      out[i / kTileEdge][place] = sequence[i].value;
      out[2 + i / kTileEdge][place] = sequence[i].index;
    }
  }
}

template <unsigned kLength, bool kFalling>
void sorted_columns(std::span<const NumberTile> in, std::span<Answers> out) {
  sort_columns(in, out, kLength, kFalling);
}

LlkKernel topk(const char* name, const std::string& stable_and_arguments, Format index_format,
               TileFunction reference) {
  return {.name = name,
          .header = "topk",
          // Local sorts move ADDR_MOD 6 by 32 rows.
          .init = "lanewise_llk::init_unary<SfpuType::topk_local_sort>(); _init_topk()",
          .call = "_bitonic_topk_phases_steps<true, {FP32}, " + stable_and_arguments,
          .faces = sfpi::Faces::Whole,
          .inputs = {{"distinct:1"},
                     {"distinct:2"},
                     {"index", index_format},
                     {"random:2:2000:60000", index_format}},
          .outputs = {{.tile = 0},
                      {.tile = 1},
                      {.tile = 2, .format = index_format},
                      {.tile = 3, .format = index_format}},
          .domain = {.text = "distinct values"},
          .reference = reference};
}

} // namespace

std::vector<LlkKernel> llk_selections() {
  std::vector<LlkKernel> all;
  const auto add = [&](auto kernel) {
    for (LlkKernel& each : with_indices(kernel)) all.push_back(std::move(each));
  };
  add([](Format index) {
    return max_pool(
        "max_pool_tile", "TILE",
        "_calculate_max_pool_with_indices_<true, {FP32}, 8, ckernel::DataLayout::TILE>(0, 1, 0)",
        index, max_pool_tile);
  });
  add([](Format index) {
    return max_pool("max_pool_row_major", "ROW_MAJOR",
                    "_calculate_max_pool_with_indices_<true, {FP32}, 8, "
                    "ckernel::DataLayout::ROW_MAJOR>(0, 1, 0)",
                    index, max_pool_rows<9>);
  });
  add([](Format index) {
    return max_pool("max_pool_generic", "ROW_MAJOR",
                    "_calculate_max_pool_with_indices_generic_<true, {FP32}, 8>(0, 1, 0)", index,
                    max_pool_rows<32>);
  });
  add(accumulating_max_pool);
  add([](Format index) {
    return topk("topk_sort_64", "false>(0, 5, 0, 0, 0)", index, sorted_columns<64, true>);
  });
  add([](Format index) {
    return topk("topk_sort_32", "false>(0, 4, 0, 0, 0)", index, sorted_columns<32, true>);
  });
  add([](Format index) {
    return topk("topk_sort_64_rising", "false>(1, 5, 0, 0, 0)", index, sorted_columns<64, false>);
  });
  add([](Format index) {
    return topk("topk_sort_64_stable", "true>(0, 5, 0, 0, 0)", index, sorted_columns<64, true>);
  });
  return all;
}

} // namespace lanewise::lab
