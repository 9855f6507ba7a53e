#include "study/sweep/tally.h"

#include <bit>

#include "chip/machine/simd_level.h"
#include "number/formats/number_line.h"

namespace lanewise::sweep {

LineNumbers line_numbers(formats::Format format) {
  return formats::with_line(format, []<class Line>(Line) -> LineNumbers {
    if constexpr (Line::kIsInteger) {
      return {};
    } else {
      return {.sign = Line::kSign,
              .magnitude = Line::kMagnitude,
              .smallest_normal = Line::kSmallestNormal,
              .infinity = Line::kLargest + 1,
              .smallest = std::bit_cast<double>(Line::kSmallestNormalDouble),
              .steps_per_double_step = Line::kStepsPerDoubleStep,
              .end = formats::last_place<Line>()};
    }
  });
}

const TallyKernels& tally_kernels() {
  const TallyKernels* kernels = nullptr;
  switch (simd_level()) {
    case SimdLevel::Baseline: break;
    case SimdLevel::V3: kernels = v3::tally_kernels(); break;
    case SimdLevel::V4: kernels = v4::tally_kernels(); break;
  }
  // The sanitizer build has lane kernels of every level, and these of one.
  return kernels != nullptr ? *kernels : *baseline::tally_kernels();
}

} // namespace lanewise::sweep
