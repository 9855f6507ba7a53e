// Which literals one SFPLOADI loads, and how.
#pragma once

#include <cstdint>
#include <optional>

#include "chip/isa/arch.h"

namespace lanewise::compiler {

/// Mod0 and the immediate of an SFPLOADI.
struct LiteralLoad {
  std::uint8_t mode;
  std::uint16_t imm;
};

/// The SFPLOADI that puts these bits into every lane; nothing where it takes more than one, or on
/// Grayskull cannot be done.
std::optional<LiteralLoad> literal_load(Arch arch, std::uint32_t bits);

} // namespace lanewise::compiler
