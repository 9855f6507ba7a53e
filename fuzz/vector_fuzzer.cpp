// Conformance vector files: whatever the text, reading and running it ends in cases or in one fault
// with its place.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "lab/conformance.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lanewise;
  auto reader =
      lab::VectorReader::from_text(std::string(reinterpret_cast<const char*>(data), size), "fuzz");
  const auto result = lab::run_conformance(
      reader, [](const lab::VectorCase&, const lab::Difference&) {},
      [](const lab::ConformanceResult&) { return true; });
  if (!result && (result.error().kind != FaultKind::BadInput || result.error().line == 0))
    std::abort();
  return 0;
}
