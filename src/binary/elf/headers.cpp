#include "binary/elf/headers.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace lanewise::elf {

static_assert(std::endian::native == std::endian::little, "a file's words are read as they are");

Headers::Headers(std::string_view bytes) : bytes_(bytes) {
  const bool has_identity = bytes.size() >= EI_NIDENT;
  if (has_identity && (bytes[EI_CLASS] != ELFCLASS32 || bytes[EI_DATA] != ELFDATA2LSB))
    throw Damage{"it is not for 32-bit little-endian RISC-V"};
  if (bytes.size() < sizeof file_ || bytes[EI_VERSION] != EV_CURRENT)
    throw Damage{"its header is damaged"};
  std::memcpy(&file_, bytes.data(), sizeof file_);
  segments_ =
      table<Elf32_Phdr>(file_.e_phoff, file_.e_phnum, file_.e_phentsize, "the program header");
  sections_ =
      table<Elf32_Shdr>(file_.e_shoff, file_.e_shnum, file_.e_shentsize, "the table of sections");
}

std::string_view Headers::piece(std::uint64_t offset, std::uint64_t size,
                                std::string_view what) const {
  if (offset > bytes_.size() || size > bytes_.size() - offset)
    throw Damage{fmt::format("{} ends behind the end of the file", what)};
  return bytes_.substr(offset, size);
}

template <class Entry>
std::vector<Entry> Headers::table(std::uint64_t offset, std::uint64_t count, std::uint64_t size,
                                  std::string_view what) const {
  if (count == 0) return {};
  if (size != sizeof(Entry))
    throw Damage{fmt::format("{} has entries of {} bytes, not of {}", what, size, sizeof(Entry))};
  const std::string_view bytes = piece(offset, count * size, what);
  std::vector<Entry> entries(count);
  std::memcpy(entries.data(), bytes.data(), bytes.size());
  return entries;
}

std::vector<Elf32_Sym> Headers::symbols(const Elf32_Shdr& section) const {
  return table<Elf32_Sym>(section.sh_offset, section.sh_size / sizeof(Elf32_Sym), sizeof(Elf32_Sym),
                          "the symbol table");
}

std::string Headers::name(std::uint32_t section, std::uint32_t offset) const {
  if (section >= sections_.size() || sections_[section].sh_type != SHT_STRTAB) return {};
  const Elf32_Shdr& names = sections_[section];
  const std::string_view text = piece(names.sh_offset, names.sh_size, "a table of names");
  const std::size_t end = offset < text.size() ? text.find('\0', offset) : text.npos;
  return end == text.npos ? std::string() : std::string(text.substr(offset, end - offset));
}

} // namespace lanewise::elf
