// A compiled kernel, loaded into this process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "source/sfpi/recorder.h"

namespace lanewise::sfpi {

/// The name of the function that the generated part of a kernel's object defines.
inline constexpr const char* kEntryName = "lanewise_entry";

class KernelObject {
 public:
  /// Error: what the dynamic loader says.
  static tl::expected<KernelObject, std::string> load(const std::filesystem::path& path);
  KernelObject(KernelObject&& other) noexcept;
  KernelObject& operator=(KernelObject&&) = delete;
  ~KernelObject();

  /// Runs the kernel to its end, or to what it breaks.
  void run(Recorder& recorder) const;
  /// Calls the kernel's function, whose operations go to `recorder`.
  void call(lanewise_recorder* recorder) const;

  /// The object's variable of this name; nullptr if it has none.
  void* find(const char* name) const;

  /// Whether an address of this process lies in the object.
  bool contains(std::uint64_t address) const { return address - base_ < size_; }

  /// Turns addresses of this process into addresses of the object's file, in place; what lies
  /// elsewhere is left out. The number that remains is returned. Allocates nothing.
  std::size_t to_file_addresses(std::span<std::uint64_t> addresses) const;

 private:
  KernelObject() = default;
  void* handle_ = nullptr;
  lanewise_recorder** recorder_ = nullptr;
  void (*entry_)() = nullptr;
  std::uint64_t base_ = 0; ///< what the loader added to the file's addresses
  std::uint64_t size_ = 0; ///< of the mapping
};

} // namespace lanewise::sfpi
