// L1: the memory of a tile, which the cores, the unpackers and the packers share (core.md 2).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <utility>

#include "chip/isa/arch.h"

namespace lanewise::tile {

/// Zeros, which take no memory before they are touched: a tile may get other bytes than its own.
class ZeroBytes {
 public:
  ZeroBytes() = default;
  explicit ZeroBytes(std::size_t size)
      : bytes_(static_cast<std::uint8_t*>(std::calloc(size, 1))), size_(size) {
    if (bytes_ == nullptr) throw std::bad_alloc();
  }
  ZeroBytes(ZeroBytes&& other) noexcept
      : bytes_(std::move(other.bytes_)), size_(std::exchange(other.size_, 0)) {}
  ZeroBytes& operator=(ZeroBytes&& other) noexcept {
    bytes_ = std::move(other.bytes_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  ~ZeroBytes() = default;

  std::span<std::uint8_t> all() const { return {bytes_.get(), size_}; }

 private:
  struct Free {
    void operator()(std::uint8_t* bytes) const { std::free(bytes); }
  };
  std::unique_ptr<std::uint8_t, Free> bytes_;
  std::size_t size_ = 0;
};

class L1 {
 public:
  explicit L1(Arch arch) : own_(arch_params(arch).tile.l1_bytes), bytes_(own_.all()) {}
  /// With bytes of somebody else's, as by use().
  explicit L1(std::span<std::uint8_t> bytes) : bytes_(bytes) {}
  /// A copy has bytes of its own.
  L1(const L1& other) : own_(other.bytes_.size()), bytes_(own_.all()) {
    std::ranges::copy(other.bytes_, bytes_.begin());
  }
  L1(L1&& other) noexcept : own_(std::move(other.own_)), bytes_(other.bytes_) { other.bytes_ = {}; }
  /// Has its own bytes afterwards, too; takes no new memory where it had them before.
  L1& operator=(const L1& other) {
    if (this == &other) return *this;
    if (own_.all().size() != other.bytes_.size()) own_ = ZeroBytes(other.bytes_.size());
    bytes_ = own_.all();
    std::ranges::copy(other.bytes_, bytes_.begin());
    return *this;
  }
  L1& operator=(L1&& other) noexcept {
    std::swap(own_, other.own_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~L1() = default;

  /// From here on these are its bytes, with what they hold. Precondition: as many, and they live as
  /// long.
  void use(std::span<std::uint8_t> bytes) {
    bytes_ = bytes;
    own_ = ZeroBytes();
  }

  std::span<std::uint8_t> bytes() { return bytes_; }
  std::span<const std::uint8_t> bytes() const { return bytes_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(bytes_.size()); }

  /// Whether `count` bytes from an address on are there.
  bool holds(std::uint64_t address, std::uint64_t count) const {
    return address <= bytes_.size() && count <= bytes_.size() - address;
  }

  /// 1, 2 or 4 bytes, the lowest address in the low bits. Precondition: holds().
  std::uint32_t load(std::uint32_t address, unsigned count) const {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < count; ++i)
      value |= static_cast<std::uint32_t>(bytes_[address + i]) << (8 * i);
    return value;
  }
  void store(std::uint32_t address, unsigned count, std::uint32_t value) {
    for (unsigned i = 0; i < count; ++i)
      bytes_[address + i] = static_cast<std::uint8_t>(value >> (8 * i));
  }

  friend bool operator==(const L1& a, const L1& b) {
    return std::ranges::equal(a.bytes_, b.bytes_);
  }

 private:
  ZeroBytes own_; ///< empty if the bytes are somebody else's
  std::span<std::uint8_t> bytes_;
};

} // namespace lanewise::tile
