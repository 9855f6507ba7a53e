#include "source/sfpi/precompiled_header.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
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

/// Files that this process has found good. One kernel after the other asks, and to read headers of
/// megabytes each time would take a tenth of what compiling one does. The name of their folder is a
/// digest of their texts, so that a path stands for one text.
class GoodFiles {
 public:
  /// What `check` says of a file, or has said of it as it is now.
  template <class Check>
  bool is_good(const fs::path& file, const Check& check) {
    const std::optional<Stamp> stamp = stamp_of(file);
    if (!stamp) return false;
    {
      const std::scoped_lock lock(mutex_);
      const auto known = known_.find(file);
      if (known != known_.end() && known->second == *stamp) return true;
    }
    if (!check()) return false;
    const std::scoped_lock lock(mutex_);
    if (stamp->is_settled()) known_.insert_or_assign(file, *stamp);
    return true;
  }

 private:
  /// What becomes another one when somebody writes the file.
  struct Stamp {
    fs::file_time_type written;
    std::uintmax_t size = 0;

    bool operator==(const Stamp&) const = default;
    /// Whether another write would have another time, however coarse the clock of the file system.
    bool is_settled() const {
      return fs::file_time_type::clock::now() - written > std::chrono::seconds(2);
    }
  };

  static std::optional<Stamp> stamp_of(const fs::path& file) {
    std::error_code error;
    Stamp stamp{.written = fs::last_write_time(file, error)};
    if (!error) stamp.size = fs::file_size(file, error);
    return error ? std::nullopt : std::optional(stamp);
  }

  std::mutex mutex_;
  std::map<fs::path, Stamp> known_;
};

GoodFiles& good_files() {
  static GoodFiles files;
  return files;
}

/// Whether a folder is complete, as far as can be seen at once.
bool is_complete(const PrecompiledHeader& header) {
  if (!text_of(header.folder / kHeaderDigestName)) return false;
  return std::ranges::all_of(header.headers, [&](const auto& named) {
    const fs::path file = header.folder / named.first;
    return good_files().is_good(file, [&] { return text_of(file) == named.second; });
  });
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
  const fs::path file = header.folder / name;
  const bool is_whole = good_files().is_good(
      file, [&] { return text_of(header.folder / kHeaderDigestName) == file_digest(file, name); });
  if (is_whole) return false;
  if (auto made = replace_folder(compiler, header); !made) return Unexpected(made.error());
  return true;
}

} // namespace lanewise::sfpi
