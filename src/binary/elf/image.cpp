#include "binary/elf/image.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

#include "base/characters.h"
#include "binary/elf/debug_lines.h"
#include "binary/elf/headers.h"

namespace lanewise::elf {

namespace {

/// A linker makes about five.
constexpr std::size_t kMostSegments = 256;

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

/// What one file has, as an image.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes), headers_(bytes) {}

  void read(Image& image) const {
    read_header(image);
    read_segments(image);
    read_symbols(image);
    add_sections_without_symbols(image);
    settle_sizes(image);
    if (!has_compressed_sections()) read_debug_lines(bytes_, image);
  }

 private:
  void read_header(Image& image) const {
    const Elf32_Ehdr& header = headers_.file();
    if (header.e_machine != EM_RISCV) throw Damage{"it is not for 32-bit little-endian RISC-V"};
    if (header.e_type != ET_EXEC)
      throw Damage{"it is no linked program: its code has no addresses yet"};
    image.entry = header.e_entry;
  }

  void read_segments(Image& image) const {
    std::uint64_t memory = 0;
    for (const Elf32_Phdr& header : headers_.segments()) {
      if (header.p_type != PT_LOAD || header.p_memsz == 0) continue;
      memory += header.p_memsz;
      if (image.segments.size() == kMostSegments) throw Damage{"it has too many segments"};
      if (memory > kMostMemory) throw Damage{"its segments take more memory than a tile has"};
      image.segments.push_back(read_segment(header));
    }
    if (image.segments.empty()) throw Damage{"nothing of it is loaded"};
    sort_segments(image.segments);
  }

  Segment read_segment(const Elf32_Phdr& header) const {
    if (header.p_filesz > header.p_memsz ||
        std::uint64_t{header.p_vaddr} + header.p_memsz > (std::uint64_t{1} << 32))
      throw Damage{"a segment is larger than its place in memory"};
    const std::string_view bytes = headers_.piece(header.p_offset, header.p_filesz, "a segment");
    return {.address = header.p_vaddr,
            .size = header.p_memsz,
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

  void read_symbols(Image& image) const {
    bool found = false;
    for (const Elf32_Shdr& section : headers_.sections()) {
      if (section.sh_type != SHT_SYMTAB) continue;
      if (std::exchange(found, true)) throw Damage{"it has two symbol tables"};
      for (const Elf32_Sym& symbol : headers_.symbols(section))
        add_symbol(symbol, headers_.name(section.sh_link, symbol.st_name), image);
    }
  }

  static void add_symbol(const Elf32_Sym& symbol, const std::string& name, Image& image) {
    const auto type = ELF32_ST_TYPE(symbol.st_info);
    const bool has_place = symbol.st_shndx != SHN_UNDEF;
    if (name.empty() || !has_place) return;
    Symbol entry{.name = name,
                 .readable = demangled(name),
                 .address = symbol.st_value,
                 .size = symbol.st_size};
    if (type == STT_FUNC)
      image.functions.push_back(std::move(entry));
    else if (type == STT_OBJECT || type == STT_NOTYPE)
      image.objects.push_back(std::move(entry));
  }

  /// Assembly may name no functions; then a section of code is one.
  void add_sections_without_symbols(Image& image) const {
    std::ranges::stable_sort(image.functions, {}, &Symbol::address);
    std::vector<Symbol> found;
    for (const Elf32_Shdr& section : headers_.sections()) {
      const bool is_code =
          section.sh_type == SHT_PROGBITS && (section.sh_flags & SHF_EXECINSTR) != 0;
      if (!is_code || holds_function(image, section)) continue;
      std::string name = headers_.name(headers_.file().e_shstrndx, section.sh_name);
      if (name.empty()) name = "code";
      found.push_back({name, name, section.sh_addr, section.sh_size});
    }
    image.functions.insert(image.functions.end(), found.begin(), found.end());
  }

  static bool holds_function(const Image& image, const Elf32_Shdr& section) {
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
  bool has_compressed_sections() const {
    return std::ranges::any_of(headers_.sections(), [](const Elf32_Shdr& section) {
      return (section.sh_flags & SHF_COMPRESSED) != 0;
    });
  }

  std::string_view bytes_;
  Headers headers_;
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
  Image image{.name = name};
  try {
    Reader(bytes).read(image);
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
