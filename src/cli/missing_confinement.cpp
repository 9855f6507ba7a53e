#include "cli/missing_confinement.h"

#include "base/confinement.h"
#include "cli/output.h"

namespace lanewise::cli {

void tell_missing_confinement() {
  const ConfinementLayers layers = confinement_layers();
  if (!layers.filters_calls || layers.landlock == 0)
    tell("warning: kernels are not fully confined here: {} (docs/security.md)\n", layers_text());
}

} // namespace lanewise::cli
