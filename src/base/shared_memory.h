// Memory that this process and those that it forks both see.
#pragma once

#include <cstdint>
#include <span>

#include "base/fault.h"
#include "base/file_descriptor.h"

namespace lanewise {

class SharedMemory {
 public:
  /// All bytes are 0, and take no memory before they are written. Error: BadInput if there is none.
  static Expected<SharedMemory> make(const char* name, std::uint64_t bytes);
  /// The bytes of an open file, which has as many.
  static Expected<SharedMemory> map(FileDescriptor file, std::uint64_t bytes);
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&&) = delete;
  ~SharedMemory();

  std::span<std::uint8_t> bytes() const { return bytes_; }

  /// A process that is confined keeps it open only if it is told to.
  int file() const { return file_.number(); }

 private:
  SharedMemory(FileDescriptor file, std::span<std::uint8_t> bytes);

  FileDescriptor file_;
  std::span<std::uint8_t> bytes_;
};

} // namespace lanewise
