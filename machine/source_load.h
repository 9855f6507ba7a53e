// Loads SrcA and SrcB from the host, in the place of unpackers.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "isa/fault.h"
#include "machine/matrix_mode.h"
#include "machine/source_file.h"

namespace lanewise {

/// Sixteen numbers as the cells in which they arrive in a row of SrcA or SrcB (MU 1.2). Numbers are
/// rounded to nearest even. What is too small for a normal number becomes 0, FP16, FP8 and block
/// formats saturate, integers are rounded and clamped to 255 (INT8) and 32767 (INT16). In block
/// formats the sixteen numbers share an exponent, as in memory. FP32 keeps as much as BF16.
/// Error: BadInput for INT32 and for codes without meaning, which no source register holds.
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
