// libFuzzer target: a .npy file of any bytes is read or refused, and what was read is whole.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "number/tensors/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lanewise::tensors;
  const auto array = parse_npy(std::as_bytes(std::span(data, size)), "fuzz.npy");
  if (!array) return 0;
  if (element_count(array->shape) != array->values.size()) std::abort();
  for (const lanewise::formats::Format format : lanewise::formats::kFormats) {
    const auto tensor = tensor_from_npy(*array, format);
    if (!tensor) continue;
    if (join_tiles(split_into_tiles(*tensor), tensor->shape, format) != *tensor) std::abort();
    const auto written = npy_bytes(*tensor);
    if (!written || !parse_npy(*written, "written.npy")) std::abort();
  }
  return 0;
}
