// Files that results are compared with: figures of an earlier run, a published index, or budgets.
#include <cstddef>
#include <cstdint>
#include <string>

#include "report/accuracy/baseline.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const char* file : {"figures.json", "budget.yaml"}) {
    const auto baseline = lanewise::report::parse_baseline(text, file);
    if (!baseline && baseline.error().file != file) __builtin_trap(); // an error names the file
  }
  return 0;
}
