#include "binary/elf/image.h"

#include <cxxabi.h>
#include <elf.h>
#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "base/characters.h"
#include "binary/elf/debug_lines.h"

namespace lanewise::elf {

namespace {

struct EndElf {
  void operator()(::Elf* file) const { ::elf_end(file); }
};

/// A linker makes about five.
constexpr std::size_t kMostSegments = 256;

/// A damaged file, found while it is read; never leaves read_image().
struct Damage {
  std::string message;
};

/// References to earlier parts of a mangled name (S0_, T_). Each may double what the name stands
/// for.
std::size_t references_in(std::string_view name) {
  std::size_t count = 0;
  for (std::size_t i = 0; i + 1 < name.size(); ++i) {
    const bool refers = name[i + 1] == '_' || is_digit(name[i + 1]);
    if ((name[i] == 'S' || name[i] == 'T') && refers) ++count;
  }
  return count;
}

/// A name as C++ has it, or as it is. Names of hostile files may stand for texts without end, which
/// no kernel's does.
std::string demangled(const std::string& name) {
  constexpr std::size_t kLongestName = 1000, kMostReferences = 16;
  const bool is_usual = name.size() <= kLongestName && references_in(name) <= kMostReferences;
  if (!name.starts_with("_Z") || !is_usual) return name;
  struct Free {
    void operator()(char* text) const { std::free(text); }
  };
  int status = 0;
  const std::unique_ptr<char, Free> text(
      ::abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status));
  return text ? text.get() : name;
}

/// The sections and headers of one file. Every offset is held against the file before it is used.
class Reader {
 public:
  Reader(::Elf* file, std::string_view bytes) : file_(file), bytes_(bytes) {}

  void read(Image& image) {
    read_header(image);
    read_segments(image);
    read_symbols(image);
    add_sections_without_symbols(image);
    settle_sizes(image);
    if (!has_compressed_sections()) read_debug_lines(file_, image);
  }

 private:
  void read_header(Image& image) {
    GElf_Ehdr header;
    if (::gelf_getehdr(file_, &header) == nullptr) throw Damage{"its header cannot be read"};
    if (header.e_ident[EI_CLASS] != ELFCLASS32 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
        header.e_machine != EM_RISCV) {
      throw Damage{"it is not for 32-bit little-endian RISC-V"};
    }
    if (header.e_type != ET_EXEC)
      throw Damage{"it is no linked program: its code has no addresses yet"};
    image.entry = static_cast<std::uint32_t>(header.e_entry);
  }

  std::string_view piece(std::uint64_t offset, std::uint64_t size, std::string_view what) const {
    if (offset > bytes_.size() || size > bytes_.size() - offset)
      throw Damage{fmt::format("{} ends behind the end of the file", what)};
    return bytes_.substr(offset, size);
  }

  void read_segments(Image& image) {
    std::size_t count = 0;
    if (::elf_getphdrnum(file_, &count) != 0) throw Damage{"its program header cannot be read"};
    std::uint64_t memory = 0;
    for (std::size_t i = 0; i < count; ++i) {
      GElf_Phdr header;
      if (::gelf_getphdr(file_, static_cast<int>(i), &header) == nullptr)
        throw Damage{"its program header cannot be read"};
      if (header.p_type != PT_LOAD || header.p_memsz == 0) continue;
      memory += header.p_memsz;
      if (image.segments.size() == kMostSegments) throw Damage{"it has too many segments"};
      if (memory > kMostMemory) throw Damage{"its segments take more memory than a tile has"};
      image.segments.push_back(read_segment(header));
    }
    if (image.segments.empty()) throw Damage{"nothing of it is loaded"};
    sort_segments(image.segments);
  }

  Segment read_segment(const GElf_Phdr& header) const {
    if (header.p_filesz > header.p_memsz ||
        header.p_vaddr + header.p_memsz > (std::uint64_t{1} << 32))
      throw Damage{"a segment is larger than its place in memory"};
    const std::string_view bytes = piece(header.p_offset, header.p_filesz, "a segment");
    return {.address = static_cast<std::uint32_t>(header.p_vaddr),
            .size = static_cast<std::uint32_t>(header.p_memsz),
            .bytes = {bytes.begin(), bytes.end()},
            .executable = (header.p_flags & PF_X) != 0};
  }

  static void sort_segments(std::vector<Segment>& segments) {
    std::ranges::sort(segments, {}, &Segment::address);
    for (std::size_t i = 1; i < segments.size(); ++i) {
      if (segments[i].address - segments[i - 1].address < segments[i - 1].size)
        throw Damage{"two segments overlap in memory"};
    }
  }

  /// Calls take(section, header) for each.
  template <class Take>
  void for_each_section(const Take& take) {
    for (Elf_Scn* section = nullptr; (section = ::elf_nextscn(file_, section)) != nullptr;) {
      GElf_Shdr header;
      if (::gelf_getshdr(section, &header) == nullptr)
        throw Damage{"a section's header cannot be read"};
      take(section, header);
    }
  }

  void read_symbols(Image& image) {
    for_each_section([&](Elf_Scn* section, const GElf_Shdr& header) {
      if (header.sh_type == SHT_SYMTAB) read_symbol_table(section, header, image);
    });
  }

  void read_symbol_table(Elf_Scn* section, const GElf_Shdr& header, Image& image) {
    piece(header.sh_offset, header.sh_size, "the symbol table");
    Elf_Data* const data = ::elf_getdata(section, nullptr);
    if (data == nullptr) throw Damage{"its symbols cannot be read"};
    const std::size_t count = data->d_size / sizeof(Elf32_Sym);
    for (std::size_t i = 0; i < count; ++i) {
      GElf_Sym symbol;
      if (::gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr)
        throw Damage{"a symbol cannot be read"};
      add_symbol(symbol, ::elf_strptr(file_, header.sh_link, symbol.st_name), image);
    }
  }

  static void add_symbol(const GElf_Sym& symbol, const char* name, Image& image) {
    const auto type = GELF_ST_TYPE(symbol.st_info);
    const bool has_place = symbol.st_shndx != SHN_UNDEF;
    if (name == nullptr || *name == '\0' || !has_place) return;
    Symbol entry{.name = name,
                 .readable = demangled(name),
                 .address = static_cast<std::uint32_t>(symbol.st_value),
                 .size = static_cast<std::uint32_t>(symbol.st_size)};
    if (type == STT_FUNC)
      image.functions.push_back(std::move(entry));
    else if (type == STT_OBJECT || type == STT_NOTYPE)
      image.objects.push_back(std::move(entry));
  }

  /// Assembly may name no functions; then a section of code is one.
  void add_sections_without_symbols(Image& image) {
    std::ranges::stable_sort(image.functions, {}, &Symbol::address);
    std::size_t names = 0;
    if (::elf_getshdrstrndx(file_, &names) != 0) return;
    std::vector<Symbol> found;
    for_each_section([&](Elf_Scn*, const GElf_Shdr& header) {
      const bool is_code = header.sh_type == SHT_PROGBITS && (header.sh_flags & SHF_EXECINSTR) != 0;
      if (!is_code || holds_function(image, header)) return;
      const char* const text = ::elf_strptr(file_, names, header.sh_name);
      const std::string name = text == nullptr || *text == '\0' ? "code" : text;
      found.push_back({name, name, static_cast<std::uint32_t>(header.sh_addr),
                       static_cast<std::uint32_t>(header.sh_size)});
    });
    image.functions.insert(image.functions.end(), found.begin(), found.end());
  }

  static bool holds_function(const Image& image, const GElf_Shdr& section) {
    const auto first =
        std::ranges::lower_bound(image.functions, section.sh_addr, {}, &Symbol::address);
    return first != image.functions.end() && first->address - section.sh_addr < section.sh_size;
  }

  /// Code begins at a word, and ends within its segment; of two names for a place, the first stays.
  static void settle_sizes(Image& image) {
    std::vector<Symbol>& all = image.functions;
    std::ranges::stable_sort(image.objects, {}, &Symbol::address);
    std::erase_if(all, [&](const Symbol& each) {
      return each.address % 4 != 0 || code_bytes_from(image, each.address) == 0;
    });
    std::ranges::stable_sort(all, {}, &Symbol::address);
    const auto same_place = [](const Symbol& a, const Symbol& b) { return a.address == b.address; };
    all.erase(std::unique(all.begin(), all.end(), same_place), all.end());
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::uint32_t most = code_bytes_from(image, all[i].address);
      if (i + 1 < all.size()) most = std::min(most, all[i + 1].address - all[i].address);
      if (all[i].size == 0 || all[i].size > most) all[i].size = most;
      all[i].size -= all[i].size % 4;
    }
  }

  /// Bytes of code that the file has from an address on.
  static std::uint32_t code_bytes_from(const Image& image, std::uint32_t address) {
    for (const Segment& segment : image.segments) {
      const std::uint32_t offset = address - segment.address;
      if (segment.executable && address >= segment.address && offset < segment.bytes.size())
        return static_cast<std::uint32_t>(segment.bytes.size()) - offset;
    }
    return 0;
  }

  /// They may stand for any number of bytes; toolchains for the cores make none.
  bool has_compressed_sections() {
    bool found = false;
    for_each_section([&found](Elf_Scn*, const GElf_Shdr& header) {
      found = found || (header.sh_flags & SHF_COMPRESSED) != 0;
    });
    return found;
  }

  ::Elf* file_;
  std::string_view bytes_;
};

Unexpected unusable(const std::string& name, const std::string& reason) {
  Unexpected fault = bad_input("the ELF file cannot be used: " + reason,
                               "give a kernel's linked ELF, as the kernel cache has it");
  fault.value().file = name;
  return fault;
}

/// The last element that begins at or before an address.
template <class Elements, class Begin>
const auto* last_before(const Elements& elements, std::uint32_t address, const Begin& begin) {
  const auto next = std::ranges::upper_bound(elements, address, {}, begin);
  return next == elements.begin() ? nullptr : &*std::prev(next);
}

} // namespace

Expected<Image> read_image(std::string_view bytes, const std::string& name) {
  if (!is_elf(bytes)) return unusable(name, "it does not begin as one");
  ::elf_version(EV_CURRENT);
  std::string copy(bytes); // libelf takes memory that it may write
  const std::unique_ptr<::Elf, EndElf> file(::elf_memory(copy.data(), copy.size()));
  if (!file || ::elf_kind(file.get()) != ELF_K_ELF) return unusable(name, "its header is damaged");
  Image image{.name = name};
  try {
    Reader(file.get(), copy).read(image);
  } catch (const Damage& damage) {
    return unusable(name, damage.message);
  }
  return image;
}

const Symbol* function_at(const Image& image, std::uint32_t address) {
  const Symbol* const function = last_before(image.functions, address, &Symbol::address);
  return function != nullptr && address - function->address < function->size ? function : nullptr;
}

const LineRange* line_at(const Image& image, std::uint32_t address) {
  const LineRange* const range = last_before(image.lines, address, &LineRange::first);
  return range != nullptr && address < range->end ? range : nullptr;
}

std::vector<const InlinedCall*> inlined_calls_at(const Image& image, std::uint32_t address) {
  std::vector<const InlinedCall*> calls;
  const InlinedCall* call = last_before(image.inlined, address, &InlinedCall::first);
  while (call != nullptr) {
    if (address < call->end) calls.push_back(call);
    call = call->around ? &image.inlined[*call->around] : nullptr;
  }
  return calls;
}

std::string place_text(const Image& image, std::uint32_t address) {
  const Symbol* const function = function_at(image, address);
  if (function == nullptr) return fmt::format("0x{:x}", address);
  if (function->address == address) return function->readable;
  return fmt::format("{}+0x{:x}", function->readable, address - function->address);
}

} // namespace lanewise::elf
