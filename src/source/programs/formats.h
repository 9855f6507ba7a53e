// The formats of circular buffers, and what unpackers and packers make of them: the rules by which
// tt-metal's build chooses the formats of a kernel (jit_build/data_format.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"

namespace lanewise::programs {

enum class DataFormat : std::uint8_t {
#define FORMAT(name, number, ...) name = number,
#include "source/programs/formats.def"
#undef FORMAT
  Invalid = 255
};

std::string_view format_name(DataFormat format);

/// The format's name for files of numbers (number/tensors/l1_format.h); "" if it has none.
std::string_view file_format(DataFormat format);

/// Error: BadInput that lists near names, or all.
Expected<DataFormat> parse_data_format(std::string_view name);

/// Bytes of `data` numbers; of a block format, a multiple of 16. 0 of Invalid.
std::uint32_t format_bytes(DataFormat format, std::uint32_t data);

/// How a compute kernel is built, as far as it decides about formats.
struct FormatRules {
  bool fp32_dest = false;
  bool packs_bfp8_precisely = false;
  std::vector<bool> unpacks_to_dest = {}; ///< by circular buffer; may be shorter than the formats
};

/// By circular buffer.
struct KernelFormats {
  std::vector<DataFormat> unpack_source, unpack_destination, pack_source, pack_destination;
};

/// The formats of a kernel whose circular buffers have these; Invalid of one that is not there.
/// Error: BadInput; exponents of 5 and of 8 bits in one kernel.
Expected<KernelFormats> kernel_formats(std::span<const DataFormat> formats,
                                       const FormatRules& rules);

} // namespace lanewise::programs
