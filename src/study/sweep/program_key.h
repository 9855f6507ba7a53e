// A program as a part of the key of a remembered result (base/remembered.h).
#pragma once

#include <cstdint>
#include <string>

#include "chip/isa/arch.h"
#include "chip/isa/program.h"

namespace lanewise::sweep {

/// What of the words' places stands in a key.
enum class KeyPlaces : std::uint8_t {
  Parts, ///< what runs once, and what for every tile: a comment more changes nothing
  Lines  ///< files and lines, too, and the program's name, where results have them
};

/// Everything that decides what a program does, as a text: no digest, so that no two programs have
/// the same.
std::string program_key(Arch arch, const Program& program, KeyPlaces places);

} // namespace lanewise::sweep
