#include "base/version.h"

namespace lanewise {

std::string_view version() {
  return LANEWISE_VERSION;
}

} // namespace lanewise
