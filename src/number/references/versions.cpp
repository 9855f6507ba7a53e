#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <mpfr.h>

#include "number/references/settled.h"

namespace lanewise::references {

std::string versions_behind_references() {
  return fmt::format("mpfr {}, gmp {}, glibc {}", mpfr_get_version(), gmp_version,
                     gnu_get_libc_version());
}

} // namespace lanewise::references
