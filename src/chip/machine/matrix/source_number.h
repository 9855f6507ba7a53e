// Numbers for SrcA and SrcB, in the place of unpackers.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/fault.h"
#include "chip/machine/matrix/mode.h"
#include "chip/machine/matrix/source_file.h"

namespace lanewise {

/// Sixteen numbers as the row of SrcA or SrcB in which they arrive: each is made a datum as it lies
/// in memory, to nearest even, and that is unpacked (core.md 11, 12.5). The formats stand in
/// chip/isa/number_formats.def, what is done for each in source_number.cpp; a row is a block that
/// shares its exponent in the block formats. Error: BadInput for a number that an integer format
/// does not have, for infinities and NaNs in a block format, and for INT32 and codes without
/// meaning, which no source register holds.
Expected<std::array<std::uint32_t, kSourceColumns>> source_cells(
    std::span<const float, kSourceColumns> numbers, DataFormat format);

} // namespace lanewise
