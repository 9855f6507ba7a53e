// A tuned program: its words, what each is part of, and the ways to write it down.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "chip/isa/arch.h"
#include "chip/isa/program.h"

namespace lanewise::tune {

struct EmitOptions {
  /// Macros count instructions instead of cycles: whatever comes late, their meaning stays.
  bool counts_instructions = false;
  /// SFPNOPs behind the last instruction.
  unsigned pads = 0;
};

/// What a word of the tuned program is part of.
enum class WordPart : std::uint8_t { Init, Body, Tile };

struct TunedWord {
  std::uint32_t word = 0;
  WordPart part = WordPart::Tile;
  std::string comment = {};
};

/// Words that stand there `times` times, one behind the other: a loop of the core in C++. Loops
/// within it are those of the first time.
struct WordLoop {
  std::size_t first = 0, length = 0, times = 0;
};

/// State that the tuned program takes for itself.
struct Contract {
  std::vector<std::string> sentences;
};

struct Tuned {
  Arch arch = kDefaultArch;
  std::vector<TunedWord> words; ///< in order; the body stands behind the REPLAY that records it
  /// In front of them in assembly and words, which start without what the firmware does for
  /// kernels: entry_words().
  std::vector<TunedWord> entry;
  unsigned body = 0;                ///< words
  bool is_recorded = true;          ///< the body, in replay slots; false: the core pushes it
  std::vector<WordLoop> loops = {}; ///< in the order of their beginnings, an outer one first
  unsigned macros = 0, templates = 0, registers = 0;
  std::uint64_t predicted_cycles = 0; ///< of a tile, without what runs once
  std::uint32_t dst_counter = 0;      ///< how far the Dst counter moves, modulo 1024
  EmitOptions options;
  Contract contract;
};

/// The longest run of bodies, where the core pushes them; nothing if there is none.
std::vector<WordLoop> longest_loop(const std::vector<TunedWord>& words, std::size_t body);

/// What makes of the state in which assembly starts that in which the firmware enters a kernel
/// (chip/machine/kernel_entry.h): flags in use with all lanes enabled, -1.0 in LReg[11].
std::vector<TunedWord> entry_words(Arch arch, bool flags, bool minus_one);

/// Words of a tile that the core pushes, and those that stand in its code: a loop's once.
std::size_t pushed_words(const Tuned& tuned);
std::size_t code_words(const Tuned& tuned);

/// The words as a program for a kernel, without `entry`, with what runs once marked
/// (base/source_line.h). Lines are those of to_assembly(); of a body that the core pushes again and
/// again, those of the first one.
Program to_program(const Tuned& tuned, const std::string& name);

/// Assembly, complete as it stands, with a comment per word, one word per line.
std::string to_assembly(const Tuned& tuned);

/// What runs once, and a tile, as lines of C++.
std::string tti_init_lines(const Tuned& tuned, std::string_view indent);
std::string tti_tile_lines(const Tuned& tuned, std::string_view indent);

/// Two functions in C++ for a ckernel_sfpu_*.h: `NAME_init` and `NAME_tile`.
std::string to_tti(const Tuned& tuned, const std::string& name);

/// One word in hexadecimal per line, complete as it stands.
std::string to_hex(const Tuned& tuned);

} // namespace lanewise::tune
