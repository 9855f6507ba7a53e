#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <mpfr.h>
#include <sleef.h>

#include "number/references/settled.h"

namespace lanewise::references {

std::string versions_behind_references() {
  return fmt::format("mpfr {}, gmp {}, glibc {}, sleef {}.{}.{}", mpfr_get_version(), gmp_version,
                     gnu_get_libc_version(), SLEEF_VERSION_MAJOR, SLEEF_VERSION_MINOR,
                     SLEEF_VERSION_PATCHLEVEL);
}

} // namespace lanewise::references
