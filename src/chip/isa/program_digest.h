// Whether two programs are the same to the hardware.
#pragma once

#include <cstdint>

#include "chip/isa/program.h"

namespace lanewise::isa {

/// Which words run, with which settings: the same for programs that differ in their source only.
/// FNV-1a of 64 bits.
std::uint64_t program_digest(const Program& program);

} // namespace lanewise::isa
