// Where inputs and rounded results stand in the line of their format, of one x86-64 level.
#include <cmath>

#include "number/formats/ulp_rules.h"
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
    for (const std::uint32_t one : bits) {
      const formats::NumberClass kind = Line::kind(one);
      found |= kind == formats::NumberClass::Normal || kind == formats::NumberClass::Zero ? 0U : 1U;
    }
    return found != 0;
  });
}

LineSummary places(formats::Format format, std::span<const std::uint32_t> bits, const double* exact,
                   std::int64_t* positions, double* places) {
  return formats::with_format(
      format, [&]<formats::Format kFormat>(std::integral_constant<formats::Format, kFormat>) {
        using Line = decltype(formats::line_of<kFormat>());
        constexpr formats::ValueRange kRange = formats::value_range(kFormat);
        std::uint32_t zeros = 0, nans = 0;
        for (std::size_t i = 0; i < bits.size(); ++i) {
          const bool is_nan = Line::is_nan(bits[i]);
          const std::int64_t position = is_nan ? 0 : Line::position(bits[i]);
          positions[i] = position;
          nans |= is_nan ? 1U : 0U;
          zeros |= position == 0 ? 1U : 0U;
        }
        for (std::size_t i = 0; i < bits.size(); ++i)
          places[i] = formats::place_of<Line>(exact[i], kRange);
        return LineSummary{.has_zeros = zeros != 0, .has_nans = nans != 0};
      });
}

} // namespace lanewise::LANEWISE_LEVEL
