// Headers of kernels: whatever is in them, reading their functions ends.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "source/checkouts/declarations.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const lanewise::checkouts::Function& function : lanewise::checkouts::functions_of(text)) {
    if (function.name.empty() || text.find(function.name) == std::string_view::npos)
      __builtin_trap();
  }
  return 0;
}
