// Where a word of a program comes from, where that is more than a line of the program's own file.
#pragma once

#include <cstdint>
#include <string>

#include "base/fault.h"

namespace lanewise {

/// What a word is there for, in a program that runs on one tile after the other.
enum class ProgramPart : std::uint8_t {
  Tile,   ///< the kernel itself: again for every tile
  Init,   ///< once, before the first tile
  Around, ///< again for every tile, but not the kernel's: what the library does around it
};

/// What a line number stands for. `file` is empty for the program's own file.
struct SourcePlace {
  std::string file;
  std::uint32_t line = 0; ///< from 1; 0 = none
  ProgramPart part = ProgramPart::Tile;

  friend bool operator==(const SourcePlace&, const SourcePlace&) = default;
};

/// Line numbers from here on stand for places. No file has as many lines.
inline constexpr std::uint32_t kFirstPlace = 1U << 31;

/// The number that stands for a place in ProgramWord::line and in all that is made of it: the line
/// itself where it is one of the program's own file and part of the tile. The same place has the
/// same number for as long as the process runs; every place that was ever asked for is kept. May be
/// called from any thread.
std::uint32_t line_number(const SourcePlace& place);

/// What a line number stands for.
SourcePlace source_place(std::uint32_t number);

/// What the word is there for.
ProgramPart part_of_line(std::uint32_t number);

/// Whether there is a line at all.
bool has_line(std::uint32_t number);

/// "line 12", or for a line of another file "ckernel_sfpu_exp.h:12", with its folder.
std::string line_text(std::uint32_t number);

/// The same where there is little room: "12", "ckernel_sfpu_exp.h:12" without its folder, or "".
std::string line_label(std::uint32_t number);

/// Gives a fault the line, and where it is not the program's own the file, that its line stands
/// for. What is written of a fault is that of a settled one.
void settle_place(Fault& fault);
Fault settled(Fault fault);

/// The place of a settled fault as a message begins with it: "kernel.cpp:12:3", or "in the call"
/// for what an option of the command line says, whose text is no file. Empty if there is none.
std::string place_text(const Fault& fault);

} // namespace lanewise
