// What kernels ask of the NoC, in another way, to try what would become of it.
#pragma once

#include <span>
#include <vector>

#include "chip/noc/noc.h"
#include "run/launch/mend.h"

namespace lanewise::launch {

/// What a core asks for is changed by these mends. `mends` must live as long as the NoC. `l1`: of
/// its core.
void change_noc(noc::Noc& noc, const std::vector<Mend>& mends, std::span<const std::uint8_t> l1);

} // namespace lanewise::launch
