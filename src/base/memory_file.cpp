#include "base/memory_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

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

std::string contents(int file, std::size_t most) {
  constexpr std::size_t kChunk = 1 << 16;
  std::string text;
  std::vector<char> chunk(kChunk);
  if (::lseek(file, 0, SEEK_SET) != 0) return text;
  while (text.size() < most) {
    const ssize_t got = ::read(file, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    text.append(chunk.data(), static_cast<std::size_t>(got));
  }
  return text;
}

} // namespace lanewise
