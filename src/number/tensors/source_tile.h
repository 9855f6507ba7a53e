// Tiles for SrcA and SrcB: from numbers to the cells that an unpacker would leave there (MU 1.2).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "chip/isa/number_format.h"
#include "chip/machine/matrix/mode.h"
#include "chip/machine/matrix/source_file.h"
#include "number/tensors/tile.h"

namespace lanewise::tensors {

/// A source format on the command line. Codes that no unpacker turns numbers into are left out:
/// FP32 arrives as TF32 or BF16, and INT16 and INT32 are bits that only moves carry.
struct SourceFormatRow {
  std::string_view name;
  DataFormat format;
};

namespace detail {
inline constexpr auto kSourceInputs = isa::rows_where<isa::NumberFormatId>(
    [](const isa::NumberFormat& row) { return row.source && row.source->is_input; });
}

inline constexpr auto kSourceFormats = [] {
  std::array<SourceFormatRow, detail::kSourceInputs.size()> formats{};
  for (std::size_t i = 0; i < formats.size(); ++i) {
    const isa::NumberFormat& row = isa::number_format(detail::kSourceInputs[i]);
    formats[i] = {row.name, row.operand->code};
  }
  return formats;
}();

/// The format of such a name. Error: BadInput that lists the names.
Expected<DataFormat> parse_source_format(std::string_view name);

/// Numbers for SrcA or SrcB, and the format in which they arrive there.
struct SourceInput {
  Tensor values;
  DataFormat format = DataFormat::Bf16;
};

/// The format that numbers for a source format have before they are rounded to it: BF16, FP16 and
/// INT8 for the formats of these names, FP32 for the others.
formats::Format source_values_format(DataFormat format);

/// The input of a specification as make_input() takes it, in source_values_format(), so that `bits`
/// means the patterns of that. Error: BadInput as make_input() says.
Expected<SourceInput> make_source_input(std::string_view specification, DataFormat format);

/// The cells of a tile (chip/machine/matrix/source_file.h), row by row: element (row, column) is
/// [32*row + column].
using SourceTile = std::array<std::uint32_t, kTileElements>;

/// The cells of the numbers of a tile, each sixteen of a row of a face as
/// chip/machine/matrix/source_number.h converts them. Error: BadInput as there.
Expected<SourceTile> source_cells(DataFormat format, formats::Format values_format,
                                  const Tile& values);

/// source_cells() of each tile of an input.
Expected<std::vector<SourceTile>> source_tiles(const SourceInput& input);

/// The number that the arithmetic takes a cell for, with all its mantissa bits (MU 5.1, 6).
double source_value(DataFormat format, std::uint32_t cell);

/// Puts a tile into bank 0: its faces one after the other as in Dst (number/tensors/tile.h), 16
/// rows each. The bank then belongs to the Matrix Unit and has the format as its implied one
/// (MU 1.2).
void load_source_tile(SourceFile& file, DataFormat format, const SourceTile& cells);

/// The same of cells in the order of load_cells() (number/tensors/tile_cells.h): cell i to row i /
/// 16 and column i % 16 of the bank.
void load_source_rows(SourceFile& file, DataFormat format, const SourceTile& cells);

} // namespace lanewise::tensors
