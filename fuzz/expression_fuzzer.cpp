// libFuzzer target: any text is an expression that can be evaluated anywhere, or is refused with a
// column; and a function that a polynomial can be fitted to, or is refused with advice.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "number/fits/sollya_text.h"
#include "number/references/expression.h"
#include "number/references/reference.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lanewise::references;
  // Long ones can take long, at points where no precision is enough.
  constexpr std::size_t kLongest = 64;
  if (size > kLongest) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto reference = parse_reference(text);
  if (!reference) {
    const lanewise::Fault& fault = reference.error();
    if (fault.column < 1 || fault.column > size + 1 || fault.remedy.empty()) std::abort();
    return 0;
  }
  const auto function = lanewise::fits::sollya_text(*parse_expression(text));
  if (!function && function.error().remedy.empty()) std::abort();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::array x{0.0, -1.5, 3e38, kInfinity};
  const std::array y{-0.0, 0.5, -kInfinity, 1e-40};
  std::array<ReferenceValue, 4> results;
  const bool is_binary = (*reference)->operands() == 2;
  const std::span<const double> second =
      is_binary ? std::span<const double>(y) : std::span<const double>();
  if (!(*reference)->evaluate(lanewise::formats::Format::BF16, x, second, results)) std::abort();
  for (const ReferenceValue& value : results) {
    if (value.bits > 0xFFFF) std::abort();
  }
  return 0;
}
