// Lists of inputs as numbers, and what kinds of numbers are among them, of one x86-64 level.
#include <cmath>

#include "number/formats/number_line.h"
#include "number/references/kernels/doubles.h"
#include "number/references/kernels/level_kernels.h"

namespace lanewise::LANEWISE_LEVEL {

using namespace references; // NOLINT(google-build-using-namespace)

void numbers(formats::Format format, std::span<const std::uint32_t> bits, double* numbers) {
  formats::with_line(format, [&]<class Line>(Line) {
    for (std::size_t i = 0; i < bits.size(); ++i) {
      const double number = Line::number(bits[i]);
      const bool is_denormal = Line::kind(bits[i]) == formats::NumberClass::Denormal;
      numbers[i] = is_denormal ? std::copysign(0.0, number) : number;
    }
  });
}

bool specials(formats::Format format, std::span<const std::uint32_t> bits) {
  return formats::with_line(format, [&]<class Line>(Line) {
    std::uint32_t found = 0;
    if constexpr (!Line::kIsInteger) {
      constexpr std::uint32_t kNormals = Line::kLargest - Line::kSmallestNormal + 1;
      for (const std::uint32_t one : bits) {
        // By comparisons alone, so that the loop is one of vectors.
        const std::uint32_t magnitude = Line::magnitude(one);
        const bool is_normal = magnitude - Line::kSmallestNormal < kNormals;
        found |=
            static_cast<std::uint32_t>(!is_normal) & static_cast<std::uint32_t>(magnitude != 0);
      }
    }
    return found != 0;
  });
}

bool nans(formats::Format format, std::span<const std::uint32_t> bits) {
  return formats::with_line(format, [&]<class Line>(Line) {
    std::uint32_t found = 0;
    for (const std::uint32_t one : bits) found |= static_cast<std::uint32_t>(Line::is_nan(one));
    return found != 0;
  });
}

bool lie_in(FlatPart part, const double* numbers) {
  const Doubles lowest = splat(part.above), highest = splat(part.below);
  Mask inside = below(lowest, load(numbers)) & below(load(numbers), highest);
  for (std::size_t i = kLanes; i < kBlockSize; i += kLanes)
    inside = inside & below(lowest, load(numbers + i)) & below(load(numbers + i), highest);
  return all(inside);
}

} // namespace lanewise::LANEWISE_LEVEL
