#include "base/cache.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <istream>
#include <system_error>
#include <utility>
#include <vector>

namespace lanewise {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::hours kKeptUnused{24 * 30};

/// What remains of folders of generated files of a kind: they are written again.
constexpr std::size_t kMostGenerated = 4096;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

fs::path wanted_folder() {
  if (const std::string own = environment("LANEWISE_CACHE"); !own.empty()) {
    return fs::absolute(own);
  }
  // The XDG base directory specification ignores relative paths.
  if (const fs::path xdg = environment("XDG_CACHE_HOME"); xdg.is_absolute()) {
    return xdg / "lanewise";
  }
  if (const fs::path home = environment("HOME"); home.is_absolute()) {
    return home / ".cache" / "lanewise";
  }
  std::error_code ignored;
  return fs::temp_directory_path(ignored) / fmt::format("lanewise-{}", ::geteuid());
}

Unexpected cache_fault(const fs::path& folder, std::string message) {
  Unexpected fault = bad_input(std::move(message), "set LANEWISE_CACHE to a folder of your own");
  fault.value().file = folder.string();
  return fault;
}

/// So much of a file is read at once: memory that is touched for the first time costs more than to
/// read another piece.
constexpr std::size_t kPieceOfFile = std::size_t{1} << 14U;

/// The digest of a name and of the next bytes of a stream; empty if it has fewer.
std::string digest_of(std::string_view name, std::istream& stream, std::uintmax_t bytes) {
  Digest digest;
  digest.add(name).begin(bytes);
  std::array<char, kPieceOfFile> piece; // NOLINT: read into
  while (bytes > 0) {
    const std::size_t size = std::min<std::uintmax_t>(bytes, piece.size());
    if (!stream.read(piece.data(), static_cast<std::streamsize>(size))) return "";
    digest.append({piece.data(), size});
    bytes -= size;
  }
  return digest.text();
}

/// The same of a text.
std::string text_digest(std::string_view name, std::string_view text) {
  return Digest().add(name).add(text).text();
}

/// A file as it is written.
struct FileView {
  std::string_view name, text;
};

Expected<fs::path> views_in_cache(std::string_view kind, std::span<const FileView> files) {
  const auto cache = cache_folder();
  if (!cache) return Unexpected(cache.error());
  Digest digest;
  for (const FileView& file : files) digest.add(file.name).add(file.text);
  const fs::path folder = *cache / kind / digest.text();
  if (touch(folder)) return folder;
  const fs::path temporary = unfinished(folder);
  std::error_code error;
  fs::create_directories(temporary, error);
  for (const FileView& file : files) {
    fs::create_directories((temporary / file.name).parent_path(), error);
    std::ofstream stream(temporary / file.name, std::ios::binary);
    stream << file.text;
    stream.close();
    if (!stream)
      return bad_input(fmt::format("cannot write {}", (temporary / file.name).string()),
                       "check the space that is left");
  }
  if (auto published = publish(temporary, folder); !published) return Unexpected(published.error());
  drop_unused(folder.parent_path(), kMostGenerated);
  return folder;
}

} // namespace

Digest& Digest::add(std::string_view text) {
  begin(text.size());
  append(text);
  return *this;
}

void Digest::append(std::string_view piece) {
  const auto mix_first = [&](std::size_t bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, piece.data(), bytes);
    mix(word);
  };
  for (; piece.size() >= sizeof(std::uint64_t); piece.remove_prefix(sizeof(std::uint64_t)))
    mix_first(sizeof(std::uint64_t));
  if (!piece.empty()) mix_first(piece.size());
}

/// The shifts bring high bits down, where the next product spreads them again.
void Digest::mix(std::uint64_t word) {
  first_ = (first_ ^ word) * Fnv1a::kPrime;
  first_ ^= first_ >> 32U;
  second_ = (second_ ^ word) * kGoldenRatio;
  second_ ^= second_ >> 29U;
}

std::string Digest::text() const {
  return fmt::format("{:016x}{:016x}", first_, second_);
}

Expected<fs::path> cache_folder() {
  fs::path folder = wanted_folder();
  std::error_code error;
  if (fs::create_directories(folder, error); error) {
    return cache_fault(folder, "cannot create the folder for compiled kernels: " + error.message());
  }
  struct stat info {};
  if (::stat(folder.c_str(), &info) != 0 || ::access(folder.c_str(), W_OK) != 0) {
    return cache_fault(folder, "the folder for compiled kernels cannot be written");
  }
  if (info.st_uid != ::geteuid() || (info.st_mode & S_IWOTH) != 0) {
    return cache_fault(folder, "others may write the folder for compiled kernels");
  }
  return folder;
}

fs::path unfinished(const fs::path& target) {
  static std::atomic<unsigned> count{0};
  fs::path path = target;
  path += fmt::format(".{}.{}.tmp", ::getpid(), count++);
  return path;
}

Expected<void> publish(const fs::path& unfinished, const fs::path& target) {
  std::error_code error;
  fs::rename(unfinished, target, error);
  if (!error) return {};
  std::error_code ignored;
  fs::remove_all(unfinished, ignored);
  if (fs::exists(target, ignored)) return {};
  return cache_fault(target, "cannot write a compiled kernel: " + error.message());
}

std::string file_digest(const fs::path& file, std::string_view name) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  std::ifstream stream(file, std::ios::binary);
  return error || !stream ? "" : digest_of(name, stream, size);
}

Expected<void> seal(const fs::path& file, std::string_view name) {
  const std::string digest = file_digest(file, name);
  std::ofstream stream(file, std::ios::binary | std::ios::app);
  stream << digest;
  stream.close();
  if (stream && !digest.empty()) return {};
  return cache_fault(file, "cannot write a compiled kernel");
}

bool is_sealed(const fs::path& file) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  std::ifstream stream(file, std::ios::binary);
  if (error || !stream || size < Digest::kDigits) return false;
  const std::string digest = digest_of(file.filename().string(), stream, size - Digest::kDigits);
  std::string noted(Digest::kDigits, ' ');
  return stream.read(noted.data(), static_cast<std::streamsize>(noted.size())) && noted == digest;
}

std::string sealed(std::string text, std::string_view name) {
  text += text_digest(name, text);
  return text;
}

std::optional<std::string_view> unsealed(std::string_view text, std::string_view name) {
  if (text.size() < Digest::kDigits) return std::nullopt;
  const std::string_view content = text.substr(0, text.size() - Digest::kDigits);
  if (text.substr(content.size()) != text_digest(name, content)) return std::nullopt;
  return content;
}

void discard(const fs::path& entry) {
  const fs::path aside = unfinished(entry);
  std::error_code ignored; // what another process has taken away is gone
  fs::rename(entry, aside, ignored);
  fs::remove_all(aside, ignored);
}

bool touch(const fs::path& entry) {
  std::error_code error;
  fs::last_write_time(entry, fs::file_time_type::clock::now(), error);
  return !error;
}

void drop_unused(const fs::path& folder, std::size_t most, std::uintmax_t most_bytes) {
  // Whatever another process removes at the same time is simply gone.
  std::vector<std::pair<fs::file_time_type, fs::path>> entries;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code gone;
    const auto used = fs::last_write_time(entry->path(), gone);
    if (!gone) entries.emplace_back(used, entry->path());
  }
  std::ranges::sort(entries, std::greater<>());
  const auto now = fs::file_time_type::clock::now();
  std::uintmax_t bytes = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto& [used, path] = entries[i];
    std::error_code is_folder;
    const std::uintmax_t size = fs::file_size(path, is_folder);
    if (!is_folder) bytes += size;
    if (i >= most || bytes > most_bytes || now - used > kKeptUnused) fs::remove_all(path, error);
  }
}

Expected<fs::path> file_in_cache(std::string_view kind, std::string_view name,
                                 std::string_view text) {
  return views_in_cache(kind, std::array{FileView{name, text}});
}

Expected<fs::path> files_in_cache(std::string_view kind, std::span<const GeneratedFile> files) {
  std::vector<FileView> views;
  for (const GeneratedFile& file : files) views.push_back({file.name, file.text});
  return views_in_cache(kind, views);
}

} // namespace lanewise
