// The vendor's simulator as a peer: a tile of its Blackhole, one core of which pushes words to a
// thread again and again. Nothing of it is here: its library is loaded from where the user has
// built it (https://github.com/tenstorrent/ttsim, docs/libttsim_api.md).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace lanewise::bench {

class Ttsim {
 public:
  /// Loads the library and starts its device. A process has one: the library is a singleton. Throws
  /// std::runtime_error where it cannot be loaded.
  explicit Ttsim(const std::string& library);

  /// BRISC pushes `once` to thread 1, then `again` so many times. Ends when the last word is
  /// pushed. The library ends the process, with a message, at what it does not do.
  void run(std::span<const std::uint32_t> once, std::span<const std::uint32_t> again,
           std::uint32_t times, std::uint32_t pause);

 private:
  void write(std::uint32_t address, std::span<const std::uint32_t> words);
  std::uint32_t read(std::uint32_t address);

  void (*clock_)(std::uint32_t clocks) = nullptr;
  void (*read_bytes_)(std::uint64_t address, void* to, std::uint32_t size) = nullptr;
  void (*write_bytes_)(std::uint64_t address, const void* from, std::uint32_t size) = nullptr;
  std::uint64_t bar_ = 0;
};

} // namespace lanewise::bench
