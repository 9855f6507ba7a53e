#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/in_quotes.h"
#include "number/fits/approximation.h"
#include "number/fits/parity.h"
#include "number/fits/poles.h"
#include "number/fits/sollya_text.h"
#include "number/formats/number_line.h"

namespace lanewise::fits {

namespace {

std::vector<unsigned> chosen_powers(unsigned degree, Powers powers) {
  std::vector<unsigned> chosen;
  const unsigned first = powers == Powers::Odd ? 1 : 0, step = powers == Powers::All ? 1 : 2;
  for (unsigned power = first; power <= degree; power += step) chosen.push_back(power);
  return chosen;
}

/// Bits of the significand, with the one in front.
unsigned significand_bits(formats::Format format) {
  constexpr unsigned kFp32 = 24, kBf16 = 8, kFp16 = 11;
  if (format == formats::Format::FP32) return kFp32;
  return format == formats::Format::BF16 ? kBf16 : kFp16;
}

/// Whether the format has the number itself.
bool has_number(formats::Format format, double value) {
  return formats::value_of_bits(format, formats::round_to_bits(format, value)) == value;
}

/// What is far below the format's smallest number does not count: Sollya leaves such coefficients
/// where a power is of no use.
double without_specks(double coefficient) {
  constexpr double kSpeck = 0x1p-60;
  return std::fabs(coefficient) < kSpeck ? 0.0 : coefficient;
}

/// Odd or even powers over both sides of 0 are fitted to one of them, where they are independent.
Expected<SizeRange> fitted_range(const FitRequest& request, Powers powers) {
  if (powers == Powers::All || request.low >= 0 || request.high <= 0)
    return SizeRange{request.low, request.high};
  const Parity wanted = powers == Powers::Odd ? Parity::Odd : Parity::Even;
  if (parity_of(request) == wanted) return sizes_in(request);
  const char* name = powers == Powers::Odd ? "odd" : "even";
  return bad_input(
      fmt::format("the function is not {}, and --powers {} polynomials are", name, name),
      "use --powers all, or a range on one side of 0");
}

} // namespace

Expected<formats::Format> parse_coefficient_format(std::string_view name) {
  if (name == "fp32") return formats::Format::FP32;
  if (name == "bf16") return formats::Format::BF16;
  if (name == "fp16") return formats::Format::FP16;
  return bad_input(fmt::format("there are no coefficients {}", in_quotes(name)),
                   "use --coefficients fp32, bf16 or fp16");
}

Expected<Polynomial> fit_polynomial(const FitRequest& request, unsigned degree, Powers powers,
                                    formats::Format coefficients) {
  Polynomial result{.powers = chosen_powers(degree, powers), .error = request.error};
  if (result.powers.empty())
    return bad_input("a polynomial of odd powers up to 0 has none", "give --degree 1 or more");
  const auto function = sollya_text(request.function);
  if (!function) return Unexpected(function.error());
  if (auto bounded = check_is_bounded(request); !bounded) return Unexpected(bounded.error());
  const auto range = fitted_range(request, powers);
  if (!range) return Unexpected(range.error());
  const PolynomialTask task{.low = range->low,
                            .high = range->high,
                            .powers = result.powers,
                            .bits = significand_bits(coefficients),
                            .error = request.error};
  auto fitted = fit_polynomials(*function, std::span(&task, 1), without_specks);
  if (!fitted) return Unexpected(fitted.error());
  SollyaPolynomial& polynomial = fitted->front();
  for (std::size_t i = 0; i < polynomial.coefficients.size(); ++i) {
    if (has_number(coefficients, polynomial.coefficients[i])) continue;
    return bad_input(fmt::format("the coefficient of x^{} would be {:.6g}, which {} does not have",
                                 result.powers[i], polynomial.coefficients[i],
                                 formats::format_name(coefficients)),
                     "use --coefficients fp32, or a function that is scaled");
  }
  result.coefficients = std::move(polynomial.coefficients);
  result.bound = polynomial.bound;
  result.is_proved = polynomial.is_proved;
  result.best = polynomial.best;
  return result;
}

} // namespace lanewise::fits
