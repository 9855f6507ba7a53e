// libFuzzer target: any text either names the inputs of a sweep, which come out as text that means
// the same, and whose first and last chunk have inputs, or it is refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "study/sweep/order.h"
#include "study/sweep/space.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lanewise::sweep;
  const auto space = parse_sweep_space({reinterpret_cast<const char*>(data), size});
  if (!space) return 0;
  require(parse_sweep_space(to_string(*space)) == *space);
  for (const lanewise::formats::Format format : lanewise::formats::kFormats) {
    const auto order = SweepOrder::make(format, 1, *space);
    if (!order) continue;
    ChunkInputs inputs;
    for (const std::uint64_t chunk : {std::uint64_t{0}, order->chunks() - 1}) {
      order->fill(chunk, inputs);
      require(inputs.x.size() == order->inputs_before(chunk + 1) - order->inputs_before(chunk));
      require(!inputs.x.empty());
    }
  }
  return 0;
}
