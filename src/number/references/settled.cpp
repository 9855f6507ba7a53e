#include "number/references/settled.h"

#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <mpfr.h>

namespace lanewise::references {

bool is_settled(const Reference& reference) {
  return dynamic_cast<const SettledReference*>(&reference) != nullptr;
}

std::string versions_behind_references() {
  return fmt::format("mpfr {}, gmp {}, glibc {}", mpfr_get_version(), gmp_version,
                     gnu_get_libc_version());
}

} // namespace lanewise::references
