#include "base/zero_bytes.h"

#include <sys/mman.h>

#include <new>
#include <utility>

namespace lanewise {

ZeroBytes::ZeroBytes(std::size_t size) {
  if (size == 0) return;
  void* const bytes = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (bytes == MAP_FAILED) throw std::bad_alloc();
  bytes_ = {static_cast<std::uint8_t*>(bytes), size};
}

ZeroBytes::ZeroBytes(ZeroBytes&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

ZeroBytes::~ZeroBytes() {
  if (!bytes_.empty()) ::munmap(bytes_.data(), bytes_.size());
}

} // namespace lanewise
