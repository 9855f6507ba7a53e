#include "source/sfpi/host_library.h"

#include <fmt/format.h>

#include <array>
#include <system_error>

#include "base/cache.h"
#include "base/limits.h"
#include "base/private_folder.h"
#include "base/process.h"
#include "source/sfpi/headers.h"
#include "source/sfpi/prelude.h"

namespace lanewise::sfpi {
namespace {

namespace fs = std::filesystem;

/// No rounding may depend on a flag; the object looks for no symbol elsewhere.
constexpr std::array<const char*, 8> kLibraryFlags{
    "-std=c++20", "-O3", "-ffp-contract=off", "-fPIC", "-shared", "-Wl,-z,defs", "-x", "c++"};

/// With optimisation, g++ takes longer than for a kernel.
constexpr ProcessLimits kLibraryLimits{std::chrono::minutes(2), kKernelLimits.memory};

constexpr std::size_t kMostLibraries = 256;

/// What generated code includes.
constexpr std::array<const char*, 4> kRooms{"base", "chip/isa", "chip/semantics", "chip/machine"};

std::string headers_digest(const std::vector<fs::path>& folders) {
  Digest digest;
  for (const char* room : kRooms) digest.add(folder_digest(folders.front() / room));
  return digest.text();
}

Expected<fs::path> library_folder() {
  const auto cache = cache_folder();
  if (!cache) return Unexpected(cache.error());
  fs::path folder = *cache / "libraries";
  std::error_code error;
  fs::create_directories(folder, error);
  return folder;
}

Expected<void> compile_text(const HostCompiler& compiler, const LibraryRequest& request,
                            const std::vector<fs::path>& includes, const fs::path& target) {
  std::vector<std::string> command = compiler.command;
  command.insert(command.end(), kLibraryFlags.begin(), kLibraryFlags.end());
  command.insert(command.end(), request.flags.begin(), request.flags.end());
  for (const fs::path& folder : includes) command.push_back("-I" + folder.string());
  command.insert(command.end(), {"-o", target.string(), "-"});
  const auto result = run_process(command, request.text, kLibraryLimits,
                                  {.policy = Policy::Compiler, .folder = target.parent_path()});
  if (!result) return Unexpected(result.error());
  if (result->succeeded()) return {};
  return bad_input(fmt::format("g++ could not compile {}\n{}", request.name, result->err));
}

} // namespace

Expected<fs::path> compile_library(const LibraryRequest& request) {
  const auto compiler = find_host_compiler();
  if (!compiler) return Unexpected(compiler.error());
  const auto includes = library_include_folders();
  if (!includes) return Unexpected(includes.error());
  const auto folder = library_folder();
  if (!folder) return Unexpected(folder.error());
  Digest digest;
  digest.add(compiler->version).add(headers_digest(*includes)).add(request.text);
  for (const std::string& flag : request.flags) digest.add(flag);
  const fs::path object = *folder / (digest.text() + ".so");
  if (is_sealed(object) && touch(object)) return object;
  const PrivateFolder own("compiling", *folder);
  if (!own.is_made())
    return bad_input("cannot make a folder in " + folder->string(),
                     "set LANEWISE_CACHE to a folder of your own");
  const fs::path temporary = own.path() / "library.so";
  if (auto done = compile_text(*compiler, request, *includes, temporary); !done)
    return Unexpected(done.error());
  if (auto sealed = seal(temporary, object.filename().string()); !sealed)
    return Unexpected(sealed.error());
  if (auto published = publish(temporary, object); !published) return Unexpected(published.error());
  drop_unused(*folder, kMostLibraries);
  return object;
}

} // namespace lanewise::sfpi
