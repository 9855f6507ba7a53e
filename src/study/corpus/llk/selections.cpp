// Maxima with their indices.
#include <algorithm>
#include <limits>

#include "study/corpus/llk/corpus.h"
#include "study/corpus/llk/specification.h"

namespace lanewise::corpus {

namespace {

using formats::Format;

constexpr unsigned at(unsigned row, unsigned column) {
  return row * tensors::kTileEdge + column;
}

/// Element of a tile by its row of Dst, 0..63, and column, 0..15 (number/tensors/tile.h).
constexpr unsigned at_dst(unsigned dst_row, unsigned column) {
  const unsigned face = dst_row / tensors::kFaceEdge;
  return at(face / 2 * tensors::kFaceEdge + dst_row % tensors::kFaceEdge,
            face % 2 * tensors::kFaceEdge + column);
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
  for (unsigned column = 0; column < tensors::kTileEdge; ++column) {
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
    for (unsigned column = 0; column < tensors::kFaceEdge; ++column) {
      const Entry best = row_major_maximum(in, 0, 1, kRows, half, column);
      out[0][at_dst(half, column)] = best.value;
      out[1][at_dst(half, column)] = best.index;
    }
  }
}

/// Tiles 0 and 2 with what the tiles 1 and 3 have kept; both get the result.
void max_pool_accumulated(std::span<const NumberTile> in, std::span<Answers> out) {
  for (unsigned half = 0; half < 2; ++half) {
    for (unsigned column = 0; column < tensors::kFaceEdge; ++column) {
      const unsigned place = at_dst(half, column);
      const Entry best = larger({in[1][place], in[3][place]},
                                row_major_maximum(in, 0, 2, tensors::kTileEdge, half, column));
      out[0][place] = out[1][place] = best.value;
      out[2][place] = out[3][place] = best.index;
    }
  }
}

/// The first chunk does not look at what the tiles 1 and 3 have kept.
void max_pool_first_chunk(std::span<const NumberTile> in, std::span<Answers> out) {
  for (unsigned half = 0; half < 2; ++half) {
    for (unsigned column = 0; column < tensors::kFaceEdge; ++column) {
      const unsigned place = at_dst(half, column);
      const Entry best = row_major_maximum(in, 0, 2, tensors::kTileEdge, half, column);
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

LlkKernel accumulating_max_pool(const char* name, const char* chunk, Format index_format,
                                TileFunction reference) {
  LlkKernel kernel = max_pool(
      name, "ROW_MAJOR",
      std::string("_calculate_max_pool_with_indices_generic_<true, {FP32}, 8, true>(0, 2, ") +
          chunk + ")",
      index_format, reference);
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
  add([](Format index) {
    return accumulating_max_pool("max_pool_generic_accumulate", "1", index, max_pool_accumulated);
  });
  add([](Format index) {
    return accumulating_max_pool("max_pool_generic_first_chunk", "0", index, max_pool_first_chunk);
  });
  return all;
}

} // namespace lanewise::corpus
