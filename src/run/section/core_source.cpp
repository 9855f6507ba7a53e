#include "run/section/core_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "base/process.h"
#include "base/text_file.h"
#include "chip/riscv/address_map.h"
#include "chip/riscv/instruction.h"
#include "run/section/build_header.h"
#include "run/section/section_plan.h"
#include "source/sfpi/headers.h"
#include "source/sfpi/prelude.h"

namespace lanewise::section {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// Bytes of L1 for a core's code, and which part of its own RAM is the stack (memory.<chip>.ld of
/// LLK).
constexpr std::uint32_t kCodeBytes = 0x4000, kStackPart = 8;

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

/// The layout of LLK's linker scripts: code in L1; constants, data and stack in the core's own RAM,
/// whose contents wait behind the code. What is for the host to read has no place in memory.
std::string linker_script(Arch arch, unsigned thread) {
  const auto ram = riscv::range_of(arch, riscv::Region::LocalRam);
  const std::uint32_t ram_bytes = ram.last - ram.first + 1;
  const std::uint32_t stack = ram_bytes / kStackPart;
  return fmt::format(R"(ENTRY(_start)
__instrn_buffer = 0xFFE40000;
MEMORY
{{
  code : ORIGIN = {0:#x}, LENGTH = {1:#x}
  data : ORIGIN = {2:#x}, LENGTH = {3:#x}
}}
SECTIONS
{{
  .init : {{ KEEP(*(.init)) }} > code
  .text : {{ *(.text.unlikely .text.unlikely.*) *(.text.startup .text.startup.*) *(.text .text.*) *(l1_data) }} > code
  __loader_init_start = {4:#x};
  __stack_top = {5:#x};
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
                     kCoreCode + thread * (kCodeBytes + ram_bytes), kCodeBytes, ram.first,
                     ram_bytes - stack, kCoreCode + thread * (kCodeBytes + ram_bytes) + kCodeBytes,
                     ram.last + 1);
}

/// What runs before the section, as LLK's start code does it: the stack, variables that are zero,
/// those with a value, static objects. Then the core turns around in place. And what g++ asks for
/// by itself.
constexpr std::string_view kStartCode = R"(
extern "C" {
extern volatile std::uint32_t __ldm_bss_start[], __ldm_bss_end[], __loader_init_start[], __ldm_data_start[], __ldm_data_end[];
extern void (*__init_array_start[])();
extern void (*__init_array_end[])();
__attribute__((used, noinline)) void lanewise_start() {
  for (volatile std::uint32_t* to = __ldm_bss_start; to < __ldm_bss_end; ++to) *to = 0;
  const volatile std::uint32_t* from = __loader_init_start;
  for (volatile std::uint32_t* to = __ldm_data_start; to < __ldm_data_end; ++to) *to = *from++;
  for (void (**each)() = __init_array_start; each < __init_array_end; ++each) (*each)();
  lanewise_entry(); // sfpi::kEntryName
}
__attribute__((section(".init"), naked, used)) void _start() {
  asm volatile(
      ".option push\n.option norelax\nla gp, __global_pointer$\n.option pop\n"
      "la sp, __stack_top\ncall lanewise_start\n1: j 1b");
}
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

/// The folders of the host's C and C++ headers, in the order in which its own g++ looks into them:
/// Debian's compiler for the cores comes without any. Error: BadInput.
Expected<Words> header_folders(const sfpi::HostCompiler& host) {
  Words question = host.command;
  question.insert(question.end(), {"-v", "-E", "-x", "c++", "-o", "/dev/null", "/dev/null"});
  const auto answer = run_process(question);
  Words folders;
  if (answer && answer->succeeded()) {
    std::istringstream lines(answer->err);
    bool in_list = false;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("#include <")) in_list = true;
      if (line.starts_with("End of search list")) in_list = false;
      // g++'s own folders are for its own processor.
      const bool is_own = line.find("/lib/gcc/") != line.npos;
      if (in_list && line.starts_with(' ') && !is_own) folders.push_back(line.substr(1));
    }
  }
  if (!folders.empty()) return folders;
  return bad_input("g++ does not say where its headers lie", "look at what g++ -v -E says");
}

/// The compiler's own functions: division, numbers of 64 bits, floats.
Expected<std::string> core_library(const sfpi::HostCompiler& compiler) {
  Words question = compiler.command;
  question.insert(question.end(),
                  {std::string(kLibraryMarch), std::string(kAbi), "-print-libgcc-file-name"});
  auto answer = run_process(question);
  if (!answer || !answer->succeeded() || answer->out.find('\n') == std::string::npos)
    return bad_input("riscv64-unknown-elf-g++ has no library for rv32im and ilp32",
                     "install Debian's package gcc-riscv64-unknown-elf");
  return answer->out.substr(0, answer->out.find('\n'));
}

/// What all three programs are compiled with.
struct Toolchain {
  Words folders; ///< of the host's headers
  std::string library;
  fs::path headers; ///< ours
};

Expected<Toolchain> find_toolchain() {
  const auto compiler = sfpi::find_core_compiler();
  if (!compiler) return Unexpected(compiler.error());
  const auto host = sfpi::find_host_compiler();
  if (!host) return Unexpected(host.error());
  auto folders = header_folders(*host);
  if (!folders) return Unexpected(folders.error());
  auto library = core_library(*compiler);
  if (!library) return Unexpected(library.error());
  const auto headers = sfpi::sfpi_include_folder();
  if (!headers) return Unexpected(headers.error());
  return Toolchain{std::move(*folders), std::move(*library), *headers};
}

/// As LLK's build has them (test_config.py), but for what Debian's compiler does not know.
Words core_flags(const TestSource& source, unsigned thread, const SectionPlan& plan,
                 const Toolchain& toolchain) {
  Words flags{march(source.arch), std::string(kAbi), "-O3", "-g", "-ffast-math", "-fno-exceptions",
              "-fno-rtti", "-fno-use-cxa-atexit",
              // g++ 12 stores once more behind a loop what the loop stores into a volatile: a word
              // would be pushed twice.
              "-fno-move-loop-stores", "-fno-reorder-blocks", "-fno-threadsafe-statics",
              "-fno-asynchronous-unwind-tables", "-DLANEWISE_MARKS",
              "-D_GNU_SOURCE", // the host's C++ headers count on it
              "-nostdinc++"};
  for (std::string& flag : shared_flags(source, thread, plan)) flags.push_back(std::move(flag));
  flags.push_back("-I" + (toolchain.headers / "core").string());
  for (const std::string& folder : toolchain.folders) flags.push_back("-idirafter" + folder);
  return flags;
}

Expected<sfpi::ObjectRequest> core_request(const TestSource& source, unsigned thread,
                                           const SectionPlan& plan, const Toolchain& toolchain) {
  constexpr std::string_view kScript = "core.ld";
  const auto script = text_in_cache("link", kScript, linker_script(source.arch, thread));
  if (!script) return Unexpected(script.error());
  return sfpi::ObjectRequest{
      .name = source.file,
      .arch = source.arch,
      .text = section_text(source, thread, "lanewise_core.h") + std::string(kStartCode),
      .flags = core_flags(source, thread, plan, toolchain),
      .link_flags = {"-nostdlib", "-nostartfiles", "-Wl,-T," + (*script / kScript).string(),
                     "-Wl,-z,max-page-size=16", "-Wl,--build-id=none", "-Wl,--no-warn-rwx-segments",
                     "-Wl,--no-warn-mismatch", "-Xlinker", toolchain.library},
      .version = {},
      .limits = source.limits,
      .settled = plan.build.parent_path(),
      .for_core = true};
}

} // namespace

Expected<SectionObjects> compile_for_cores(const TestSource& source) {
  const auto plans = plan_sections(source);
  if (!plans) return Unexpected(plans.error());
  const auto toolchain = find_toolchain();
  if (!toolchain) return Unexpected(toolchain.error());
  std::array<sfpi::ObjectRequest, kThreads> requests;
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    auto request = core_request(source, thread, (*plans)[thread], *toolchain);
    if (!request) return Unexpected(request.error());
    requests[thread] = std::move(*request);
  }
  return compile_requests(requests);
}

Expected<CoreImages> read_core_images(const SectionObjects& programs) {
  CoreImages images;
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    const auto bytes = read_text_file(programs[thread].string());
    if (!bytes) return Unexpected(bytes.error());
    auto image = elf::read_image(*bytes, programs[thread].string());
    if (!image) return Unexpected(image.error());
    images[thread] = std::move(*image);
  }
  return images;
}

std::optional<ZoneBuffer> zone_buffer_of(const elf::Image& image) {
  const auto symbol = std::ranges::find(image.objects, kZoneBufferName, &elf::Symbol::name);
  if (symbol == image.objects.end()) return std::nullopt;
  for (const elf::Segment& segment : image.segments) {
    ZoneBuffer buffer;
    const std::uint32_t offset = symbol->address - segment.address;
    if (symbol->address < segment.address || offset > segment.bytes.size() ||
        segment.bytes.size() - offset < sizeof buffer)
      continue;
    std::memcpy(&buffer, segment.bytes.data() + offset, sizeof buffer);
    return buffer;
  }
  return std::nullopt;
}

} // namespace lanewise::section
