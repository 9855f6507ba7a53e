// Files that results are compared with: figures of an earlier run, or a published index.
#include <cstddef>
#include <cstdint>
#include <string>

#include "report/accuracy/baseline.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto baseline = lanewise::report::parse_baseline(text, "figures.json");
  if (!baseline && baseline.error().file.empty()) __builtin_trap(); // an error names the file
  return 0;
}
