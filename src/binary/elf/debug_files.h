// What the readers of debug information share.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "binary/elf/image.h"

namespace lanewise::elf {

/// Numbers of source files by their names.
class DebugFiles {
 public:
  explicit DebugFiles(std::vector<std::string>& names) : names_(names) {}

  std::uint32_t number_of(const char* name) {
    const auto [place, is_new] = numbers_.try_emplace(name == nullptr ? "" : name,
                                                      static_cast<std::uint32_t>(names_.size()));
    if (is_new) names_.push_back(place->first);
    return place->second;
  }

 private:
  std::vector<std::string>& names_;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
};

/// Whether [first, end) is code of the file.
bool is_code(const Image& image, std::uint64_t first, std::uint64_t end);

} // namespace lanewise::elf
