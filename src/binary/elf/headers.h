// The headers of an ELF file for 32-bit little-endian RISC-V ("Tool Interface Standard: Executable
// and Linking Format", 1.2), read from its bytes without a library, so that a browser has them,
// too.
#pragma once

#include <elf.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise::elf {

/// Why a file cannot be read; never leaves read_image().
struct Damage {
  std::string message;
};

/// A file's tables. Every offset is held against the file before it is used. Throws Damage.
class Headers {
 public:
  /// `bytes`: the whole file, which is read later, too.
  explicit Headers(std::string_view bytes);

  const Elf32_Ehdr& file() const { return file_; }
  const std::vector<Elf32_Phdr>& segments() const { return segments_; }
  const std::vector<Elf32_Shdr>& sections() const { return sections_; }

  /// The symbols of a section that holds some.
  std::vector<Elf32_Sym> symbols(const Elf32_Shdr& section) const;

  /// A name in the section of names of that index; empty if there is none.
  std::string name(std::uint32_t section, std::uint32_t offset) const;

  /// `size` bytes from an offset on; `what` names them if the file ends before.
  std::string_view piece(std::uint64_t offset, std::uint64_t size, std::string_view what) const;

 private:
  /// `count` entries of a table, each of which takes `size` bytes.
  template <class Entry>
  std::vector<Entry> table(std::uint64_t offset, std::uint64_t count, std::uint64_t size,
                           std::string_view what) const;

  std::string_view bytes_;
  Elf32_Ehdr file_{};
  std::vector<Elf32_Phdr> segments_;
  std::vector<Elf32_Shdr> sections_;
};

} // namespace lanewise::elf
