// Loads SrcA and SrcB from the host, in the place of unpackers.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/fault.h"
#include "machine/matrix/mode.h"
#include "machine/matrix/source_file.h"

namespace lanewise {

/// Sixteen numbers as the row of SrcA or SrcB in which they arrive: each is made a datum as it lies
/// in memory, to nearest even, and that is unpacked (core.md 11, 12.5). The rule of each format
/// stands in source_number.cpp; a row is a block that shares its exponent in the block formats.
/// Error: BadInput for a number that an integer format does not have, for infinities and NaNs in a
/// block format, and for INT32 and codes without meaning, which no source register holds.
Expected<std::array<std::uint32_t, kSourceColumns>> source_cells(
    std::span<const float, kSourceColumns> numbers, DataFormat format);

/// Writes whole rows, from `first_row` on, and hands the bank to the Matrix Unit, as an unpacker
/// does that sets it valid. `cells`: as SourceFile keeps them.
/// Error: BadInput if bank or rows do not exist, rows are not complete, or a cell has more than 19
/// bits.
Expected<void> load_cells(SourceFile& file, unsigned bank, unsigned first_row,
                          std::span<const std::uint32_t> cells);

/// The same from numbers in a format, which becomes the bank's implied one (MU 2.2).
Expected<void> load_numbers(SourceFile& file, unsigned bank, unsigned first_row,
                            std::span<const float> numbers, DataFormat format);

} // namespace lanewise
