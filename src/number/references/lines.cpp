#include "number/references/lines.h"

#include "number/references/kernels/level_kernels.h"

namespace lanewise::references {

void reference_numbers(formats::Format format, std::span<const std::uint32_t> bits,
                       std::vector<double>& numbers) {
  numbers.resize(bits.size());
  reference_kernels().numbers(format, bits, numbers.data());
}

bool has_specials(formats::Format format, std::span<const std::uint32_t> bits) {
  return reference_kernels().specials(format, bits);
}

bool has_nans(formats::Format format, std::span<const std::uint32_t> bits) {
  return reference_kernels().nans(format, bits);
}

} // namespace lanewise::references
