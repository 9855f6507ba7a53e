#include "source/sfpi/prelude.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "base/cache.h"
#include "source/assembly/kernel_macros.h"
#include "source/sfpi/headers.h"
#include "source/sfpi/include/lanewise_recorder.h"
#include "source/sfpi/precompiled_header.h"

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

std::string text_with(std::string_view own_header) {
  std::string text;
  for (const std::string_view header : kStandardHeaders) {
    text += fmt::format("#include <{}>\n", header);
  }
  return text + fmt::format("#include <{}>\n", own_header);
}

const std::string& header_text(const PreludeOptions& options) {
  static const std::string llk = text_with("lanewise_llk.h");
  static const std::string sfpi = text_with("sfpi.h");
  return options.llk ? llk : sfpi;
}

PrecompiledHeader header_of(const PreludeOptions& options, const Prelude& prelude) {
  PrecompiledHeader header{.folder = prelude.folder,
                           .headers = {{"ckernel_ops.h", assembly::kernel_macros(options.arch)},
                                       {"lanewise_prelude.h", header_text(options)}},
                           .flags = common_flags(options)};
  for (std::string& flag : include_flags(prelude)) header.flags.push_back(std::move(flag));
  return header;
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
  if (auto made = prepare_header(compiler, header_of(options, prelude), kMostPreludes); !made)
    return Unexpected(made.error());
  return prelude;
}

Expected<bool> mend_prelude(const HostCompiler& compiler, const PreludeOptions& options,
                            const Prelude& prelude) {
  return mend_header(compiler, header_of(options, prelude));
}

} // namespace lanewise::sfpi
