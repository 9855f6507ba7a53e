#include "run/section/test_source.h"

#include <fmt/format.h>

#include <cctype>
#include <future>
#include <system_error>

#include "base/in_quotes.h"
#include "base/text_file.h"
#include "run/section/build_header.h"
#include "source/assembly/kernel_macros.h"
#include "source/sfpi/headers.h"
#include "source/sfpi/host_compiler.h"
#include "source/sfpi/kernel.h"
#include "source/sfpi/kernel_object.h"
#include "source/sfpi/locations.h"

namespace lanewise::tile {
namespace {

namespace fs = std::filesystem;

/// Macros by which LLK's headers choose a section, by thread.
constexpr std::array<std::string_view, kThreads> kSectionMacros{"LLK_TRISC_UNPACK",
                                                                "LLK_TRISC_MATH", "LLK_TRISC_PACK"};

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

fs::path chip_folder(const TestSource& source) {
  return fs::path(source.tree) / arch_params(source.arch).names.llk_folder;
}

/// The chip's part of tests/hw_specific.
std::string fetched_folder(Arch arch) {
  std::string name(arch_params(arch).names.family);
  for (char& each : name) each = static_cast<char>(std::tolower(static_cast<unsigned char>(each)));
  return name;
}

/// Where a section's headers are looked for, in this order: those of the test, of LLK, and for what
/// LLK takes from elsewhere, ours.
Expected<std::vector<std::string>> include_folders(const TestSource& source,
                                                   const fs::path& build) {
  const auto headers = sfpi::sfpi_include_folder();
  if (!headers) return Unexpected(headers.error());
  std::vector<fs::path> folders{build, fs::path(source.file).parent_path()};
  for (const std::string& folder : source.includes) folders.emplace_back(folder);
  if (!source.tree.empty()) {
    const fs::path tree = source.tree, chip = chip_folder(source);
    for (const fs::path& folder :
         {tree / "tests" / "helpers" / "include", chip / "llk_lib", chip / "common" / "inc",
          chip / "common" / "inc" / "sfpu", tree / "common", tree / "tests",
          // What tt-llk's own setup script has fetched, if it was run.
          tree / "tests" / "hw_specific" / fetched_folder(source.arch)})
      folders.push_back(folder);
  }
  folders.push_back(*headers / "section");
  folders.push_back(*headers);
  std::vector<std::string> flags;
  flags.reserve(folders.size());
  for (const fs::path& folder : folders)
    flags.push_back("-I" + (folder.empty() ? "." : folder.string()));
  return flags;
}

/// Where a linker script of LLK puts the instruction buffer. The address is no part of the object:
/// only a symbol that the loader looks up stays as it is, and there is no shorter way to it.
const std::vector<std::string> kSectionLinkFlags{"-Wl,--defsym=__instrn_buffer=0xffe40000",
                                                 "-Wl,--no-relax"};

/// LLK's instruction words must be constants, which not all of them are before g++ has unrolled the
/// loops around them. Here they may be in a register, too.
const std::vector<std::pair<std::string, std::string>> kSectionReplacements{
    {"\".ttinsn %0\" : : \"i\"((", "\".ttinsn %0\" : : \"ri\"((unsigned)("}};

std::vector<std::string> section_flags(const TestSource& source, unsigned thread,
                                       const std::vector<std::string>& folders) {
  std::vector<std::string> flags{
      "-std=c++17",
      "-O1",          // immediates of instructions are constants only once functions are inlined
      "-g1",          // lines and inlined calls
      "-w",           // LLK's code is not ours to mend
      "-fpermissive", // a core's pointers have 32 bits
      "-fPIC",
      "-fno-omit-frame-pointer",
      "-fno-gnu-unique",
      "-fno-exceptions",
      "-fno-strict-aliasing",
      fmt::format("-D{}", arch_params(source.arch).names.kernel_define),
      fmt::format("-D{}", kSectionMacros[thread]),
      fmt::format("-DCOMPILE_FOR_TRISC={}", thread),
      "-DTENSIX_FIRMWARE",
      "-DENV_LLK_INFRA",
      "-DENABLE_LLK_ASSERT",
      "-DLLK_BOOT_MODE_BRISC",
      fmt::format("-DLANEWISE_SFPI_EPOCH={}", sfpi::kDefaultEpoch)};
  for (const std::string& define : source.defines) flags.push_back("-D" + define);
  flags.insert(flags.end(), folders.begin(), folders.end());
  return flags;
}

/// What a core does around the section: parameters and empty GPRs before it; after it, the wait for
/// its thread, and the word by which others know that it has ended (core.md 4).
std::string section_main(unsigned thread) {
  return fmt::format(R"(
#if __has_include("ckernel_helper.h")
#include "ckernel_helper.h"
#endif
extern "C" void {}() {{
  RuntimeParams params;
  __builtin_memcpy(&params, reinterpret_cast<const void*>(std::uintptr_t{{{}}}), sizeof params);
  for (std::uintptr_t gpr = 0; gpr < 64; ++gpr)
    *reinterpret_cast<volatile std::uint32_t*>(REGFILE_BASE + 4 * gpr) = 0;
  run_kernel(params);
  *reinterpret_cast<volatile std::uint32_t*>(PC_BUF_BASE + 4) = 0;
  (void)*reinterpret_cast<volatile std::uint32_t*>(PC_BUF_BASE + 4);
  *reinterpret_cast<volatile std::uint32_t*>(std::uintptr_t{{{}}}) = {};
}}
)",
                     sfpi::kEntryName, kParametersAddress, kEndWords + 4 * thread, kEndValue);
}

std::string section_text(const TestSource& source, unsigned thread) {
  const std::string generated = fmt::format("#line 1 \"{}\"\n", sfpi::kGeneratedFile);
  const bool has_words = is_file(chip_folder(source) / "common" / "inc" / "ckernel_ops.h");
  std::string text =
      generated + "#include \"lanewise_section.h\"\n#include \"lanewise_recorder.h\"\n";
  text += has_words ? isa::config_macros(source.arch) : isa::kernel_macros(source.arch);
  text += generated + fmt::format("#include \"{}\"\n#include \"tensix.h\"\n#include \"build.h\"\n",
                                  source.file);
  return text + generated + section_main(thread);
}

Expected<fs::path> build_folder(const TestSource& source) {
  if (source.build_header.empty())
    return build_header_folder(build_header_text(source.parameters, !source.tree.empty()));
  const auto text = read_text_file(source.build_header);
  if (!text) return Unexpected(text.error());
  return build_header_folder(*text);
}

Expected<fs::path> compile_section(const TestSource& source, unsigned thread,
                                   const std::vector<std::string>& folders) {
  auto object = sfpi::compile_object({.name = source.file,
                                      .arch = source.arch,
                                      .text = section_text(source, thread),
                                      .flags = section_flags(source, thread, folders),
                                      .link_flags = kSectionLinkFlags,
                                      .replacements = kSectionReplacements,
                                      .version = {},
                                      .limits = source.limits});
  if (!object) {
    object.error().message =
        fmt::format("section {}: {}", kSectionNames[thread], object.error().message);
  }
  return object;
}

Expected<void> check_test(const TestSource& source) {
  const bool has_usable_name = source.file.find_first_of("\"\n") == std::string::npos;
  if (!is_file(source.file) || !has_usable_name) {
    Unexpected fault = is_file(source.file)
                           ? bad_input("g++ cannot include a file of this name", "rename it")
                           : bad_input("there is no such test", "check the path");
    fault.value().file = source.file;
    return fault;
  }
  std::error_code ignored;
  if (source.tree.empty() || fs::is_directory(chip_folder(source), ignored)) return {};
  Unexpected fault = bad_input(fmt::format("the folder has no {}, so it is no checkout of tt-llk",
                                           arch_params(source.arch).names.llk_folder),
                               "give --llk the folder that has tt_llk_blackhole and tests");
  fault.value().file = source.tree;
  return fault;
}

} // namespace

std::string find_llk_tree(const std::string& file) {
  std::error_code error;
  const fs::path start = fs::absolute(file, error).lexically_normal();
  for (fs::path folder = start; folder.has_relative_path(); folder = folder.parent_path()) {
    if (is_file(folder / "common" / "llk_assert.h")) return folder.string();
  }
  return {};
}

Expected<TestParameter> parse_test_parameter(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  bool is_name = !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0;
  for (const char each : name)
    is_name = is_name && (std::isalnum(static_cast<unsigned char>(each)) != 0 || each == '_');
  if (!is_name || equals == std::string_view::npos || equals + 1 == text.size() ||
      text.find('\n') != std::string_view::npos) {
    return bad_input(fmt::format("{} is no parameter", in_quotes(text)),
                     "write NAME=VALUE, such as NUM_BLOCKS=2 or tilize_en=true");
  }
  return TestParameter{std::string(name), std::string(text.substr(equals + 1))};
}

Expected<SectionObjects> compile_sections(const TestSource& source) {
  if (auto checked = check_test(source); !checked) return Unexpected(checked.error());
  const auto build = build_folder(source);
  if (!build) return Unexpected(build.error());
  const auto folders = include_folders(source, *build);
  if (!folders) return Unexpected(folders.error());
  std::array<std::future<Expected<fs::path>>, kThreads> compilations;
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    compilations[thread] = std::async(
        std::launch::async, [&, thread] { return compile_section(source, thread, *folders); });
  }
  // All threads have ended before the first error is told: the sections' process is forked next.
  std::array<Expected<fs::path>, kThreads> found;
  for (unsigned thread = 0; thread < kThreads; ++thread) found[thread] = compilations[thread].get();
  SectionObjects objects;
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    if (!found[thread]) return Unexpected(found[thread].error());
    objects[thread] = *found[thread];
  }
  return objects;
}

} // namespace lanewise::tile
