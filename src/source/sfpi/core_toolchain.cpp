#include "source/sfpi/core_toolchain.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <utility>

#include "chip/riscv/address_map.h"
#include "chip/riscv/instruction.h"
#include "source/sfpi/headers.h"
#include "source/sfpi/kernel_object.h"
#include "source/sfpi/prelude.h"

namespace lanewise::sfpi {

namespace {

using Words = std::vector<std::string>;

/// Which part of a core's own RAM is the stack (memory.<chip>.ld of LLK).
constexpr std::uint32_t kStackPart = 8;
/// Of the part for variables in L1.
constexpr std::uint32_t kSharedBytes = 0x800;

/// What the vendor's cores execute that Debian's compiler knows. It has no name for the Zaamo of
/// Blackhole, which nothing in LLK needs.
std::string march(Arch arch) {
  using riscv::Extension;
  std::string text = "-march=rv32im";
  for (const auto& [extension, name] :
       {std::pair(Extension::Zicsr, "_zicsr"), std::pair(Extension::Zba, "_zba"),
        std::pair(Extension::Zbb, "_zbb")}) {
    if (riscv::has_extension(arch, extension)) text += name;
  }
  return text;
}
/// For which the compiler has its own library.
constexpr std::string_view kLibraryMarch = "-march=rv32im", kAbi = "-mabi=ilp32";

/// Folders in which g++ looks for headers, and those in which it would if they were there, as g++
/// -v says it.
struct SearchedFolders {
  Words there, missing;
};

SearchedFolders searched_folders(const std::string& answer) {
  constexpr std::string_view kMissing = "ignoring nonexistent directory \"";
  SearchedFolders folders;
  std::istringstream lines(answer);
  bool in_list = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#include <")) in_list = true;
    if (line.starts_with("End of search list")) in_list = false;
    if (in_list && line.starts_with(' ')) folders.there.push_back(line.substr(1));
    if (line.starts_with(kMissing) && line.ends_with('"'))
      folders.missing.push_back(line.substr(kMissing.size(), line.size() - kMissing.size() - 1));
  }
  return folders;
}

bool is_there(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

/// The folders of the host's C and C++ headers, in the order in which its own g++ looks into them:
/// Debian's compiler for the cores comes without any. Error: BadInput.
Expected<Words> header_folders(const HostCompiler& host) {
  const auto answer = ask_once(
      host, {"-v", "-E", "-x", "c++", "-o", "/dev/null", "/dev/null"}, [](const std::string& text) {
        const SearchedFolders folders = searched_folders(text);
        return !folders.there.empty() && std::ranges::all_of(folders.there, is_there) &&
               std::ranges::none_of(folders.missing, is_there);
      });
  Words folders = answer ? searched_folders(*answer).there : Words();
  // g++'s own folders are for its own processor.
  std::erase_if(folders,
                [](const std::string& folder) { return folder.find("/lib/gcc/") != folder.npos; });
  if (!folders.empty()) return folders;
  return bad_input("g++ does not say where its headers lie", "look at what g++ -v -E says");
}

/// The compiler's own functions: division, numbers of 64 bits, floats.
Expected<std::string> core_library(const HostCompiler& compiler) {
  const auto first_line = [](const std::string& text) { return text.substr(0, text.find('\n')); };
  const auto answer =
      ask_once(compiler, {std::string(kLibraryMarch), std::string(kAbi), "-print-libgcc-file-name"},
               [&](const std::string& text) { return is_there(first_line(text)); });
  if (answer) return first_line(*answer);
  return bad_input("riscv64-unknown-elf-g++ has no library for rv32im and ilp32",
                   "install Debian's package gcc-riscv64-unknown-elf");
}

} // namespace

std::vector<std::string> CoreToolchain::folder_flags() const {
  Words flags{"-I" + (headers / "core").string()};
  for (const std::string& folder : folders) flags.push_back("-idirafter" + folder);
  return flags;
}

std::vector<std::string> CoreToolchain::link_flags(const std::filesystem::path& script) const {
  return {"-nostdlib",
          "-nostartfiles",
          "-Wl,-T," + script.string(),
          "-Wl,-z,max-page-size=16",
          "-Wl,--build-id=none",
          "-Wl,--no-warn-rwx-segments",
          "-Wl,--no-warn-mismatch",
          "-Xlinker",
          library};
}

Expected<CoreToolchain> find_core_toolchain() {
  const auto compiler = find_core_compiler();
  if (!compiler) return Unexpected(compiler.error());
  const auto host = find_host_compiler();
  if (!host) return Unexpected(host.error());
  auto folders = header_folders(*host);
  if (!folders) return Unexpected(folders.error());
  auto library = core_library(*compiler);
  if (!library) return Unexpected(library.error());
  const auto headers = sfpi_include_folder();
  if (!headers) return Unexpected(headers.error());
  return CoreToolchain{std::move(*folders), std::move(*library), *headers};
}

std::vector<std::string> core_compile_flags(Arch arch) {
  return {march(arch), std::string(kAbi), "-g", "-ffast-math", "-fno-exceptions", "-fno-rtti",
          "-fno-use-cxa-atexit",
          // g++ 12 stores once more behind a loop what the loop stores into a volatile: a word
          // would be pushed twice.
          "-fno-move-loop-stores", "-fno-reorder-blocks", "-fno-threadsafe-statics",
          "-fno-asynchronous-unwind-tables",
          "-D_GNU_SOURCE", // the host's C++ headers count on it
          "-nostdinc++"};
}

std::string core_linker_script(Arch arch, const CoreMemory& memory) {
  const auto ram = riscv::range_of(arch, riscv::Region::LocalRam);
  const std::uint32_t ram_bytes = ram.last - ram.first + 1;
  const std::uint32_t stack = ram_bytes / kStackPart;
  const std::string shared_region =
      memory.shared
          ? fmt::format("  shared : ORIGIN = {:#x}, LENGTH = {:#x}\n", *memory.shared, kSharedBytes)
          : "";
  const std::string shared_section =
      memory.shared ? "  .lanewise_shared : { KEEP(*(lanewise_shared)) } > shared\n" : "";
  const std::string loader_init =
      memory.loader_init ? fmt::format("  __loader_init_start = {:#x};\n", *memory.loader_init)
                         : "";
  return fmt::format(R"(ENTRY(_start)
__instrn_buffer = 0xFFE40000;
MEMORY
{{
  code : ORIGIN = {0:#x}, LENGTH = {1:#x}
  data : ORIGIN = {2:#x}, LENGTH = {3:#x}
{4}}}
SECTIONS
{{
  .init : {{ KEEP(*(.init)) }} > code
  .text : {{ *(.text.unlikely .text.unlikely.*) *(.text.startup .text.startup.*) *(.text .text.*) *(l1_data) }} > code
{5}{6}  __stack_top = {7:#x};
  __global_pointer$ = ORIGIN(data) + 0x800;
  .ldm_data :
  {{
    __ldm_data_start = .;
    *(.rodata .rodata.*) *(.srodata .srodata.*)
    . = ALIGN(4);
    __init_array_start = .;
    KEEP(*(SORT_BY_INIT_PRIORITY(.init_array.*))) KEEP(*(.init_array))
    __init_array_end = .;
    *(.sdata .sdata.*) *(.data .data.*)
    . = ALIGN(4);
    __ldm_data_end = .;
  }} > data
  .ldm_bss (NOLOAD) :
  {{
    __ldm_bss_start = .;
    *(.sbss .sbss.*) *(.bss .bss.*) *(COMMON)
    . = ALIGN(4);
    __ldm_bss_end = .;
  }} > data
  .device_print_strings 0x6400000 (INFO) : {{ KEEP(*(.device_print_strings)) }}
  .device_print_strings_info 0x6500000 (INFO) :
  {{
    __device_print_strings_info_start = 0x6500000;
    KEEP(*(.device_print_strings_info))
  }}
  .profiler_meta 0 (INFO) : {{ KEEP(*(.profiler_meta)) }}
  /DISCARD/ : {{ *(.eh_frame .eh_frame.*) *(.note.*) *(.riscv.attributes) }}
}}
)",
                     memory.code, memory.code_bytes, ram.first, ram_bytes - stack, shared_region,
                     shared_section, loader_init, ram.last + 1);
}

std::string core_start_text(DataOfCore data) {
  // Declared here only: headers of tt-metal, which need none of it, declare some otherwise.
  constexpr std::string_view kLoad = R"(
  extern volatile std::uint32_t __ldm_bss_start[], __ldm_bss_end[], __loader_init_start[], __ldm_data_start[], __ldm_data_end[];
  for (volatile std::uint32_t* to = __ldm_bss_start; to < __ldm_bss_end; ++to) *to = 0;
  const volatile std::uint32_t* from = __loader_init_start;
  for (volatile std::uint32_t* to = __ldm_data_start; to < __ldm_data_end; ++to) *to = *from++;)";
  return fmt::format(R"(
extern "C" {{
extern void (*__init_array_start[])();
extern void (*__init_array_end[])();
__attribute__((used, noinline)) void lanewise_start() {{{0}
  for (void (**each)() = __init_array_start; each < __init_array_end; ++each) (*each)();
  {1}();
}}
__attribute__((section(".init"), naked, used)) void _start() {{
  asm volatile(
      ".option push\n.option norelax\nla gp, __global_pointer$\n.option pop\n"
      "la sp, __stack_top\ncall lanewise_start\n1: j 1b");
}}
}}
)",
                     data == DataOfCore::AreLoaded ? kLoad : std::string_view(), kEntryName);
}

const std::string_view kCoreMemoryFunctions = R"(
extern "C" {
#define LANEWISE_AS_IT_STANDS __attribute__((used, optimize("no-tree-loop-distribute-patterns")))
LANEWISE_AS_IT_STANDS void* lanewise_memset(void* to, int value, std::size_t count) {
  const std::uint32_t word = 0x01010101u * static_cast<unsigned char>(value);
  char* byte = static_cast<char*>(to);
  if (reinterpret_cast<std::uintptr_t>(to) % 4 == 0)
    for (; count >= 4; count -= 4, byte += 4) *reinterpret_cast<std::uint32_t*>(byte) = word;
  for (; count > 0; --count) *byte++ = static_cast<char>(value);
  return to;
}
LANEWISE_AS_IT_STANDS void* lanewise_memcpy(void* to, const void* from, std::size_t count) {
  char* byte = static_cast<char*>(to);
  const char* source = static_cast<const char*>(from);
  if ((reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from)) % 4 == 0)
    for (; count >= 4; count -= 4, byte += 4, source += 4)
      *reinterpret_cast<std::uint32_t*>(byte) = *reinterpret_cast<const std::uint32_t*>(source);
  for (; count > 0; --count) *byte++ = *source++;
  return to;
}
LANEWISE_AS_IT_STANDS void* lanewise_memmove(void* to, const void* from, std::size_t count) {
  if (to <= from) return lanewise_memcpy(to, from, count);
  while (count-- > 0) static_cast<char*>(to)[count] = static_cast<const char*>(from)[count];
  return to;
}
}
// Were they defined by these names, g++ would no longer put moves in place of short copies.
asm(".globl memset, memcpy, memmove\n.set memset, lanewise_memset\n"
    ".set memcpy, lanewise_memcpy\n.set memmove, lanewise_memmove");
)";

} // namespace lanewise::sfpi
