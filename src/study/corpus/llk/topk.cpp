// Sorting of columns with indices, and the k largest of them.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "study/corpus/llk/corpus.h"
#include "study/corpus/llk/specification.h"

namespace lanewise::corpus {

namespace {

/// A column of 64 elements: 32 rows of the tiles 0 and 1, with the indices in 2 and 3.
constexpr unsigned kLength = 2 * tensors::kTileEdge;

struct RankedEntry {
  double value = 0, index = 0;

  friend bool operator==(const RankedEntry&, const RankedEntry&) = default;
};
using Sequence = std::array<RankedEntry, kLength>;

Sequence column_of(std::span<const NumberTile> tiles, unsigned column) {
  Sequence sequence;
  for (unsigned i = 0; i < kLength; ++i) {
    const unsigned place = at(i % tensors::kTileEdge, column);
    sequence[i] = {tiles[i / tensors::kTileEdge][place], tiles[2 + i / tensors::kTileEdge][place]};
  }
  return sequence;
}

/// Sorts stretches of `length`, alternately falling and rising, or the other way round.
void sort(Sequence& sequence, unsigned length, bool falling) {
  for (unsigned first = 0; first < kLength; first += length) {
    const bool falls = (first / length % 2 == 0) == falling;
    std::stable_sort(sequence.begin() + first, sequence.begin() + first + length,
                     [falls](const RankedEntry& a, const RankedEntry& b) {
                       return falls ? a.value > b.value : a.value < b.value;
                     });
  }
}

/// The first `kCount` elements of sorted columns; what the others hold does not matter.
template <unsigned kStretch, bool kFalling, unsigned kCount = kLength>
void sorted_columns(std::span<const NumberTile> in, std::span<Answers> out) {
  for (unsigned column = 0; column < tensors::kTileEdge; ++column) {
    Sequence sequence = column_of(in, column);
    sort(sequence, kStretch, kFalling);
    for (unsigned i = 0; i < kCount; ++i) {
      const unsigned place = at(i % tensors::kTileEdge, column);
      out[i / tensors::kTileEdge][place] = sequence[i].value;
      out[2 + i / tensors::kTileEdge][place] = sequence[i].index;
    }
  }
}

/// With equal values, their order is free: the values have to be sorted, and each has to come with
/// an index that it had, all of them different.
template <unsigned kStretch, bool kFalling, unsigned kCount = kLength>
std::optional<std::string> wrong_with_ties(std::span<const NumberTile> in,
                                           std::span<const NumberTile> out) {
  for (unsigned column = 0; column < tensors::kTileEdge; ++column) {
    Sequence wanted = column_of(in, column);
    const Sequence given = wanted, got = column_of(out, column);
    sort(wanted, kStretch, kFalling);
    for (unsigned i = 0; i < kCount; ++i) {
      const bool was_given = std::ranges::find(given, got[i]) != given.end();
      const bool is_used = std::find(got.begin(), got.begin() + i, got[i]) != got.begin() + i;
      if (got[i].value == wanted[i].value && was_given && !is_used) continue;
      return fmt::format("column {}, element {}: {} with index {} instead of {}", column, i,
                         got[i].value, got[i].index, wanted[i].value);
    }
  }
  return std::nullopt;
}

/// The same, where elements of the same value have to keep their order.
template <unsigned kStretch, bool kFalling>
std::optional<std::string> wrong_with_stable_ties(std::span<const NumberTile> in,
                                                  std::span<const NumberTile> out) {
  for (unsigned column = 0; column < tensors::kTileEdge; ++column) {
    Sequence wanted = column_of(in, column);
    const Sequence got = column_of(out, column);
    sort(wanted, kStretch, kFalling);
    for (unsigned i = 0; i < kLength; ++i) {
      if (got[i] == wanted[i]) continue;
      return fmt::format("column {}, element {}: {} with index {} instead of {} with {}", column, i,
                         got[i].value, got[i].index, wanted[i].value, wanted[i].index);
    }
  }
  return std::nullopt;
}

LlkKernel topk(const char* name, std::string call, formats::Format format, const char* values,
               LlkReference reference) {
  const formats::Format index =
      format == formats::Format::FP32 ? formats::Format::UINT32 : formats::Format::UINT16;
  return {.name = std::string("topk_") + name,
          .header = "topk",
          // Local sorts move ADDR_MOD 6 by 32 rows.
          .init = "lanewise_llk::init_unary(32); _init_topk()",
          .call = std::move(call),
          .faces = sfpi::Faces::Whole,
          .dst = {{.format = format}},
          .inputs = {{std::string(values) + ":1"},
                     {std::string(values) + ":2"},
                     {"index", index},
                     {"random:2:2000:60000", index}},
          .outputs = {{.tile = 0},
                      {.tile = 1},
                      {.tile = 2, .format = index},
                      {.tile = 3, .format = index}},
          .domain = {.text = std::string(values) + " values"},
          .reference = std::move(reference)};
}

std::string local_sort(unsigned phases, bool rising = false, bool stable = false) {
  return fmt::format("_bitonic_topk_phases_steps<true, {{FP32}}, {}>({}, {}, 0, 0, 0)", stable,
                     rising ? 1 : 0, phases - 1);
}

/// How a selection of the largest or smallest is called.
struct Selection {
  unsigned count, log_count;
  bool smallest = false, stable = false;
};

/// Sorts stretches of k, then halves their number: the k best of two stretches become the first of
/// them, sorted again, until one is left. The library sets up the tile before each function.
std::string selection(const Selection& what) {
  std::string calls = local_sort(what.log_count, what.smallest, what.stable);
  for (unsigned step = 0; kLength >> step > what.count; ++step) {
    const bool is_last = kLength >> (step + 1) == what.count;
    calls += fmt::format(
        "; lanewise_llk::start(0); "
        "_bitonic_topk_merge<true, {{FP32}}, {}, {}>({}, {})",
        what.smallest, what.stable, step, what.count);
    calls += fmt::format(
        "; lanewise_llk::start(0); "
        "_bitonic_topk_rebuild<true, {{FP32}}, {}>({}, {}, {}, {}, {})",
        what.stable, what.smallest ? 1 : 0, step, what.count, what.log_count, is_last ? 1 : 0);
  }
  return calls;
}

/// 8 rows on, the first four rows of the even columns.
void eight_rows_on(std::span<const NumberTile> in, std::span<Answers> out) {
  for (unsigned row = 0; row < tensors::kFaceEdge; ++row) {
    for (unsigned column = 0; column < tensors::kFaceEdge; ++column) {
      const bool is_reached = row >= 8 && row < 12 && column % 2 == 0;
      out[0][at(row, column)] = is_reached ? 1 : in[0][at(row, column)];
    }
  }
}

/// A helper that nothing in the header calls.
LlkKernel increment() {
  return {.name = "topk_increment",
          .header = "topk",
          .call = "bitonic_topk_inc_x4_dest(8, false); dst_reg[0] = vConst1",
          .faces = sfpi::Faces::Whole,
          .inputs = {{"distinct"}},
          .reference = eight_rows_on};
}

std::vector<LlkKernel> of_format(formats::Format format) {
  const auto distinct = [format](const char* name, std::string call, TileFunction reference) {
    return topk(name, std::move(call), format, "distinct", reference);
  };
  const auto ties = [format](const char* name, std::string call, Verdict verdict) {
    return topk(name, std::move(call), format, "ties", verdict);
  };
  LlkKernel stable =
      ties("sort_64_stable_ties", local_sort(6, false, true), wrong_with_stable_ties<64, true>);
  stable.defect = "a sort that is asked to be stable is not";
  return {
      stable,
      distinct("sort_64", local_sort(6), sorted_columns<64, true>),
      distinct("sort_32", local_sort(5), sorted_columns<32, true>),
      distinct("sort_16", local_sort(4), sorted_columns<16, true>),
      distinct("sort_8", local_sort(3), sorted_columns<8, true>),
      distinct("sort_4", local_sort(2), sorted_columns<4, true>),
      distinct("sort_64_rising", local_sort(6, true), sorted_columns<64, false>),
      distinct("sort_16_rising", local_sort(4, true), sorted_columns<16, false>),
      distinct("sort_64_stable", local_sort(6, false, true), sorted_columns<64, true>),
      ties("sort_64_ties", local_sort(6), wrong_with_ties<64, true>),
      distinct("32_of_64", selection({32, 5}), sorted_columns<64, true, 32>),
      distinct("16_of_64", selection({16, 4}), sorted_columns<64, true, 16>),
      distinct("8_of_64", selection({8, 3}), sorted_columns<64, true, 8>),
      distinct("4_of_64", selection({4, 2}), sorted_columns<64, true, 4>),
      distinct("32_of_64_smallest", selection({32, 5, true}), sorted_columns<64, false, 32>),
      distinct("32_of_64_stable", selection({32, 5, false, true}), sorted_columns<64, true, 32>),
      ties("32_of_64_ties", selection({32, 5}), wrong_with_ties<64, true, 32>),
  };
}

} // namespace

std::vector<LlkKernel> llk_topk() {
  return joined(of_format(formats::Format::BF16), of_format(formats::Format::FP32),
                std::vector{increment()});
}

} // namespace lanewise::corpus
