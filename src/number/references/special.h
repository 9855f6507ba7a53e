// Functions that <cmath> or MPFR do not have: Bessel I0 and I1, the inverse error function.
#pragma once

namespace lanewise::references {

struct Enclosure; // number/references/enclosure.h

/// By Boost.Math, within kLibraryMargin (number/references/interval.h). Infinity and NaN as
/// results, never exceptions.
double bessel_i0_of(double x);
double bessel_i1_of(double x);
double inverse_erf_of(double x);

/// Up to this argument I0 and I1 are known to any precision, above only that they are larger than
/// 2^14000, which every format rounds alike.
inline constexpr double kLargestBesselArgument = 10'000;

/// Power series with a bound of what is left out (DLMF 10.25.2). `x` must not be negative.
Enclosure bessel_i0_of(const Enclosure& x);
Enclosure bessel_i1_of(const Enclosure& x);

/// Newton's iteration, whose result is verified by mpfr_erf(). `x` lies between -1 and 1.
Enclosure inverse_erf_of(const Enclosure& x);

} // namespace lanewise::references
