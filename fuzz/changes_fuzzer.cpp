// Baselines of llk-diff: files that keep what one tree did.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/cache.h"
#include "study/changes/baseline.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lanewise;
  (void)changes::parse_baseline(std::as_bytes(std::span(data, size)));
  // No fuzzer finds a digest: what stands behind one that is right.
  const std::string body(reinterpret_cast<const char*>(data), size);
  const std::string whole =
      "lanewise llk-diff baseline 1\n" + Digest().add(body).text() + "\n" + body;
  const auto read = changes::parse_baseline(std::as_bytes(std::span(whole)));
  if (read) (void)changes::parse_baseline(changes::baseline_bytes(*read));
  return 0;
}
