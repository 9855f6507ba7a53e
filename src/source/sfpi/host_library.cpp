#include "source/sfpi/host_library.h"

#include <fmt/format.h>

#include <array>
#include <system_error>

#include "base/cache.h"
#include "base/limits.h"
#include "base/private_folder.h"
#include "base/process.h"
#include "source/sfpi/headers.h"
#include "source/sfpi/precompiled_header.h"

namespace lanewise::sfpi {
namespace {

namespace fs = std::filesystem;

/// No rounding may depend on a flag.
constexpr std::array<const char*, 4> kLibraryFlags{"-std=c++20", "-O3", "-ffp-contract=off",
                                                   "-fPIC"};
/// The object looks for no symbol elsewhere.
constexpr std::array<const char*, 4> kLinkFlags{"-shared", "-Wl,-z,defs", "-x", "c++"};

/// With optimisation, g++ takes longer than for a kernel.
constexpr ProcessLimits kLibraryLimits{std::chrono::minutes(2), kKernelLimits.memory};

constexpr std::size_t kMostLibraries = 256;
/// Each has some 40 MB; there is one for each level of the processor.
constexpr std::size_t kMostHeaders = 4;
constexpr const char* kHeaderName = "lanewise_library.h";

/// What generated code includes.
constexpr std::array<const char*, 4> kRooms{"base", "chip/isa", "chip/semantics", "chip/machine"};

std::string headers_digest(const std::vector<fs::path>& folders) {
  Digest digest;
  for (const char* room : kRooms) digest.add(folder_digest(folders.front() / room));
  return digest.text();
}

Expected<fs::path> cache_part(const char* name) {
  const auto cache = cache_folder();
  if (!cache) return Unexpected(cache.error());
  fs::path folder = *cache / name;
  std::error_code error;
  fs::create_directories(folder, error);
  return folder;
}

/// What the header depends on; the text comes in addition.
Digest digest_of(const HostCompiler& compiler, const LibraryRequest& request,
                 const std::vector<fs::path>& includes) {
  Digest digest;
  digest.add(compiler.version).add(headers_digest(includes)).add(request.header);
  for (const std::string& flag : request.flags) digest.add(flag);
  return digest;
}

Expected<PrecompiledHeader> header_of(const LibraryRequest& request,
                                      const std::vector<fs::path>& includes,
                                      const std::string& digest) {
  const auto folder = cache_part("library_headers");
  if (!folder) return Unexpected(folder.error());
  PrecompiledHeader header{.folder = *folder / digest,
                           .headers = {{kHeaderName, request.header}},
                           .flags = {kLibraryFlags.begin(), kLibraryFlags.end()}};
  header.flags.insert(header.flags.end(), request.flags.begin(), request.flags.end());
  for (const fs::path& include : includes) header.flags.push_back("-I" + include.string());
  return header;
}

Expected<ProcessResult> run_compiler(const HostCompiler& compiler, const LibraryRequest& request,
                                     const PrecompiledHeader& header, const fs::path& target) {
  std::vector<std::string> command = compiler.command;
  command.insert(command.end(), header.flags.begin(), header.flags.end());
  command.insert(command.end(), kLinkFlags.begin(), kLinkFlags.end());
  command.insert(command.end(),
                 {"-include", (header.folder / kHeaderName).string(), "-o", target.string(), "-"});
  return run_process(command, request.text, kLibraryLimits,
                     {.policy = Policy::Compiler, .folder = target.parent_path()});
}

/// With the precompiled header, and once more if that was damaged.
Expected<void> compile_text(const HostCompiler& compiler, const LibraryRequest& request,
                            const PrecompiledHeader& header, const fs::path& target) {
  if (auto made = prepare_header(compiler, header, kMostHeaders); !made) return made;
  auto result = run_compiler(compiler, request, header, target);
  if (!result) return Unexpected(result.error());
  if (result->succeeded()) return {};
  const auto mended = mend_header(compiler, header);
  if (!mended) return Unexpected(mended.error());
  if (*mended) result = run_compiler(compiler, request, header, target);
  if (!result) return Unexpected(result.error());
  if (result->succeeded()) return {};
  return bad_input(fmt::format("g++ could not compile {}\n{}", request.name, result->err));
}

} // namespace

std::string host_library_version() {
  const auto compiler = find_host_compiler();
  const auto includes = library_include_folders();
  if (!compiler || !includes) return {};
  return Digest().add(compiler->version).add(headers_digest(*includes)).text();
}

Expected<fs::path> compile_library(const LibraryRequest& request) {
  const auto compiler = find_host_compiler();
  if (!compiler) return Unexpected(compiler.error());
  const auto includes = library_include_folders();
  if (!includes) return Unexpected(includes.error());
  const auto folder = cache_part("libraries");
  if (!folder) return Unexpected(folder.error());
  Digest digest = digest_of(*compiler, request, *includes);
  const auto header = header_of(request, *includes, digest.text());
  if (!header) return Unexpected(header.error());
  const fs::path object = *folder / (digest.add(request.text).text() + ".so");
  if (is_sealed(object) && touch(object)) return object;
  const PrivateFolder own("compiling", *folder);
  if (!own.is_made())
    return bad_input("cannot make a folder in " + folder->string(),
                     "set LANEWISE_CACHE to a folder of your own");
  const fs::path temporary = own.path() / "library.so";
  if (auto done = compile_text(*compiler, request, *header, temporary); !done)
    return Unexpected(done.error());
  if (auto sealed = seal(temporary, object.filename().string()); !sealed)
    return Unexpected(sealed.error());
  if (auto published = publish(temporary, object); !published) return Unexpected(published.error());
  drop_unused(*folder, kMostLibraries);
  return object;
}

} // namespace lanewise::sfpi
