// Tiles for SrcA and SrcB: from numbers to the cells that an unpacker would leave there (MU 1.2).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "machine/matrix/mode.h"
#include "machine/matrix/source_file.h"
#include "tiles/tile.h"

namespace lanewise::lab {

/// A source format on the command line. Codes that no unpacker turns numbers into are left out:
/// FP32 arrives as TF32 or BF16, and INT16 and INT32 are bits that only moves carry.
struct SourceFormatRow {
  std::string_view name;
  DataFormat format;
};

inline constexpr std::array kSourceFormats{
    SourceFormatRow{"tf32", DataFormat::Tf32},   SourceFormatRow{"bf16", DataFormat::Bf16},
    SourceFormatRow{"fp16", DataFormat::Fp16},   SourceFormatRow{"fp8", DataFormat::Fp8},
    SourceFormatRow{"bfp8", DataFormat::Bfp8},   SourceFormatRow{"bfp4", DataFormat::Bfp4},
    SourceFormatRow{"bfp2", DataFormat::Bfp2},   SourceFormatRow{"bfp8a", DataFormat::Bfp8a},
    SourceFormatRow{"bfp4a", DataFormat::Bfp4a}, SourceFormatRow{"bfp2a", DataFormat::Bfp2a},
    SourceFormatRow{"int8", DataFormat::Int8}};

/// The format of such a name. Error: BadInput that lists the names.
Expected<DataFormat> parse_source_format(std::string_view name);

/// Numbers for SrcA or SrcB, and the format in which they arrive there.
struct SourceInput {
  Tensor values;
  DataFormat format = DataFormat::Bf16;
};

/// The input of a specification as make_input() takes it, before it is rounded to the source
/// format: BF16, FP16 and INT8 for the formats of these names, FP32 for the others, so that `bits`
/// means the patterns of that. Error: BadInput as make_input() says.
Expected<SourceInput> make_source_input(std::string_view specification, DataFormat format);

/// The cells of a tile (machine/matrix/source_file.h), row by row: element (row, column) is
/// [32*row + column].
using SourceTile = std::array<std::uint32_t, kTileElements>;

/// The cells of the numbers of a tile, each sixteen of a row of a face as
/// machine/matrix/source_load.h converts them. Error: BadInput as there.
Expected<SourceTile> source_cells(DataFormat format, Format values_format, const Tile& values);

/// source_cells() of each tile of an input.
Expected<std::vector<SourceTile>> source_tiles(const SourceInput& input);

/// The number that the arithmetic takes a cell for, with all its mantissa bits (MU 5.1, 6).
double source_value(DataFormat format, std::uint32_t cell);

/// Puts a tile into bank 0: its faces one after the other as in Dst (tiles/tile.h), 16 rows each.
/// The bank then belongs to the Matrix Unit and has the format as its implied one (MU 1.2).
void load_source_tile(SourceFile& file, DataFormat format, const SourceTile& cells);

} // namespace lanewise::lab
