#include "base/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <string>
#include <system_error>

#include "base/text_encoding.h"
#include "base/text_file.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

Unexpected file_fault(const fs::path& path, std::string message, std::string remedy) {
  Unexpected fault = bad_input(std::move(message), std::move(remedy));
  fault.value().file = path.string();
  return fault;
}

std::string reason(int error) {
  return std::generic_category().message(error);
}

Unexpected read_fault(const fs::path& path, int error) {
  return file_fault(path, "cannot read the file: " + reason(error),
                    "check the path and its permissions");
}

Unexpected write_fault(const fs::path& path, int error) {
  return file_fault(path, "cannot write the file: " + reason(error),
                    "check that the folder exists, that it may be written, and that space is left");
}

/// What is left of a stream, as a container of bytes. Never more than `most` is kept in memory, and
/// no more than `expected` where that is how much there is.
template <class Bytes>
Expected<Bytes> read_to_end(std::FILE* file, const fs::path& name, std::size_t most,
                            std::size_t expected = 0) {
  Bytes bytes;
  bytes.reserve(std::min(expected, most));
  std::array<typename Bytes::value_type, 1 << 16> chunk{};
  while (const std::size_t got = std::fread(chunk.data(), 1, chunk.size(), file)) {
    if (got > most - bytes.size()) {
      return file_fault(
          name, fmt::format("there are more than {} bytes", most),
          "check that this is the right file; a device or a pipe has to end before that");
    }
    bytes.insert(bytes.end(), chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(got));
  }
  if (std::ferror(file) != 0) return read_fault(name, errno);
  return bytes;
}

/// 0 for what has no size, as a pipe, or does not tell it.
std::size_t size_of_file(const fs::path& path) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  return error ? 0 : static_cast<std::size_t>(size);
}

/// A whole file.
template <class Bytes>
Expected<Bytes> read_path(const fs::path& path, std::size_t most) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    return file_fault(path, "this is a folder", "give the path of a file");
  }
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file) return read_fault(path, errno);
  return read_to_end<Bytes>(file.get(), path, most, size_of_file(path));
}

/// Error: the errno of what failed.
tl::expected<void, int> write_and_close(File file, std::span<const std::byte> bytes) {
  errno = 0;
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
  const int write_error = errno;
  // Buffered bytes reach the disk only here, so that a full one may show only here.
  const bool closed = std::fclose(file.release()) == 0;
  if (!written) return tl::unexpected(write_error);
  if (!closed) return tl::unexpected(errno);
  return {};
}

struct NewFile {
  fs::path path;
  File file;
};

/// A file beside `target` that did not exist before. Error: errno.
tl::expected<NewFile, int> create_beside(const fs::path& target) {
  constexpr int kAttempts = 100; // other processes may be writing the same target
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    fs::path path = target;
    path += fmt::format(".{}.tmp", attempt);
    File file(std::fopen(path.c_str(), "wbx"));
    if (file) return NewFile{std::move(path), std::move(file)};
    if (errno != EEXIST) return tl::unexpected(errno);
  }
  return tl::unexpected(EEXIST);
}

Expected<void> write_directly(const fs::path& path, std::span<const std::byte> bytes) {
  File file(std::fopen(path.c_str(), "wb"));
  if (!file) return write_fault(path, errno);
  if (const auto written = write_and_close(std::move(file), bytes); !written) {
    return write_fault(path, written.error());
  }
  return {};
}

} // namespace

Expected<std::vector<std::byte>> read_file(const fs::path& path) {
  return read_path<std::vector<std::byte>>(path, kLargestFile);
}

Expected<std::string> read_text_file(const std::string& path, std::size_t most) {
  const bool is_stdin = path == "-";
  auto text = is_stdin ? read_to_end<std::string>(stdin, "standard input", most)
                       : read_path<std::string>(path, most);
  if (!text) return text;
  const auto mark = byte_order_mark(*text);
  if (!mark)
    return file_fault(is_stdin ? "standard input" : path, mark.error().message,
                      mark.error().remedy);
  text->erase(0, *mark);
  return text;
}

Expected<void> write_file_atomically(const fs::path& path, std::span<const std::byte> bytes) {
  std::error_code error;
  const fs::file_status old = fs::status(path, error);
  if (fs::is_directory(old)) {
    return file_fault(path, "this is a folder", "give the path of a file");
  }
  if (fs::exists(old) && !fs::is_regular_file(old)) return write_directly(path, bytes);

  const fs::path target = fs::exists(old) ? fs::canonical(path, error) : path;
  if (error && fs::exists(old)) return write_fault(path, error.value());
  auto temporary = create_beside(target);
  if (!temporary) return write_fault(path, temporary.error());
  const auto written = write_and_close(std::move(temporary->file), bytes);
  std::error_code failed(written ? 0 : written.error(), std::generic_category());
  if (!failed && fs::exists(old)) fs::permissions(temporary->path, old.permissions(), failed);
  if (!failed) fs::rename(temporary->path, target, failed);
  if (failed) {
    fs::remove(temporary->path, error);
    return write_fault(path, failed.value());
  }
  return {};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

} // namespace lanewise
