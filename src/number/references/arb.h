// The functions of Arb that are called here. Arb is loaded with the first of them: only gamma
// functions need it.
#pragma once

#include <arb.h>
#include <arb_hypgeom.h>
#include <arb_poly.h>

#include "base/shared_library.h"

namespace lanewise::references {

/// Each by Arb's name without its prefix.
struct Arb {
  Arb();

  decltype(&::arb_init) init;
  decltype(&::arb_clear) clear;
  decltype(&::arb_set_interval_mpfr) set_interval;
  decltype(&::arb_get_interval_mpfr) get_interval;
  decltype(&::arb_is_finite) is_finite;
  decltype(&::arb_is_positive) is_positive;
  decltype(&::arb_abs) abs;
  decltype(&::arb_neg) neg;
  decltype(&::arb_sub) sub;
  decltype(&::arb_sub_ui) sub_ui;
  decltype(&::arb_mul) mul;
  decltype(&::arb_log) log;
  decltype(&::arb_sin_pi) sin_pi;
  decltype(&::arb_const_pi) const_pi;
  decltype(&::arb_fac_ui) fac_ui;
  decltype(&::arb_hypgeom_lgamma) lgamma;
  decltype(&::arb_poly_init) poly_init;
  decltype(&::arb_poly_clear) poly_clear;
  decltype(&::arb_poly_set_coeff_arb) poly_set_coeff;
  decltype(&::arb_poly_set_coeff_si) poly_set_coeff_si;
  decltype(&::arb_poly_get_coeff_arb) poly_get_coeff;
  decltype(&::arb_poly_digamma_series) poly_digamma_series;
  decltype(&::flint_cleanup) cleanup;
};

/// The only one. Throws std::runtime_error where Arb cannot be loaded.
const Arb& arb();

/// Frees what Arb keeps for the calling thread, if it has been loaded.
void free_arb_caches();

} // namespace lanewise::references
