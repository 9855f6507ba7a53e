// A kernel's ELF file: what of it is loaded, its functions, and the source lines of its code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"

namespace lanewise::elf {

/// What the program header says is loaded. Behind its bytes, up to `size`, are zeros.
struct Segment {
  std::uint32_t address = 0;
  std::uint32_t size = 0;
  std::vector<std::uint8_t> bytes;
  bool executable = false;
};

/// A range of code or data in memory, with its name.
struct Symbol {
  std::string name;     ///< as the linker knows it
  std::string readable; ///< "ns::f(unsigned int)" where `name` is mangled, else the same
  std::uint32_t address = 0;
  std::uint32_t size = 0; ///< bytes; 0 where the file does not say
};

/// The source line of code from `first` on, up to before `end`.
struct LineRange {
  std::uint32_t first = 0, end = 0;
  std::uint32_t file = 0; ///< index in Image::files
  std::uint32_t line = 0; ///< from 1; 0 = none
};

/// Code from `first` on, up to before `end`, that stands for a call: the compiler has inlined it.
struct InlinedCall {
  std::uint32_t first = 0, end = 0;
  std::string function = {}; ///< that is called, without parameters; empty where DWARF has no name
  std::uint32_t file = 0;    ///< of the call: index in Image::files
  std::uint32_t line = 0;    ///< of the call, from 1; 0 = none
  std::uint32_t depth = 0;   ///< of its entry in DWARF: more than those of calls around it
  std::optional<std::uint32_t> around = {}; ///< the call in whose code it stands, in Image::inlined
};

struct Image {
  std::string name; ///< of the file, for messages
  std::uint32_t entry = 0;
  std::vector<Segment> segments = {}; ///< by address; none overlap
  /// By address. Symbols of functions; where a piece of code has none, its section. Sizes lie
  /// within the segments; a symbol without a size reaches up to the next.
  std::vector<Symbol> functions = {};
  std::vector<Symbol> objects = {}; ///< other symbols in memory, by address
  std::vector<std::string> files = {};
  std::vector<LineRange> lines = {}; ///< by address; none overlap
  /// By address, each behind the calls in whose code it stands. A call has an element for each
  /// piece of its code; of two pieces that overlap, one lies in the other.
  std::vector<InlinedCall> inlined = {};
};

/// Whether bytes begin as an ELF file does.
inline bool is_elf(std::string_view bytes) {
  return bytes.starts_with(
      "\x7f"
      "ELF");
}

/// The most memory that the segments of a file may take, in bytes: a tile has 1.5 MiB of L1.
inline constexpr std::uint32_t kMostMemory = std::uint32_t{1} << 26;

/// Reads a linked ELF file for 32-bit little-endian RISC-V. Debug information that cannot be read
/// leaves code without lines. Error: BadInput with `name`, if it is another kind of file, truncated
/// or contradicts itself.
Expected<Image> read_image(std::string_view bytes, const std::string& name);

/// The function that an address lies in, or nullptr.
const Symbol* function_at(const Image& image, std::uint32_t address);

/// The lines of an address, or nullptr.
const LineRange* line_at(const Image& image, std::uint32_t address);

/// The inlined calls that an address comes from, the innermost first.
std::vector<const InlinedCall*> inlined_calls_at(const Image& image, std::uint32_t address);

/// "f+0x10", or "0x1234" outside of all functions.
std::string place_text(const Image& image, std::uint32_t address);

} // namespace lanewise::elf
