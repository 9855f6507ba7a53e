// libFuzzer target: remembered results of any bytes are read or refused; what was read can be
// written, and read again as the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/cache.h"
#include "base/remembered.h"
#include "study/tune/result_text.h"

namespace {

using namespace lanewise;

void read_entry(const std::string& text) {
  const auto entry = parse_entry(text, "name");
  if (entry && entry_text(*entry, "name") != text) std::abort();
}

void read_results(const std::string& text) {
  if (const auto proof = tune::read_proof(text)) {
    const auto again = tune::read_proof(tune::write_proof(*proof));
    if (!again || tune::write_proof(*again) != tune::write_proof(*proof)) std::abort();
  }
  tune::TuneResult result;
  if (!tune::read_tuning(text, result)) return;
  tune::TuneResult again;
  if (!tune::read_tuning(tune::write_tuning(result), again)) std::abort();
  if (tune::write_tuning(again) != tune::write_tuning(result)) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  read_entry(text);
  // No fuzzer finds a seal: what stands behind one that is right.
  read_entry(sealed(text, "name"));
  read_entry(sealed("lanewise result 1\n" + text, "name"));
  read_results(text);
  return 0;
}
