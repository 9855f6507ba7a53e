// libFuzzer target: any text is a trace of the NoC, which is replayed to its end, or is refused
// with advice; and so is a file of measured series, in both of its forms.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "study/traffic/replay.h"
#include "study/traffic/series_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lanewise;
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const Arch arch : {Arch::Blackhole, Arch::Wormhole}) {
    const auto trace = traffic::parse_trace(text, arch);
    if (!trace && trace.error().remedy.empty()) std::abort();
    if (trace) (void)traffic::replay(*trace);
  }
  for (const auto& series : {traffic::parse_series_table(text), traffic::parse_series_yaml(text)})
    if (!series && series.error().remedy.empty()) std::abort();
  return 0;
}
