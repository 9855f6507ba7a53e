#include "number/references/settled.h"

namespace lanewise::references {

bool is_settled(const Reference& reference) {
  return dynamic_cast<const SettledReference*>(&reference) != nullptr;
}

} // namespace lanewise::references
