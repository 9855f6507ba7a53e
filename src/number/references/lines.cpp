#include "number/references/lines.h"

namespace lanewise::references {

void reference_numbers(formats::Format format, std::span<const std::uint32_t> bits,
                       std::vector<double>& numbers) {
  numbers.resize(bits.size());
  reference_kernels().numbers(format, bits, numbers.data());
}

bool has_specials(formats::Format format, std::span<const std::uint32_t> bits) {
  return reference_kernels().specials(format, bits);
}

LineSummary find_places(formats::Format format, std::span<const std::uint32_t> bits,
                        std::span<const double> exact, std::span<std::int64_t> positions,
                        std::span<double> places) {
  return reference_kernels().places(format, bits, exact.data(), positions.data(), places.data());
}

} // namespace lanewise::references
