// libFuzzer target: the rewriting of preprocessed kernels takes any bytes, keeps the lines, and
// leaves nothing to rewrite.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "source/sfpi/rewrite.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string once = lanewise::sfpi::rewrite_for_host_compiler(text);
  if (std::ranges::count(text, '\n') != std::ranges::count(once, '\n')) std::abort();
  if (lanewise::sfpi::rewrite_for_host_compiler(once) != once) std::abort();
  return 0;
}
