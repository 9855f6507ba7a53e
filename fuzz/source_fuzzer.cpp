// Any text as a kernel that g++ has rejected: no hint may read beyond it.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "source/sfpi/compile_hints.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  lanewise::sfpi::compile_hint({}, text, "--entry:1:1: error");
  lanewise::sfpi::compile_hint({}, text, text);
  return 0;
}
