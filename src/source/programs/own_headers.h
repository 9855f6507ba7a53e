// Programs without a checkout of tt-metal: their kernels include headers of Lanewise's own
// (source/sfpi/include/metal/), which have a part of what tt-metal's have, under the same names.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/cache.h"
#include "base/fault.h"
#include "chip/isa/arch.h"
#include "source/programs/start.h"

namespace lanewise::programs {

/// What is generated for them: facts of the chip, its instruction words, and headers of the names
/// that were used before 2026. `headers`: the folder with sfpi.h.
std::vector<GeneratedFile> own_header_files(Arch arch, const std::filesystem::path& headers);

/// What is said of cycles of such programs.
inline constexpr std::string_view kAssumedOfOwnHeaders =
    "kernels are compiled with Lanewise's own headers: cycles are those of their code, and LLK's "
    "is "
    "other code (docs/programs.md, 'Without a checkout')";

/// Where kernels look for headers, in order.
std::vector<std::filesystem::path> own_include_folders(const std::filesystem::path& headers);

/// The translation unit for a core, as start_text() is with a checkout.
std::string own_start_text(Arch arch, unsigned core, bool tells_accesses,
                           Target target = Target::Host);

/// What g++ said of a kernel, with what is known of it: a header or a name that only a checkout
/// has.
Fault with_own_headers(Fault fault);

} // namespace lanewise::programs
