#include "base/shared_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace lanewise {

namespace {

Unexpected no_memory(std::uint64_t bytes) {
  return bad_input(fmt::format("cannot share {} bytes of memory: {}", bytes,
                               std::generic_category().message(errno)));
}

} // namespace

Expected<SharedMemory> SharedMemory::make(const char* name, std::uint64_t bytes) {
  FileDescriptor file(::memfd_create(name, MFD_CLOEXEC));
  if (!file.is_open() || ::ftruncate(file.number(), static_cast<off_t>(bytes)) != 0)
    return no_memory(bytes);
  return map(std::move(file), bytes);
}

Expected<SharedMemory> SharedMemory::map(FileDescriptor file, std::uint64_t bytes) {
  if (bytes == 0) return SharedMemory(std::move(file), {});
  void* const place =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file.number(), 0);
  if (place == MAP_FAILED) return no_memory(bytes);
  return SharedMemory(std::move(file), {static_cast<std::uint8_t*>(place), bytes});
}

SharedMemory::SharedMemory(FileDescriptor file, std::span<std::uint8_t> bytes)
    : file_(std::move(file)), bytes_(bytes) {}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : file_(std::move(other.file_)), bytes_(std::exchange(other.bytes_, {})) {}

SharedMemory::~SharedMemory() {
  if (!bytes_.empty()) ::munmap(bytes_.data(), bytes_.size());
}

} // namespace lanewise
