#include "base/memory_file.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace lanewise {

FileDescriptor make_memory_file(const char* name) {
  return FileDescriptor(::memfd_create(name, MFD_CLOEXEC));
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::size_t read_from_start(int file, std::span<std::byte> to) {
  std::size_t size = 0;
  while (size < to.size()) {
    const ssize_t got = ::pread(file, to.data() + size, to.size() - size, static_cast<off_t>(size));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    size += static_cast<std::size_t>(got);
  }
  return size;
}

std::string contents(int file, std::size_t most) {
  struct stat info {};
  if (::fstat(file, &info) != 0) return {};
  std::string text(std::min(static_cast<std::size_t>(info.st_size), most), '\0');
  text.resize(read_from_start(file, std::as_writable_bytes(std::span(text))));
  return text;
}

} // namespace lanewise
