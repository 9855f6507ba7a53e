// Memories of which little is touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace lanewise {

/// Zeros, which take no memory before they are touched. The heap's would where it has used the
/// place before.
class ZeroBytes {
 public:
  /// Throws std::bad_alloc if there are no addresses for them.
  explicit ZeroBytes(std::size_t size);
  ZeroBytes(ZeroBytes&& other) noexcept;
  ZeroBytes& operator=(ZeroBytes&& other) = delete;
  ~ZeroBytes();

  std::span<std::uint8_t> all() const { return bytes_; }

 private:
  std::span<std::uint8_t> bytes_;
};

} // namespace lanewise
