#include "source/sfpi/library_calls.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <string_view>

#include "base/file_descriptor.h"

namespace lanewise::sfpi {
namespace {

/// Of each there is one version only, or they do the same, so that an object need not say which.
constexpr std::array<std::string_view, 39> kCommon{
    // of the C library; LLK's environment looks at pages
    "abort", "getenv", "mincore", "mmap", "munmap", "snprintf", "vsnprintf", "write", "memchr",
    "memcmp", "memcpy", "memmove", "memset", "strchr", "strcmp", "strlen", "__cxa_atexit",
    "__cxa_finalize", "__stack_chk_fail", "__tls_get_addr",
    // of libgcc and the C++ library
    "_Unwind_Resume", "__gxx_personality_v0", "__cxa_allocate_exception", "__cxa_begin_catch",
    "__cxa_end_catch", "__cxa_free_exception", "__cxa_guard_abort", "__cxa_guard_acquire",
    "__cxa_guard_release", "__cxa_pure_virtual", "__cxa_rethrow", "__cxa_throw", "_ZSt9terminatev",
    "_ZTIi", "_ZTVN10__cxxabiv117__class_type_infoE", "_ZTVN10__cxxabiv120__si_class_type_infoE",
    "_Znwm", "_ZdlPv", "_ZdlPvm"};

struct CloseElf {
  void operator()(Elf* elf) const { ::elf_end(elf); }
};

/// Whether a dynamic symbol is defined, or may be missing, or is one of the list.
bool is_common(Elf* elf, const GElf_Shdr& table, const GElf_Sym& symbol) {
  const bool is_missing = symbol.st_shndx == SHN_UNDEF && symbol.st_name != 0 &&
                          GELF_ST_BIND(symbol.st_info) != STB_WEAK;
  if (!is_missing) return true;
  const char* const name = ::elf_strptr(elf, table.sh_link, symbol.st_name);
  return name != nullptr && std::ranges::find(kCommon, name) != kCommon.end();
}

bool has_common_symbols_only(Elf* elf, Elf_Scn* section, const GElf_Shdr& table) {
  Elf_Data* const data = ::elf_getdata(section, nullptr);
  if (data == nullptr || table.sh_entsize == 0) return false;
  const std::size_t count = table.sh_size / table.sh_entsize;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Sym symbol;
    if (::gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) return false;
    if (!is_common(elf, table, symbol)) return false;
  }
  return true;
}

} // namespace

bool needs_common_functions_only(const std::filesystem::path& object) {
  ::elf_version(EV_CURRENT);
  const FileDescriptor file(::open(object.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return false;
  const std::unique_ptr<Elf, CloseElf> elf(::elf_begin(file.number(), ELF_C_READ, nullptr));
  Elf_Scn* section = nullptr;
  while ((section = ::elf_nextscn(elf.get(), section)) != nullptr) {
    GElf_Shdr table;
    if (::gelf_getshdr(section, &table) == nullptr) return false;
    if (table.sh_type == SHT_DYNSYM) return has_common_symbols_only(elf.get(), section, table);
  }
  return false;
}

void offer_common_functions() {
  // It is loaded already: this only says that everybody may find what it has.
  ::dlopen("libstdc++.so.6", RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
}

} // namespace lanewise::sfpi
