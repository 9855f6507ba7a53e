#include "source/sfpi/prelude.h"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/cache.h"
#include "base/process.h"
#include "source/assembly/kernel_macros.h"
#include "source/sfpi/headers.h"
#include "source/sfpi/include/lanewise_recorder.h"

namespace lanewise::sfpi {
namespace {

namespace fs = std::filesystem;

/// The standard headers that kernels use, besides those that sfpi.h needs itself. <algorithm> and
/// <cmath>, which few include, would double what g++ reads for every kernel.
constexpr std::array<std::string_view, 12> kStandardHeaders{
    "array",  "bit",   "climits",     "cstdint", "cstdio", "cstdlib", "cstring", "initializer_list",
    "limits", "tuple", "type_traits", "utility"};

/// A precompiled header has about 18 MB; two chips, with and without LLK's names, are four of them.
constexpr std::size_t kMostPreludes = 16;

constexpr std::string_view kHeaderName = "lanewise_prelude.h";
constexpr std::string_view kPrecompiledName = "lanewise_prelude.h.gch";
/// Has the digest of the precompiled header; empty if there is none.
constexpr std::string_view kDigestName = "precompiled.digest";

std::string header_text(const PreludeOptions& options) {
  std::string text;
  for (const std::string_view header : kStandardHeaders) {
    text += fmt::format("#include <{}>\n", header);
  }
  text += options.llk ? "#include <lanewise_llk.h>\n" : "#include <sfpi.h>\n";
  return text;
}

Expected<void> write_text(const fs::path& path, std::string_view text) {
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  stream.close();
  if (stream) return {};
  Unexpected fault = bad_input("cannot write the file", "check the space that is left");
  fault.value().file = path.string();
  return fault;
}

/// Nothing if it cannot be read.
std::optional<std::string> text_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::nullopt;
  return std::string{std::istreambuf_iterator<char>(stream), {}};
}

/// The generated headers of a folder.
std::array<std::pair<std::string_view, std::string>, 2> generated_headers(
    const PreludeOptions& options) {
  return {std::pair{"ckernel_ops.h", assembly::kernel_macros(options.arch)},
          std::pair{kHeaderName, header_text(options)}};
}

/// Whether a folder is complete, as far as can be seen at once.
bool has_headers(const fs::path& folder, const PreludeOptions& options) {
  if (!text_of(folder / kDigestName)) return false;
  for (const auto& [name, text] : generated_headers(options)) {
    if (text_of(folder / name) != text) return false;
  }
  return true;
}

/// Fills a new folder with the generated headers and the precompiled one.
Expected<void> make_folder(const HostCompiler& compiler, const PreludeOptions& options,
                           const Prelude& prelude) {
  std::error_code error;
  fs::create_directories(prelude.folder, error);
  for (const auto& [name, text] : generated_headers(options)) {
    if (auto written = write_text(prelude.folder / name, text); !written) return written;
  }
  const fs::path precompiled = prelude.folder / kPrecompiledName;
  std::vector<std::string> command = compiler.command;
  for (std::string& flag : common_flags(options)) command.push_back(std::move(flag));
  for (std::string& flag : include_flags(prelude)) command.push_back(std::move(flag));
  command.insert(command.end(), {"-x", "c++-header", (prelude.folder / kHeaderName).string(), "-o",
                                 precompiled.string()});
  const auto compiled = run_process(command, {}, kProgramLimits,
                                    {.policy = Policy::Compiler, .folder = prelude.folder});
  if (!compiled) return Unexpected(compiled.error());
  if (!compiled->succeeded()) fs::remove(precompiled, error);
  return write_text(prelude.folder / kDigestName, file_digest(precompiled, kPrecompiledName));
}

/// The folder of a prelude, in the place of what is incomplete there.
Expected<void> replace_folder(const HostCompiler& compiler, const PreludeOptions& options,
                              Prelude prelude) {
  const fs::path folder = prelude.folder;
  discard(folder);
  prelude.folder = unfinished(folder);
  if (auto made = make_folder(compiler, options, prelude); !made) return made;
  return publish(prelude.folder, folder);
}

} // namespace

std::vector<std::string> common_flags(const PreludeOptions& options) {
  return {"-std=c++20",
          "-O0", // a recording is made once: compile time counts, run time does not
          "-g1", // functions, inlined calls and lines
          "-fPIC",
          "-fno-omit-frame-pointer", // the recorder follows the frames to the source line
          "-fvisibility=default",
          "-fno-gnu-unique", // or static variables would survive from one load to the next
          "-w",
          fmt::format("-D{}", arch_params(options.arch).names.kernel_define),
          fmt::format("-DLANEWISE_SFPI_EPOCH={}", options.epoch)};
}

std::vector<std::string> include_flags(const Prelude& prelude) {
  return {"-I" + prelude.headers.string(), "-I" + (prelude.headers / "llk").string(),
          "-I" + prelude.folder.string(),
          "-idirafter" + (prelude.headers / "llk" / "fallback").string()};
}

std::string prelude_version(const HostCompiler& compiler, const PreludeOptions& options,
                            const fs::path& headers) {
  Digest digest;
  digest.add(compiler.version)
      .add(folder_digest(headers))
      .add(assembly::kernel_macros(options.arch));
  // Messages and debug information name the headers by their path: those of another checkout, even
  // with the same text, are others.
  digest.add(headers.string());
  digest.add(header_text(options)).add(std::to_string(LANEWISE_RECORDER_VERSION));
  for (const std::string& flag : common_flags(options)) digest.add(flag);
  return digest.text();
}

Expected<Prelude> prepare_prelude(const HostCompiler& compiler, const PreludeOptions& options) {
  const auto cache = cache_folder();
  if (!cache) return Unexpected(cache.error());
  const auto headers = sfpi_include_folder();
  if (!headers) return Unexpected(headers.error());

  const std::string version = prelude_version(compiler, options, *headers);
  const fs::path folder = *cache / "headers" / version;
  Prelude prelude{.headers = *headers, .folder = folder, .version = version};
  if (has_headers(folder, options) && touch(folder)) return prelude;
  if (auto made = replace_folder(compiler, options, prelude); !made) {
    return Unexpected(made.error());
  }
  drop_unused(folder.parent_path(), kMostPreludes);
  return prelude;
}

Expected<bool> mend_prelude(const HostCompiler& compiler, const PreludeOptions& options,
                            const Prelude& prelude) {
  const std::string digest = file_digest(prelude.folder / kPrecompiledName, kPrecompiledName);
  if (text_of(prelude.folder / kDigestName) == digest) return false;
  if (auto made = replace_folder(compiler, options, prelude); !made) {
    return Unexpected(made.error());
  }
  return true;
}

} // namespace lanewise::sfpi
