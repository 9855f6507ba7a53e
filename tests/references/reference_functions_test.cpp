// Every function against MPFR. Where MPFR has the function, it rounds once, to the bits of the
// format: correct by MPFR's specification. The others are computed by another formula than the
// program's, with hundreds of bits to spare. Bessel functions and the inverse of erf come from
// Boost.Math on numbers of 60 digits.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mpfr.h>

#include <bit>
#include <boost/math/special_functions/bessel.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/polygamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <boost/multiprecision/mpfr.hpp>
#include <cmath>
#include <set>
#include <vector>

#include "number/references/functions.h"
#include "references/reference_fixture.h"

namespace lanewise::references {
namespace {

using formats::Format;

/// Formulas have this many bits; e^-200 beside 1 is still seen with 350 of them.
constexpr mpfr_prec_t kWide = 640;

/// A number with kWide bits.
class Wide {
 public:
  Wide() { mpfr_init2(value_, kWide); }
  explicit Wide(double number) : Wide() { mpfr_set_d(value_, number, MPFR_RNDN); }
  explicit Wide(const char* digits) : Wide() { mpfr_set_str(value_, digits, 10, MPFR_RNDN); }
  Wide(const Wide& other) : Wide() { mpfr_set(value_, other.value_, MPFR_RNDN); }
  Wide& operator=(const Wide& other) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  ~Wide() { mpfr_clear(value_); }
  operator mpfr_ptr() { return value_; }
  operator mpfr_srcptr() const { return value_; }

 private:
  mpfr_t value_;
};

template <int (*operation)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t)>
Wide apply(const Wide& a, const Wide& b) {
  Wide result;
  operation(result, a, b, MPFR_RNDN);
  return result;
}
Wide operator+(const Wide& a, const Wide& b) {
  return apply<mpfr_add>(a, b);
}
Wide operator-(const Wide& a, const Wide& b) {
  return apply<mpfr_sub>(a, b);
}
Wide operator*(const Wide& a, const Wide& b) {
  return apply<mpfr_mul>(a, b);
}
Wide operator/(const Wide& a, const Wide& b) {
  return apply<mpfr_div>(a, b);
}

template <class Function>
Wide apply(Function function, const Wide& a) {
  Wide result;
  function(result, a, MPFR_RNDN);
  return result;
}

/// Correctly rounds a function of MPFR to the precision of `result`.
using Oracle = int (*)(mpfr_ptr result, const Wide& x, const Wide& y);

struct Row {
  const char* expression;
  Oracle oracle;
};

double number(const Wide& x) {
  return mpfr_get_d(x, MPFR_RNDN);
}

int set(mpfr_ptr result, const Wide& value) {
  return mpfr_set(result, value, MPFR_RNDN);
}

/// Next to a number, on the side that `upward` says: what differs from it by less than 2^-200.
int set_beside(mpfr_ptr result, Wide value, bool upward) {
  if (upward) {
    mpfr_nextabove(value);
  } else {
    mpfr_nextbelow(value);
  }
  return set(result, value);
}

/// x g(x) and the like, where g vanishes on the left and is 1 on the right.
template <class Formula>
int set_activation(mpfr_ptr result, const Wide& x, Formula formula) {
  constexpr long kFar = 200;
  if (mpfr_cmp_si(x, -kFar) < 0) return set(result, Wide(-0x1p-400));
  if (mpfr_inf_p(static_cast<mpfr_srcptr>(x)) != 0) return set(result, x);
  if (mpfr_cmp_si(x, kFar) > 0) return set_beside(result, x, false);
  return set(result, formula(x));
}

Wide pi() {
  Wide result;
  mpfr_const_pi(result, MPFR_RNDN);
  return result;
}

Wide tanh_of(const Wide& x) {
  return apply(mpfr_tanh, x);
}

Wide log_of_one_plus_exp(const Wide& x) {
  return apply(mpfr_log, Wide(1.0) + apply(mpfr_exp, x));
}

using BoostNumber = boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<60>,
                                                  boost::multiprecision::et_off>;

template <class Function>
int set_from_boost(mpfr_ptr result, const Wide& x, Function function) {
  BoostNumber argument;
  mpfr_set(argument.backend().data(), x, MPFR_RNDN);
  const BoostNumber value = function(argument);
  return mpfr_set(result, value.backend().data(), MPFR_RNDN);
}

/// I0 or I1 where they are finite numbers of FP32.
int set_bessel(mpfr_ptr result, const Wide& x, int order) {
  constexpr unsigned long kOverflows = 120;
  if (mpfr_cmpabs_ui(x, kOverflows) > 0) {
    mpfr_set_inf(result, order == 1 && mpfr_signbit(static_cast<mpfr_srcptr>(x)) ? -1 : 1);
    return 0;
  }
  // I1(x) = x/2 (1 + x^2/8 + ...), more than 60 digits of which are needed to see that it is not
  // x/2.
  if (order == 1 && mpfr_cmpabs(x, Wide(0x1p-60)) < 0 &&
      mpfr_sgn(static_cast<mpfr_srcptr>(x)) != 0) {
    return set_beside(result, x / Wide(2.0), mpfr_sgn(static_cast<mpfr_srcptr>(x)) > 0);
  }
  return set_from_boost(
      result, x, [order](const BoostNumber& n) { return boost::math::cyl_bessel_i(order, n); });
}

int set_erfinv(mpfr_ptr result, const Wide& x) {
  if (mpfr_cmpabs_ui(x, 1) > 0) return set(result, Wide(kNotANumber));
  if (mpfr_cmpabs_ui(x, 1) == 0) return set(result, x / Wide(0.0));
  return set_from_boost(result, x, [](const BoostNumber& n) { return boost::math::erf_inv(n); });
}

/// 11 bits; below the smallest normal number as many as its unit leaves, and then none.
int set_tf32(mpfr_ptr result, const Wide& x) {
  constexpr double kSmallestNormal = 0x1p-126, kUnit = 0x1p-136;
  Wide rounded = x;
  if (mpfr_cmpabs(x, Wide(kSmallestNormal)) < 0) {
    const Wide units = x / Wide(kUnit);
    mpfr_roundeven(rounded, units);
    if (mpfr_cmpabs_ui(rounded, 1024) < 0) return set(result, x * Wide(0.0));
    return set(result, rounded * Wide(kUnit));
  }
  mpfr_prec_round(rounded, 11, MPFR_RNDN);
  return set(result, rounded);
}

#define DIRECT(name, function)                                                             \
  {                                                                                        \
    name, [](mpfr_ptr r, const Wide& x, const Wide&) { return function(r, x, MPFR_RNDN); } \
  }
#define DIRECT_TWO(expression, function)                                                      \
  {                                                                                           \
    expression,                                                                               \
        [](mpfr_ptr r, const Wide& x, const Wide& y) { return function(r, x, y, MPFR_RNDN); } \
  }
#define FORMULA(expression, ...)                                      \
  {                                                                   \
    expression, [](mpfr_ptr r, const Wide& x, const Wide& y) -> int { \
      (void)x;                                                        \
      (void)y;                                                        \
      (void)r;                                                        \
      __VA_ARGS__                                                     \
    }                                                                 \
  }

// Values of doubles that are exact: comparisons, casts, rounding to whole numbers.
#define EXACT(expression, result)                                        \
  {                                                                      \
    expression, [](mpfr_ptr r, const Wide& wide_x, const Wide& wide_y) { \
      const double x = number(wide_x), y = number(wide_y);               \
      (void)y;                                                           \
      return mpfr_set_d(r, result, MPFR_RNDN);                           \
    }                                                                    \
  }

/// Where log Gamma is infinite.
bool is_gamma_pole(double x) {
  return x <= 0 && x == std::floor(x);
}

int set_lgamma(mpfr_ptr result, const Wide& x) {
  const double at = mpfr_get_d(x, MPFR_RNDN);
  if (std::isinf(at) || is_gamma_pole(at)) return set(result, Wide(kInf));
  int sign = 0;
  return mpfr_lgamma(result, &sign, x, MPFR_RNDN);
}

int set_digamma(mpfr_ptr result, const Wide& x) {
  const double at = mpfr_get_d(x, MPFR_RNDN);
  if (at == 0) return set(result, Wide(std::copysign(kInf, -at)));
  if (is_gamma_pole(at)) return set(result, Wide(kNotANumber));
  return mpfr_digamma(result, x, MPFR_RNDN);
}

/// Of order 1 or 2.
int set_polygamma(mpfr_ptr result, const Wide& x, int order) {
  const double at = mpfr_get_d(x, MPFR_RNDN), sign = order == 1 ? 1 : -1;
  if (at == -kInf) return set(result, Wide(kNotANumber));
  if (at == kInf) return set(result, Wide(sign * 0.0));
  if (is_gamma_pole(at)) return set(result, Wide(sign * kInf));
  // 1 / x^(order + 1) near 0, where the rest is small beside it.
  if (std::fabs(at) < 0x1p-70) {
    const Wide power = order == 1 ? x * x : x * x * x;
    return set_beside(result, Wide(order == 1 ? 1.0 : -2.0) / power, order == 1);
  }
  // 1 / x + 1 / (2 x^2) and -1 / x^2 - 1 / x^3 far to the right.
  if (at > 0x1p70) {
    return order == 1 ? set_beside(result, Wide(1.0) / x, true)
                      : set_beside(result, Wide(-1.0) / (x * x), false);
  }
  return set_from_boost(result, x, [order](const BoostNumber& n) {
    return order == 1 ? boost::math::trigamma(n) : boost::math::polygamma(order, n);
  });
}

double remainder_of(double x, double y) {
  const double rest = std::fmod(x, y);
  return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

double next_float(double x, double y) {
  return static_cast<double>(std::nextafter(static_cast<float>(x), static_cast<float>(y)));
}

/// The larger one, where the smaller does not count with 640 bits either; else the sum's logarithm.
int set_log_of_sum(mpfr_ptr result, const Wide& x, const Wide& y, bool to_two) {
  const double a = number(x), b = number(y);
  const Wide& larger = a > b ? x : y;
  if (std::isinf(a) || std::isinf(b)) return set(result, larger);
  if (std::fabs(a - b) > 300) return set_beside(result, larger, true);
  const auto exponential = to_two ? mpfr_exp2 : mpfr_exp;
  const auto logarithm = to_two ? mpfr_log2 : mpfr_log;
  const Wide rest = Wide(1.0) + apply(exponential, apply(mpfr_abs, x - y) * Wide(-1.0));
  return set(result, larger + apply(logarithm, rest));
}

int set_tanhshrink(mpfr_ptr result, const Wide& x) {
  if (mpfr_zero_p(static_cast<mpfr_srcptr>(x)) != 0) return set(result, Wide(0.0));
  // x^3 / 3 (1 - 2/5 x^2 ...): with 640 bits x - tanh(x) keeps 240 of them even for 2^-149.
  if (mpfr_cmpabs(x, Wide(0x1p-150)) < 0) return set(result, x * Wide(0.0));
  // tanh(200) is below 1 by 2^-576.
  if (number(x) > 200) return set_beside(result, x - Wide(1.0), true);
  if (number(x) < -200) return set_beside(result, x + Wide(1.0), false);
  return set(result, x - tanh_of(x));
}

double cast(double x, double low, double high) {
  return std::trunc(std::fmin(std::fmax(x, low), high)) + 0.0;
}

const std::vector<Row>& rows() {
  static const std::vector<Row> all {
    DIRECT_TWO("x + y", mpfr_add), DIRECT_TWO("x - y", mpfr_sub), DIRECT_TWO("x * y", mpfr_mul),
        DIRECT_TWO("x / y", mpfr_div), DIRECT_TWO("x ^ y", mpfr_pow), DIRECT("-x", mpfr_neg),
        EXACT("x < y", x < y ? 1 : 0), EXACT("x <= y", x <= y ? 1 : 0),
        EXACT("x > y", x > y ? 1 : 0), EXACT("x >= y", x >= y ? 1 : 0),
        EXACT("x == y", x == y ? 1 : 0), EXACT("x != y", x != y ? 1 : 0),
        EXACT("x && y", x != 0 && y != 0 ? 1 : 0), EXACT("x || y", x != 0 || y != 0 ? 1 : 0),
        EXACT("!x", x != 0 ? 0 : 1), EXACT("x < y ? y : x", x < y ? y : x),
        DIRECT("exp(x)", mpfr_exp), DIRECT("exp2(x)", mpfr_exp2), DIRECT("exp10(x)", mpfr_exp10),
        DIRECT("expm1(x)", mpfr_expm1), DIRECT("log(x)", mpfr_log), DIRECT("log2(x)", mpfr_log2),
        DIRECT("log10(x)", mpfr_log10), DIRECT("log1p(x)", mpfr_log1p),
        DIRECT("sqrt(x)", mpfr_sqrt),
        FORMULA("rsqrt(x)",
                if (mpfr_zero_p(static_cast<mpfr_srcptr>(x))) return set(r, Wide(1.0) / x);
                return mpfr_rec_sqrt(r, x, MPFR_RNDN);),
        DIRECT("cbrt(x)", mpfr_cbrt),
        FORMULA("reciprocal(x)", return mpfr_ui_div(r, 1, x, MPFR_RNDN);),
        DIRECT("square(x)", mpfr_sqr), DIRECT_TWO("pow(x, y)", mpfr_pow),
        DIRECT_TWO("div(x, y)", mpfr_div), DIRECT_TWO("fmod(x, y)", mpfr_fmod),
        EXACT("div_no_nan(x, y)", y == 0 ? 0 : x / y),
        FORMULA("floor_div(x, y)", Wide quotient = x / y; mpfr_floor(quotient, quotient);
                return set(r, quotient);),
        EXACT("remainder(x, y)", remainder_of(x, y)),
        FORMULA("ldexp(x, int8(y))",
                return set(r, x * apply(mpfr_exp2, Wide(cast(number(y), -128, 127))));),
        DIRECT_TWO("hypot(x, y)", mpfr_hypot),
        FORMULA("squared_difference(x, y)", return set(r, (x - y) * (x - y));),
        FORMULA("lerp(x, y, 0.25)", return set(r, x + Wide(0.25) * (y - x));),
        EXACT("nextafter(x, y)", next_float(x, y)),
        FORMULA("logit(x)", return set(r, apply(mpfr_log, x / (Wide(1.0) - x)));),
        FORMULA("logaddexp(x, y)", return set_log_of_sum(r, x, y, false);),
        FORMULA("logaddexp2(x, y)", return set_log_of_sum(r, x, y, true);),
        FORMULA("xlogy(x, y)", if (number(x) == 0) return set(r, Wide(0.0));
                return set(r, x * apply(mpfr_log, y));),
        DIRECT_TWO("atan2(x, y)", mpfr_atan2),
        FORMULA("rad2deg(x)", return set(r, x / pi() * Wide(180.0));),
        FORMULA("deg2rad(x)", return set(r, x * (pi() / Wide(180.0)));), DIRECT("sin(x)", mpfr_sin),
        DIRECT("cos(x)", mpfr_cos), DIRECT("tan(x)", mpfr_tan), DIRECT("asin(x)", mpfr_asin),
        DIRECT("acos(x)", mpfr_acos), DIRECT("atan(x)", mpfr_atan), DIRECT("sinh(x)", mpfr_sinh),
        DIRECT("cosh(x)", mpfr_cosh), DIRECT("tanh(x)", mpfr_tanh), DIRECT("asinh(x)", mpfr_asinh),
        DIRECT("acosh(x)", mpfr_acosh), DIRECT("atanh(x)", mpfr_atanh), DIRECT("erf(x)", mpfr_erf),
        DIRECT("erfc(x)", mpfr_erfc), FORMULA("erfinv(x)", return set_erfinv(r, x);),
        FORMULA("lgamma(x)", return set_lgamma(r, x);),
        FORMULA("digamma(x)", return set_digamma(r, x);),
        FORMULA("polygamma(1, x)", return set_polygamma(r, x, 1);),
        FORMULA("polygamma(2, x)", return set_polygamma(r, x, 2);),
        FORMULA("multigammaln(x, 2)", Wide first, second; set_lgamma(first, x);
                set_lgamma(second, x - Wide(0.5));
                return set(r, first + second + apply(mpfr_log, pi()) / Wide(2.0));),
        FORMULA("i0(x)", return set_bessel(r, x, 0);),
        FORMULA("i1(x)", return set_bessel(r, x, 1);),
        FORMULA("sigmoid(x)", if (mpfr_cmp_si(x, -200) < 0) return set(r, Wide(0x1p-400));
                return set(r, (Wide(1.0) + tanh_of(x / Wide(2.0))) / Wide(2.0));),
        FORMULA("gelu(x)", return set_activation(
                               r, x,
                               [](const Wide& v) {
                                 Wide root;
                                 mpfr_sqrt_ui(root, 2, MPFR_RNDN);
                                 // Beyond 20 the tail is below 2^-290, less than half of the bits.
                                 if (mpfr_cmp_si(v, -20) < 0) return Wide(-0x1p-250);
                                 return v * (Wide(1.0) + apply(mpfr_erf, v / root)) / Wide(2.0);
                               });),
        FORMULA("gelu_tanh(x)",
                return set_activation(r, x,
                                      [](const Wide& v) {
                                        if (mpfr_cmp_si(v, -15) < 0) return Wide(-0x1p-250);
                                        if (mpfr_cmp_si(v, 15) > 0)
                                          return v * (Wide(1.0) - Wide(0x1p-300));
                                        const Wide u = apply(mpfr_sqrt, Wide(2.0) / pi()) *
                                                       (v + Wide("0.044715") * v * v * v);
                                        return v * (Wide(1.0) + tanh_of(u)) / Wide(2.0);
                                      });),
        FORMULA("silu(x)", return set_activation(r, x,
                                                 [](const Wide& v) {
                                                   return v * (Wide(1.0) + tanh_of(v / Wide(2.0))) /
                                                          Wide(2.0);
                                                 });),
        FORMULA("mish(x)",
                return set_activation(
                    r, x, [](const Wide& v) { return v * tanh_of(log_of_one_plus_exp(v)); });),
        FORMULA("softplus(x)", if (mpfr_inf_p(static_cast<mpfr_srcptr>(x))) return set(
                                   r, mpfr_signbit(static_cast<mpfr_srcptr>(x)) ? Wide(0.0) : x);
                if (mpfr_cmp_si(x, -200) < 0) return set(r, Wide(0x1p-250));
                if (mpfr_cmp_si(x, 200) > 0) return set_beside(r, x, true);
                return set(r, log_of_one_plus_exp(x));),
        FORMULA("softsign(x)", if (mpfr_inf_p(static_cast<mpfr_srcptr>(x))) return mpfr_set_si(
                                   r, mpfr_sgn(static_cast<mpfr_srcptr>(x)), MPFR_RNDN);
                return set(r, x / (Wide(1.0) + apply(mpfr_abs, x)));),
        FORMULA("hardsigmoid(x)", if (number(x) <= -3) return mpfr_set_ui(r, 0, MPFR_RNDN);
                if (number(x) >= 3) return mpfr_set_ui(r, 1, MPFR_RNDN);
                return set(r, x / Wide(6.0) + Wide(0.5));),
        FORMULA("hardswish(x)", if (number(x) <= -3) return set(r, Wide(-0.0));
                if (number(x) >= 3) return set(r, x);
                return set(r, x * ((x + Wide(3.0)) / Wide(6.0)));),
        EXACT("relu(x)", x > 0 ? x : 0), EXACT("relu6(x)", x > 0 ? std::fmin(x, 6) : 0),
        FORMULA("celu(x, 2)",
                return set(r, number(x) > 0 ? x : Wide(2.0) * apply(mpfr_expm1, x / Wide(2.0)));),
        FORMULA("selu(x)", const Wide scale(1.0507009873554804934193349852946);
                const Wide alpha(1.6732632423543772848170429916717);
                return set(r, scale * (number(x) > 0 ? x : alpha * apply(mpfr_expm1, x)));),
        FORMULA("log_sigmoid(x)", if (number(x) == kInf) return set(r, Wide(-0.0));
                if (number(x) < -200) return set_beside(r, x, false);
                return set(r, apply(mpfr_log1p, apply(mpfr_exp, x * Wide(-1.0))) * Wide(-1.0));),
        FORMULA("hardmish(x)", if (number(x) <= -2) return set(r, Wide(-0.0));
                if (number(x) >= 0) return set(r, x);
                return set(r, x * (x / Wide(2.0) + Wide(1.0)));),
        EXACT("hardtanh(x)", x > 1    ? 1
                             : x < -1 ? -1
                                      : x),
        FORMULA("tanhshrink(x)", return set_tanhshrink(r, x);),
        FORMULA("softshrink(x, 2)", return set(r, number(x) > 2    ? x - Wide(2.0)
                                                  : number(x) < -2 ? x + Wide(2.0)
                                                                   : x * Wide(0.0));),
        EXACT("hardshrink(x)", std::fabs(x) > 0.5 ? x : 0),
        EXACT("threshold(x, 1, 20)", x <= 1 ? 20 : x),
        // The FP32 next to 0.01: a hundredth of a denormal can be a tie that no precision reaches.
        FORMULA("leaky_relu(x, fp32(0.01))",
                return set(r, number(x) > 0 ? x : x * Wide(0x1.47ae14p-7));),
        FORMULA("elu(x, 1.5)",
                return set(r, number(x) > 0 ? x : Wide(1.5) * apply(mpfr_expm1, x));),
        EXACT("floor(x)", std::floor(x)), EXACT("ceil(x)", std::ceil(x)),
        EXACT("trunc(x)", std::trunc(x)), EXACT("round(x)", std::round(x)),
        EXACT("rint(x)", std::nearbyint(x)), EXACT("frac(x)", x - std::trunc(x)),
        EXACT("abs(x)", std::fabs(x)), EXACT("neg(x)", -x),
        EXACT("sign(x)", x > 0   ? 1
                         : x < 0 ? -1
                                 : x),
        EXACT("copysign(x, y)", std::copysign(x, y)), EXACT("min(x, y)", x < y ? x : y),
        EXACT("max(x, y)", x > y ? x : y),
        EXACT("clamp(x, -1, y)", (x > -1 ? x : -1) < y ? (x > -1 ? x : -1) : y),
        EXACT("where(x > 0, x, y)", x > 0 ? x : y), EXACT("step(x)", x >= 0 ? 1 : 0),
        EXACT("heaviside(x, 0.5)", x > 0   ? 1
                                   : x < 0 ? 0
                                           : 0.5),
        EXACT("isnan(x)", std::isnan(x) ? 1 : 0), EXACT("isinf(x)", std::isinf(x) ? 1 : 0),
        EXACT("isposinf(x)", x == kInf ? 1 : 0), EXACT("isneginf(x)", x == -kInf ? 1 : 0),
        EXACT("signbit(x)", std::signbit(x) ? 1 : 0),
        EXACT("logical_xor(x, y)", (x != 0) != (y != 0) ? 1 : 0),
        EXACT("isfinite(x)", std::isfinite(x) ? 1 : 0),
        EXACT("int32(x)", cast(x, -2147483648.0, 2147483647.0)),
        EXACT("uint32(x)", cast(x, 0, 4294967295.0)), EXACT("int16(x)", cast(x, -32768, 32767)),
        EXACT("uint16(x)", cast(x, 0, 65535)), EXACT("int8(x)", cast(x, -128, 127)),
        EXACT("uint8(x)", cast(x, 0, 255)),
        EXACT("fp32(x)", static_cast<double>(static_cast<float>(x))),
        EXACT("bf16(x)",
              formats::value_of_bits(Format::BF16, formats::round_to_bits(Format::BF16, x))),
        EXACT("fp16(x)",
              formats::value_of_bits(Format::FP16, formats::round_to_bits(Format::FP16, x))),
        FORMULA("tf32(x)", return set_tf32(r, x);),
  };
  return all;
}
#undef DIRECT
#undef DIRECT_TWO
#undef FORMULA
#undef EXACT

/// The bits of the format, FP32 or BF16, nearest to the function, through MPFR's own handling of
/// ranges and denormals.
std::uint32_t expected_bits(Format format, const Row& row, double x, double y) {
  const bool is_fp32 = format == Format::FP32;
  mpfr_t result;
  mpfr_init2(result, is_fp32 ? 24 : 8);
  int inexact = row.oracle(result, Wide(x), Wide(y));
  const mpfr_exp_t lowest = mpfr_get_emin(), highest = mpfr_get_emax();
  mpfr_set_emin(is_fp32 ? -148 : -132); // the smallest denormal is 0.5 * 2 to this
  mpfr_set_emax(128);
  inexact = mpfr_check_range(result, inexact, MPFR_RNDN);
  mpfr_subnormalize(result, inexact, MPFR_RNDN);
  const auto nearest = static_cast<float>(mpfr_get_d(result, MPFR_RNDN));
  mpfr_set_emin(lowest);
  mpfr_set_emax(highest);
  mpfr_clear(result);
  if (nearest != nearest) return is_fp32 ? 0x7FC0'0000 : 0x7FC0;
  const auto bits = std::bit_cast<std::uint32_t>(nearest);
  if (is_fp32) return bits;
  const bool is_denormal = std::fabs(nearest) < 0x1p-126F;
  return (is_denormal ? bits & 0x8000'0000 : bits) >> 16;
}

/// What a row's expression calls: its name, or its sign.
bool row_is_about(const Row& row, const ReferenceFunction& function) {
  const std::string text = row.expression;
  if (function.name == "?:") return text.find('?') != std::string::npos;
  if (function.name == "!") return text == "!x";
  if (function.name == "-x") return text == "-x";
  if (function.group == FunctionGroup::Operator)
    return text == fmt::format("x {} y", function.name);
  return text.starts_with(fmt::format("{}(", function.name));
}

TEST(ReferenceFunctions, EachHasAnOracle) {
  for (const ReferenceFunction& function : reference_functions()) {
    const bool found =
        std::ranges::any_of(rows(), [&](const Row& row) { return row_is_about(row, function); });
    EXPECT_TRUE(found) << function.name;
  }
}

class CorrectRounding : public testing::TestWithParam<std::size_t> {};

void compare(const Row& row, Format inputs, Format format) {
  const auto reference = reference_of(row.expression);
  const std::size_t count = sample_count();
  RandomNumbers random(inputs);
  std::vector<double> x(count), y(count);
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = random();
    y[i] = random();
  }
  std::vector<ReferenceValue> results(count);
  const bool is_binary = reference->operands() == 2;
  ASSERT_TRUE(reference->evaluate(
      format, x, is_binary ? std::span<const double>(y) : std::span<const double>(), results));
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_TRUE(results[i].decided) << fmt::format("{} at {:a}, {:a}", row.expression, x[i], y[i]);
    ASSERT_EQ(results[i].bits, expected_bits(format, row, x[i], y[i])) << fmt::format(
        "{} as {} at {:a}, {:a}", row.expression, formats::format_name(format), x[i], y[i]);
  }
}

TEST_P(CorrectRounding, Fp32) {
  compare(rows()[GetParam()], Format::FP32, Format::FP32);
}
TEST_P(CorrectRounding, Bf16) {
  compare(rows()[GetParam()], Format::BF16, Format::BF16);
}
TEST_P(CorrectRounding, Fp32ToBf16) {
  compare(rows()[GetParam()], Format::FP32, Format::BF16);
}

std::string test_name(const testing::TestParamInfo<std::size_t>& info) {
  std::string name = fmt::format("{}_", info.index);
  for (const char c : std::string(rows()[info.param].expression)) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Table, CorrectRounding, testing::Range(std::size_t{0}, rows().size()),
                         test_name);

} // namespace
} // namespace lanewise::references
