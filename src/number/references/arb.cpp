#include "number/references/arb.h"

#include <atomic>

namespace lanewise::references {

namespace {

std::atomic<bool> is_loaded = false;

} // namespace

Arb::Arb() {
  // Arb of Debian 12 and Ubuntu 22.04, and FLINT 3 of Ubuntu 24.04 and Debian 13, which has it.
  const SharedLibrary library({LANEWISE_ARB_SONAME, "libflint-arb.so.2", "libflint.so.18",
                               "libflint.so.19", "libflint.so.20", "libflint.so.21"},
                              "libflint-dev, which brings Arb along (Debian 12: libflint-arb2)");
  library.find(init, "arb_init");
  library.find(clear, "arb_clear");
  library.find(set_interval, "arb_set_interval_mpfr");
  library.find(get_interval, "arb_get_interval_mpfr");
  library.find(is_finite, "arb_is_finite");
  library.find(is_positive, "arb_is_positive");
  library.find(abs, "arb_abs");
  library.find(neg, "arb_neg");
  library.find(sub, "arb_sub");
  library.find(sub_ui, "arb_sub_ui");
  library.find(mul, "arb_mul");
  library.find(log, "arb_log");
  library.find(sin_pi, "arb_sin_pi");
  library.find(const_pi, "arb_const_pi");
  library.find(fac_ui, "arb_fac_ui");
  library.find(lgamma, "arb_hypgeom_lgamma");
  library.find(poly_init, "arb_poly_init");
  library.find(poly_clear, "arb_poly_clear");
  library.find(poly_set_coeff, "arb_poly_set_coeff_arb");
  library.find(poly_set_coeff_si, "arb_poly_set_coeff_si");
  library.find(poly_get_coeff, "arb_poly_get_coeff_arb");
  library.find(poly_digamma_series, "arb_poly_digamma_series");
  // FLINT's, on which Arb is built: found through what Arb itself has loaded.
  library.find(cleanup, "flint_cleanup");
  is_loaded = true;
}

const Arb& arb() {
  static const Arb only;
  return only;
}

void free_arb_caches() {
  if (is_loaded) arb().cleanup();
}

} // namespace lanewise::references
