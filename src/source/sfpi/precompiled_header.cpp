#include "source/sfpi/precompiled_header.h"

#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>

#include "base/cache.h"
#include "base/cache_contents.h"
#include "base/limits.h"
#include "base/process.h"

namespace lanewise::sfpi {
namespace {

namespace fs = std::filesystem;

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

std::string precompiled_name(const PrecompiledHeader& header) {
  return header.headers.back().first + ".gch";
}

/// Whether a folder is complete, as far as can be seen at once.
bool is_complete(const PrecompiledHeader& header) {
  if (!text_of(header.folder / kHeaderDigestName)) return false;
  for (const auto& [name, text] : header.headers) {
    if (text_of(header.folder / name) != text) return false;
  }
  return true;
}

/// Fills a new folder with the generated headers and the precompiled one.
Expected<void> make_folder(const HostCompiler& compiler, const PrecompiledHeader& header,
                           const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  for (const auto& [name, text] : header.headers) {
    if (auto written = write_text(folder / name, text); !written) return written;
  }
  const std::string name = precompiled_name(header);
  const fs::path precompiled = folder / name;
  std::vector<std::string> command = compiler.command;
  command.insert(command.end(), header.flags.begin(), header.flags.end());
  command.insert(command.end(),
                 {"-I" + folder.string(), "-x", "c++-header",
                  (folder / header.headers.back().first).string(), "-o", precompiled.string()});
  const auto compiled =
      run_process(command, {}, kProgramLimits, {.policy = Policy::Compiler, .folder = folder});
  if (!compiled) return Unexpected(compiled.error());
  if (!compiled->succeeded()) fs::remove(precompiled, error);
  return write_text(folder / kHeaderDigestName, file_digest(precompiled, name));
}

/// The folder, in the place of what is incomplete there.
Expected<void> replace_folder(const HostCompiler& compiler, const PrecompiledHeader& header) {
  discard(header.folder);
  const fs::path folder = unfinished(header.folder);
  if (auto made = make_folder(compiler, header, folder); !made) return made;
  return publish(folder, header.folder);
}

} // namespace

Expected<void> prepare_header(const HostCompiler& compiler, const PrecompiledHeader& header,
                              std::size_t most) {
  if (is_complete(header) && touch(header.folder)) return {};
  if (auto made = replace_folder(compiler, header); !made) return made;
  drop_unused(header.folder.parent_path(), most);
  return {};
}

Expected<bool> mend_header(const HostCompiler& compiler, const PrecompiledHeader& header) {
  const std::string name = precompiled_name(header);
  if (text_of(header.folder / kHeaderDigestName) == file_digest(header.folder / name, name))
    return false;
  if (auto made = replace_folder(compiler, header); !made) return Unexpected(made.error());
  return true;
}

} // namespace lanewise::sfpi
